"""Checks of messages without pictures: what is accepted or refused, and who is mentioned."""

from datetime import datetime, timedelta
from typing import Any, Final

import discord
from discord.http import Route

from bot.messaging.components import Button, ChannelSelect, Option, Press, Section, Select
from bot.messaging.content import PlainButtons
from bot.messaging.failures import Failure
from bot.operations.smoke.lines import Checks, DiffersError, NotTriedError, needed
from bot.operations.smoke.requests import Answer, Json
from bot.operations.smoke.trial import COMPONENTS_V2, Trial, components, content, payload
from bot.storage import MatchId

MAX_COMPONENTS: Final = 40
MAX_TEXT: Final = 4000
EMPTY: Final = 50006
MALFORMED: Final = 50035
TOO_MANY_EDITS: Final = 30046
NO_MESSAGE: Final = "there is no message to try it on"
OLD_EDITS: Final = 6
"""Edits of an old message to try; people report a limit of 3 in 20 seconds."""

RATE_LIMIT_HEADERS: Final = tuple(
    f"X-RateLimit-{name}" for name in ("Limit", "Remaining", "Reset-After", "Bucket")
)

checks = Checks()


def refused(answer: Answer, *codes: int) -> str:
    """What was seen, if it was a refusal with one of these codes; DiffersError if not."""
    if answer.ok or answer.code not in codes:
        raise DiffersError(str(answer))
    return str(answer)


def taken(answer: Answer) -> Json:
    """The body of the answer, if the request was accepted; DiffersError if not."""
    if not answer.ok:
        raise DiffersError(str(answer))
    body: Json = answer.body
    return body


def must_be_private(message: Json) -> None:
    """DiffersError for a message that other people can see too."""
    if not discord.MessageFlags._from_value(message["flags"]).ephemeral:  # noqa: SLF001
        raise DiffersError("everybody sees it")


def press(arg: str = "") -> Press:
    """The press of a button in a run; no act of the bot has its name."""
    return Press(MatchId(0), 0, "smoke", arg)


def _longest(number: int) -> Press:
    """A press whose custom_id has all of the 100 characters."""
    return Press(MatchId(10**18 - 1), 10**9 - 1, "smokesmokesm", f"{number:055}")


def _forty() -> list[Json]:
    """As many components as a message may have: a container, text, six rows and a select."""
    buttons = [Button(label=str(n), press=_longest(n)) for n in range(30)]
    rows = [tuple(buttons[i : i + 5]) for i in range(0, 30, 5)]
    options = tuple(Option(label=str(n), value=str(n)) for n in range(25))
    menu = Select(placeholder="One of 25", press=_longest(30), options=options)
    return components(content("40 components", *rows, menu))


@checks.add("A message of components, with a nonce of 25 characters", "taken, with its flag")
async def taken_once(trial: Trial) -> str:
    message = taken(await trial.post(_with_nonce(trial)))
    trial.words = message
    if not message["flags"] & COMPONENTS_V2:
        raise DiffersError(f"flags {message['flags']}")
    return f"flags {message['flags']}"


def _with_nonce(trial: Trial) -> Json:
    return payload(content("nonce"), nonce=trial.nonce, enforce_nonce=True)


@checks.add("The same again with the same nonce", "the message that is there already")
async def nonce(trial: Trial) -> str:
    first = needed(trial.words, NO_MESSAGE)
    again = taken(await trial.post(_with_nonce(trial)))
    if again["id"] != first["id"]:
        raise DiffersError("a second message")
    return "the same message"


@checks.add("Words with a button, edited to components with `content: null`", "taken")
async def words_first(trial: Trial) -> str:
    """A push notification shows nothing of components, so what notifies is sent in words first."""
    buttons = PlainButtons([(Button(label="One", press=press()),)]).to_components()
    plain = taken(await trial.post({"content": "words first", "components": buttons}))
    if plain["flags"] & COMPONENTS_V2:
        raise DiffersError(f"flags {plain['flags']}")
    whole = taken(
        await trial.edit(payload(content("then whole")) | {"content": None}, int(plain["id"]))
    )
    if not whole["flags"] & COMPONENTS_V2 or whole["content"]:
        raise DiffersError(f"flags {whole['flags']}, words {whole['content']!r}")
    return f"flags {plain['flags']}, then {whole['flags']}"


