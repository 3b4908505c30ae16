"""Check the chance in a record of DOG: `python verify.py FILE`, with Python 3.8 or newer and nothing else.

Recomputed are the commitment, the seed, who began, every shuffle, and every card dealt, drawn or lost by chance; see
fair-shuffles.md and records.md. Exit status: 0 if all is as it should be; 1 with what differs; 2 for a file that cannot
be read. Whether the actions were allowed takes the rules: `python -m engine verify FILE`.
"""

import hashlib, hmac, json, re, sys  # noqa: E401, I001

CARD, KEY, TEXT = r"[!-9;=?-~]{1,16}", "[0-9a-f]{64}", r'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4})){1,200}"'
ON_CARDS = rf"\+ (shuffle [0-9]{{1,6}}|deal [0-9]( {CARD})+|(draw|lost) [0-9] {CARD}|exchange( [0-9])+|back [0-9])$"
MOST_BYTES, MOST_ACTIONS, MOST_SHOWN = 4 << 20, 50_000, 20


def picks(seed, label):
    """Give numbers below a limit, all equally likely: 16 bits each; those beyond its last full multiple are skipped."""
    blocks = (hmac.new(seed, label.encode() + b"\0" + n.to_bytes(8, "big"), "sha256").digest() for n in range(2**62))
    numbers = (block[at] * 256 + block[at + 1] for block in blocks for at in range(0, 32, 2))
    return lambda limit: next(n for n in numbers if n < 65536 - 65536 % limit) % limit


