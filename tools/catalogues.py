"""The texts of the bot and their catalogues: collecting and checking both. For developers.

`python -m tools.catalogues extract` writes `locales/dog.pot`, updates every language's `.po` and says how many texts
these lack; `check` says what is wrong. A text that a language lacks is shown in English, so that a new sentence needs
the template only; before a release, `complete` lists what is missing. Languages are rows of `bot/languages/known.py`:
what is wrong with one that is not listed fails no check, and `remarks` lists it. Start a catalogue (here `fr`) with
`pybabel init -i locales/dog.pot -o locales/fr.po -l fr`.

So that everything can be translated well, `check` insists that a text

- is a whole sentence, or a name, or declared to be a part of a sentence by its context (`language.p`, `_` with one);
- says nothing that is said elsewhere already, in the same words or with different capitals and signs;
- has no fixed article before a card or a piece, whose gender is the translator's business;
- names no command that there is not, and has nothing else in monospaced type;
- stands in `bot/texts`, unless Discord shows it beside a command: then it stands with the command, in its cog; or an
  error or the row of a setting holds it, or the local table says it.

A translation says something else than the English (but for `SAME`), with the same gaps, markup, signs and commands as
often, fits where Discord shows it, and uses the words of the glossary (`tools.glossary`).
"""

from __future__ import annotations

import ast
import io
import re
import string
import sys
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from bot.interactions.commands import GROUPS
from bot.languages import COMMAND, LOCALES, OPTION
from bot.languages.known import LANGUAGES
from bot.showing.scenarios import laid_out
from bot.tables.learning.exercises import lessons
from bot.texts.names import OBJECT, RANK, SUBJECT, owned, rank_case, with_article
from cogs import all_commands, listed
from engine import SYSTEMS
from render import THEMES
from tools import glossary

ROOT = LOCALES.parent
KEYWORDS = {
    **dict.fromkeys(("t", "said", "said_of_table", "said_of_user", "locale_str"), "s"),
    **dict.fromkeys(("n", "_"), "sp"),
    "p": "cs",
}
"""The functions whose first texts are collected, and what these are: a context, a singular, a plural.

`_` need not have a plural; plurals and `_` name their context.
"""

HEADER = """\
# The texts of the DOG bot, in English; each language has its own .po made from them.
# Distributed under the licence of the project (MIT)."""

CASES = {
    OBJECT: "What a player plays, gives, gets or sends back.",
    SUBJECT: "What comes out, moves, is in the way or can be played.",
}
"""Notes for translators on the cases in which cards and pieces appear in a sentence."""

STANDS_FOR = "What a card that is played stands for, without an article: the joker as jack."

PIECE = "A piece of DOG Royal, by its rank: no card."

HOMES = tuple(
    map(PurePosixPath, ("bot/texts", "bot/errors.py", "bot/guild_settings.py", "bot/storage/faults.py", "tools/local"))
)
"""The folders and files where texts belong: errors and settings hold theirs, the local table has its own few."""

ADDRESS = "address"
"""The context of addresses of pages."""

LABELS = "bot/texts/buttons.py"
"""The file with the labels of buttons."""

_GAP = re.compile(r"\{(\w+)\}")
_GLUE = re.compile(r"^[\s,;:.)]|[\s,;(]$|^(?:and|or|but|with|to|of|by|for) ")
_ARTICLE = re.compile(r"\b(?:the|an?|this|that|no) \{(?:card|cards|named|rank|other_rank|piece|pieces|like)\}", re.I)
_COMMAND = re.compile(r"`/([a-z][a-z -]*?)(?: [a-z_]+:[^` ]*)?`")
_TYPED = re.compile(r"`/[^`]*`")
_FIXED = re.compile(r"`[^`]*`")

SAME = frozenset({"DOG Royal", "Jackaroo", "Keezen", "Tock", "dog", "dog-admin"})
"""Names, which are the same in all languages: of rule systems sold under them, and of the two commands."""

LABEL, DESCRIPTION, NAME_LIMIT, COMMAND_LIMIT = 80, 100, 32, 8_000
"""The most characters on a button, beside a command, in its name, and in all fields of a command together (Discord)."""

_MARKUP = re.compile(r"\*\*|__|~~|\|\||[*`\n]")
_NAME = re.compile(r"[-_'\w]{1,32}")

WORDS = 2
"""A text without a capital and with more words than this is not a name, but part of a sentence."""