@checks.add("Headers of an answer", "limit, remaining, reset and bucket of the rate limit")
async def headers(trial: Trial) -> str:
    answer = await trial.post(payload(content("headers")))
    lacking = [name for name in RATE_LIMIT_HEADERS if name not in answer.headers]
    if lacking:
        raise DiffersError(f"{answer}; without {', '.join(lacking)}")
    limit, after = answer.headers["X-RateLimit-Limit"], answer.headers["X-RateLimit-Reset-After"]
    return f"{limit} in {after} s"


@checks.add("Somebody named in a message that may ping nobody", "nobody in `mentions`")
async def unnamed(trial: Trial) -> str:
    message = taken(await trial.post(payload(content(f"named <@{trial.named}>"))))
    if message["mentions"]:
        raise DiffersError("they are in `mentions`, so they may have been pinged")
    return "nobody"


@checks.add("An edit that names somebody in `allowed_mentions`", "they are in `mentions`")
async def named(trial: Trial) -> str:
    words = needed(trial.words, NO_MESSAGE)
    allowed = {"parse": [], "users": [str(trial.named)]}
    edited = payload(content(f"edit names <@{trial.named}>"), allowed_mentions=allowed)
    message = taken(await trial.edit(edited, int(words["id"])))
    return mentioned(message, trial)


def mentioned(message: Json, trial: Trial) -> str:
    """What was seen, if only the named person is in `mentions`; DiffersError if not."""
    users = [user["id"] for user in message["mentions"]]
    if users != [str(trial.named)]:
        raise DiffersError(f"{len(users)} in `mentions`, not the one who is named")
    return "they are"


@checks.add("The same person twice in `allowed_mentions`", "refused, 50035")
async def twice(trial: Trial) -> str:
    allowed = {"parse": [], "users": [str(trial.named)] * 2}
    sent = payload(content("allowed twice"), allowed_mentions=allowed)
    return refused(await trial.post(sent), MALFORMED)


@checks.add("An empty message", "refused, 50006")
async def empty(trial: Trial) -> str:
    return refused(await trial.post({"content": ""}), EMPTY)


@checks.add("2001 characters of content", "refused, 50035, and the field is named")
async def malformed(trial: Trial) -> str:
    answer = await trial.post({"content": "x" * 2001})
    seen = refused(answer, MALFORMED)
    if "content" not in answer.body.get("errors", {}):
        raise DiffersError(f"{seen}, without the field")
    return seen


@checks.add("40 components, custom_ids of 100 characters, a menu of 25", "taken")
async def forty(trial: Trial) -> str:
    message = taken(await trial.post(payload(content(""), components=_forty())))
    rows = len(message["components"][0]["components"])
    if rows != 8:
        raise DiffersError(f"{rows} of 8 parts came back")
    return "taken"


@checks.add("41 components", "refused, 50035")
async def more_than_forty(trial: Trial) -> str:
    parts = [*_forty(), {"type": 10, "content": "41 components"}]
    return refused(await trial.post(payload(content(""), components=parts)), MALFORMED)


@checks.add("4000 characters in a message of components", "taken")
async def longest(trial: Trial) -> str:
    taken(await trial.post(_of_characters(MAX_TEXT)))
    return "taken"


@checks.add("4001 characters in a message of components", "refused, 50035")
async def too_long(trial: Trial) -> str:
    return refused(await trial.post(_of_characters(MAX_TEXT + 1)), MALFORMED)


def _of_characters(count: int) -> Json:
    """A message of so many characters in two parts, because it's their sum that counts."""
    head = content(f"{count} characters").head
    return payload(content(f"{count} characters", "x" * (count - len(head))))


@checks.add("A menu of channels of all kinds, with one chosen", "taken, with the one chosen")
async def channel_menu(trial: Trial) -> str:
    menu = ChannelSelect(placeholder="Channels", press=press(), chosen=(trial.channel,))
    message = taken(await trial.post(payload(content("menu of channels", menu))))
    row = message["components"][0]["components"][1]
    chosen = [value["id"] for value in row["components"][0].get("default_values", ())]
    if chosen != [str(trial.channel)]:
        raise DiffersError(f"{len(chosen)} chosen")
    return "taken"


