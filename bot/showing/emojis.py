"""The application's emojis: drawn by `render`, uploaded to Discord, and put in place of signs when something is sent.

Everything else writes the plain signs, which are what stands in the database, in files, pictures and alt texts. Where
the emojis are not there (yet), nothing is put in their place.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any

import discord

from bot.languages import language_for
from bot.languages.direction import keep_lines, without_lines
from bot.pools import Pools
from bot.priority import PRIORITY, Priority
from bot.texts.markup import FENCE, MESSAGE_LIMIT, own_emoji
from bot.texts.names import MARKS, card_sign, colour, rank_sign
from engine import all_systems
from render import emojis

log = logging.getLogger(__name__)

MOST = 2_000
"""The most emojis of an application (Discord's limit)."""

GENTLY = 1.0
"""Seconds between two uploads."""

AGAIN = 60
"""Seconds after which is asked again whether the emojis are there."""

_OURS = "dog_"
"""The beginning of the names of our emojis; an operator's own ones are left alone."""

_MARKS = {f"{_OURS}{colour(language_for(None), seat)}": sign for seat, sign in enumerate(MARKS)}
"""Seats' marks by the names of their emojis, without the part that stands for the drawing. Notifications show these."""

_SIGN = re.compile(rf"{FENCE}.*?{FENCE}|`[^`\n]*`|{'|'.join(MARKS)}", re.DOTALL)
"""A mark; what is set in monospaced type is found as a whole, since emojis do not show there."""

_EMOJI = re.compile(own_emoji(rf"({_OURS}\w+)_v\d+", r"\d+"))

_there: dict[str, discord.PartialEmoji] = {}
"""By sign: the emoji on Discord. Empty until all are there."""


def learn(found: Mapping[str, discord.PartialEmoji]) -> None:
    """Use these emojis instead of their signs, and no others."""
    _there.clear()
    _there.update(found)


def dress(text: str) -> str:
    """Return a message's text with emojis instead of signs and lines in their direction, where there is room."""
    kept = keep_lines(text)
    text = kept if len(kept) <= MESSAGE_LIMIT else text
    if not _there:
        return text
    dressed = _SIGN.sub(lambda found: str(_there.get(found[0], found[0])), text)
    return dressed if len(dressed) <= MESSAGE_LIMIT else text


def undress(text: str) -> str:
    """Return a text that stands on Discord as it was before `dress`."""
    return without_lines(_EMOJI.sub(lambda found: _MARKS.get(found[1], found[0]), text))


def instead_of(sign: str | None) -> discord.PartialEmoji | str | None:
    """Return what a button or a line of a menu shows for a sign; nothing for a card or rank without emojis."""
    if sign is None or sign in _there:
        return None if sign is None else _there[sign]
    return None if sign.isascii() else sign


def forget_refused(error: Exception) -> bool:
    """If Discord refuses a message for an emoji of ours, which has been deleted there, use signs; True then."""
    if not _there or not isinstance(error, discord.HTTPException) or "Invalid emoji" not in error.text:
        return False
    log.warning("the emojis are no longer all there; until the next start, plain signs are shown")
    learn({})
    return True


async def bring(client: discord.Client, pools: Pools, *, uploads: bool) -> None:
    """Find the emojis on Discord; `uploads`: upload those that are missing, else wait until they are there.

    Nothing depends on it, and whatever goes wrong ends it.
    """
    try:
        while True:
            if await _bring(client, pools, uploads=uploads):
                return
            await asyncio.sleep(AGAIN)
    except Exception as error:
        log.info("the emojis are not there, plain signs are shown: %s", error)


async def _bring(client: discord.Client, pools: Pools, *, uploads: bool) -> bool:
    """Use the emojis if all are there, or can be uploaded; False if not."""
    uploaded = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
    wanted = _drawings()
    missing = [(name, draw, what) for name, draw, what in wanted.values() if name not in uploaded]
    if missing and not uploads:
        return False
    await _make_room(list(uploaded.values()), {name for name, *_ in wanted.values()}, len(missing))
    PRIORITY.set(Priority.CATCHING_UP)
    for name, draw, what in missing:
        png = await pools.draw(draw, what)
        while name not in uploaded:
            try:
                uploaded[name] = await client.create_application_emoji(name=name, image=png)
            except discord.RateLimited as limit:
                await asyncio.sleep(limit.retry_after)
            else:
                await asyncio.sleep(GENTLY)
    if missing:
        log.info("emojis uploaded to Discord: %s", len(missing))
    learn({sign: discord.PartialEmoji(name=name, id=uploaded[name].id) for sign, (name, *_) in wanted.items()})
    return True


def _drawings() -> dict[str, tuple[str, Callable[[Any], bytes], object]]:
    """Return by sign: the name of its emoji, the function that draws it, and what that is given."""
    systems = all_systems()
    marks = {sign: (name, emojis.seat_emoji, seat) for seat, (name, sign) in enumerate(_MARKS.items())}
    cards = {card_sign(card): (emojis.card_emoji, card) for system in systems for card in system.cards.values()}
    ranks = {rank_sign(rank.letter): (emojis.rank_emoji, rank) for system in systems for rank in system.ranks}
    faces = {sign: (_OURS + sign, draw, what) for sign, (draw, what) in (cards | ranks).items()}
    return {sign: (f"{name}_v{emojis.VERSION}", draw, what) for sign, (name, draw, what) in (marks | faces).items()}


async def _make_room(found: list[discord.Emoji], wanted: set[str], count: int) -> None:
    """Delete the oldest of our drawings that are no longer in use, if that is needed for so many new ones.

    Others stay: old messages show them.
    """
    old = [emoji for emoji in found if emoji.name.startswith(_OURS) and emoji.name not in wanted]
    old.sort(key=lambda emoji: emoji.id)
    for emoji in old[: max(0, len(found) + count - MOST)]:
        await emoji.delete()
