"""A storage with its rows in memory that lets other tasks run between any two statements."""

import asyncio
from contextlib import asynccontextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from random import Random

from bot.errors import TooLateError
from bot.storage import MatchId, MatchRecord, SeatRecord


@dataclass
class Rows:
    matches: dict = field(default_factory=dict)
    moves: dict = field(default_factory=dict)
    results: dict = field(default_factory=dict)

    def copy(self):
        return Rows(dict(self.matches), dict(self.moves), dict(self.results))


class Memory:
    """What `Matches` needs of a storage; with `isolated=False`, without locking or rolling back."""

    def __init__(self, seed, *, isolated=True):
        self.rows = Rows()
        self.advanced = []  # (match, step) of each committed step, in order
        self._random = Random(seed)
        self._lock = asyncio.Lock() if isolated else nullcontext()
        self._isolated = isolated

    async def breathe(self):
        """Yield to other tasks zero to three times, at random."""
        for _ in range(self._random.randrange(4)):
            await asyncio.sleep(0)

    @asynccontextmanager
    async def transaction(self):
        await self.breathe()
        async with self._lock:
            before, advanced = self.rows.copy(), len(self.advanced)
            try:
                yield Unit(self)
            except BaseException:
                if self._isolated:
                    self.rows = before
                    del self.advanced[advanced:]
                raise
        await self.breathe()

    @asynccontextmanager
    async def reading(self):
        yield Unit(self)

    async def pick(self, picks):
        """As `bot.storage.move_batch`, which does it in one statement."""
        async with self.transaction() as writing:
            before = {(p.match, p.seat): await writing.moves.pick(p) for p in picks}
            return {key: revision for key, revision in before.items() if revision is not None}


class Unit:
    """The repositories of one transaction, as `bot.storage.Transaction` has them."""

    def __init__(self, memory):
        self.matches = Matches(memory)
        self.challenges = Challenges(memory)
        self.asks = Asks(memory)
        self.seats = Seats(memory)
        self.moves = Moves(memory)
        self.notices = Notices(memory)
        self.clocks = Clocks(memory)
        self.blocks = Blocks(memory)
        self.people = People(memory)
        self.returns = Returns(memory)


class Repository:
    def __init__(self, memory):
        self._memory = memory

    @property
    def _rows(self):
        return self._memory.rows

    def _set(self, match, **values):
        self._rows.matches[match] = replace(self._rows.matches[match], **values)

    def _seat(self, match, seat, **values):
        seats = list(self._rows.matches[match].seats)
        seats[seat] = replace(seats[seat], **values)
        self._set(match, seats=tuple(seats))


class Matches(Repository):
    async def load(self, match):
        await self._memory.breathe()
        record = self._rows.matches.get(match)
        if record is None:
            return None
        return replace(
            record,
            choices={
                seat: move
                for (number, step, seat), move in sorted(self._rows.moves.items())
                if (number, step) == (match, record.step)
            },
        )

    async def load_all(self, numbers):
        found = {match: await self.load(match) for match in numbers}
        return {match: record for match, record in found.items() if record is not None}

    async def lock_results(self, records):
        await self._memory.breathe()
        del records

    async def deal(self, match, dealt, *, seed, now):
        await self._memory.breathe()
        if self._rows.matches[match].status == "open":
            self._set(match, status="running", seed=seed, begun_at=now, **asdict(dealt))

    async def advance(self, match, step, dealt, *, late=()):
        await self._memory.breathe()
        record = self._rows.matches[match]
        if (record.status, record.step) != ("running", step):
            raise TooLateError("another was first")
        self._set(match, step=step + 1, late=late, **asdict(dealt))
        self._memory.advanced.append((match, step))

    async def leave(self, before, seat, dealt, *, why):
        await self._memory.breathe()
        match = before.id
        order = 1 + sum(s.left is not None for s in self._rows.matches[match].seats)
        self._seat(match, seat, left=order, left_why=why)
        if self._rows.matches[match].step != before.step:
            raise TooLateError("another was first")
        self._set(match, **asdict(dealt))
        return self._rows.matches[match].seats[seat]

    async def end(self, record, status, now, outcome=(), *, ending=None, actor=None):
        del now, actor
        await self._memory.breathe()
        match = record.id
        self._set(match, status=status, ending=ending, due_at=None)
        for line in outcome:
            if (match, line.seat) in self._rows.results:
                raise RuntimeError("a match has one result")
            self._rows.results[match, line.seat] = line


