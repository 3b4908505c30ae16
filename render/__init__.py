"""Pictures of boards, hands and whole games: from what a viewer may see to image bytes. Knows nothing of Discord."""

from render.board.assembly import board_png
from render.errors import RenderError
from render.film import replay_gif
from render.hand import hand_png, turn_png
from render.scene import Scene
from render.themes import THEMES
from render.warm import warm

__all__ = ["THEMES", "RenderError", "Scene", "board_png", "hand_png", "replay_gif", "turn_png", "warm"]
