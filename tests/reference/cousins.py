"""Positions worked out by hand from single sentences about the cousins, as `sentences.py` has them for the others."""

from tests.reference.sentences import Case, shares


def _three(first: int, second: int, third: int) -> tuple[str, ...]:
    """A seven shared by three pieces that do not meet, in every way."""
    return tuple(
        f"{first}>{first + one} {second}>{second + two} {third}>{third + 7 - one - two}"
        for one in range(8)
        for two in range(8 - one)
    )


COUSINS: tuple[Case, ...] = (
    # ------------------------------------------------------------------------------------------------ swiss
    Case("swiss", "while fresh it blocks and is protected", "swiss", 4, "0: 12|1: 17*", "5", ()),
    Case("swiss", "no longer fresh, it does not", "swiss", 4, "0: 12|1: 17", "5", ("12>17 1.17>-",)),
    Case("swiss", "fresh, it is safe from J", "swiss", 4, "0: 20|1: 17*", "J", ()),
    Case("swiss", "one's own, no longer fresh, is sent home", "swiss", 4, "0: 1", "K", ("1>14", "1>1*")),
    Case("swiss", "the lane at the own start", "swiss", 4, "0: 62", "5", ("62>3", "62>b")),
    Case("swiss", "a seven burns", "swiss", 4, "0: 20|1: 22", "7", ("20>27 1.22>-",)),
    Case("swiss", "never backward into the lane", "swiss", 4, "0: 3", "4", ("3>7", "3>63")),
    Case("swiss", "a card too big for the lane: another lap", "swiss", 4, "0: 62", "9", ("62>7",)),
    Case("swiss", "from the start no longer fresh", "swiss", 4, "0: 1", "3", ("1>4", "1>c")),
    Case("swiss", "five sides of six have 96 spaces", "swiss", 5, "1: 94", "5", ("94>3",), seat=1),
    Case("swiss", "eight sides have 128 spaces", "swiss", 8, "1: 126", "5", ("126>3",), seat=1),
    Case("swiss", "eight: the partner opposite", "swiss", 8, "1: a b c d", "K", ("5.->81*",), seat=1),
    Case(
        *("swiss", "three: a helper has both partners' pieces", "swiss", 6, "0: a b c d|2: 40|4: 70", "3"),
        ("2.40>43", "4.70>73"),
        house="teams=two",
    ),
    Case(
        *(
            "swiss",
            "three: the rest of a seven to one piece of one partner",
            "swiss",
            6,
            "0: 95 b c d|2: 40|4: 70",
            "7",
        ),
        ("95>6", "95>a 2.40>44", "95>a 4.70>74"),
        house="teams=two",
    ),
    # ------------------------------------------------------------------------------------------------ keezen
    Case("keezen", "ace: out or 1", "keezen", 4, "0: 20", "A", ("->1", "20>21")),
    Case("keezen", "king: out only", "keezen", 4, "0: 20", "K", ("->1",)),
    Case("keezen", "queen 12", "keezen", 4, "0: 20", "Q", ("20>32",)),
    Case("keezen", "4 back only", "keezen", 4, "0: 20", "4", ("20>16",)),
    Case("keezen", "4 never out of the lane", "keezen", 4, "0: d", "4", ()),
    Case("keezen", "back over the start, not past a piece on it", "keezen", 4, "0: 2 1", "4", ("1>61",)),
    Case("keezen", "10 is 10", "keezen", 4, "0: 20", "10", ("20>30",)),
    Case("keezen", "5 is 5", "keezen", 4, "0: 20|1: 30", "5", ("20>25",)),
    Case("keezen", "a card too big for the lane: another lap", "keezen", 4, "0: 62", "8", ("62>6",)),
    Case("keezen", "from before the start into the lane", "keezen", 4, "0: 64", "3", ("64>3", "64>c")),
    Case("keezen", "back over the own start, never into the lane", "keezen", 4, "0: 2", "4", ("2>62",)),
    Case("keezen", "not past a blocking piece", "keezen", 4, "0: 18|1: 17", "4", ()),
    Case("keezen", "the lane before the start, or another lap", "keezen", 4, "0: 62", "5", ("62>3", "62>c")),
    Case("keezen", "always protected on the own start", "keezen", 4, "0: 12|1: 17", "5", ()),
    Case("keezen", "only its owner may swap it", "keezen", 4, "0: 1|1: 17 30", "J", ("1>30 1.30>1",)),
    Case("keezen", "with the partner too", "keezen", 4, "0: 20|2: 30", "J", ("20>30 2.30>20",)),
    Case("keezen", "a seven takes nobody it passes", "keezen", 4, "0: 20|1: 22", "7", ("20>27",)),
    Case("keezen", "it takes where it ends", "keezen", 4, "0: 20|1: 27", "7", ("20>27 1.27>-",)),
    Case(
        *("keezen", "at most two own pieces", "keezen", 4, "0: 20 40 50", "7"),
        (
            *(f"20>{20 + n} 40>{47 - n}" for n in range(8)),
            *(f"20>{20 + n} 50>{57 - n}" for n in range(1, 7)),
            *(f"40>{40 + n} 50>{57 - n}" for n in range(7)),
        ),
    ),
    Case("keezen", "the rest to one of the partner's", "keezen", 4, "0: 63 b c d|2: 20", "7", ("63>6", "63>a 2.20>25")),
    # ------------------------------------------------------------------------------------------------ tock
    Case("tock", "king: out or 13", "tock", 4, "0: 20", "K", ("->1*", "20>33")),
    Case("tock", "ace: out or 1", "tock", 4, "0: 20", "A", ("->1*", "20>21")),
    Case("tock", "jack: a swap or 11", "tock", 4, "0: 20|1: 30", "J", ("20>30 1.30>20", "20>31")),
    Case("tock", "queen 12", "tock", 4, "0: 20", "Q", ("20>32",)),
    Case("tock", "4 back only, over the own start", "tock", 4, "0: 3", "4", ("3>71",)),
    Case("tock", "7 by any number of pieces", "tock", 4, "0: 22 30 40", "7", _three(22, 30, 40)),
    Case("tock", "7 takes nobody it passes", "tock", 4, "0: 22|1: 24", "7", ("22>29",)),
    Case("tock", "7 takes where a part ends", "tock", 4, "0: 22|1: 29", "7", ("22>29 1.29>-",)),
    Case(
        *("tock", "7: the rest to exactly one of the partner's", "tock", 4, "0: 72 b c d|2: 20 40", "7"),
        ("72>a 2.20>25", "72>a 2.40>45"),
    ),
    Case("tock", "a 5 moves others, never an own piece", "tock", 4, "0: 20|1: 30", "5", ("1.30>35",)),
    Case("tock", "the partner's too", "tock", 4, "0: 20|2: 30", "5", ("2.30>35",)),
    Case("tock", "and takes who stands there", "tock", 4, "0: 35|1: 30", "5", ("1.30>35 35>-",)),
    Case("tock", "past its own lane", "tock", 4, "1: 17", "5", ("1.17>22",)),
    Case("tock", "not a protected one", "tock", 4, "1: 19", "5", ()),
    Case("tock", "not past a blocking one", "tock", 4, "1: 17|2: 15|0: 1", "5", ("1.17>22", "2.15>20")),
    Case(
        *("tock", "onto its own start it takes who stands there", "tock", 4, "1: 14|2: 19", "5"),
        ("1.14>19 2.19>-", "2.19>24"),
    ),
    Case("tock", "its own piece on its start stops it", "tock", 4, "1: 17 19", "5", ()),
    Case("tock", "nor onto a protected one", "tock", 4, "0: 1|1: 68", "5", ()),
    Case(
        "tock", "a helper's 5 moves anybody's but those played", "tock", 4, "0: a b c d|2: 22|1: 30", "5", ("1.30>35",)
    ),
    Case("tock", "10 or a card", "tock", 4, "0: 20", "10", ("20>30", ""), victim=1),
    Case("tock", "only 10 if nobody holds a card", "tock", 4, "0: 20", "10", ("20>30",)),
    Case("tock", "nobody goes past their own lane", "tock", 4, "0: 70", "6", ("70>c",)),
    Case("tock", "nor with a card too big for it", "tock", 4, "0: 70", "8", ()),
    Case("tock", "nor from the branching space", "tock", 4, "0: 1", "3", ("1>c",)),
    Case("tock", "a fresh one begins its lap", "tock", 4, "0: 1*", "3", ("1*>4",)),
    Case("tock", "always safe from swaps on the own start", "tock", 4, "0: 20|1: 19", "J", ("20>31",)),
    # ------------------------------------------------------------------------------------------------ jackaroo
    Case("jackaroo", "the lane two before the start", "jackaroo", 4, "0: 73", "4", ("73>69",)),
    Case("jackaroo", "into it", "jackaroo", 4, "0: 73", "5", ("73>c",)),
    Case("jackaroo", "from the branching space only in", "jackaroo", 4, "0: 75", "3", ("75>c",)),
    Case("jackaroo", "from there never past", "jackaroo", 4, "0: 75", "6", ()),
    Case("jackaroo", "past the branching space another lap begins", "jackaroo", 4, "0: 76", "5", ("76>5",)),
    Case("jackaroo", "4 back only, over the own start", "jackaroo", 4, "0: 3", "4", ("3>75",)),
    Case("jackaroo", "queen 12", "jackaroo", 4, "0: 22", "Q", ("22>34",)),
    Case("jackaroo", "5 is 5, 10 is 10", "jackaroo", 4, "0: 22|1: 30", "5", ("22>27",)),
    Case("jackaroo", "10 costs nobody a card", "jackaroo", 4, "0: 22", "10", ("22>32",)),
    Case(
        *("jackaroo", "7 by at most two", "jackaroo", 4, "0: 22 32 42", "7"),
        tuple(dict.fromkeys((*shares(22, 32), *shares(22, 42), *shares(32, 42)))),
    ),
    Case("jackaroo", "7 takes nobody it passes", "jackaroo", 4, "0: 22|1: 24", "7", ("22>29",)),
    Case("jackaroo", "7 takes where it ends", "jackaroo", 4, "0: 22|1: 29", "7", ("22>29 1.29>-",)),
    Case("jackaroo", "always protected on the own start", "jackaroo", 4, "0: 15|1: 20", "5", ()),
    Case("jackaroo", "and safe from swaps", "jackaroo", 4, "0: 22|1: 20", "J", ()),
    Case("jackaroo", "a card too big is not allowed", "jackaroo", 4, "0: 73", "8", ()),
    Case("jackaroo", "ace: out, 1 or 11", "jackaroo", 4, "0: 20", "A", ("->1", "20>21", "20>31")),
    Case("jackaroo", "king: out", "jackaroo", 4, "0: 22", "K", ("->1",)),
    Case("jackaroo", "jack: a swap", "jackaroo", 4, "0: 22|1: 30", "J", ("22>30 1.30>22",)),
    Case("jackaroo", "nobody passes a piece of their own", "jackaroo", 4, "0: 22 25", "5", ("25>30",)),
    Case("jackaroo", "but lands on it", "jackaroo", 4, "0: 22 27", "5", ("22>27 27>-", "27>32")),
    Case("jackaroo", "nobody passes two neighbours", "jackaroo", 4, "0: 22|1: 24|2: 25", "5", ()),
    Case("jackaroo", "but lands on the second", "jackaroo", 4, "0: 22|1: 26|2: 27", "5", ("22>27 2.27>-",)),
    Case("jackaroo", "one apart are no neighbours", "jackaroo", 4, "0: 22|1: 24|2: 26", "5", ("22>27",)),
    Case("jackaroo", "backward neither", "jackaroo", 4, "0: 30|1: 28|2: 27", "4", ()),
    Case("jackaroo", "as an option", "jackaroo", 4, "0: 22 25", "5", ("22>27", "25>30"), house="pass_own"),
    Case("jackaroo", "as an option, pairs", "jackaroo", 4, "0: 22|1: 24|2: 25", "5", ("22>27",), house="pass_pairs"),
    Case(
        *("jackaroo", "complex king: 13, sending home what it passes", "jackaroo", 4, "0: 22|1: 24|2: 25|3: 35", "K"),
        ("->1", "22>35 1.24>- 2.25>- 3.35>-"),
        house="complex",
    ),
    Case(
        *("jackaroo", "complex king: a protected one stops it", "jackaroo", 4, "0: 32|2: 39", "K"),
        ("->1",),
        house="complex",
    ),
    Case("jackaroo", "complex king: not its own", "jackaroo", 4, "0: 22 35", "K", ("->1", "35>48"), house="complex"),
    Case(
        *("jackaroo", "complex king: own ones excepted", "jackaroo", 4, "0: 22 25|1: 24", "K"),
        ("->1", "22>35 1.24>-", "25>38"),
        house="complex pass_own",
    ),
    Case("jackaroo", "complex jack: 11 too", "jackaroo", 4, "0: 22", "J", ("22>33",), house="complex"),
    Case("jackaroo", "complex 5: anybody's", "jackaroo", 4, "0: 22|1: 30", "5", ("22>27", "1.30>35"), house="complex"),
    Case("jackaroo", "complex 5: past a lane", "jackaroo", 4, "1: 15", "5", ("1.15>20",), house="complex"),
    Case("jackaroo", "complex 5: not a protected one", "jackaroo", 4, "1: 20", "5", (), house="complex"),
    Case(
        "jackaroo", "complex 5: not past its own colour", "jackaroo", 4, "1: 24 22", "5", ("1.24>29",), house="complex"
    ),
    Case(
        *("jackaroo", "complex 5: nor past two neighbours", "jackaroo", 4, "1: 22|2: 24|3: 25", "5"),
        ("2.24>29", "3.25>30"),
        house="complex",
    ),
    Case(
        *("jackaroo", "complex king: in the lane too", "jackaroo", 4, "0: 64|1: 70", "K"),
        ("->1", "64>b 1.70>-"),
        house="complex",
    ),
    Case("jackaroo", "complex king: too big for the lane", "jackaroo", 4, "0: 73", "K", ("->1",), house="complex"),
    Case(
        *("jackaroo", "complex 10: a card of theirs", "jackaroo", 4, "0: 22", "10"),
        ("22>32", ""),
        house="complex",
        victim=1,
    ),
)
