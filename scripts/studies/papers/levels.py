"""Levels: macondo's probabilistic bots, each against the next as its authors played them, and our ladder for people.

    macondo   levels 0 to 5 and the static player, each against the next, beside what macondo's authors measured
    ladder    levels 1 to 10, each against the next, the quick ones also against the one after it, with fitted ratings
"""

import math

from papers.common import Figure, keep, played, plot

TITLE = "Levels of play: macondo's, and a ladder for people"

# What the first one wins, in percent, on the French, Collins and North American lists: the experiments with bots in macondo's repository, 20,000
# games each, and for the last of them liwords' issue 1432. Level 1 found any play with a chance of 0.3 when it was measured, later 0.2.
MACONDO = [
    ("macondo-level:0", "macondo-level:1", None, None, None),
    ("macondo-level:1", "macondo-level:2", None, None, None),
    ("macondo-level:1,find=1.5", "macondo-level:2", 19.1, None, None),
    ("macondo-level:2", "macondo-level:3", 24.2, None, None),
    ("macondo-level:3", "macondo-level:4", 22.4, None, None),
    ("macondo-level:4", "macondo-level:5", None, None, None),
    ("macondo-level:4", "static:late=off", 29.8, 25.4, 29.2),
    ("macondo-level:5", "static:late=off", None, None, None),
]
RUNGS = range(1, 11)
# Points of a rating for ten times the odds, and the rating of the static player.
SCALE = 400
STATIC, STATIC_RATING = 9, 2000


def macondo(arguments):
    """Macondo's levels."""
    pairs = arguments.macondo_pairs
    print(f"{pairs} pairs each on ENABLE. Published are games of macondo's authors, some 20,000 each, on other word lists and with other leave values.\n")
    print("| player | against | published wins %: French, Collins, North American list | wins % | spread |\n|" + "---|" * 5)
    rows = []
    for player, opponent, *published in MACONDO:
        match = played(arguments, player, opponent, pairs, "--redraws", "0")
        told = ", ".join(str(wins or "-") for wins in published) if any(published) else ""
        print(f"| `{player}` | `{opponent}` | {told} | {match.wins.text()} | {match.spread.text(sign='+')} |", flush=True)
        rows.append((f"{player}, {opponent}", match.wins, published[0], match._asdict()))
    keep(arguments, "macondo", [row for *_, row in rows])
    plot(arguments, "macondo", "Wins against the next, %", [row[:3] for row in rows])
    print("\n![wins](levels/macondo.svg)\n")


def ladder(arguments):
    """The ladder and its ratings."""
    print("Paired games, those with level 10 with the luck of the draws taken off. A rating's error is that of its distance from level 9, the static player.\n")
    print("| level | against | pairs | wins % | spread | errors from one half |\n|" + "---|" * 6)
    matches = []
    for distance in (1, 2):
        for lower in RUNGS[:-distance]:
            upper = lower + distance
            is_engine = upper == RUNGS[-1]
            if distance > 1 and upper >= STATIC:
                # These are slow.
                continue
            pairs = arguments.engine_pairs if is_engine else arguments.static_pairs if upper == STATIC else arguments.pairs
            draws = "16" if is_engine else "0"
            match = played(arguments, f"level:{lower}", f"level:{upper}", pairs, "--redraws", draws)
            wins, spread = (match.adjusted_wins, match.adjusted_spread) if is_engine else (match.wins, match.spread)
            print(f"| {lower} | {upper} | {match.pairs} | {wins.text()} | {spread.text(sign='+')} | {(wins.mean - 50) / wins.error:+.1f} |", flush=True)
            matches.append((lower, upper, wins, match._asdict()))
    ratings, misfit = fitted([match[:3] for match in matches])
    print(f"\nRatings: {SCALE} points are odds of ten to one, and level {STATIC} has {STATIC_RATING}. They are fitted to all of these matches by least squares of the logarithms of")
    print(f"the odds, each by its error. The sum of the squared residuals is {misfit:.1f} for {len(matches) - len(RUNGS) + 1} matches more than there are ratings.\n")
    print("| level | rating | wins % against the next |\n|---|---|---|")
    next_wins = {lower: wins for lower, upper, wins, _ in matches if upper == lower + 1}
    for level in RUNGS:
        print(f"| {level} | {ratings[level].mean:.0f} +- {ratings[level].error:.0f} | {next_wins[level].text(1) if level in next_wins else ''} |")
    keep(arguments, "ladder", [{"ratings": ratings, "misfit": misfit}, *(match for *_, match in matches)])
    plot(arguments, "ladder", "Ratings of the levels", [(f"level {level}", ratings[level], None) for level in RUNGS])
    print("\n![ratings](levels/ladder.svg)\n")


def fitted(matches):
    """Ratings by level as figures, from (lower, upper, wins of the lower in percent), and the sum of the squared residuals in errors."""
    free = [level for level in RUNGS if level != STATIC]
    rows = []
    for lower, upper, wins in matches:
        chance = wins.mean / 100
        # The rating's distance with its error.
        distance = SCALE * math.log10(chance / (1 - chance))
        error = SCALE / math.log(10) * wins.error / 100 / (chance * (1 - chance))
        rows.append(([(level == lower) - (level == upper) for level in free], distance, error))
    normal = [[sum(row[a] * row[b] / error**2 for row, _, error in rows) for b in range(len(free))] for a in range(len(free))]
    right = [sum(row[a] * distance / error**2 for row, distance, error in rows) for a in range(len(free))]
    covariance = inverse(normal)
    found = [sum(covariance[a][b] * right[b] for b in range(len(free))) for a in range(len(free))]
    misfit = sum(((distance - sum(part * value for part, value in zip(row, found))) / error) ** 2 for row, distance, error in rows)
    ratings = {level: Figure(STATIC_RATING + found[at], covariance[at][at] ** 0.5) for at, level in enumerate(free)}
    return {**ratings, STATIC: Figure(STATIC_RATING, 0.0)}, misfit


def inverse(matrix):
    """By elimination; the matrix is symmetric and positive."""
    size = len(matrix)
    rows = [[*row, *(float(at == column) for column in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [value - factor * own for value, own in zip(rows[other], rows[at])]
    return [row[size:] for row in rows]


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=500, help="pairs of each match of quick players")
    parser.add_argument("--macondo-pairs", type=int, default=500, help="pairs of each match of macondo's levels")
    parser.add_argument("--static-pairs", type=int, default=500, help="pairs of the match of levels 8 and 9")
    parser.add_argument("--engine-pairs", type=int, default=200, help="pairs of the match of levels 9 and 10")


def prepare(parser, arguments):
    if min(arguments.pairs, arguments.macondo_pairs, arguments.static_pairs, arguments.engine_pairs) < 1:
        parser.error("all numbers are from 1 on")


PARTS = {"macondo": macondo, "ladder": ladder}
