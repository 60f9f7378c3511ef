"""Plays to lose: the lower score wins. Compares policies of exchanges, the seats, and the lengths of games.

    policies    threshold policies, each against each; the matrix game solved by fictitious play, with its exploitability
    engines     the players `misere` and `misere-sim` against random play and every threshold policy
    turns       whether the first or the second player wins, how long games last, and how low scores get
    racks       whether low plays or high racks win: policies that keep low tiles against those that collect high ones
    mixed       a player who plays to win among players who play to lose
    blanks      the value of a blank: policies that exchange it against those that keep it for a cheap play
    exchanges   the effect of the rule that an exchange needs seven tiles in the bag
    ends        how games end, and after how many turns

`--seeds` are the seeds of the matches: `engines` has a column for each of them, all other parts use the first. Files of seeds other than 1 have
the seed in their names. Each `--slow` adds a match of the slow player `misere-sim` to `engines`.
"""

import itertools
import json
import re
import statistics
import tempfile
from pathlib import Path

from checkout import find_engine
from papers.common import keep, played, plot, run

TITLE = "Playing to lose"

# Tiles below this many points are exchanged, on the first, second and third turn without points of a player.
POLICIES = ["1-1-1", "2-2-2", "3-3-2", "3-3-3", "4-3-3", "4-4-3", "5-5-5", "8-8-8"]
# The policies that `racks` compares: from exchanging only blanks to keeping only the highest tiles.
RACKS = ["1-1-1", "3-3-2", "8-8-8"]
STEPS = 20_000


def threshold(policy):
    first, second, third = policy.split("-")
    return f"threshold:first={first},second={second},third={third}"


def misere(arguments, a, b, pairs, *options, name=None, seed=None):
    return played(arguments, a, b, pairs, "--variant", "misere", *options, name=name, seed=seed or arguments.seed)


def results(arguments, pairs):
    """The wins of the first policy of each pair, as figures in percent."""
    return {
        (a, b): misere(arguments, threshold(a), threshold(b), pairs)
        for a, b in itertools.combinations(POLICIES, 2)
    }


def fictitious_play(payoff):
    """The mixtures of both sides of a symmetric game: the frequencies of the best replies to the other side's earlier turns."""
    size = len(payoff)
    counts, gains = [0] * size, [0.0] * size
    choice = 0
    for _ in range(STEPS):
        counts[choice] += 1
        for row in range(size):
            gains[row] += payoff[row][choice]
        choice = max(range(size), key=lambda row: (gains[row], -row))
    return [count / STEPS for count in counts]


def exploitability(payoff, mixture):
    """The wins of the best reply to a mixture, minus one half, in percent."""
    return max(sum(cell * share for cell, share in zip(row, mixture)) for row in payoff) - 50


def policies(arguments):
    matches = results(arguments, arguments.pairs)
    payoff = [[50.0] * len(POLICIES) for _ in POLICIES]
    errors = []
    for (a, b), match in matches.items():
        row, column = POLICIES.index(a), POLICIES.index(b)
        payoff[row][column], payoff[column][row] = match.wins.mean, 100 - match.wins.mean
        errors.append(match.wins.error)
    print(f"{arguments.pairs} pairs each; wins of the row's policy in percent, standard errors from {min(errors):.2f} to {max(errors):.2f}. `3-3-2` exchanges")
    print("tiles below 3, 3 and 2 points on its first, second and third turn in a row without points.\n")
    print("| | " + " | ".join(POLICIES) + " | mean |")
    print("|---" * (len(POLICIES) + 2) + "|")
    for name, row in zip(POLICIES, payoff):
        cells = ["-" if column == name else f"{cell:.1f}" for column, cell in zip(POLICIES, row)]
        print(f"| `{name}` | {' | '.join(cells)} | {(sum(row) - 50) / (len(row) - 1):.1f} |")
    mixture = fictitious_play(payoff)
    best_pure = min(POLICIES, key=lambda name: exploitability(payoff, [float(other == name) for other in POLICIES]))
    pure = exploitability(payoff, [float(other == best_pure) for other in POLICIES])
    shares = ", ".join(f"`{name}` {100 * share:.1f} %" for name, share in zip(POLICIES, mixture) if share >= 0.001)
    print(f"\nFictitious play, {STEPS} steps: {shares}. The best reply wins {exploitability(payoff, mixture):.2f} % more than a half against this mixture,")
    print(f"and {pure:.2f} % against the pure policy that is hardest to exploit, `{best_pure}`. The matrix is an estimate: differences below two standard errors")
    print("have no meaning.\n")
    rows = [{"a": match.a, "b": match.b, "pairs": match.pairs, "wins": match.wins, "spread": match.spread} for match in matches.values()]
    keep(arguments, "policies", seed=arguments.seed, rows={"matches": rows, "mixture": dict(zip(POLICIES, mixture)), "exploitability": exploitability(payoff, mixture)})


