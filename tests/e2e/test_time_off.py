"""Time off at the wire: pauses, vacations, reserves of time, and resumed matches."""

from tests.support.clock import DAY, MINUTE, Watch
from tests.support.spite_tables import Flow, begun
from tests.support.tables import labels
from tests.support.typed_commands import typed
from tests.support.waiting import written

BOTH = ("Ann", "Bo")


async def paused(table):
    """The table of a match that Ann and Bo have agreed to pause."""
    public = await table.match(pace="slow")
    opened = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(opened.message, "Offer a pause")
    await table.discord.until(lambda: "Pause the match" in labels(table.desk("Bo")))
    await table.person("Bo").click(table.desk("Bo"), "Pause the match")
    await table.discord.until(lambda: labels(public)[:1] == ["Resume"])
    await table.quiet_now()
    return public


async def run_out(table, *names):
    """Let two turns of a day pass in which only these players choose."""
    for _ in range(2):
        for name in names:
            await table.play(name)
        table.pass_time(DAY)
        await table.quiet_now()
        await written(table, "SELECT 1 FROM matches WHERE due_at > ?")


async def test_a_pause_is_shown_everywhere_and_can_be_ended_at_the_table(table):
    public = await paused(table)
    until = int(table.watch()) + 14 * DAY

    for name in BOTH:
        assert f"Paused until <t:{until}:f> at the latest." in table.desk(name).text
        assert labels(table.desk(name)) == ["Resume", "Menu", "Table"]
    strange = await table.person("Dan").click(public, "Resume")
    table.watch.advance(2 * DAY)
    await table.person("Bo").click(public, "Resume")
    await table.discord.until(lambda: "The pause is over" in public.text)
    await table.discord.until(lambda: all(table.cards(table.desk(name)) for name in BOTH))

    assert strange.text == "Only its players can resume this match."
    ((due,),) = table.sql("SELECT due_at FROM matches")
    assert table.watch() + DAY - MINUTE < due <= table.watch() + DAY
    assert f"<t:{due}:R>" in public.text
    await table.trick(*BOTH)
    await table.discord.until(lambda: "The pause is over" not in public.text)


async def test_a_click_on_a_card_from_before_is_told_of_the_pause(table):
    public = await paused(table)

    answer = await table.person("Ann").forge(
        public, custom_id=f"f1:{table.match_of(public)}:0:pick:9"
    )

    assert answer.text == (
        "This match is paused, and its clock is stopped. Any of its players can press **Resume** "
        "at the table."
    )


async def test_with_closed_direct_messages_a_paused_player_can_see_their_hand_and_resign(table):
    public = await paused(table)
    bo = table.person("Bo")
    bo.closed = True

    hand = await table.hand("Bo", public)
    menu = (await bo.click(public, "Menu")).message
    question = (await bo.click(menu, "Resign")).message
    strange = await table.person("Dan").click(public, "Menu")
    assert hand.images
    assert "Pico · 13 cards: your hand" in hand.text
    assert labels(hand) == ["Resume", "Menu", "Table"]
    assert labels(public) == ["Resume", "My hand", "Menu", "Rules"]
    assert "Follow" in labels(strange.message)
    resigned = await bo.click(question, "Resign")

    assert resigned.text == "You resigned."
    await table.discord.until(lambda: "Rematch" in labels(public))
    assert table.sql("SELECT status, due_at FROM matches") == [("over", None)]


async def test_a_pause_survives_a_restart_and_ends_after_14_days(table):
    public = await paused(table)

    await table.restart()
    table.pass_time(14 * DAY)

    await table.discord.until(lambda: "the clock is running again" in public.text)
    await table.discord.until(lambda: all(table.cards(table.desk(name)) for name in BOTH))
    ((paused_at, due),) = table.sql("SELECT paused_at, due_at FROM matches")
    assert paused_at is None
    assert table.watch() + DAY - MINUTE < due <= table.watch() + DAY


async def test_a_vacation_is_confirmed_to_its_player_and_shown_at_the_table(table):
    await table.restart(now=Watch())  # in January: days are counted by the year
    public = await table.match(pace="slow")
    ann = table.person("Ann")

    begun = await ann.slash("vacation start", channel="games", days=3)
    ((until,),) = table.sql("SELECT until FROM vacations")
    said = f"{ann.mention} is on vacation until <t:{until}:f>; their clock is stopped."
    await table.discord.until(lambda: said in public.text)
    await table.discord.until(lambda: "You're on vacation until" in table.desk("Ann").text)
    table.watch.advance(MINUTE)
    left = await ann.slash("vacation left", channel="games")
    ended = await ann.slash("vacation end", channel="games")
    await table.discord.until(lambda: said not in public.text)

    assert begun.ephemeral
    assert "Your clock is stopped in 1 match here" in begun.text
    assert "You have 11 vacation days left in this server this year." in left.text
    assert ended.text.startswith(
        "Welcome back! Your clocks are running again. It's your turn in 1 match here: see </games:"
    )
    assert ended.text.endswith(">. You have 13 vacation days left in this server this year.")


