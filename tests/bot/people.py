"""The people of the tests of the tables service, where they play, how long a move takes, and what is dealt."""

from bot.occupants import Person, Scope

ANN, BEN, CAT, DAN, EVE, FAY = (
    Person(number, name) for number, name in enumerate(["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"], 101)
)
FOUR = (ANN, BEN, CAT, DAN)
BY_ID = {person.id: person for person in FOUR}
MOD = Person(900, "Mod", moderates=frozenset(Scope))
GUILD, CHANNEL = 1, 2
DAILY = 86_400
SEED = bytes(range(32))