def engines(arguments):
    """The static player with a column for each seed, then each match of the slow player."""
    against = {"random": "random"} | {threshold(policy): policy for policy in POLICIES}
    print(f"The static player `misere`, {arguments.pairs} pairs for each policy and seed: wins in percent, and the points per game that it gained on its opponent.\n")
    print("| against | " + " | ".join(f"seed {seed}: wins % | points" for seed in arguments.seeds) + " |")
    print("|---" * (1 + 2 * len(arguments.seeds)) + "|")
    matches, points = [], []
    for other, name in against.items():
        of_seeds = [(seed, misere(arguments, "misere", other, arguments.pairs, seed=seed)) for seed in arguments.seeds]
        print(f"| `{name}` | " + " | ".join(f"{match.wins.text()} | {match.spread.text(sign='+')}" for _, match in of_seeds) + " |", flush=True)
        matches += [match._asdict() | {"seed": seed} for seed, match in of_seeds]
        points += [(f"{name}, seed {seed}", match.wins, None) for seed, match in of_seeds]
    if arguments.slow:
        print("\nThe player `misere-sim`, which plays out a few candidates:\n")
        print("| player | against | seed | pairs | wins % | points | ms a turn |\n|---|---|---|---|---|---|---|")
    for seed, player, other, pairs in arguments.slow:
        match = misere(arguments, player, other if other == "misere" else threshold(other), int(pairs), seed=int(seed))
        print(f"| `{player}` | `{other}` | {seed} | {pairs} | {match.wins.text()} | {match.spread.text(sign='+')} | {match.ms[0]:.1f} |", flush=True)
        matches.append(match._asdict() | {"seed": int(seed)})
        points.append((f"{player.split(':')[0]}, {other}, seed {seed}", match.wins, None))
    keep(arguments, "engines", matches)
    plot(arguments, "engines", "Wins of misere and misere-sim, %", points)
    print("\n![wins](misere/engines.svg)\n")


