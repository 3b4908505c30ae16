"""A hook of mkdocs that makes the docs a site, named in `mkdocs.yml`.

The pages are those of the repository, and read well there. For the site, those at its root come in under names of their
own, links between pages lead to where these are now, and links to code become plain words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from mkdocs.contrib.search import LangOption
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

from bot.languages import own_name
from tools.pages import ROOT, languages, page_of, title_of, translated_pages, written

AT_THE_ROOT: Mapping[str, str] = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "SECURITY.md": "vulnerabilities.md",
    "PRIVACY.md": "privacy.md",
    "TERMS.md": "terms.md",
}
"""The pages outside `docs/`, and their names on the site."""

_LINK = re.compile(r'(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)|(?P<word>src|href)="(?P<file>[^"]+)"')
_INDENTED = re.compile(r"^ {2,3}(?=\S)", re.MULTILINE)


@event_priority(100)
def on_config(config: Any) -> Any:
    """List every rule system that has a page, in the order of the rules' first page, and every other language.

    It runs before the search reads its languages.
    """
    searched: Any = LangOption()
    config.plugins["material/search"].config["lang"] = searched.validate(["en", *languages()])
    players = next(part["Players"] for part in config.nav if "Players" in part)
    rules = next(part for part in players if "Rules" in part)
    rules["Rules"] = [name for name in translated_pages() if name.startswith("rules/")]
    for language in languages():
        there = [name for name in translated_pages() if page_of(language, name).exists()]
        pages = [{title_of(page_of(language, name)): f"{language}/{name}"} for name in there]
        config.nav.append({own_name(language): pages})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Bring in the pages at the root of the repository; leave out languages that are not listed yet."""
    for language in set(written()) - set(languages()):
        for file in [page for page in files if page.src_uri.startswith(f"{language}/")]:
            files.remove(file)
    for source, name in AT_THE_ROOT.items():
        text = rewrite((ROOT / source).read_text(encoding="utf-8"), PurePosixPath(source))
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead the links of a page of `docs/` to where their targets are on the site."""
    if page.file.src_uri in AT_THE_ROOT.values():
        return markdown
    return rewrite(markdown, PurePosixPath("docs") / page.file.src_uri)


def rewrite(text: str, source: PurePosixPath) -> str:
    """Return a page of the repository at `source`, as it is on the site."""
    here = PurePosixPath(address(source) or "").parent

    def link(found: re.Match[str]) -> str:
        target, _, anchor = (found["target"] or found["file"]).partition("#")
        if not target or "://" in target:
            return found[0]
        path = PurePosixPath(os.path.normpath(source.parent / target))
        there = address(path)
        if there is None:
            return found["text"] if found["text"] is not None else found[0]
        moved = os.path.relpath(there, here) + (f"#{anchor}" if anchor else "")
        return f'{found["word"]}="{moved}"' if found["word"] else f"{found['image']}[{found['text']}]({moved})"

    # On the site, what belongs to an entry of a list is indented by four.
    return _INDENTED.sub("    ", _LINK.sub(link, text))


def address(path: PurePosixPath) -> str | None:
    """Return the address of a file of the repository on the site; None if it is not there."""
    if str(path) in AT_THE_ROOT:
        return AT_THE_ROOT[str(path)]
    return str(path.relative_to("docs")) if path.is_relative_to("docs") else None
