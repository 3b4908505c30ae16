"""Records: written, read back, checked, refused; and the stand-alone `docs/verify.py` on the same files."""

from __future__ import annotations

import ast
import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Options, RecordError
from engine.__main__ import main
from engine.game import MOST_ACTIONS
from engine.players.selfplay import play_games
from engine.record import MOST_BYTES, Record, Sitter, Takeover, load_record, read
from engine.rules.shuffle import commitment_of, seed_of
from tests.engine.records import DOCS, EXAMPLE, VERIFY, verify
from tests.reference.positions import KINDS, Kind

lightly = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=100)
sitters = st.builds(Sitter, words, st.sampled_from([None, "easy", "strong"]))
one_line = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=100)


@cache
def played(kind: Kind) -> Record:
    """A whole game of this kind."""
    kept: list[Record] = []
    system, players, house = kind
    options = Options.from_words(house)
    play_games(system, players, 1, 4, ["random", "heuristic"], options, lambda _, record: kept.append(record))
    return kept[0]


def found(data: bytes) -> list[tuple[int, int, str]]:
    return [(error.line, error.column, error.detail) for error in read(data).differences()]


def _told(data: bytes) -> list[str]:
    """What the stand-alone check says of a file; at least one line."""
    try:
        told = list(verify.differences(data))
    except ValueError as refused:
        return [str(refused)]
    assert told
    return told


def altered(old: bytes, new: bytes, data: bytes = EXAMPLE) -> bytes:
    assert data.count(old) == 1, "this would change something else"
    return data.replace(old, new)


# -- round trip


@pytest.mark.parametrize("kind", KINDS[::2])
def test_a_game_is_read_back_and_holds_together(kind: Kind) -> None:
    record = played(kind)
    data = record.text().encode()
    assert load_record(data) == record
    assert list(verify.differences(data)) == []
    assert record.winners == record.game().winners != ()


@given(st.data())
@lightly
def test_names_and_contributions_round_trip(data: st.DataObject) -> None:
    whole = played(data.draw(st.sampled_from(KINDS)))
    seats = list(whole.sitters)
    takeovers = st.builds(Takeover, st.integers(0, 999_999), st.sampled_from(seats), sitters)
    contributions = data.draw(st.dictionaries(st.sampled_from(seats), one_line))
    record = replace(
        whole,
        sitters={seat: data.draw(sitters) for seat in seats},
        takeovers=tuple(data.draw(st.lists(takeovers, max_size=3))),
        contributions=contributions,
        seed=seed_of(whole.secret, contributions),
        log=(),
        winners=(),
    )
    # Other contributions deal other cards, so this game is only just dealt; a whole one is tested above.
    text = record.text()
    assert load_record(text.encode()) == record
    assert list(verify.differences(text.encode())) == []
    plain = replace(record, sitters={seat: Sitter("a") for seat in seats}).text()
    assert text.count("\n") == len(text.splitlines()) == plain.count("\n"), "a name forges a line"


@given(st.sampled_from(KINDS), st.integers(0, 200), st.booleans())
@lightly
def test_unfinished_game_is_a_valid_record(kind: Kind, number: int, resigned: bool) -> None:
    whole = played(kind)
    winners = whole.winners if resigned else ()
    record = replace(whole, log=whole.log[: min(number, len(whole.log) - 1)], winners=winners, awarded=resigned)
    data = record.text().encode()
    assert load_record(data) == record
    assert list(verify.differences(data)) == []


def test_comments_empty_lines_and_windows_change_nothing() -> None:
    noted = EXAMPLE.replace(b"\n", b"\r\n").replace(b"1. 1", b"# what a start!\r\n\r\n1. 1", 1)
    assert load_record(noted) == load_record(EXAMPLE)
    assert list(verify.differences(noted)) == []


# -- what differs


