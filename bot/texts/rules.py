"""The rules in short, for `/dog rules`: sentences chosen by the data of a rule system, so that each has them."""

from __future__ import annotations

from bot.languages import Language
from bot.texts.words import card_name, rank_name, system_name
from engine import SYSTEMS, Options, RuleSystem, board_for
from engine.board import Board
from engine.cards import Backward, Card, Copy, Forward, Magnet, Out, Split, Swap
from engine.systems import BackwardEntry, Exchange, Guard, Idle, Opening, Spill, Stuck

LIMIT = 2000
"""Characters in one message (Discord's limit)."""


def essentials(language: Language, system_id: str, players: int, options: Options | None = None) -> str:
    """The rules of a system for this many players, at most 2,000 characters.

    Raises:
        engine.SetupError: no such system, or not for this many players.
    """
    system = SYSTEMS[system_id]
    board = board_for(system, players)
    sections = (
        (language.t("Aim"), _aim(language, system, board)),
        (language.t("Cards"), _cards(language, system)),
        (language.t("A round"), _round(language, system, board)),
        (language.t("Moving"), _moving(language, system, board)),
        (language.t("Home"), _home(language, system, board)),
        (language.t("Ranks"), _ranks(language, system)),
        (language.t("House rule"), _house(language, options)),
    )
    head = language.t("## {system}, {players} players", system=system_name(language, system_id), players=players)
    text = "\n".join([head, *(f"**{title}** {' '.join(lines)}" for title, lines in sections if lines)])
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


def _aim(language: Language, system: RuleSystem, board: Board) -> list[str]:
    direction = language.t("clockwise") if board.clockwise else language.t("anticlockwise")
    lap = language.t(
        "Bring your four pieces {direction} around {length} spaces into your lane.",
        direction=direction,
        length=board.length,
    )
    if board.partner(board.seats[0]) is None:
        return [lap, language.t("Everyone plays for themselves; the first with all four in wins.")]
    return [lap, language.t("Once yours are in you move your partner's. A team with all eight in wins at once.")]


def _cards(language: Language, system: RuleSystem) -> list[str]:
    plain = [
        card.id
        for card in system.cards.values()
        if not card.wild and card.id.isdigit() and card.powers == (Forward(int(card.id)),)
    ]
    lines = [language.t("{cards}: that many spaces.", cards=", ".join(plain))]
    lines += [
        f"{card_name(language, card.id).capitalize()}: {_power(language, card)}."
        for card in system.cards.values()
        if card.id not in plain
    ]
    return lines