class Text(NamedTuple):
    """A text as it occurs in the code: its file, its forms (singular and plural), its context and note."""

    file: str
    forms: tuple[str, ...]
    context: str | None
    comments: tuple[str, ...] = ()


Key = tuple[str | None, str | tuple[str, ...]]


def extract(written: Iterable[Text]) -> Catalog:
    """Return the template of the texts written in the code, and of those in data."""
    template = Catalog(header_comment=HEADER, charset="utf-8", fuzzy=False)
    for text in (*written, *names_in_data()):
        forms = text.forms if len(text.forms) > 1 else text.forms[0]
        template.add(forms, None, [(text.file, 0)], auto_comments=text.comments, context=text.context)
    return template


def written_texts(root: Path = ROOT) -> list[Text]:
    """Return the texts in the code, each as often as it occurs there."""
    files = [file for folder in ("bot", "cogs", "tools/local") for file in sorted((root / folder).rglob("*.py"))]
    return [text for file in files for text in _texts_in(file, file.relative_to(root).as_posix())]


def _texts_in(file: Path, name: str) -> Iterator[Text]:
    calls = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        function = ast.unparse(call.func).rpartition(".")[2]
        kinds = KEYWORDS.get(function, "")
        if function == "_":
            kinds = "sp"[: len(call.args)]
        for found in product(*map(_literals, call.args[: len(kinds)])):
            if kinds and len(found) == len(kinds):
                named = next((ast.literal_eval(key.value) for key in call.keywords if key.arg == "context"), None)
                context, *forms = found if kinds.startswith("c") else (named, *found)
                yield Text(name, tuple(map(str, forms)), context)


def _literals(argument: ast.expr) -> list[str]:
    """Return the text of an argument, or both of a choice between two."""
    if isinstance(argument, ast.IfExp):
        return [*_literals(argument.body), *_literals(argument.orelse)]
    return [argument.value] if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else []


def names_in_data() -> list[Text]:
    """Return the texts that do not occur in code, because they are data.

    The names of commands, their options and choices; of looks, rule systems, their cards and ranks; what the pictures
    of the rules show; what lessons say. A card or a rank occurs on its own, and as part of a sentence together with
    what belongs to it.
    """
    found, said = [], listed()
    for context, names in ((COMMAND, said.commands), (OPTION, said.options), (None, said.choices)):
        found += [Text("bot/interactions/commands.py", (name,), context) for name in sorted(names)]
    found += [Text("render/themes.py", (name,), None) for name in THEMES]
    found += [Text(f"bot/scenarios/{board.name}.json", (board.about,), None) for board in laid_out()]
    for lesson in lessons():
        texts = (lesson.title, *(text for step in lesson.steps for text in (step.say, step.hint, step.but, step.done)))
        found += [Text(f"bot/lessons/{lesson.name}.json", (text,), None) for text in texts if text]
    for system in SYSTEMS.values():
        named = [card.name for card in system.cards.values() if card.name]
        cards = [card.name or card.id for card in system.cards.values()]
        ranks = [rank.name for rank in system.ranks if rank.name]
        found += [Text("engine/rules/systems.py", (name,), None) for name in (system.name, *named)]
        found += [Text("engine/rules/systems.py", (name,), RANK, (PIECE,)) for name in ranks]
        for case, note in CASES.items():
            forms = (*map(with_article, ("{card}", *cards)), *map(owned, ("piece", *ranks)))
            found += [Text("engine/rules/systems.py", (form,), case, (note,)) for form in forms]
            pieces = map(with_article, ranks)
            found += [Text("engine/rules/systems.py", (form,), rank_case(case), (PIECE, note)) for form in pieces]
        found += [Text("engine/rules/systems.py", (name,), OBJECT, (STANDS_FOR,)) for name in named]
    return list(dict.fromkeys(found))


def faults(texts: Iterable[Text]) -> Iterator[str]:
    """Yield what is wrong with these texts, a line each."""
    said: dict[tuple[str | None, str], Text] = {}
    data = {text.forms[0] for text in names_in_data()}
    commands, at_home = {*GROUPS, *all_commands()}, frozenset().union(*listed())
    for text in texts:
        first = text.forms[0]
        if not any(PurePosixPath(text.file).is_relative_to(home) for home in HOMES) and first not in at_home:
            yield f"{text.file}: {first!r} stands outside {HOMES[0]}"
        for form in text.forms:
            yield from _faults(text, form, commands, whole=text.context is None and first not in data)
        if first in data:
            continue
        other = said.setdefault((text.context, _likeness(first)), text)
        if other is not text and other.forms == text.forms:
            yield f"{text.file}: {first!r} is said in {other.file} already"
        elif other.forms != text.forms:
            yield f"{text.file}: {first!r} is almost the same as {other.forms[0]!r}"