@given(st.data())
@settings(lightly, max_examples=100)
def test_no_character_can_be_changed_unnoticed(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(EXAMPLE) - 1))
    sign = data.draw(st.sampled_from(b'0123456789 AKJ+#.>-"\n\xe9') | st.integers(0, 255))
    if EXAMPLE[at] == sign or b"#" in EXAMPLE[EXAMPLE.rfind(b"\n", 0, at) + 1 : at + 1]:
        return
    changed = EXAMPLE[:at] + bytes([sign]) + EXAMPLE[at + 1 :]
    with pytest.raises(RecordError):
        load_record(changed)
    assert all(re.match("(line [0-9]+|[a-z]+): |line [0-9]+, column [0-9]+: ", line) for line in _told(changed))


def test_a_card_that_was_not_dealt_is_named() -> None:
    changed = altered(b"+ deal 3 4 10 Q 3 9 2\n", b"+ deal 3 4 10 A 3 9 2\n")
    line = changed[: changed.index(b"+ deal 3")].count(b"\n") + 1
    assert found(changed)[0] == (line, 15, "card 3 of seat 3: 'A' should be 'Q'")
    assert f"line {line}: card 3 of seat 3 is A, the seed gives Q" in list(verify.differences(changed))


def test_dealing_somebody_else_first_is_noticed() -> None:
    two, three = b"+ deal 2 3 6 6 J A A\n", b"+ deal 3 4 10 Q 3 9 2\n"
    changed = altered(two + three, three + two)
    assert found(changed)
    assert any("goes round all seats" in line for line in verify.differences(changed))


@pytest.mark.parametrize("line", [b"+ shuffle 1\n", b"+ exchange 1 3\n", b"+ deal 2 3 6 6 J A A\n"])
def test_what_is_missing_is_named(line: bytes) -> None:
    at = EXAMPLE.index(line)
    missing = EXAMPLE[:at] + EXAMPLE[at + len(line) :]
    assert any(repr(line.decode().strip()) in detail for _, _, detail in found(missing))
    assert len(list(verify.differences(missing))) > 1, "not only the last line"


def test_what_is_too_much_is_named() -> None:
    at = EXAMPLE.index(b"end: ")
    more = EXAMPLE[:at] + b"+ draw 0 K\n" + EXAMPLE[at:]
    assert (EXAMPLE.count(b"\n"), 1, "'+ draw 0 K' is too much") in found(more)
    assert len(list(verify.differences(more))) > 1


def test_another_games_seed_does_not_match() -> None:
    record = load_record(EXAMPLE)
    other = altered(record.seed.hex().encode(), bytes(32).hex().encode())
    assert any("seed: " in detail for _, _, detail in found(other))
    assert any(line.startswith("seed: ") for line in verify.differences(other))


def test_another_games_secret_deals_other_cards() -> None:
    record, secret = load_record(EXAMPLE), bytes(range(32))
    other = altered(record.secret.hex().encode(), secret.hex().encode())
    other = altered(record.commitment.hex().encode(), commitment_of(secret).hex().encode(), other)
    other = altered(record.seed.hex().encode(), seed_of(secret, record.contributions).hex().encode(), other)
    told = found(other)
    assert any("should be" in detail and "of seat" in detail for _, _, detail in told)
    assert any("is not allowed here" in detail for _, _, detail in told)
    assert any("the seed gives" in line for line in verify.differences(other))


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"result: won 0 2", b"result: won 1 3"), (b"result: won 0 2", b"result: unfinished"), (b"won 0", b"awarded 0")],
)
def test_who_won_follows_from_the_actions(old: bytes, new: bytes) -> None:
    (line, _, detail), *_ = found(altered(old, new))
    assert (line, detail.endswith("should be 'result: won 0 2'")) == (18, True)


def test_illegal_action_ends_the_comparison() -> None:
    changed = altered(b"5. 2 A ->33\n", b"5. 2 fold\n")
    line = changed[: changed.index(b"5. 2 fold")].count(b"\n") + 1
    first, last = found(changed)
    assert (first[0], "must_play" in first[2], last[2].startswith("the lines above give")) == (line, True, True)