async def test_a_vacation_ends_by_itself_after_a_restart(table):
    public = await table.match(pace="slow")
    await table.play("Bo")
    await table.person("Ann").slash("vacation start", channel="games", days=2)
    await table.discord.until(lambda: "is on vacation" in public.text)

    await table.restart()
    table.pass_time(2 * DAY)

    await table.discord.until(lambda: "is on vacation" not in public.text)
    assert table.sql("SELECT step FROM matches") == [(0,)]


async def test_a_reserve_is_shown_and_used_when_the_time_for_a_move_is_up(table):
    public = await table.match(pace="slow_reserve")
    bo = table.person("Bo").mention
    await table.play("Ann")
    await table.quiet_now()

    assert "has chosen" in public.text
    assert "then 3 days in reserve" in public.text
    assert "After that you have 3 days in reserve for the whole match." in table.desk("Bo").text
    table.pass_time(DAY)
    await table.discord.until(lambda: "using their reserve" in public.text)
    await table.discord.until(lambda: "You're using your reserve." in table.desk("Bo").text)
    assert f"{bo} is choosing" in public.text
    table.pass_time(3 * DAY)
    await written(table, "SELECT step FROM matches", [(1,)])

    assert table.sql("SELECT reserve, strikes FROM seats ORDER BY seat") == [(259200, 0), (0, 1)]


async def test_a_match_ended_by_time_can_be_resumed_at_its_table(table):
    public = await table.match(pace="slow")
    await table.trick(*BOTH)
    await run_out(table, "Ann")
    await table.discord.until(lambda: "Resume match" in labels(public))
    ended = public.text

    await table.restart()
    await table.person("Bo").click(public, "Resume match")
    wished = f"{table.person('Bo').mention} wants to resume this match."
    await table.discord.until(lambda: wished in public.text)
    await table.person("Ann").click(public, "Resume match")
    await table.discord.until(lambda: "so it goes on" in public.text)
    await table.discord.until(lambda: all(table.cards(table.desk(name)) for name in BOTH))

    assert "seed was" not in ended
    assert table.sql("SELECT count(*) FROM results") == [(0,)]
    await table.trick(*BOTH)


async def test_a_match_that_is_resumed_while_its_end_is_being_settled_continues(table, monkeypatch):
    """Nothing announces the change, as if another process had made it and died then."""
    public = await table.match(pace="slow")
    await run_out(table, "Ann")
    await table.discord.until(lambda: "Resume match" in labels(public))
    await table.person("Bo").click(public, "Resume match")
    await table.discord.until(lambda: "wants to resume this match" in public.text)
    await table.quiet_now()
    match, live = table.match_of(public), table.bot.services.live
    settle = live._settle

    async def overtaken(*shown):
        monkeypatch.setattr(live, "_settle", settle)
        await table.bot.services.reopenings.want(match, table.person("Ann").id)
        await settle(*shown)

    monkeypatch.setattr(live, "_settle", overtaken)
    live.compare_soon(match)
    await table.quiet_now()

    await table.discord.until(lambda: "so it goes on" in public.text)
    await table.discord.until(lambda: all(table.cards(table.desk(name)) for name in BOTH))
    assert table.sql("SELECT status, settled FROM matches") == [("running", 0)]


async def test_a_result_by_time_counts_at_once_if_a_player_lets_it_count(table):
    public = await table.match(pace="slow")
    await run_out(table, "Ann")
    await table.discord.until(lambda: "Let it count" in labels(public))

    strange = await table.person("Dan").click(public, "Let it count")
    await table.person("Bo").click(public, "Let it count")

    await table.discord.until(lambda: "seed was" in public.text)
    assert strange.text == "You didn't play in this match. Only its players can decide this."
    assert "Resume match" not in labels(public)


async def test_nothing_is_said_to_count_if_everybody_was_away(table):
    public = await table.match(pace="slow")
    await run_out(table)
    await table.discord.until(lambda: "Resume match" in labels(public))
    await table.told()
    await table.quiet_now()
    ((counts_at,),) = table.sql("SELECT counts_at FROM matches")
    match, bo = table.match_of(public), table.person("Bo")

    for message in (public, table.desk("Bo")):
        assert f"Closes without a result <t:{counts_at}:R>." in message.text
        assert labels(message)[:3] == ["Resume match", "Close for good", "Rematch"]
    early = await bo.forge(public, custom_id=f"f1:{match}:0:replay:")
    await bo.click(public, "Close for good")
    await table.discord.until(lambda: "seed was" in public.text)
    late = await bo.forge(public, custom_id=f"f1:{match}:0:reopen:")

    assert "Press **Close for good** at the table" in early.text
    assert late.text == (
        "It's too late to resume this match: it's closed for good. Play another one."
    )


