"""The labels of buttons and menus, in English: `language.t(buttons.UNDO)` gives the reader's language.

A sentence that names a button fills in its label, so that both change together.
"""

from __future__ import annotations

from bot.languages import Language
from bot.languages import mark as _
from bot.texts import markup

# The lobby
JOIN = _("Join")
LEAVE = _("Leave")
START = _("Start")
CANCEL = _("Cancel the game")
RULES = _("Rules")
FILL = _("Add computers")
COMPUTERS = _("Computer players")
ADD_HERE = _("{colour}: add a computer")
REMOVE = _("Remove {name}")
OTHER_PARTNERS = _("Swap partners")
SETTINGS = _("Settings")
ARRANGE = _("Change the game")
WAIT_TO_START = _("Wait")
BY_HAND, BY_ITSELF = _("Start by hand"), _("Start by itself")
LOCK_LOBBY, OPEN_LOBBY = _("Only for invited players"), _("Open to all")
WEEKENDS_ON, WEEKENDS_OFF = _("Weekends count"), _("Weekends don't count")
RATED, UNRATED = _("Rated"), _("Unrated")
HOUSE = _("House rules: on or off")
HINTS_ON, HINTS_OFF = _("Allow hints"), _("No hints")
TALK_ON, TALK_OFF = _("Allow table talk"), _("No table talk")
LANGUAGE = _("Language: {language}")
REMIND = _("Remind me when a seat is free")
STOP_SEEKING = _("Stop looking")
UNBLOCK = _("Unblock")
NO_INVITATIONS, INVITATIONS = _("Don't invite me"), _("Let people invite me")
CHOOSE_SEAT = _("Choose your seat")
SEAT_OF = _("{colour}: {name}")
SEAT_FREE = _("{colour}: free")

# Cups
ENTER = _("Enter")
DETAILS = _("Details")
STANDINGS = _("Standings")
OPEN_CUP = _("Open the cup")
EXTEND = _("A day longer")
CANCEL_CUP = _("Cancel the cup")
YES_CANCEL_CUP = _("Yes, cancel it")
DECIDE = _("Decide a table")

# Under a board
MY_HAND = _("My hand")
HISTORY = _("History")
ALWAYS = _("All time")
FAIR_SHUFFLE = _("Fair shuffle")
TALK = _("Say something")
AS_TEXT = _("As text")
REPLAY = _("Replay")
PICTURE = _("Picture to share")
REMATCH = _("Rematch")
PLAY_FOR, NOT_NOW, STOP_PLAYING_FOR = _("Play for them"), _("Not now"), _("Stop playing for them")
PLAY_FROM = _("Play from here")
PLAY_IN_DMS = _("Open it in direct messages")
ADD_BOT = _("Add the bot here")
REMATCH_FREE = _("Again with a free seat")
TAKE_BACK_SEAT = _("Take my seat back")
TAKE_OVER = _("Take over: {name}")
AGREE = _("Agree")
REFUSE = _("Refuse")
ANSWER = _("Answer the others")

# When a player's time is up
WAIT = _("Wait for {name}")
WAIT_AGAIN = _("Wait even longer for {name}")
PLAY_TURN = _("Computer plays for {name}")
STAND_IN = _("Computer plays on for {name}")
OFFER = _("Offer {name}'s seat")

# In private
PLAY = _("Play")
CONFIRM = _("Confirm")
BACK = _("Back")
HINT = _("Hint")
PLAN, DROP_PLANS = _("Plan ahead"), _("Drop plans")
PLAN_IF, PLAN_GIFT = _("Only if …"), _("A card for the exchange")
RECORD = _("Record")
REVIEW = _("Review")
ALL_COMMANDS = _("All commands")
UNDO = _("Undo")
WHY_NOT = _("Why not?")
TO_BOARD = _("To the board")
TOPICS = _("Go to a topic")
PAGE_BACK = _("Previous page")
PAGE_ON = _("Next page")
PRIVACY = _("Privacy policy")
SUPPORT = _("Get help")
WHOLE_RULES = _("The whole rules")
EARLIER = _("Earlier")
LATER = _("Later")
CHANGE = _("Change")
OWN_SIDE = _("My own side at the bottom")
AS_IN_PUBLIC = _("Turn boards as in public")
STEP_BY_STEP = _("Step by step")
FIRST = _("First")
LAST = _("Last")
END = _("End")
EXPORT = _("Export")
LEAVE_OUT = _("Leave me out of statistics")
COUNT_IN = _("Show me in statistics")
FORGET_ME = _("Forget me")

# Learning, and the puzzle of the day
LEARN = _("Learn to play")
LESSONS = _("Choose a lesson")
NEXT_LESSON = _("Next lesson")
PLAY_NOW = _("Play now")
TO_TABLE = _("To my table")
NO_TIPS = _("Turn tips off")
SOLVE = _("Solve it")
AGAIN = _("From the beginning")
SOLUTION = _("Solution")

# Before something that cannot be undone
NO = _("No, don't")
YES_RESIGN = _("Yes, resign")
YES_CANCEL = _("Yes, cancel {code}")
YES_BAN = _("Yes, ban")
DEFAULT_RULES, DEFAULT_PACE = _("Rules of new games"), _("Time for a turn")
BACK_TO_DEFAULTS = _("Back to defaults")
YES_DEFAULTS = _("Yes, back to defaults")
DELETE_DATA = _("Delete this server's data")
YES_DELETE = _("Yes, delete everything")
YES_FORGET = _("Yes, forget me")
FORGET_ALL = _("Forget everything")
YES_TAKE_OVER = _("Yes, take over")
CONCEDE = _("Give the game up")
END_TOGETHER = _("End the game with my team")


def named(language: Language, label: str) -> str:
    """Return a button's label in bold type, for a sentence of a message."""
    return markup.bold(language.t(label))