def _power(language: Language, card: Card) -> str:
    forward = [power.steps for power in card.powers if isinstance(power, Forward)]
    words = []
    if any(isinstance(power, Out) for power in card.powers):
        words.append(language.t("out of the kennel"))
    if len(forward) > 2:
        words.append(language.t("one piece, {first} to {last}", first=forward[0], last=forward[-1]))
    else:
        words += [str(steps) for steps in forward]
    for power in card.powers:
        match power:
            case Backward(steps):
                words.append(language.t("{steps} backward", steps=steps))
            case Split(points):
                words.append(
                    language.t("{points}, shared among your pieces as you like, taking all it passes", points=points)
                )
            case Swap():
                words.append(language.t("swap one of your pieces with another seat's"))
            case Magnet():
                words.append(language.t("move up behind the next piece ahead"))
            case Copy():
                words.append(language.t("counts as the card last played in this round"))
    if card.wild:
        words.append(language.t("any other card"))
    return language.t("{first} or {last}", first=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else words[0]


def _round(language: Language, system: RuleSystem, board: Board) -> list[str]:
    dealt = [system.cards_dealt(number) for number in range(1, 12)]
    lines = []
    if len(set(dealt)) == 1:
        lines.append(language.t("Everyone gets {count} cards.", count=dealt[0]))
    else:
        lines.append(
            language.t("Everyone gets {counts} ... cards, round by round.", counts=", ".join(map(str, dealt[:8])))
        )
    lines.append(
        {
            Exchange.TEAM: language.t("Partners give each other one card, both choosing before they see."),
            Exchange.ASK: language.t("You may ask your partner for a swap of cards; they may decline."),
            Exchange.NEXT: language.t("Everyone gives one card to the next seat."),
        }[board.exchange]
    )
    if system.opening is Opening.ONE_OUT:
        lines.append(language.t("Everyone begins with a piece on the start."))
    elif system.opening is Opening.CHOSEN:
        lines.append(language.t("At the beginning everyone places a piece of their choice on the start."))
    lines.append(language.t("Whoever can play must."))
    lines.append(
        language.t("Who cannot lays the hand down until the next deal.")
        if board.stuck is Stuck.FOLD
        else language.t("Who cannot discards a card and draws one; if that does not help, discards another.")
    )
    return lines


def _moving(language: Language, system: RuleSystem, board: Board) -> list[str]:
    lines = [language.t("Whoever is landed on goes home, your own pieces too. Passing is free.")]
    if system.start_guard is Guard.ALWAYS:
        lines.append(language.t("A piece on its own start blocks everyone and cannot be taken."))
    else:
        lines.append(language.t("A piece fresh on its own start blocks everyone and cannot be taken."))
    if system.seven is not None:
        if not system.seven.takes_at_end:
            lines.append(language.t("A part of a seven must end on a free space."))
        lines.append(
            language.t("What a seven has left when your last piece comes in goes to one of your partner's pieces.")
            if system.seven.spill is Spill.ONE
            else language.t("What a seven has left when your last piece comes in goes to your partner's pieces.")
        )
        if system.seven.lapse:
            lines.append(language.t("With the team's last piece, points left over lapse."))
    if system.swap.partner_last:
        lines.append(language.t("Swap with your partner only if no opponent can be swapped."))
    if system.swap.idle is not Idle.NEVER:
        lines.append(language.t("If only your own pieces are out, a jack may be played without effect."))
    if board.paths:
        lines.append(language.t("Two one-way paths cut through the middle; they cross there."))
    if board.specials:
        lines.append(language.t("Ending on a special space draws a card."))
    return lines


def _home(language: Language, system: RuleSystem, board: Board) -> list[str]:
    offset = system.branch_offset
    lines = [
        language.t("The lane branches off at your start.")
        if offset == 0
        else language.t("The lane branches off at the space before your start.")
    ]
    lines.append(
        language.t("A piece may turn in from there once it is not fresh.")
        if system.enter_standing
        else language.t("A piece must come past it: standing there it cannot turn in.")
    )
    if system.enter_backward is not BackwardEntry.NEVER:
        lines.append(language.t("A 4 backward may turn in, too."))
    lines.append(language.t("Nobody passes inside a lane, and the number must fit."))
    return lines


def _ranks(language: Language, system: RuleSystem) -> list[str]:
    if not system.ranks:
        return []
    order = " > ".join(rank_name(language, rank.letter) for rank in system.ranks)
    lines = [language.t("{order}: only green cards pass a higher rank.", order=order)]
    for rank in system.ranks:
        name = rank_name(language, rank.letter).capitalize()
        if rank.royal:
            lines.append(
                language.t("{rank}: taken only by a king, moves at most {steps}.", rank=name, steps=rank.longest or 0)
            )
        if rank.vaults:
            lines.append(language.t("{rank}: may pass a piece on its own start.", rank=name))
        if rank.jumps:
            lines.append(language.t("{rank}: may go on from a special space to the next free one.", rank=name))
        if rank.spares:
            lines.append(
                language.t("{rank}: may leave {count} points unused on the way in.", rank=name, count=rank.spares)
            )
    return lines


def _house(language: Language, options: Options | None) -> list[str]:
    if options is None or not options.canadian_seven:
        return []
    return [language.t("Canadian seven: a seven may be shared among your and your partner's pieces at any time.")]
