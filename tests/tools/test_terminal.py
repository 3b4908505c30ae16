"""The terminal: whole games on the dialogue, with scripted input and without Discord."""

import random
from pathlib import Path

import pytest

from bot.languages import Language
from engine import SYSTEMS, Game
from tools.local.terminal import Terminal, main, table_for

ROOT = Path(__file__).resolve().parents[2]


class Person:
    """Types one of the answers offered last, at random, and now and then nonsense."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        self.lines.append(text)

    def read(self, prompt: str) -> str:
        if self.rng.random() < 0.02:
            return "what?"
        offered: list[str] = []
        for line in reversed(self.lines):
            number, _, label = line.strip().partition("  ")
            if not number.isdecimal():
                if offered:
                    break
                continue
            if "❔" not in label and "Back" not in label:
                offered.append(number)
            if number == "1":
                break
        return self.rng.choice(offered)


@pytest.mark.parametrize(("system", "players"), [(key, SYSTEMS[key].players[-1]) for key in sorted(SYSTEMS)])
async def test_a_whole_game_is_played_to_the_win(system: str, players: int) -> None:
    person = Person(players)
    dealt = Game.new(system, players, bytes([players] * 32))
    game = await Terminal(table_for(dealt, "Kim"), dealt, Language("en"), person.read, person.write).play()
    assert game.winners
    told = "\n".join(person.lines)
    assert "has won!" in told or "have won!" in told
    assert "<@" not in told
    assert "1–" in told


def test_the_end_of_the_input_ends_the_game_without_a_fuss(capsys: pytest.CaptureFixture[str]) -> None:
    def nothing(prompt: str) -> str:
        raise EOFError

    assert main(["--system", "royal", "--players", "3"], nothing) == 1
    assert "DOG Royal" in capsys.readouterr().out