def _faults(text: Text, form: str, commands: Collection[str], *, whole: bool) -> Iterator[str]:
    where = f"{text.file}: {form!r}"
    if _GLUE.search(form) and whole:
        yield f"{where} is glued to something: say it whole"
    elif _is_part(form) and whole:
        yield f"{where} is a part of a sentence: say it whole, or in which context"
    if _ARTICLE.search(form):
        yield f"{where} has a fixed article: let the name bring its own"
    for typed in _FIXED.findall(form):
        command = _COMMAND.fullmatch(typed)
        if command is None:
            yield f"{where} has {typed} written into it: fill it in"
        elif command[1] not in commands:
            yield f"{where} names the command /{command[1]}, which there is not"


def _is_part(form: str) -> bool:
    bare = _GAP.sub("", form).strip()
    return form[:1].islower() and len(bare.split()) > WORDS


def _likeness(form: str) -> str:
    """Return a key that is equal for texts that differ only in capitals, signs and markup; gaps keep their names."""
    kept = "".join(sign if sign.isalnum() or sign in "_{}+→⇄" else " " for sign in form.casefold())
    return " ".join(kept.split())


def texts(catalogue: Catalog) -> dict[Key, Message]:
    """Return the messages of a catalogue by context and English text, without the header."""
    return {(message.context, _id(message)): message for message in catalogue if message.id}


def read(path: Path) -> Catalog:
    """Read a `.po` or `.pot` file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem if path.suffix == ".po" else None, abort_invalid=True)


def write(path: Path, catalogue: Catalog) -> None:
    """Write a `.po` or `.pot` file: sorted by text, with file names but no line numbers, so that it rarely changes."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, sort_output=True, include_lineno=False, width=100, omit_header=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = [line for line in buffer.getvalue().splitlines(keepends=True) if not line.startswith(UNSTABLE)]
    path.write_bytes(b"".join(kept))


UNSTABLE = (
    b'"Project-Id-Version',
    b'"Report-Msgid-Bugs-To',
    b'"POT-Creation-Date',
    b'"PO-Revision-Date',
    b'"Generated-By',
    b'"Last-Translator',
    b'"Language-Team',
)
"""Header lines that say nothing about the texts; some differ from run to run."""


def translations(locales: Path = LOCALES, *, listed: bool | None = None) -> Iterator[Path]:
    """Yield the `.po` files of all languages; with `listed`, only of those that are, or are not."""
    for path in sorted(locales.glob("*.po")):
        if listed is None or listed is (path.stem in LANGUAGES and LANGUAGES[path.stem].is_listed):
            yield path


def extract_all(root: Path = ROOT) -> None:
    """Write the template and update the translations; texts that are gone are dropped from them."""
    template = extract(written_texts(root))
    write(root / "locales" / "dog.pot", template)
    for path in translations(root / "locales"):
        catalogue = read(path)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        write(path, catalogue)


def problems(root: Path = ROOT) -> list[str]:
    """Return what is wrong with the texts and the catalogues, a line each; empty if all is well."""
    written = written_texts(root)
    found = list(faults(written))
    locales = root / "locales"
    code = texts(extract(written))
    template = texts(read(locales / "dog.pot"))
    found += [f"dog.pot lacks {key[1]!r}: run make messages" for key in code if key not in template]
    found += [f"dog.pot has {key[1]!r}, which no code says: run make messages" for key in template if key not in code]
    for path in translations(locales):
        catalogue = read(path)
        ours = {*texts(catalogue), *catalogue.obsolete}
        found += [f"{path.stem}: {key[1]!r} is said nowhere" for key in ours if key not in code]
    for path in translations(locales, listed=True):
        found += [f"{path.stem}: {line}" for line in mistakes(path.stem, read(path))]
    for command, size in command_sizes(_long(locales)).items():
        if size > COMMAND_LIMIT:
            found.append(
                f"all fields of /{command} have {size} characters in the longest language, over {COMMAND_LIMIT}"
            )
    return found


