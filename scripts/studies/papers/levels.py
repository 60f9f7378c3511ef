"""Levels: macondo's probabilistic bots, each against the next as its authors played them, and our ladder for people.

    macondo   levels 0 to 5 and the static player, each against the next, next to the figures of macondo's authors
    fit       the skills of levels 1 to 8, so that each level wins the same share against the next, from the static player down
    ladder    levels 1 to 10, each against the next, the quick ones also against the one after that, with fitted ratings
    people    levels 1 to 9, each against itself: points, bingos, turns and tiles, for a comparison with people
"""

import csv
import math
import re

from papers.common import Figure, keep, match_file, played, plot

TITLE = "Levels of play: macondo's, and a ladder for people"

# The wins of the first player, in percent, on the French, Collins and North American lists: from the experiments with bots in macondo's
# repository, 20,000 games each, and for the last row from liwords' issue 1432. Level 1 found any play with a chance of 0.3 then, and 0.2 later.
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
# The largest skill, and the difference below which the fit does not distinguish two skills.
FULL_SKILL, CLOSE = 1000, 4
# The rating points for ten times the odds, and the rating of the static player.
SCALE = 400
STATIC, STATIC_RATING = 9, 2000


def macondo(arguments):
    """Macondo's levels."""
    pairs = arguments.macondo_pairs
    print(f"{pairs} pairs each on ENABLE. The published figures are from some 20,000 games each, on other word lists and with other leave values.\n")
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
    print("Paired games; for level 10 the luck of the draws is subtracted. The error of a rating is that of its distance from level 9, the static player.\n")
    print("| level | against | pairs | wins % | spread | errors from one half |\n|" + "---|" * 6)
    matches = []
    for distance in (1, 2):
        for lower in RUNGS[:-distance]:
            upper = lower + distance
            is_engine = upper == RUNGS[-1]
            if (distance > 1 and upper >= STATIC) or (is_engine and not arguments.engine_pairs):
                # Such matches are slow.
                continue
            pairs = arguments.engine_pairs if is_engine else arguments.static_pairs if upper == STATIC else arguments.pairs
            draws = "16" if is_engine else "0"
            match = played(arguments, f"level:{lower}", f"level:{upper}", pairs, "--redraws", draws)
            wins, spread = (match.adjusted_wins, match.adjusted_spread) if is_engine else (match.wins, match.spread)
            print(f"| {lower} | {upper} | {match.pairs} | {wins.text()} | {spread.text(sign='+')} | {(wins.mean - 50) / wins.error:+.1f} |", flush=True)
            matches.append((lower, upper, wins, match._asdict()))
    ratings, misfit = fitted([match[:3] for match in matches])
    print(f"\nRatings: {SCALE} points are odds of ten to one, and level {STATIC} has {STATIC_RATING}. They are fitted to all of these matches by least squares of the")
    print(f"log odds, weighted by their errors. The sum of the squared residuals is {misfit:.1f}, with {len(matches) - len(ratings) + 1} more matches than ratings.\n")
    print("| level | rating | wins % against the next |\n|---|---|---|")
    next_wins = {lower: wins for lower, upper, wins, _ in matches if upper == lower + 1}
    for level in sorted(ratings):
        print(f"| {level} | {ratings[level].mean:.0f} +- {ratings[level].error:.0f} | {next_wins[level].text(1) if level in next_wins else ''} |")
    keep(arguments, "ladder", [{"ratings": ratings, "misfit": misfit}, *(match for *_, match in matches)])
    plot(arguments, "ladder", "Ratings of the levels", [(f"level {level}", ratings[level], None) for level in sorted(ratings)])
    print("\n![ratings](levels/ladder.svg)\n")


