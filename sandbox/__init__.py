"""A Discord on your own machine: REST, gateway and CDN on 127.0.0.1, as strict as Discord.

A bot built on discord.py talks to it over real HTTP and WebSocket; tests and the page's console
talk to it in Python:

    async with Sandbox() as discord:
        ...                                   # start the bot with discord.url and discord.token
        await discord.ready()                 # every shard has identified, commands are registered
        ann, bo = discord.person("Ann"), discord.person("Bo")
        answer = await ann.slash("pico play", channel="games", opponent=bo)
        answer = await bo.click(answer.message, "Accept")
        assert "accepted" in answer.message.text

**Sandbox.** `Sandbox(port=0, shards=1, guilds=1, heartbeat=41250, privileged_intents=0,
answer_within=timedelta(seconds=3))`; `answer_within` is how long the bot has to answer an
interaction. It serves /api, /gateway, /attachments and /emojis, and has:

- `url`, `token`, `world`, `clients`, `person(name or id)`, `faults`, `until(predicate, timeout)`,
  `ready()`, `is_connected()`
- `clock`: `now`, `advance`, `freeze`, `thaw`, `reach`
- `requests`, a list of LoggedRequest, and `unknown_routes`
- `limits`: `invalid`, the requests that count toward Discord's ban, which comes at `max_invalid`;
  `windows`, the length of its windows as a fraction of Discord's; `max_concurrency`;
  `max_identifies` per day, after which Discord replaces the token; `clock`, its own, which runs
  even while the sandbox's is frozen
- `drop_connections()`, `request_reconnect()`, `invalidate_sessions(resumable=False)`
- `gateway`: `sessions`, which are kept for 5 minutes of `clock` without a connection;
  `identified`, `resumed`
- `endpoint`: `public_key`, `await register(*urls)`, `urls`, `answers`, `sign`, `post`
- `app`, the aiohttp application: add your own routes to it before `start()`

**World.** It has `guild` ("The Back Room" with #games and #lobby; Ann, its owner, Bo, Cleo and
Dan), `guilds`, `channel(name or id)`, `members`, `messages`, `history` (by channel), `direct` (by
user), `emojis`, `user_installs`. People and moderators change it with `add_person`, `add_guild`,
`add_channel(name, kind=)`, `add_to_thread(thread, user)`, `remove_from_thread`,
`archive_thread(thread, locked=)`, `lock(thread, locked=)`, `delete_channel`, `delete_message`,
`set_permissions(channel, allow=, deny=, role=)` (without a role, the bot's own),
`remove_bot(guild, keep_commands=)`, `add_bot`, `add_member`, `remove_member`, `time_out(user,
timedelta or None)`, `add_role(name, permissions)`, `set_role_permissions(role, permissions)`,
`set_roles(user, *roles)`, `delete_role(role)`, `install_for(user, installed=True)` (the bot, as an
app of that user), `add_channel_without_bot(*people, name=)`. Discord's outages begin with
`take_down(guild, told_by=)` and end with `bring_back`. `permissions(user, channel)` and
`sees(user, message)` tell what a user can do and see.

**Clients.** A Client does what its person wants (`slash`, `autocomplete`, `context_menu`, `click`,
`begin_post`, `select`, `submit`, `forge`, `say`, `read`, `dismiss`) and shows what they see
(`channels`, `see(channel)`, `direct_messages`, `dm`, `unread`, `unread_in(channel)`,
`commands(channel)`). With `closed` set, the bot can't send them direct messages. What Discord's
client wouldn't offer raises ImpossibleError. Every use of the bot returns an Answer: `message`,
`followups`, `modal`, `choices`, `deferred`, `ephemeral`, `failed`, `kind`, `text`, `await
settled()`. A Message stays the same object through its edits: `text`, `buttons`, `selects`,
`images`, `attachments`, `edited_at`, `deleted`, `ephemeral_to`, `pinged`, `preview`, `wire()`,
`read(url)`.

**Events.** `world.events.subscribe(listener)`, `.queue()` and `.stream()` give every Event: `kind`
(listed at the class), `subject`, `guild`, `channel`, `only` (the one user it concerns). To follow
what a person sees, start from `channels`, `see(channel)` and `direct_messages`. At each message_*
event, call `client.sees(message)`: if true, show or redraw the message, if false, remove it. At
channel_*, thread_*, member_*, role_* and guild_* events, read `channels` again. An `interaction_*`
event with `only == client.id` says what to show at the command or component that was used; "read"
says that unread marks have changed.

**Faults.** `faults.add(Fault(status=500, code=0, method="PATCH", path=r"/messages/", times=1,
delay=0.0, drop=False, after=False))`, and the switches `deliver_twice`, `rate_limits` (on by
default), `ignore_heartbeats`, `quarantined` (no new direct messages: 20026), `locked_answers` (the
code that refuses public answers in locked threads; None accepts them), `refuse_archived_deletes`
(archived threads refuse to delete messages too), `new_direct_messages` (how many can be opened in
10 minutes before 40003); `faults.clear()` ends all faults and resets the switches.
"""

from sandbox.answers import Answer
from sandbox.clients import Client
from sandbox.errors import ImpossibleError
from sandbox.events import Event
from sandbox.faults import Fault
from sandbox.messages import Message
from sandbox.request_log import LoggedRequest
from sandbox.server import Sandbox

__all__ = [
    "Answer",
    "Client",
    "Event",
    "Fault",
    "ImpossibleError",
    "LoggedRequest",
    "Message",
    "Sandbox",
]