# -- what is refused

REFUSED = {
    "nothing": (b"", 1, 1),
    "UTF-16": (EXAMPLE.decode().encode("utf-16"), 1, 1),
    "UTF-16 without a mark": (EXAMPLE.decode().encode("utf-16-le"), 1, 1),
    "a byte order mark": (b"\xef\xbb\xbf" + EXAMPLE, 1, 1),
    "a ZIP": (b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + bytes(200), 1, 1),
    "Latin-1": (altered(b'"Cleo"', b'"Cl\xe9o"'), 7, 19),
    "too large": (EXAMPLE + b"#" * MOST_BYTES, 1, 1),
    "another version": (altered(b"DOG record 1", b"DOG record 2"), 1, 12),
    "another system": (altered(b"system: classic 1", b"system: chess 1"), 2, 9),
    "later rules": (altered(b"system: classic 1", b"system: classic 99"), 2, 9),
    "too many players": (altered(b"players: 4", b"players: 9"), 3, 10),
    "no option of it": (altered(b"options: {}", b'options: {"chess": true}'), 4, 10),
    "no JSON": (altered(b"options: {}", b"options: {"), 4, 10),
    "deep JSON": (altered(b"options: {}", b"options: " + b"[" * 1_900), 4, 10),
    "a long name": (altered(b'"Cleo"', b'"' + b"C" * 5_000 + b'"'), 7, 2_001),
    "a rather long name": (altered(b'"Cleo"', b'"' + b"C" * 101 + b'"'), 7, 16),
    "no name": (altered(b'"Cleo"', b'""'), 7, 16),
    "half a character": (altered(b'"Cleo"', b'"\\ud83d"'), 7, 16),
    "a name as a number": (altered(b'"Cleo"', b"5"), 7, 16),
    "neither person nor computer": (altered(b'person "Cleo"', b'dog "Cleo"'), 7, 9),
    "a seat that is not there": (altered(b"contribution 2", b"contribution 4"), 14, 14),
    "a contribution of two lines": (altered(b'"a rainy Tuesday"', b'"a rainy\\nTuesday"'), 14, 17),
    "a short secret": (altered(b"1e0ad80e", b"1e0ad8"), 12, 9),
    "another word on cards": (altered(b"+ shuffle 1", b"+ conjure 1"), 20, 3),
    "an action that is none": (altered(b"5. 2 A ->33", b"5. 2 A ->>3"), 31, 6),
    "a number that is left out": (altered(b"5. 2 A ->33", b"6. 2 A ->33"), 31, 1),
    "a broken end": (EXAMPLE[:-10], 180, 6),
    "no end": (EXAMPLE[: EXAMPLE.index(b"end: ")], 179, 1),
    "something after the end": (EXAMPLE + b"158. 0 fold\n", 181, 1),
}


@pytest.mark.parametrize("what", REFUSED)
def test_unreadable_record_names_line_and_column(what: str) -> None:
    data, line, column = REFUSED[what]
    with pytest.raises(RecordError) as refused:
        read(data)
    assert (refused.value.line, refused.value.column) == (line, column), refused.value.detail
    assert len(str(refused.value)) < 300


def test_too_many_actions_are_refused_before_play() -> None:
    begin, _, end = EXAMPLE.partition(b"1. 1 give 10\n")[0], 0, EXAMPLE[EXAMPLE.index(b"end: ") :]
    long = begin + b"".join(b"%d. 0 fold\n" % number for number in range(1, 100_001)) + end
    with pytest.raises(RecordError, match=f"more than {MOST_ACTIONS}"):
        read(long)
    with pytest.raises(ValueError, match=f"at most {MOST_ACTIONS}"):
        list(verify.differences(long))