def remarks(root: Path = ROOT) -> list[str]:
    """Return what is to be mended or known, but fails no check, a line each.

    All mistakes and deviations of languages that are not listed; texts beside commands that stay English in a language
    since they would lengthen a command, which is counted in its longest language.
    """
    locales = root / "locales"
    found, long = [], _long(locales)
    for path in translations(locales, listed=False):
        found += [f"{path.stem} (not listed): {line}" for line in mistakes(path.stem, read(path))]
        found += [f"(not listed) {line}" for line in glossary.deviations({path.stem: texts(read(path)).values()})]
    for path in translations(locales):
        if path.stem in LANGUAGES and not LANGUAGES[path.stem].is_long:
            for (context, text), message in texts(read(path)).items():
                is_name = context in (COMMAND, OPTION)
                beside = is_name or (context is None and text in listed().described | listed().choices)
                if (
                    beside
                    and isinstance(text, str)
                    and len(str(message.string)) > (room := _longest(long, context, text))
                ):
                    found.append(
                        f"{path.stem}: {message.string!r} stays English beside commands: over {room} characters"
                    )
    return found


def _long(locales: Path) -> list[Mapping[Key, Message]]:
    return [
        texts(read(locales / f"{code}.po"))
        for code, known in LANGUAGES.items()
        if known.is_long and (locales / f"{code}.po").exists()
    ]


def _longest(catalogues: Iterable[Mapping[Key, Message]], context: str | None, text: str) -> int:
    """Return the characters of a text of a command in the longest of these languages."""
    said = (language[context, text] for language in catalogues if (context, text) in language)
    return max(len(text), *(len(form) for message in said for form in _forms(message.string)), 0)


def missing(root: Path = ROOT, *, listed: bool | None = True) -> dict[str, list[Key]]:
    """Return the texts that each language (by its code) lacks; all listed languages are there, or all (`None`).

    A language may leave the names of all commands and options in English.
    """
    locales = root / "locales"
    template = texts(read(locales / "dog.pot"))
    catalogues = {path.stem: texts(read(path)) for path in translations(locales, listed=listed)}
    lacked = {language: [key for key in template if not _done(ours.get(key))] for language, ours in catalogues.items()}
    names = {key for key in template if key[0] in (COMMAND, OPTION)}
    return {
        language: [key for key in keys if key not in names or not names.issubset(keys)]
        for language, keys in lacked.items()
    }


def deviations() -> list[str]:
    """Return a line for each word that is not the glossary's; empty if all is well."""
    languages = {path.stem: texts(read(path)).values() for path in translations(listed=True)}
    return [*glossary.deviations(languages), *glossary.needless_excuses(languages)]


def mistakes(language: str, catalogue: Catalog) -> Iterator[str]:
    """Yield what is wrong with the translations into a language (its code), apart from missing ones."""
    ours, known = texts(catalogue), LANGUAGES.get(language)
    same, may_share = {*SAME, *(known.same if known else ())}, not (known and known.is_listed)
    for key, message in ours.items():
        yield from (*_misfits(message), *_too_long(key, message))
        english = _forms(message.id)
        # A page may be read in English until there is one in the language.
        excused = same.issuperset(english) or (may_share and _is_word(english)) or message.context == ADDRESS
        if english == _forms(message.string) and _says(key[1]) and not excused:
            yield f"{key[1]!r} is still in English"
    yield from _clashes(ours)


def _clashes(ours: Mapping[Key, Message]) -> Iterator[str]:
    """Yield the commands of a group, and options of a command, that share a name in a language."""
    families: dict[str, set[Key]] = {}
    for path in (*GROUPS, *all_commands()):
        families.setdefault(path.rpartition(" ")[0], set()).add((COMMAND, path.split()[-1]))
    for path, spec in all_commands().items():
        families[f"/{path}"] = {(OPTION, name.rstrip("_")) for name in spec.options}
    for family, keys in families.items():
        named = Counter(str(ours[key].string) for key in keys if key in ours and ours[key].string)
        yield from (f"{name!r} is the name of two things in {family!r}" for name, times in named.items() if times > 1)


def command_sizes(catalogues: Iterable[Mapping[Key, Message]]) -> Mapping[str, int]:
    """Return the characters in all fields of each command, each field in its longest language."""
    size = partial(_longest, list(catalogues))
    sizes: Counter[str] = Counter()
    for path, text in GROUPS.items():
        sizes[path.split()[0]] += size(COMMAND, path.split()[-1]) + size(None, text)
    for path, spec in all_commands().items():
        sizes[path.split()[0]] += size(COMMAND, path.split()[-1]) + size(None, spec.text)
        for name, option in spec.options.items():
            sizes[path.split()[0]] += size(OPTION, name.rstrip("_")) + size(None, option.text)
            sizes[path.split()[0]] += sum(
                size(None, choice) + len(str(value)) for value, choice in option.choices.items()
            )
    return sizes