@checks.add("Words with a button beside them", "taken, with the button")
async def section(trial: Trial) -> str:
    beside = Section(text="words", accessory=Button(label="Beside", press=press()))
    message = taken(await trial.post(payload(content("words with a button", beside))))
    custom_id = message["components"][0]["components"][1].get("accessory", {}).get("custom_id")
    if custom_id != str(press()):
        raise DiffersError(f"button {custom_id}")
    return "taken"


@checks.add("A message that is deleted", "204")
async def deleting(trial: Trial) -> str:
    message = taken(await trial.post(payload(content("to be deleted"))))
    answer = await trial.delete(int(message["id"]))
    if answer.status != 204:
        raise DiffersError(str(answer))
    trial.deleted = int(message["id"])
    return str(answer)


@checks.add("An edit of a message that is gone", "refused, 10008")
async def edit_of_deleted(trial: Trial) -> str:
    answer = await trial.edit(
        payload(content("edit of what is gone")),
        needed(trial.deleted, "no message could be deleted"),
    )
    return read_as(answer, Failure.GONE)


@checks.add("Deleting a message that is gone", "refused, 10008")
async def deleting_again(trial: Trial) -> str:
    return read_as(
        await trial.delete(needed(trial.deleted, "no message could be deleted")), Failure.GONE
    )


@checks.add("A nonce whose message was deleted", "refused, 10008, or good for a new message")
async def nonce_of_deleted(trial: Trial) -> str:
    """A Discord engineer calls the refusal intended; the bot then sends with another nonce."""
    again = f"{trial.nonce[:-1]}~"
    sent = payload(content("goes with its nonce"), nonce=again, enforce_nonce=True)
    first = taken(await trial.post(sent))
    taken(await trial.delete(int(first["id"])))
    answer = await trial.post(sent)
    if not answer.ok:
        return read_as(answer, Failure.GONE)
    if answer.body["id"] == first["id"]:
        raise DiffersError("the message that was deleted")
    return "a new message"


@checks.add("A message to a channel that there is not", "refused, 10003 or 50001")
async def no_channel(trial: Trial) -> str:
    # An id that exists, but isn't a channel's.
    answer = await trial.post(payload(content("nowhere")), channel=trial.me)
    return read_as(answer, Failure.NOWHERE)


@checks.add("An edit by the token of no interaction", "refused, 50027 or 10015")
async def false_token(trial: Trial) -> str:
    hook = discord.Webhook.partial(trial.application, "smoke" * 20, client=trial.client)
    original: Any = "@original"
    answer = await trial.ask(hook.edit_message(original, content="no token"))
    return read_as(answer, Failure.EXPIRED)


@checks.add("Edits of a message older than an hour", "taken, and from some number on 30046")
async def old_edits(trial: Trial) -> str:
    sent = [(message, _sent_at(message)) for message in await trial.history()]
    # By Discord's own clock: the newest message is from this run.
    old = [message for message, at in sent if sent[0][1] - at > timedelta(hours=1)]
    if not old:
        raise NotTriedError("no message of the bot here is old enough, or it can't read any")
    # The flags that it already has, so that nothing in it changes.
    body = {"flags": old[0]["flags"] & COMPONENTS_V2}
    route = Route(
        "PATCH",
        "/channels/{channel_id}/messages/{message_id}",
        channel_id=trial.channel,
        message_id=int(old[0]["id"]),
    )
    for number in range(OLD_EDITS):
        answer = await trial.requests.ask_once(trial.http, route, body)
        if not answer.ok:
            return f"{number} taken, then {refused(answer, TOO_MANY_EDITS)}"
    return f"{OLD_EDITS} taken"


def _sent_at(message: Json) -> datetime:
    return discord.utils.snowflake_time(int(message["id"]))


def read_as(answer: Answer, failure: Failure) -> str:
    """What was seen, if the bot's delivery reads it as this failure; DiffersError if not."""
    if answer.failure is not failure:
        raise DiffersError(str(answer))
    return str(answer)
