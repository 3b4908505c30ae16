"""A game goes on under the version of the rules it began with, whatever has changed in them since."""

import pickle
import random
from dataclasses import replace
from types import MappingProxyType

import pytest

from bot.errors import BrokenLog
from bot.table import Status
from bot.tables.computers import think
from bot.tables.finished import reviewing
from bot.tables.learning import hints
from engine import SYSTEMS, DogError, Game, SetupError, system_of
from engine.players import choose
from engine.rules import systems
from engine.secret import whole
from tests.bot.gaming import Programs, play_on, refused, started
from tests.bot.people import ANN, FOUR

pytestmark = pytest.mark.on_a_file

OLD = SYSTEMS["classic"]
NEW = replace(OLD, version=2, deal_first=(5, 4, 3, 2), deal_then=(6, 5, 4, 3, 2), clockwise=not OLD.clockwise)


def updated(monkeypatch: pytest.MonkeyPatch, *, kept: bool = True) -> None:
    monkeypatch.setattr(systems, "SYSTEMS", MappingProxyType({**SYSTEMS, "classic": NEW}))
    monkeypatch.setattr(systems, "EARLIER", MappingProxyType({("classic", 1): OLD} if kept else {}))


async def test_a_running_game_keeps_its_rules(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = await programs.run()
    begun = await started(tables, *FOUR)
    before = await play_on(tables, begun.id, random.Random(1), actions=30)
    updated(monkeypatch)
    tables = await programs.restart()
    after = await tables.get(begun.id)
    assert whole(after.game).system is OLD
    assert whole(after.game).view() == whole(before.game).view()
    assert whole(after.game).earlier(7).system is OLD
    done = await play_on(tables, begun.id, random.Random(2))
    assert done.status is Status.OVER
    assert (
        Game.replay(OLD, 4, whole(done.game).seed, done.options, whole(done.game).log).view() == whole(done.game).view()
    )
    with pytest.raises(DogError):
        Game.replay(NEW, 4, whole(done.game).seed, done.options, whole(done.game).log)


async def test_later_game_has_the_new_rules(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    updated(monkeypatch)
    begun = await started(await programs.run(), *FOUR)
    assert whole(begun.game).system is NEW
    assert len(whole(begun.game).view(0).hand) == 5
    assert whole((await (await programs.restart()).get(begun.id)).game).system is NEW


async def test_takeback_uses_the_old_rules(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = await started(await programs.run(), *FOUR)
    updated(monkeypatch)
    tables = await programs.restart()
    table = await tables.get(begun.id)
    seat = table.owners[ANN.id]
    await tables.turns.act(begun.id, ANN.id, table.decision(seat), whole(table.game).legal(seat)[0])
    await tables.settled()
    await tables.proposals.undo(begun.id, ANN)
    back = await tables.get(begun.id)
    assert whole(back.game).system is OLD
    assert whole(back.game).view(seat).hand == whole(table.game).view(seat).hand


async def test_unknown_rules_break_no_other_table(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = await started(await programs.run(), *FOUR)
    updated(monkeypatch, kept=False)
    tables = await programs.restart()
    await refused(BrokenLog, tables.get(begun.id))
    assert (await started(tables, *FOUR)).game is not None


@pytest.mark.parametrize("level", ["normal", "strong"])
async def test_computers_hints_and_reviews_use_the_old_rules(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The boards differ in length, so a game taken for one of the other version breaks the rules at once."""
    dice = random.Random(4)
    game = Game.new("classic", 4, bytes(32))
    longer = replace(OLD, version=2, span=20, deal_first=(5, 4, 3, 2), deal_then=(6, 5, 4, 3, 2))
    monkeypatch.setattr(systems, "SYSTEMS", MappingProxyType({**SYSTEMS, "classic": longer}))
    monkeypatch.setattr(systems, "EARLIER", MappingProxyType({("classic", 1): OLD}))
    while game.number < 40:
        seat = game.to_act[0]
        legal = game.legal(seat)
        if len(legal) > 1 and game.number % 8 == 0:
            there = pickle.loads(pickle.dumps(game))
            assert there.system is OLD
            assert there.board is game.board
            assert think(there, seat, level) in legal
            assert hints._suggest(there, seat, 1).action in legal
        game = game.play(seat, choose("heuristic", game, seat, dice))
    mine = tuple(number for number, (seat, _) in enumerate(game.log, start=1) if seat == 0)[:2]
    assert reviewing._look_back(pickle.loads(pickle.dumps(game)), mine, 1) == reviewing._look_back(game, mine, 1)


def test_versions_are_asked_for_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    updated(monkeypatch)
    assert system_of("classic") is system_of("classic", 2) is NEW
    assert system_of("classic", 1) is OLD
    with pytest.raises(SetupError):
        system_of("classic", 3)
    with pytest.raises(SetupError):
        system_of("family", 2)
