"""The tool that puts faults into the code: what it makes of a few lines, and whether its survivors are up to date."""

import random

from cosmic_ray.mutating import mutate_code

from tools.mutants import ROOMS, ROOT, DropStatement, OffByOne, _without_types, draw, faults, near, read_survivors

SOURCE = """\
def give(hand, card):
    hand.remove(card)  # gone
    self.count = 1
    self.given[0] += 1
    total = 2
"""


def test_a_call_or_an_effect_is_left_out() -> None:
    made = [mutate_code(SOURCE, DropStatement(), number) for number in range(4)]
    assert made[0] == SOURCE.replace("hand.remove(card)", "pass")
    assert made[1] == SOURCE.replace("self.count = 1", "pass")
    assert made[2] == SOURCE.replace("self.given[0] += 1", "pass")
    assert made[3] is None, "a local name alone is no effect"


def test_a_number_is_one_off() -> None:
    made = {mutate_code("total = 2\n", OffByOne(), number) for number in range(3)}
    assert made == {"total = 3\n", "total = 1\n", None}


def test_sample_compiles_and_follows_its_seed() -> None:
    possible = faults("clocks")
    drawn = draw(possible, 5, random.Random(3))
    assert drawn == draw(possible, 5, random.Random(3))
    assert len(set(drawn)) == 5
    for fault in drawn:
        assert fault.change().count("\n+") >= 1


def test_what_changes_types_alone_is_no_fault() -> None:
    source = "def f(x: int | None) -> int | None:\n    y: int | None = x\n    return y\n"
    assert _without_types(source) == _without_types(source.replace("|", "&"))
    assert _without_types(source) != _without_types(source.replace("= x", "= not x"))


def test_every_room_has_files_and_tests() -> None:
    for room in ROOMS.values():
        assert all(list(ROOT.glob(pattern)) for pattern in room.files)
        assert all((ROOT / path).exists() for path in room.tests)


def test_tests_close_to_a_file_run_first() -> None:
    first = near("tables", "bot/tables/absence.py")
    assert "tests/bot/tables/test_absence.py" in first
    assert first[0] == ROOMS["tables"].first[0]
    for room in ROOMS.values():
        assert all((ROOT / path).exists() for path in room.first)


def test_survivors_name_existing_lines_and_reasons() -> None:
    for (path, change), reason in read_survivors().items():
        source = (ROOT / path).read_text(encoding="utf-8")
        taken = [line[1:] for line in change.splitlines() if line.startswith("-")]
        assert taken
        assert "\n".join(taken) in source, f"{path} has changed: {change}"
        assert len(reason.split()) > 3