def fit(arguments):
    """Finds skills by bisection, so that each wins the wanted share against the next."""
    print(f"{arguments.fit_pairs} pairs per match. Each skill wins about {arguments.fit_wins} % against the next one.\n")
    print("| level | skill | wins % against the next |\n|---|---|---|")
    skills, above = [], f"level:{STATIC}"
    for level in range(STATIC - 1, 0, -1):
        low, high, best = 0, skills[-1] if skills else FULL_SKILL, None
        while high - low > CLOSE:
            skill = (low + high) // 2
            match = played(arguments, f"level:{level},skill={max(skill, 1)}", above, arguments.fit_pairs, "--redraws", "0")
            if best is None or abs(match.wins.mean - arguments.fit_wins) < abs(best[1].mean - arguments.fit_wins):
                best = (skill, match.wins)
            low, high = (skill, high) if match.wins.mean < arguments.fit_wins else (low, skill)
        if best is None:
            print(f"\nThere is no skill below that of level {level + 1}.\n")
            return
        skills.append(best[0])
        above = f"level:{level},skill={max(best[0], 1)}"
        print(f"| {level} | {best[0]} | {best[1].text(1)} |", flush=True)
    print(f"\nSkills from level 1 on: {', '.join(map(str, reversed(skills)))}.\n")


def people(arguments):
    """Returns the means of a level in games against itself."""
    print(f"{arguments.people_pairs} pairs of games of each level against itself. Passes and exchanges also count as turns.\n")
    print("| level | points a game | bingos a game | turns a game | points a turn | tiles a turn | exchanges a game |\n|" + "---|" * 7)
    rows = []
    for level in RUNGS[:-1]:
        name = f"level:{level}"
        table = arguments.out / f"turns-{level}.csv"
        # A table only has the turns that are played now, so a continued match would lack the first ones.
        for file in (table, match_file(arguments, f"{name} itself")):
            file.unlink(missing_ok=True)
        match = played(arguments, name, name, arguments.people_pairs, "--redraws", "0", "--csv-turns", str(table), name=f"{name} itself")
        points, turns, bingos = (sum(figures) / 2 for figures in (match.scores, match.turns, match.bingos))
        tiles, exchanges, counted = laid(table)
        exchanges /= 4 * arguments.people_pairs
        table.unlink()
        print(f"| {level} | {points:.0f} | {bingos:.2f} | {turns:.1f} | {points / turns:.1f} | {tiles / counted:.2f} | {exchanges:.2f} |", flush=True)
        rows.append({"level": level, "points": points, "bingos": bingos, "turns": turns, "tiles a turn": tiles / counted, "exchanges": exchanges})
    keep(arguments, "people", rows)
    print()


def laid(table):
    """The placed tiles, the exchanges and the turns of a table of turns."""
    tiles = exchanges = turns = 0
    game, squares = None, set()
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            if (row["pair"], row["game"]) != game:
                game, squares = (row["pair"], row["game"]), set()
            turns += 1
            exchanges += row["play"].startswith("ex")
            place = re.fullmatch(r"(?:(\d+)([A-Z])|([A-Z])(\d+))\.([A-Za-z]+)", row["play"])
            if not place:
                continue
            is_across = place[1] is not None
            line, column = int(place[1] or place[4]), ord(place[2] or place[3])
            new = {(line, column + at) if is_across else (line + at, column) for at in range(len(place[5]))} - squares
            tiles += len(new)
            squares |= new
    return tiles, exchanges, turns


def fitted(matches):
    """Ratings by level as figures, from (lower, upper, wins of the lower in percent), and the sum of the squared residuals in errors."""
    free = sorted({level for lower, upper, _ in matches for level in (lower, upper)} - {STATIC})
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
    """Solves linear equations by elimination; the matrix is symmetric and positive."""
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
    parser.add_argument("--fit-pairs", type=int, default=500, help="pairs of each match of the fit")
    parser.add_argument("--fit-wins", type=float, default=30.0, help="wins of a level against the next in the fit, percent")
    parser.add_argument("--people-pairs", type=int, default=500, help="pairs of each level against itself")
    parser.add_argument("--macondo-pairs", type=int, default=500, help="pairs of each match of macondo's levels")
    parser.add_argument("--static-pairs", type=int, default=500, help="pairs of the match of levels 8 and 9")
    parser.add_argument("--engine-pairs", type=int, default=200, help="pairs of the match of levels 9 and 10; 0: none")


def prepare(parser, arguments):
    pairs = (arguments.pairs, arguments.macondo_pairs, arguments.static_pairs, 1 + arguments.engine_pairs, arguments.fit_pairs, arguments.people_pairs)
    if min(pairs) < 1:
        parser.error("all numbers must be at least 1, or 0 for --engine-pairs")
    if not 0 < arguments.fit_wins < 50:
        parser.error("--fit-wins must be above 0 and below 50")


PARTS = {"macondo": macondo, "fit": fit, "ladder": ladder, "people": people}