def test_invisible_characters_in_names_are_escaped() -> None:
    record = replace(load_record(EXAMPLE), sitters=dict.fromkeys(range(4), Sitter('x"\n1. 0 fold\u2028\u202e😀')))
    assert 'seat 0: person "x\\"\\n1. 0 fold\\u2028\\u202e😀"\n' in record.text()


# -- the files of the documentation, and the command line


def test_standalone_check_is_short_and_independent(tmp_path: Path) -> None:
    text = VERIFY.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 170
    imported = {one.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for one in node.names}
    assert imported <= set(sys.stdlib_module_names)
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(ast.parse(text)))
    copy, bad = tmp_path / "verify.py", tmp_path / "bad.dog"
    copy.write_text(text, encoding="utf-8")
    bad.write_bytes(altered(b"+ deal 2 3 6 6 J A A\n", b"+ deal 2 3 6 6 J A K\n"))
    (tmp_path / "none.dog").write_bytes(REFUSED["UTF-16"][0])
    for name, status in (("example.dog", 0), ("bad.dog", 1), ("none.dog", 2), ("missing.dog", 2)):
        path = DOCS / name if status == 0 else tmp_path / name
        words = [sys.executable, "-I", "-S", str(copy), str(path)]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == status, done
        assert ("line 1, column 1" in done.stderr) == (name == "none.dog")
        assert "Traceback" not in done.stderr


def test_the_page_shows_the_beginning_of_its_example() -> None:
    page = (DOCS / "records.md").read_text(encoding="utf-8")
    assert page.split("```")[3].strip() in EXAMPLE.decode()
    assert f"SECRET={load_record(EXAMPLE).secret.hex()}" in (DOCS / "fair-shuffles.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Three games of computer players as records."""
    words = ["selfplay", "--rules", "royal", "--players", "2", "--games", "3", "--player", "heuristic"]
    assert main([*words, "--records", str(tmp_path / "kept")]) == 0
    tally = json.loads(capsys.readouterr().out)
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["wins"] == tally["wins"], "keeping records changes nothing"
    assert sum(len(load_record(path.read_bytes()).log) for path in (tmp_path / "kept").iterdir()) == tally["plies"]
    return tmp_path / "kept"


def test_replay_prints_every_deal_and_the_result(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sorted(folder.iterdir())[-1]
    assert path.name == "royal-2-0003.dog"
    record = load_record(path.read_bytes())
    assert main(["replay", str(path)]) == 0
    told = capsys.readouterr().out.splitlines()
    dealt = [
        line[2:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(("+ deal", "+ draw"))
    ]
    assert [line for line in told if line.startswith(("deal", "draw"))] == dealt
    assert json.loads(told[-1]) == {"winners": list(record.winners), "actions": len(record.log)}


def test_verify_says_what_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = next(folder.iterdir())
    assert main(["verify", str(path)]) == 0
    path.write_bytes(re.sub(rb"(?m)^\+ deal 0 \S+", b"+ deal 0 magnet", path.read_bytes()))
    capsys.readouterr()
    assert main(["verify", str(path)]) == 1
    assert "column 10: card 1 of seat 0: 'magnet' should be " in capsys.readouterr().out


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize("name", ["bad.dog", "missing.dog", "."])
def test_invalid_record_is_told_in_one_line(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.dog").write_bytes(random.Random(1).randbytes(500))
    with pytest.raises(SystemExit) as ended:
        main([command, str(tmp_path / name)])
    assert ended.value.code == 2
    assert "error: " in capsys.readouterr().err.splitlines()[-1]


def test_a_record_names_what_it_was_a_game_of() -> None:
    named = replace(load_record(EXAMPLE), event=(2, "Spring \u202e Cup"))
    text = named.text()
    assert 'event 2: "Spring \\u202e Cup"\n' in text
    assert load_record(text.encode()) == named
    assert list(verify.differences(text.encode())) == []
    with pytest.raises(RecordError):
        load_record(altered(b"event 2", b"event two", text.encode()))
