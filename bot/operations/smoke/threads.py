"""Checks of threads started from a message, and of edits in archived ones."""

from typing import Final

from bot.messaging.archived_threads import NOT_ALLOWED
from bot.messaging.failures import Failure
from bot.operations.smoke.lines import Checks, DiffersError, NotTriedError, needed
from bot.operations.smoke.messages import NO_MESSAGE, read_as, refused, taken
from bot.operations.smoke.trial import Trial, content, payload

WEEK_MINUTES: Final = 10080
HAS_THREAD: Final = 160004
NO_THREAD: Final = "there is no thread"

checks = Checks()


@checks.add("A thread begun from a message", "has the message's id")
async def begun(trial: Trial) -> str:
    message = int(needed(trial.words, NO_MESSAGE)["id"])
    thread = taken(await trial.begin_thread(message))
    trial.thread = int(thread["id"])
    if trial.thread != message:
        raise DiffersError("another id")
    return "its id"


@checks.add("The silence after which it is put away", "a week, as asked for")
async def silence(trial: Trial) -> str:
    channel = taken(await trial.ask(trial.http.get_channel(needed(trial.thread, NO_THREAD))))
    minutes = channel["thread_metadata"]["auto_archive_duration"]
    if minutes != WEEK_MINUTES:
        raise DiffersError(f"{minutes} minutes")
    return f"{minutes} minutes"


@checks.add("A second thread from the same message", "refused, 160004")
async def second(trial: Trial) -> str:
    needed(trial.thread, NO_THREAD)
    return refused(await trial.begin_thread(int(needed(trial.words, NO_MESSAGE)["id"])), HAS_THREAD)


@checks.add("A message in the thread, and an edit of it", "taken")
async def inside(trial: Trial) -> str:
    thread = needed(trial.thread, NO_THREAD)
    message = taken(await trial.post(payload(content("in the thread")), thread))
    trial.in_thread = int(message["id"])
    taken(await trial.edit(payload(content("edited in the thread")), trial.in_thread, thread))
    return "taken"


@checks.add(
    "An edit in a locked thread, with Manage Threads", "taken, or refused as the bot can read"
)
async def locked(trial: Trial) -> str:
    """How a lock affects people without Manage Threads can't be seen: locking takes it."""
    thread, message = needed(trial.thread, NO_THREAD), needed(trial.in_thread, NO_MESSAGE)
    answer = await trial.set_thread(thread, locked=True)
    if not answer.ok or not answer.body["thread_metadata"]["locked"]:
        raise NotTriedError(f"the bot can't lock it ({answer}); it needs Manage Threads")
    answer = await trial.edit(payload(content("edited while locked")), message, thread)
    await trial.set_thread(thread, locked=False)
    if not answer.ok and answer.failure is None:
        raise DiffersError(str(answer))
    return str(answer)


@checks.add("An edit in an archived thread, by the bot itself", "refused, 50083")
async def archived(trial: Trial) -> str:
    thread, message = needed(trial.thread, NO_THREAD), needed(trial.in_thread, NO_MESSAGE)
    await archive(trial, thread)
    answer = await trial.edit(payload(content("edited while archived")), message, thread)
    return read_as(answer, Failure.ARCHIVED)


@checks.add("A message to the archived thread", "brings it back")
async def brought_back(trial: Trial) -> str:
    thread = needed(trial.thread, NO_THREAD)
    await archive(trial, thread)
    taken(await trial.post(payload(content("wakes the thread")), thread))
    if await _is_archived(trial, thread):
        raise DiffersError("it stays archived")
    return "it is back"


@checks.add(
    "Deleting a message in an archived thread", "taken, or refused with 50083 until it is open"
)
async def deleted_there(trial: Trial) -> str:
    """Discord's documentation calls it the only change possible there; people report refusals."""
    thread = needed(trial.thread, NO_THREAD)
    message = int(taken(await trial.post(payload(content("goes while archived")), thread))["id"])
    await archive(trial, thread)
    answer = await trial.delete(message, thread)
    if answer.ok:
        return str(answer)
    seen = read_as(answer, Failure.ARCHIVED)
    taken(await trial.set_thread(thread, archived=False))
    taken(await trial.delete(message, thread))
    await archive(trial, thread)
    return f"{seen}; deleted once it is open"


@checks.add(
    "Opening an archived thread that the bot has left", "taken, or refused, and a message opens it"
)
async def opened_from_outside(trial: Trial) -> str:
    """Discord's documentation contradicts itself on whether the bot has to be in the thread.

    With Manage Threads it may open any; a run without it tells more, but can't delete the thread.
    """
    thread = needed(trial.thread, NO_THREAD)
    taken(await trial.post(payload(content("before it is left")), thread))  # in an open thread
    left = await trial.ask(trial.http.leave_thread(thread))
    if not left.ok:
        raise NotTriedError(f"the bot can't leave it ({left})")
    await archive(trial, thread)
    answer = await trial.set_thread(thread, archived=False)
    if not answer.ok and answer.failure not in NOT_ALLOWED:
        raise DiffersError(str(answer))
    if not answer.ok:
        taken(await trial.post(payload(content("opens the thread")), thread))
    if await _is_archived(trial, thread):
        raise DiffersError(f"{answer}; it stays archived")
    await trial.ask(trial.http.join_thread(thread))  # where the member is asked for clicks
    return str(answer) if answer.ok else f"{answer}; a message opens it"


async def archive(trial: Trial, thread: int) -> None:
    """Archive the thread, unless it is already; NotTriedError if that fails."""
    await trial.set_thread(thread, archived=True)
    if not await _is_archived(trial, thread):
        raise NotTriedError("the thread can't be archived")


async def _is_archived(trial: Trial, thread: int) -> bool:
    channel = taken(await trial.ask(trial.http.get_channel(thread)))
    return bool(channel["thread_metadata"]["archived"])
