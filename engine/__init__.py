"""The rules of DOG in nine systems: pure, no input or output, standard library only.

A game is a rule system, a number of players, a seed of 32 bytes and numbered actions; all else follows from them.

>>> from engine import SYSTEMS, Game, Options, parse_position
>>> list(SYSTEMS)
['classic', 'family', 'dobney', 'royal-basic', 'royal', 'swiss', 'keezen', 'tock', 'jackaroo']
>>> game = Game.new("classic", 4, bytes(32))
>>> game
<Game classic of 4, 0 actions, exchange>
>>> game.to_act
(0, 1, 2, 3)

A game never changes: `play` returns the next one. Actions are small values that print as the text they parse from.

>>> for seat in game.seats:
...     game = game.play(seat, game.legal(seat)[0])
>>> game.phase.value, game.number
('turn', 4)
>>> (seat,) = game.to_act
>>> actions = game.legal(seat)
>>> all(type(action).parse(str(action)) == action for action in actions)
True

The log is the complete, secret record of a game. Replaying it gives the same game; a log that breaks a rule is refused.

>>> again = Game.replay("classic", 4, bytes(32), Options(), game.log)
>>> again.view(seat) == game.view(seat)
True

People are only ever shown a view: a seat's, or that of a spectator, who sees no hand.

>>> game.view(None).hand is None, len(game.view(seat).hand)
(True, 6)
>>> game.view(None).hands
{0: 6, 1: 6, 2: 6, 3: 6}

A refusal says what kind it is, carries the data needed to explain it, and leaves the game unchanged.

>>> game.play((seat + 1) % 4, "fold")
Traceback (most recent call last):
    ...
engine.errors.NotYourTurn: not_your_turn seat=0 to_act=(3,)

A single position can be asked for everything that a hand allows, with what each action would do on the board
(`python -m engine actions` does the same for lines of JSON).

>>> from engine.analysis import position_actions
>>> kennel = ["-"] * 4
>>> pieces = {"0": ["-", "-", "62", "c"], "1": kennel, "2": kennel, "3": kennel}
>>> position = parse_position({"rules": "classic", "players": 4, "pieces": pieces, "seat": 0, "hand": ["4", "A"]})
>>> for found in position_actions(position):
...     print(found.action, found.placement[0])
4 62>2 ('-', '-', '2', 'c')
4 62>a ('-', '-', 'a', 'c')
4 62>58 ('-', '-', '58', 'c')
A ->1 ('-', '1*', '62', 'c')
A 62>63 ('-', '-', '63', 'c')
A 62>9 ('-', '-', '9', 'c')
A c>d ('-', '-', '62', 'd')
>>> position_actions(position)[1].preview.steps[0].path
('62', '63', '64', '1', 'a')

Computer players choose the way people do, from what their seat may know.

>>> from random import Random
>>> from engine.players import choose
>>> choose("heuristic", game, seat, Random(1)) in actions
True
"""

from engine.errors import (
    DogError,
    GameOver,
    MustPlay,
    NoSuchCard,
    NotationError,
    NotLegal,
    NotYourTurn,
    OptionRefused,
    PositionError,
    Reason,
    RecordError,
    Refusal,
    SetupError,
    WhyNot,
    WrongKind,
)
from engine.game import Game, Shares
from engine.position import Position, parse_position
from engine.public import PublicGame, SeatGame
from engine.rules.actions import Action, ActionKind, Part
from engine.rules.board import KENNEL_TEXT, SLOTS, Board, board_for
from engine.rules.cards import ROYAL, STANDARD, Card, Colour
from engine.rules.definition import Exchange, Rank, RuleSystem
from engine.rules.events import Entry, Event, EventKind, Placement, Preview, Step, StepKind
from engine.rules.house import available_options, why_refused
from engine.rules.options import Options, Teams
from engine.rules.placement import place_of, spaces_to_home
from engine.rules.systems import SYSTEMS, all_systems, system_of
from engine.view import Phase, View

__all__ = [
    "KENNEL_TEXT",
    "ROYAL",
    "SLOTS",
    "STANDARD",
    "SYSTEMS",
    "Action",
    "ActionKind",
    "Board",
    "Card",
    "Colour",
    "DogError",
    "Entry",
    "Event",
    "EventKind",
    "Exchange",
    "Game",
    "GameOver",
    "MustPlay",
    "NoSuchCard",
    "NotLegal",
    "NotYourTurn",
    "NotationError",
    "OptionRefused",
    "Options",
    "Part",
    "Phase",
    "Placement",
    "Position",
    "PositionError",
    "Preview",
    "PublicGame",
    "Rank",
    "Reason",
    "RecordError",
    "Refusal",
    "RuleSystem",
    "SeatGame",
    "SetupError",
    "Shares",
    "Step",
    "StepKind",
    "Teams",
    "View",
    "WhyNot",
    "WrongKind",
    "all_systems",
    "available_options",
    "board_for",
    "parse_position",
    "place_of",
    "spaces_to_home",
    "system_of",
    "why_refused",
]