class Challenges(Repository):
    """What is written before the deal; nobody has too many challenges or matches."""

    async def open(self, new, now):
        await self._memory.breathe()
        match = MatchId(len(self._rows.matches) + 1)
        self._rows.matches[match] = MatchRecord(
            id=match,
            game=new.game,
            options=new.options,
            status="open",
            guild=new.guild,
            channel=new.channel,
            opener=new.opener,
            wanted=new.wanted,
            time_control=new.time_control,
            tap=new.tap,
            rated=new.rated,
            limited=False,
            predecessor=new.predecessor,
            turn=0,
            late=(),
            due_at=new.due_at,
            opened_at=now,
            begun_at=None,
            ending=None,
            revision=1,
            seed=None,
            schema=None,
            state=None,
            step=0,
            seats=tuple(
                SeatRecord(
                    user=user,
                    accepted=user == new.opener,
                    left=None,
                    invited=user != new.opener,
                )
                for user in new.users
            ),
            choices={},
        )
        return match

    async def accept(self, match, seat):
        await self._memory.breathe()
        self._seat(match, seat, accepted=True)

    async def take(self, match, seat, user):
        await self._memory.breathe()
        seats = self._seats(match)
        if len(seats) != seat:
            raise RuntimeError("a seat is taken once, and none is left out")
        self._set_seats(match, [*seats, SeatRecord(user=user, accepted=True, left=None)])

    async def vacate(self, match, seat):
        await self._memory.breathe()
        seats = self._seats(match)
        del seats[seat]
        self._set_seats(match, seats)

    async def resize(self, match, wanted):
        await self._memory.breathe()
        self._set_seats(match, self._seats(match), wanted=wanted)

    async def running(self, users):
        await self._memory.breathe()
        del users
        return {}

    async def rated_together(self, guild, users, since):
        await self._memory.breathe()
        del guild, users, since
        return {}

    rated_with_former = rated_together

    async def between(self, user, others, *, besides):
        await self._memory.breathe()
        del user, others, besides
        return []

    async def opened_by(self, user):
        await self._memory.breathe()
        del user
        return 1

    def _seats(self, match):
        return list(self._memory.rows.matches[match].seats)

    def _set_seats(self, match, seats, **values):
        self._set(match, seats=tuple(seats), **values)


class Asks(Repository):
    """Stores nothing: nobody asks too often."""

    async def note(self, match, actor, users, now):
        await self._memory.breathe()
        del match, actor, users, now

    async def decline(self, match, user):
        await self._memory.breathe()
        del match, user

    accept = decline

    async def unanswered(self, actor, others, since, until, *, deleted_at):
        await self._memory.breathe()
        del actor, others, since, until, deleted_at
        return {}, 0


class Returns(Repository):
    async def latest(self, marks, now):
        await self._memory.breathe()
        del marks, now


class Seats(Repository):
    async def agree(self, match, seat, what):
        await self._memory.breathe()
        self._seat(match, seat, agrees=what)

    async def clear_strikes(self, match, seat):
        await self._memory.breathe()
        self._seat(match, seat, strikes=0)


class Moves(Repository):
    async def choose(self, match, step, seat, move):
        await self._memory.breathe()
        self._rows.moves[match, step, seat] = move.text

    async def pick(self, pick):
        await self._memory.breathe()
        record = self._rows.matches[pick.match]
        gone = sum(seat.left is not None for seat in record.seats)
        if (record.status, record.step, gone) != ("running", pick.step, pick.gone):
            return None
        chosen = {
            seat for m, step, seat in self._rows.moves if (m, step) == (pick.match, pick.step)
        }
        if chosen.issuperset(pick.others):
            return None
        self._rows.moves[pick.match, pick.step, pick.seat] = pick.move
        self._rows.matches[pick.match] = replace(record, revision=record.revision + 1)
        return record.revision

    async def drop(self, match, step, seat):
        await self._memory.breathe()
        self._rows.moves.pop((match, step, seat), None)


class Clocks(Repository):
    """Stores nothing: nobody is on vacation, and no match has reserves."""

    async def put_seats(self, before, after):
        await self._memory.breathe()
        for i, seat in enumerate(after.seats):
            if seat != before.seats[i]:
                raise RuntimeError("only vacations and reserves are of single seats")

    async def on_vacation(self, users, guild, now):
        await self._memory.breathe()
        del users, guild, now
        return {}


class Notices(Repository):
    """Stores nothing: nobody is notified."""

    async def queue(self, match, event, users, *, due_at, turn=0, actor=None):
        await self._memory.breathe()
        del match, event, users, due_at, turn, actor


class People(Repository):
    """Stores nothing: everybody can be challenged by name."""

    async def left_alone(self, users):
        await self._memory.breathe()
        del users
        return []


class Blocks(Repository):
    """Stores nothing: nobody blocks anybody."""

    async def blocking(self, users, blocked, mark):
        await self._memory.breathe()
        del users, blocked, mark
        return []
