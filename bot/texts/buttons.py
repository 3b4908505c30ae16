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
LOCK_LOBBY, OPEN_LOBBY = _("Only invited players"), _("Open to everyone")
WEEKENDS_ON, WEEKENDS_OFF = _("Weekends on"), _("Weekends off")
RATED, UNRATED = _("Rated"), _("Unrated")
HOUSE = _("House rules: on or off")
HINTS_ON, HINTS_OFF = _("Allow hints"), _("No hints")
TALK_ON, TALK_OFF = _("Allow table talk"), _("No table talk")
LANGUAGE = _("Language: {language}")
REMIND = _("Watch for seats")
STOP_SEEKING = _("Stop looking")
UNBLOCK = _("Unblock")
NO_INVITATIONS, INVITATIONS = _("Block invitations"), _("Allow invitations")
CHOOSE_SEAT = _("Choose your seat")
SEAT_OF = _("{colour}: {name}")
SEAT_FREE = _("{colour}: free")

# Cups
ENTER = _("Enter")
DETAILS = _("Details")
STANDINGS = _("Standings")
OPEN_CUP = _("Open the cup")
EXTEND = _("Add a day")
AGAIN_MONTHLY, ONE_MONTH = _("Go on each month"), _("End with this month")
CANCEL_CUP = _("Cancel the cup")
YES_CANCEL_CUP = _("Yes, cancel it")
DECIDE = _("Decide a table")

# Under a board
MY_HAND = _("My hand")
HISTORY = _("History")
ALWAYS = _("All time")
FAIR_SHUFFLE = _("Fair shuffle")
TALK = _("Say something")
AS_TEXT = _("Show as text")
REPLAY = _("Replay")
PICTURE, POST_HERE = _("Share a picture"), _("Post here")
REMATCH = _("Rematch")
PLAY_FOR, NOT_NOW, STOP_PLAYING_FOR = _("Play for them"), _("Not now"), _("Stop playing for them")
PLAY_FROM = _("Play from here")
PLAY_IN_DMS = _("Open in direct messages")
ADD_BOT = _("Add the bot here")
REMATCH_FREE = _("Rematch, one seat free")
TAKE_BACK_SEAT = _("Take my seat back")
TAKE_OVER = _("Take over for {name}")
AGREE = _("Agree")
REFUSE = _("Disagree")
ANSWER = _("Answer the others")

# When a player's time is up
WAIT = _("Wait for {name}")
WAIT_AGAIN = _("Wait longer for {name}")
PLAY_TURN = _("Let computer play for {name}")
STAND_IN = _("Let computer replace {name}")
OFFER = _("Offer {name}'s seat")

# In private
PLAY = _("Play")
CONFIRM = _("Confirm")
BACK = _("Back")
HINT = _("Hint")
PLAN, DROP_PLANS = _("Plan ahead"), _("Drop plans")
PLAN_IF, PLAN_GIFT = _("Add a condition"), _("Plan the exchange")
RECORD = _("Record")
REVIEW = _("Review")
ALL_COMMANDS = _("All commands")
UNDO = _("Undo")
WHY_NOT = _("Why not?")
TO_BOARD = _("Go to board")
TOPICS = _("Go to a topic")
PAGE_BACK = _("Previous page")
PAGE_ON = _("Next page")
PRIVACY = _("Privacy policy")
SUPPORT = _("Get help")
WHOLE_RULES = _("Read all rules")
EARLIER = _("Earlier")
LATER = _("Later")
CHANGE = _("Change")
OWN_SIDE = _("Turn to my side")
AS_IN_PUBLIC = _("Turn as in public")
STEP_BY_STEP = _("Step by step")
FIRST = _("First")
LAST = _("Last")
END = _("End")
EXPORT = _("Export")
LEAVE_OUT = _("Hide my statistics")
COUNT_IN = _("Show my statistics")
FORGET_ME = _("Forget me")

# Learning, and the puzzle of the day
LEARN = _("Learn to play")
LESSONS = _("Choose a lesson")
NEXT_LESSON = _("Next lesson")
PLAY_NOW = _("Play now")
TO_TABLE = _("Go to my table")
NO_TIPS = _("Turn tips off")
SOLVE = _("Solve it")
AGAIN = _("Start over")
SOLUTION = _("Show solution")

# Before something that cannot be undone
NO = _("No, don't")
YES_RESIGN = _("Yes, leave")
YES_CANCEL = _("Yes, cancel {code}")
YES_BAN = _("Yes, ban")
CHANGE_SETTING = _("Change a setting")
BACK_TO_DEFAULTS = _("Restore defaults")
YES_DEFAULTS = _("Yes, restore defaults")
DELETE_DATA = _("Delete server data")
YES_DELETE = _("Yes, delete everything")
YES_FORGET = _("Yes, forget me")
FORGET_ALL = _("Forget everything")
YES_TAKE_OVER = _("Yes, take over")
CONCEDE = _("Resign")
END_TOGETHER = _("Ask team to resign")


def named(language: Language, label: str) -> str:
    """Return a button's label in bold type, for a sentence of a message."""
    return markup.bold(language.t(label))
