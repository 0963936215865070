"""Faults of the sandbox that make each line of the smoke test fail."""

from bot.operations.smoke import members
from sandbox import Fault
from sandbox.permissions import Permission

RIGHTS = (
    Permission.READ_MESSAGE_HISTORY
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.MANAGE_THREADS
)
MALFORMED = 50035
FORBIDDEN = 50013
NEVER_HEARD_OF = 99999
"""An error code that the bot doesn't know."""

PICTURE = {
    "components": [
        {
            "components": [
                {"type": 12, "items": [{"media": {"url": "/x.png", "attachment_id": "1"}}]}
            ]
        }
    ]
}
"""Part of an answer: a picture with another attachment id and without a description."""


def passing(fault):
    """Let the first request that fits pass; the second gets the fault."""
    return [Fault(method=fault.method, path=fault.path, saying=fault.saying), fault]


def refusing(saying, *, method="POST", code=MALFORMED, path=".*"):
    return [Fault(method=method, path=path, saying=saying, status=400, code=code)]


def telling(saying, body, *, method="POST", path=".*", times=1):
    return [Fault(method=method, path=path, saying=saying, body=body, times=times)]


NO_STARTS = {"total": 1000, "remaining": 0, "reset_after": 1, "max_concurrency": 1}
THREADS = r"/threads$"
CALLBACK = r"/callback$"
WEBHOOK = r"/webhooks/"
CHANNEL = r"/channels/\d+$"

LIES = {
    "gateway": telling("", {"session_start_limit": NO_STARTS}, method="GET", path="/gateway/bot"),
    "taken_once": telling("nonce", {"flags": 0}),
    "nonce": telling("nonce", {"id": "1"}),
    "nonce_of_deleted": passing(
        Fault(method="POST", saying="goes with its nonce", status=400, code=MALFORMED)
    ),
    "headers": refusing("headers"),
    "words_first": telling("then whole", {"flags": 0}, method="PATCH"),
    "unnamed": telling("named <@", {"mentions": [{"id": "1"}]}),
    "named": telling("edit names", {"mentions": []}, method="PATCH"),
    "twice": refusing("allowed twice", code=NEVER_HEARD_OF),
    "empty": refusing('{"content": ""}'),
    "malformed": telling("x" * 2001, {"errors": {}}),
    "forty": refusing("One of 25"),
    "longest": refusing("4000 characters"),
    "channel_menu": refusing("menu of channels"),
    "section": refusing("words with a button"),
    "deleting": refusing("", method="DELETE", code=FORBIDDEN),
    "edit_of_deleted": refusing("edit of what is gone", method="PATCH"),
    "deleting_again": passing(Fault(method="DELETE", status=403, code=FORBIDDEN)),
    "no_channel": refusing("nowhere"),
    "false_token": refusing("", method="PATCH", path=WEBHOOK),
    "old_edits": refusing('{"flags"', method="PATCH", code=FORBIDDEN),
    "sent": telling("picture sent", {"components": [{"components": []}]}),
    "description": telling("picture sent", PICTURE),
    "kept_by_name": refusing("kept by name", method="PATCH"),
    "stale": refusing("kept though gone", method="PATCH", code=NEVER_HEARD_OF),
    "replaced": refusing("picture replaced", method="PATCH"),
    "taken_away": telling("taken away", {"attachments": [{}]}, method="PATCH"),
    "begun": telling("", {"id": "1"}, path=THREADS),
    "silence": telling(
        "",
        {"thread_metadata": {"auto_archive_duration": 60}},
        method="GET",
        path=CHANNEL,
        times=2,  # the first request asks what kind of channel it is
    ),
    "second": passing(Fault(method="POST", path=THREADS, status=400, code=MALFORMED)),
    "inside": refusing("edited in the thread", method="PATCH", code=FORBIDDEN),
    "locked": refusing("edited while locked", method="PATCH", code=NEVER_HEARD_OF),
    "archived": refusing("edited while archived", method="PATCH"),
    "brought_back": telling(
        "",
        {"thread_metadata": {"auto_archive_duration": 10080, "archived": True}},
        method="GET",
        path=CHANNEL,
        times=None,
    ),
    "deleted_there": refusing("", method="DELETE", code=NEVER_HEARD_OF, path="/messages/"),
    "opened_from_outside": [
        Fault(
            method="PATCH", path=CHANNEL, saying='{"archived": false}', status=403, code=FORBIDDEN
        ),
        *refusing("opens the thread", code=FORBIDDEN),
    ],
    "opened": telling("recipient_id", {"id": "1"}),
    "closed": refusing("direct message"),
    "installs": [
        Fault(
            method="GET", path="^/applications/@me$", body={"integration_types_config": {"0": {}}}
        )
    ],
    "clicked": refusing(members.LABEL),
    "acknowledged": refusing("", path=CALLBACK, code=10062),
    "answered_twice": passing(Fault(method="POST", path=CALLBACK, status=400, code=MALFORMED)),
    "upload_by_token": refusing("picture by token", method="PATCH", path=WEBHOOK),
    "kept_by_token": refusing("kept by token", method="PATCH", path=WEBHOOK),
    "named_by_token": telling("edit by token names", {"mentions": []}, method="PATCH"),
    "follow_up": telling("private, names", {"flags": 32768}),
    "named_privately": telling("private, names", {"mentions": []}),
    "edit_privately": refusing("private picture", method="PATCH", path=WEBHOOK),
    "delete_privately": [Fault(method="DELETE", path=WEBHOOK, status=404, code=10008)],
    "archived_by_token": refusing("by token while archived", method="PATCH", code=NEVER_HEARD_OF),
    "thinking": refusing('"type": 5', path=CALLBACK),
    "filled": refusing("picture after thinking", method="PATCH", path=WEBHOOK),
    "thinking_publicly": passing(
        Fault(method="POST", path=CALLBACK, saying='"type": 5', status=400, code=MALFORMED)
    ),
    "taken_back": telling("in place of thinking", {"flags": 32768}),
    "_tidy_up": [Fault(method="DELETE", status=403, code=FORBIDDEN, times=None)],
}
"""Faults by the name of the line that they make fail."""


def weaken(monkeypatch, discord, line):
    """Make a line of the smoke test fail, by `LIES` or by changing the sandbox itself."""
    match line:
        case "permissions":
            discord.world.set_permissions("games", allow=RIGHTS, deny=Permission.EMBED_LINKS)
        case "commands":
            first = discord.commands.of(None)[0]
            discord.commands.change(None, int(first["id"]), {"contexts": [2]})
        case "more_than_forty":
            monkeypatch.setattr("sandbox.components.message.MAX_COMPONENTS", 41)
        case "too_long":
            monkeypatch.setattr("sandbox.components.message.MAX_TEXT_CHARACTERS", 5000)
        case "kept_by_address":
            monkeypatch.setattr("sandbox.media.URLS_REFER_TO_FILES", True)
        case "members":
            monkeypatch.setattr("sandbox.member_requests._found", lambda *_: [])
        case _:
            for fault in LIES[line]:
                discord.faults.add(Fault(**fields(fault)))


def fields(fault):
    """The fields of a fault, for a copy: a fault counts down, so each test needs its own."""
    return {name: getattr(fault, name) for name in Fault.__slots__}
