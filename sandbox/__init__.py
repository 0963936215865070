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

**The whole.** `Sandbox(port=0, shards=1, guilds=1, heartbeat=41250, privileged_intents=0,
answer_within=timedelta(seconds=3))`, the last being how long an interaction waits for its answer,
has `url`, `token`, `clock` (`now`, `advance`, `freeze`, `thaw`, `reach`), `world`, `clients`,
`person(name or id)`, `requests` (a list of LoggedRequest), `unknown_routes`, `faults`, `limits`
(`invalid`, what Discord counts toward its ban at `max_invalid`; `windows`, how long its windows
are; `max_concurrency`; `max_identifies`, how many a day has before Discord replaces the token;
`clock`, its own, which runs on while `clock` stands), `until(predicate, timeout)`, `ready()`,
`is_connected()`, `drop_connections()`, `request_reconnect()`,
`invalidate_sessions(resumable=False)`, `gateway` (`sessions`, of which those without a connection
are kept for 5 minutes of `clock`, `identified`, `resumed`), `endpoint` (`public_key`, `await
register(*urls)`, `urls`, `answers`, `sign`, `post`) and `app`, the aiohttp application: add routes
of your own to it before `start()`. It serves /api, /gateway, /attachments and /emojis.

**The world.** `guild` ("The Back Room" with #games and #lobby, Ann its owner, Bo, Cleo and Dan),
`guilds`, `channel(name or id)`, `members`, `messages`, `history` (by channel), `direct` (by user),
`emojis`, `user_installs`, and what people may do to it: `add_person`, `add_guild`,
`add_channel(name, kind=)`, `add_to_thread(thread, user)`, `take_out_of_thread`, `put_away(thread,
locked=)`, `lock(thread, locked=)`, `delete_channel`, `delete_message`,
`set_permissions(channel, allow=, deny=, role=)` (the bot's own without a role), `remove_bot(guild,
keep_commands=)`, `add_bot`, `add_member`, `remove_member`, `time_out(user, timedelta or None)`,
`add_role(name, permissions)`, `set_role_permissions(role, permissions)`, `set_roles(user, *roles)`,
`delete_role(role)`, `install_for(user, installed=True)` (the bot, for that person anywhere),
`add_private(*people, name=)` (a channel of theirs without the bot); and what Discord does:
`take_down(guild, told_by=)` and `bring_back`, an outage.
Questions: `permissions(user, channel)`, `sees(user, message)`.

**Clients.** A Client does what its person wants (`slash`, `autocomplete`, `context_menu`, `click`,
`begin_post`, `select`, `submit`, `forge`, `say`, `read`, `dismiss`) and shows what they see
(`channels`, `see(channel)`, `direct_messages`, `dm`, `unread`, `unread_in(channel)`,
`commands(channel)`). With `closed` set, they take no direct messages of the bot's. What Discord's
client would not offer raises ImpossibleError. Each thing done gives an Answer: `message`,
`followups`, `modal`, `choices`, `deferred`, `ephemeral`, `failed`, `kind`, `text`, `await
settled()`. A Message lives on through its edits: `text`, `buttons`, `selects`, `images`,
`attachments`, `edited_at`, `deleted`, `ephemeral_to`, `pinged`, `preview`, `wire()`, `read(url)`.

**Events.** `world.events.subscribe(listener)`, `.queue()` and `.stream()` give every Event: `kind`
(the list is at the class), `subject`, `guild`, `channel`, `only` (the one user it concerns).
To follow what a person sees, start from `channels`, `see(channel)` and `direct_messages`; at each
message_* event ask `client.sees(message)`: true means show or redraw it, false means remove it;
at channel_*, thread_*, member_*, role_* and guild_* events ask for `channels` again. An
`interaction_*` event with `only == client.id` says what to show at the command or component that
was used; "read" says that the unread marks changed.

**Faults.** `faults.add(Fault(status=500, code=0, method="PATCH", path=r"/messages/", times=1,
delay=0.0, drop=False, after=False))`, and the switches `faults.deliver_twice`,
`faults.rate_limits` (on by default), `faults.ignore_heartbeats`, `faults.quarantined` (no new
direct messages: 20026), `faults.locked_answers` (the code with which answers in locked threads are
refused, which are taken otherwise), `faults.archived_keep` (archived threads refuse deletions
too), `faults.new_direct_messages` (how many in 10 minutes before
40003); `faults.clear()` ends them all.
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