async def test_a_follower_is_told_that_it_can_be_resumed_and_later_that_it_counts(table):
    """The second message replaces the first."""
    public = await table.match(pace="slow")
    dan = table.person("Dan")
    menu = (await dan.click(public, "Menu")).message
    await dan.click(menu, "Follow")
    await run_out(table, "Ann")
    ((counts_at,),) = table.sql("SELECT counts_at FROM matches")
    await table.told()
    (first,) = table.letters("Dan")

    table.pass_time(counts_at - table.watch())
    await table.discord.until(lambda: "seed was" in public.text)
    await table.told()

    (second,) = table.letters("Dan")
    ann, bo = (table.person(name).mention for name in BOTH)
    result = f"**{ann} wins**: {bo} missed two deadlines in a row."
    until = f"It counts on <t:{counts_at}:f>, or earlier if a player lets it count."
    assert f"is over. {result} {until} Until then it can be resumed.\n" in first.text
    assert first.deleted
    assert f"is over, and it counts. {result}\n" in second.text
    await written(table, "SELECT * FROM watches", [])  # when the match is settled


async def test_a_mention_of_the_end_is_still_true_once_the_result_counts(table):
    """It stays forever; a relative timestamp would say `2 days ago` then."""
    bo = table.person("Bo")
    await table.bot.services.notice_settings.choose(bo.id, "over", "channel")
    public = await table.match(pace="slow")
    await run_out(table, "Ann")
    ((counts_at,),) = table.sql("SELECT counts_at FROM matches")
    await table.told()

    table.pass_time(counts_at - table.watch() + 2 * DAY)
    await table.discord.until(lambda: "seed was" in public.text)
    await table.told()

    (mention,) = [m for m in bo.see("games") if " is over. " in m.text]
    assert f"It counts on <t:{counts_at}:f>, or earlier if a player lets it count." in mention.text
    assert ":R>" not in mention.text


async def test_a_vacation_is_refused_while_less_than_an_hour_is_left_for_a_move(table):
    public = await table.match(pace="slow")
    ann = table.person("Ann")
    await table.play("Bo")
    table.pass_time(DAY - 10 * MINUTE)
    await table.told()

    refused = await ann.slash("vacation start", channel="games", days=3)
    table.pass_time(10 * MINUTE)
    await written(table, "SELECT step FROM matches", [(1,)])
    await table.quiet_now()
    allowed = await ann.slash("vacation start", channel="games", days=3)

    assert refused.ephemeral
    assert typed(refused.text) == (
        "You have less than an hour left for a move in Pico, match 1. Make that move first; "
        "`/games` leads there."
    )
    assert f"Time ran out for {ann.mention}" in public.text
    assert "Your clock is stopped in 1 match here" in allowed.text


async def test_an_offer_of_a_pause_ends_with_the_match_and_late_answers_get_a_sentence(table):
    public = await table.match(pace="slow")
    match = table.match_of(public)
    opened = await table.person("Ann").click(public, "Menu")
    offer = opened.message.find_button("Offer a pause").custom_id
    await table.person("Ann").click(opened.message, offer)
    await table.discord.until(lambda: "Pause the match" in labels(table.desk("Bo")))
    await table.told()

    await table.person("Bo").forge(public, custom_id=f"f1:{match}:0:leave:")
    await table.over(public, *BOTH)
    hand = table.desk("Bo")
    answers = [
        await table.person("Bo").forge(hand, custom_id=f"f1:{match}:0:{act}:pause")
        for act in ("agree", "refuse")
    ]
    again = await table.person("Ann").forge(opened.message, custom_id=offer)

    assert [answer.text for answer in (*answers, again)] == ["That match is over."] * 3
    assert "offers a pause" not in public.text + hand.text
    assert "Pause the match" not in labels(public) + labels(hand)
    assert table.sql("SELECT status, paused_at, due_at FROM matches") == [("over", None, None)]


async def test_a_player_who_leaves_the_server_during_a_match_holds_nobody_up(table):
    """They aren't notified there; time runs for them as for anybody, and their opponent wins."""
    public = await table.match(pace="slow")
    table.discord.world.remove_member(table.person("Bo").user)
    since = len(table.discord.requests)

    for _ in range(2):
        await table.play("Ann")
        table.watch.advance(DAY - MINUTE)
        await table.told()
        table.pass_time(MINUTE)
        await table.quiet_now()
        await written(table, "SELECT 1 FROM matches WHERE due_at > ?")
    await table.told()

    bo = table.person("Bo").mention
    await table.discord.until(lambda: f"{bo} missed two deadlines in a row" in public.text)
    said = [str(r.json) for r in table.requests("POST", "/messages", since=since) if r.status < 300]
    assert not [text for text in said if f"{bo}: " in text]
    table.pass_time(7 * DAY)
    await table.discord.until(lambda: "seed was" in public.text)
    assert table.sql("SELECT won FROM results ORDER BY seat") == [(1,), (0,)]


async def test_a_step_that_revealed_a_card_cannot_be_taken_back(table):
    public = await begun(table)
    desks = {name: table.desk(name, public) for name in BOTH}
    await Flow(table, public, desks).move()

    opened = await table.person("Ann").click(public, "Menu")
    refused = await table.person("Ann").click(opened.message, "Take back")

    assert refused.text == (
        "The last step showed something that was hidden, so it can't be taken back. Play on."
    )
    assert table.sql("SELECT step, taken_back FROM matches") == [(1, 0)]