def main(arguments: list[str]) -> int:
    """Run the command line; returns 1 if a check found something, 2 if the command is unknown."""
    match arguments:
        case ["extract"]:
            extract_all()
            lacking = [f"{language} lacks {len(keys)} texts" for language, keys in missing().items() if keys]
            print("\n".join(lacking), end="\n" if lacking else "")
        case ["complete", *codes]:
            lacked = missing(listed=None if codes else True)
            asked = {language: keys for language, keys in lacked.items() if not codes or language in codes}
            lacking = [f"{language}: {key[1]!r} is missing" for language, keys in asked.items() for key in keys]
            print("\n".join(lacking), file=sys.stderr, end="\n" if lacking else "")
            return 1 if lacking else 0
        case ["check"]:
            found, beside = [*problems(), *deviations()], len(remarks())
            print("\n".join(found), file=sys.stderr, end="\n" if found else "")
            if beside:
                print(f"{beside} remarks, which fail nothing: python -m tools.catalogues remarks")
            return 1 if found else 0
        case ["remarks"]:
            print("\n".join(remarks()))
        case _:
            print("usage: python -m tools.catalogues extract | check | complete [LANGUAGE] | remarks", file=sys.stderr)
            return 2
    return 0


def _id(message: Message) -> str | tuple[str, ...]:
    return tuple(message.id) if isinstance(message.id, list | tuple) else message.id


def _forms(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else ()


def _done(message: Message | None) -> bool:
    return message is not None and not message.fuzzy and all(_forms(message.string)) and bool(message.string)


def _misfits(message: Message) -> Iterator[str]:
    """Yield translations that fill in other values than the English text, or have other markup, signs or commands."""
    english = _forms(message.id)
    for number, form in enumerate(_forms(message.string)):
        if not form:
            continue
        source = english[min(number, len(english) - 1)]
        try:
            names, wanted = _names(form), _names(source)
        except ValueError:
            yield f"the braces of {form!r} do not match"
            continue
        # In one of several forms, the number may be a word, or go without saying.
        free = {"count"} if len(english) > 1 else set()
        if extra := sorted((names - wanted).keys() - free):
            yield f"{form!r} fills in {', '.join(extra)}, which the English text does not, or not so often"
        if left := sorted((wanted - names).keys() - free):
            yield f"{form!r} leaves out {', '.join(left)}"
        if _commands(form) != _commands(source):
            yield f"{form!r} names other commands than the English text"
        if message.context not in (COMMAND, OPTION) and _signs(form) != _signs(source):
            yield f"{form!r} has other markup or signs than {source!r}"


def _too_long(key: Key, message: Message) -> Iterator[str]:
    """Yield translations that Discord would refuse: names of commands, descriptions, labels of buttons."""
    context, said = message.context, listed()
    for form in filter(None, _forms(message.string)):
        if context in (COMMAND, OPTION) and not (_NAME.fullmatch(form) and form == form.lower()):
            yield f"{form!r} cannot be the name of a command or option"
        if context is None and key[1] in said.described | said.choices and len(form) > DESCRIPTION:
            yield f"{form!r} has more than {DESCRIPTION} characters"
        if message.locations and message.locations[0][0] == LABELS and len(_GAP.sub("W" * NAME_LIMIT, form)) > LABEL:
            yield f"{form!r} does not fit on a button"


def _commands(text: str) -> Counter[str]:
    return Counter(_TYPED.findall(text))


def _signs(text: str) -> Counter[str]:
    """Count the markup and the signs in a text: emoji, arrows, dots between things."""
    bare = _GAP.sub("", _TYPED.sub("", text))
    signs = (sign for sign in bare if ord(sign) > 0x7F and unicodedata.category(sign)[0] == "S")
    return Counter([*_MARKUP.findall(bare), *signs, *("·" * bare.count("·"))])


def _says(text: str | tuple[str, ...]) -> bool:
    """Return True if a text has any letters besides what is filled in."""
    return any(sign.isalpha() for form in _forms(text) for sign in _GAP.sub("", form))


def _is_word(forms: Iterable[str]) -> bool:
    return all(len(_GAP.sub("", form).split()) == 1 for form in forms)


def _names(text: str) -> Counter[str]:
    return Counter(name for _literal, name, _spec, _conversion in string.Formatter().parse(text) if name is not None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