def shuffled(seed, number, cards):
    """Fisher-Yates, from the last card down to the second."""
    pack, pick = list(cards), picks(seed, f"shuffle {number}")
    for last in range(len(pack) - 1, 0, -1):
        other = pick(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return pack


def lines_of(data):
    """Return the lines that count, numbered; the last one comes first, so that the next one is always at the end."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"line 1, column 1: the file is larger than {MOST_BYTES} bytes")
    try:
        rows = data.decode("utf-8").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").split("\n")
        raise ValueError(f"line {len(before)}, column {len(before[-1]) + 1}: is not UTF-8") from None
    return [(len(rows), ""), *((n, row) for n, row in reversed([*enumerate(rows, 1)]) if row and row[0] != "#")]


def take(lines, *parts):
    """Read the next line: its parts, each of which matches a pattern."""
    (number, row), at, found = lines.pop(), 0, []
    for part in (*parts, "$"):
        match = re.compile(part).match(row, at)
        if match is None:
            raise ValueError(f"line {number}, column {at + 1}: expected the pattern {part}")
        found.append(match.group())
        at = match.end()
    return found[:-1]


def differences(data):
    """Yield what differs, line by line."""
    lines, who, seats, mixed, discards = lines_of(data), ("person |computer [a-z]+ ", TEXT), [], "", []
    begins = lambda text: lines[-1][1].startswith(text)  # noqa: E731
    digest = hashlib.sha256("".join(f"{row}\n" for _, row in lines[:1:-1]).encode()).hexdigest()
    for head in ("DOG record 1", "system: [a-z0-9-]+ [0-9]+", "players: [2-9]", r"options: \{.*\}"):
        take(lines, head)
    while begins("seat "):
        seats.append(int(take(lines, "seat ", "[0-9]", ": ", *who)[1]))
    while begins(("from ", "event ")):
        take(lines, "(from [0-9]+ seat [0-9]|event [0-9]+): ", f"({who[0]})?", TEXT)
    origin = json.loads(take(lines, "origin: ", r"\{.*\}$")[1]) if begins("origin: ") else None
    if origin and not (origin.get("starter") in seats and isinstance(origin.get("hands", {}), dict)):
        raise ValueError("origin: it does not say who begins, and what the seats hold")
    for one in take(lines, "deck: ", rf"[1-9][0-9]?\*{CARD}( [1-9][0-9]?\*{CARD})*$")[1].split(" "):
        discards += [one.split("*", 1)[1]] * int(one.split("*")[0])
    commitment, secret = (bytes.fromhex(take(lines, name, KEY)[1]) for name in ("commitment: ", "secret: "))
    while begins("contribution "):
        _, seat, _, text = take(lines, "contribution ", "[0-9]", ": ", TEXT)
        mixed += f"{seat} {json.loads(text)}\n"
    seed = hmac.new(secret, mixed.encode("utf-8", "surrogatepass"), "sha256").digest()
    first = origin["starter"] if origin else (seats or [0])[picks(seed, "first")(len(seats) or 1)]
    for name, pattern, fair in (("seed: ", KEY, seed.hex()), ("first: ", "[0-9]", str(first))):
        if take(lines, name, pattern)[1] != fair:
            yield f"{name}the secret and the contributions give {fair}"
    if hashlib.sha256(secret).digest() != commitment:
        yield f"commitment: the secret gives {hashlib.sha256(secret).hexdigest()}"
    take(lines, "result: ", "(unfinished|(won|awarded)( [0-9])+)$")
    pile, hands, aside, shuffles, announced, actions = [], {seat: [] for seat in seats}, {}, 0, 0, 0
    held = {seat: (origin or {}).get("hands", {}).get(str(seat)) for seat in seats}
    if origin:
        hands.update({seat: cards.split(" ") for seat, cards in held.items() if isinstance(cards, str) and cards})
        kept = origin["discards"].split(" ") if origin.get("discards") else []
        for card in [*kept, *(card for hand in hands.values() for card in hand)]:
            discards.remove(card)
        shuffles, pile, discards = 1, shuffled(seed, 1, discards), kept
    while not begins("end: "):
        number = lines[-1][0]
        if begins("+ shuffle"):
            announced = int(take(lines, ON_CARDS)[0].split(" ")[2])
        elif begins(("+ d", "+ l")):
            rows, word = [], "deal"
            while not rows or (word == "deal" and begins("+ deal ")):
                where, (_, word, seat, *cards) = lines[-1][0], take(lines, ON_CARDS)[0].split(" ")
                rows.append((where, int(seat), cards))
            turns = seats[seats.index(rows[0][1]) :] + seats if rows[0][1] in seats else []
            sizes = {one: len(rows[0][2]) for one in seats}
            for one, size in held.items() if not actions else ():
                sizes[one] = size if isinstance(size, int) else 0 if isinstance(size, str) else sizes[one]
            turns = [one for one in turns[: len(seats)] if sizes[one]]
            lawful = turns == [one for _, one, _ in rows] and (actions or origin or rows[0][1] == first)
            if word == "deal" and (not lawful or any(hands[one] for one in turns) or aside):
                yield f"line {number}: a deal goes round all seats, first from {first}, when nobody holds a card"
            for turn in range(max(len(cards) for *_, cards in rows)):
                for where, seat, cards in rows:
                    if word == "deal" and turn >= max(len(cards), sizes.get(seat, 0)):
                        continue
                    hand, told = hands.setdefault(seat, []), (cards[turn:] or ["no card"])[0]
                    if word == "lost":
                        card = (hand or ["no card"])[picks(seed, f"lost {actions}")(len(hand) or 1)]
                        discards.append(hand.pop(hand.index(card)) if hand else card)
                    else:
                        if not pile:
                            shuffles, pile, discards = shuffles + 1, shuffled(seed, shuffles + 1, discards), []
                        card = pile.pop() if pile else "no card"
                        hand.append(card)
                    if card != told:
                        yield f"line {where}: card {turn + 1} of seat {seat} is {told}, the seed gives {card}"
        elif begins("+"):
            takers = [int(one) for one in take(lines, ON_CARDS)[0].split(" ")[2:]]
            moved = [aside.pop(one, "no card") for one in takers]
            if "no card" in moved:
                yield f"line {number}: a card comes from a seat that has laid none aside"
            for card, one in zip(moved, takers[1:] + takers[:1]):  # noqa: B905
                hands.setdefault(one, []).append(card)
        else:
            if announced != shuffles:
                yield f"line {number}: {shuffles} shuffles up to here, the record has {announced}"
            actions, announced = actions + 1, shuffles
            told, seat, _, text = take(lines, "[0-9]+[.] ", "[0-9]", " ", ".+")
            if told != f"{actions}. " or actions > MOST_ACTIONS:
                raise ValueError(f"line {number}, column 1: expected action {actions}, of at most {MOST_ACTIONS}")
            word, hand = text.split(" ")[0], hands.get(int(seat), [])
            card = text.split(" ")[-1] if word in ("give", "ask", "discard") else word.split(":")[0]
            if word == "fold":
                discards, hands[int(seat)] = discards + hand, []
            elif card in hand:
                hand.remove(card)
                aside.update({int(seat): card} if word in ("give", "ask") else {})
                discards += [] if word in ("give", "ask") else [card]
            elif word not in ("none", "decline", "place", "jump", "stay"):
                yield f"line {number}: seat {seat} does not hold {card}"
    if take(lines, "end: ", KEY)[1] != digest:
        yield f"end: the lines above give {digest}"
    take(lines, "$")


def main(path):
    """Print what differs, and return the exit status."""
    try:
        with open(path, "rb") as file:
            found = list(differences(file.read(MOST_BYTES + 1)))
    except (OSError, ValueError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    print("\n".join([*found[:MOST_SHOWN], f"{len(found)} differences"]) if found else "every card is as it should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else "usage: python verify.py FILE")