def games_of(arguments, a, b):
    """The games of a match that was played: the player who began (0 for a), the scores, the turns of both."""
    file = arguments.out / (re.sub(r"\W+", "-", f"{a} {b}" + ("" if arguments.seed == 1 else f" seed {arguments.seed}")) + ".jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [(begins, game["scores"], sum(game["turns"])) for line in lines if "games" in line for begins, game in enumerate(line["games"])]


def turns(arguments):
    print("The player who goes second has the last of six turns without points, as long as nobody scores. A tie counts half.\n")
    print("| players | games | the one who began won % | turns: mean, median, longest | median scores of winner, loser | negative scores % |\n|---|---|---|---|---|---|")
    rows = []
    for a, b in [(threshold("3-3-2"), threshold("3-3-3")), (threshold("1-1-1"), threshold("3-3-2")), ("misere", threshold("3-3-2"))]:
        misere(arguments, a, b, arguments.pairs)
        games = games_of(arguments, a, b)
        won = [0.5 if scores[0] == scores[1] else float(scores[begins] < scores[1 - begins]) for begins, scores, _ in games]
        lengths = sorted(length for _, _, length in games)
        mean, share = sum(lengths) / len(lengths), sum(won) / len(won)
        error = (share * (1 - share) / len(won)) ** 0.5
        low, high = (sorted(pick(scores) for _, scores, _ in games)[len(games) // 2] for pick in (min, max))
        negative = sum(score < 0 for _, scores, _ in games for score in scores) / 2 / len(games)
        print(f"| `{a}`, `{b}` | {len(games)} | {100 * share:.1f} +- {100 * error:.1f} | {mean:.1f}, {lengths[len(lengths) // 2]}, {lengths[-1]} | {low}, {high} | {100 * negative:.1f} |")
        rows.append({"a": a, "b": b, "games": len(games), "first_wins": share, "error": error, "mean_turns": mean, "longest": lengths[-1], "winner": low, "loser": high, "negative": negative})
    keep(arguments, "turns", rows, arguments.seed)
    print()


def racks(arguments):
    print("`1-1-1` exchanges only blanks and plays with what it draws: many tiles of one point, for low plays. `3-3-2` collects the racks with the most points.")
    print("`8-8-8` exchanges all tiles except J, X, Q and Z, but seldom draws these, so its racks are cheap and mixed.\n\n| | against | wins % | spread |\n|---|---|---|---|")
    rows = []
    for a, b in itertools.combinations(RACKS, 2):
        match = misere(arguments, threshold(a), threshold(b), arguments.pairs)
        print(f"| `{a}` | `{b}` | {match.wins.text()} | {match.spread.text(sign='+')} |")
        rows.append(match._asdict())
    keep(arguments, "racks", rows, arguments.seed)
    apart = [(match["wins"][0] - 50, 2 * match["wins"][1]) for match in rows if match["a"] == threshold(RACKS[0])]
    if all(difference < -bound for difference, bound in apart):
        found = "Racks of many points win, not low plays: a player who keeps cheap tiles has to play them, turn after turn, against an opponent who only exchanges."
    elif all(difference > bound for difference, bound in apart):
        found = "Low plays win, not racks of many points."
    else:
        found = "Neither low plays nor racks of many points win by two standard errors against both."
    print(f"\n{found}\n")


def table(arguments, part, matches):
    """Matches as rows: players, options, wins, spread."""
    print("| player | against | rules | wins % | spread | turns a game |\n|---|---|---|---|---|---|")
    rows = []
    for a, b, *options in matches:
        match = misere(arguments, a, b, arguments.pairs, *options, name=" ".join([a, b, *options]))
        turns = sum(match.turns) if match.turns else 0
        print(f"| `{a}` | `{b}` | {' '.join(options) or '-'} | {match.wins.text()} | {match.spread.text(sign='+')} | {turns:.1f} |", flush=True)
        rows.append(match._asdict() | {"options": options})
    keep(arguments, part, rows, arguments.seed)
    print()
    return rows


def mixed(arguments):
    print("`greedy` plays to win: the most points on each turn, in a game that the lower score wins.\n")
    best = threshold("4-3-3")
    table(arguments, "mixed", [(player, "greedy") for player in ("misere", best, threshold("1-1-1"), "random")])
    print("A player who plays to win gives the game to opponents who play to lose: each score ends the row of turns without points, and takes the points.\n")


def blanks(arguments):
    print("A blank is worth nothing at the end, but makes a play cheap, which ends a row of turns without points at little cost.\n")
    keepers = [(threshold(policy) + ",blanks=keep", threshold(policy)) for policy in ("3-3-2", "4-3-3", "5-5-5")]
    table(arguments, "blanks", keepers)


def exchanges(arguments):
    print("With `--exchange-limit 1` exchanges are allowed as long as the bag has a tile, as in the rules of the game outside tournaments.\n")
    pairs = [("misere", threshold("4-3-3")), (threshold("4-3-3"), threshold("3-3-2")), (threshold("4-3-3"), threshold("8-8-8"))]
    table(arguments, "exchanges", [(a, b, *options) for a, b in pairs for options in ([], ["--exchange-limit", "1"])])


def ends(arguments):
    print("By records of games: `stuck` ended by turns without points, `out` by a player who placed the last tile.\n")
    print("| players | games | stuck % | out % | turns: quartiles |\n|---|---|---|---|---|")
    rows = []
    for a, b in [(threshold("4-3-3"), threshold("4-3-3")), ("misere", threshold("4-3-3")), ("misere", "misere"), ("misere", "greedy"), ("greedy", "greedy")]:
        with tempfile.TemporaryDirectory() as folder:
            games = min(arguments.pairs, 200)
            run([find_engine(), "match", a, b, "--pairs", str(games), "--seed", str(arguments.seed), "--variant", "misere", "--gcg", folder])
            texts = [file.read_text() for file in sorted(Path(folder).glob("**/*.gcg"))]
        out = sum(bool(re.search(r"^>\S+ \(\S+\) \+", text, re.MULTILINE)) or bool(re.search(r"^>\S+\s+\(\S+\) \+", text, re.MULTILINE)) for text in texts)
        lengths = sorted(len(re.findall(r"^>[^:]+:\s+[^(]", text, re.MULTILINE)) for text in texts)
        quartiles = [round(point) for point in statistics.quantiles(lengths, n=4)]
        shares = [100 * (len(texts) - out) / len(texts), 100 * out / len(texts)]
        print(f"| `{a}`, `{b}` | {len(texts)} | {shares[0]:.1f} | {shares[1]:.1f} | {', '.join(map(str, quartiles))} |", flush=True)
        rows.append({"a": a, "b": b, "games": len(texts), "out": out, "quartiles": quartiles})
    keep(arguments, "ends", rows, arguments.seed)
    print()


def add_arguments(parser):
    parser.add_argument("--seeds", type=lambda words: [int(word) for word in words.split(",")], default=[1], help="seeds of the matches, with commas between them (1)")
    parser.add_argument("--pairs", type=int, default=1000, help="pairs of each match of fast players")
    words = ("SEED", "PLAYER", "AGAINST", "PAIRS")
    parser.add_argument("--slow", nargs=4, action="append", default=[], metavar=words, help="a match of misere-sim against a policy or misere: `1 misere-sim:iterations=64 3-3-2 200`")


def prepare(parser, arguments):
    arguments.seed = arguments.seeds[0]
    if arguments.pairs < 1:
        parser.error("--pairs must be at least 1")
    for seed, player, other, pairs in arguments.slow:
        if not (seed.isdigit() and pairs.isdigit() and int(pairs) > 0 and player.startswith("misere-sim") and other in (*POLICIES, "misere")):
            parser.error(f"--slow {seed} {player} {other} {pairs}: expected a seed, misere-sim, one of {', '.join(POLICIES)} or misere, and pairs")


PARTS = {
    "policies": policies,
    "engines": engines,
    "turns": turns,
    "racks": racks,
    "mixed": mixed,
    "blanks": blanks,
    "exchanges": exchanges,
    "ends": ends,
}
