"""Steven Gordon, "A Comparison Between Probabilistic Search and Weighted Heuristics in a Game with Incomplete Information",
AAAI Fall Symposium "Games: Planning and Learning", 1993.

    table2        each rack heuristic against the greedy player: wins, scores, moves, sacrifices, trades
    differences   the same under what the paper does not tell: the word list, leaves with an empty bag, what the end of a game pays
    table4        probabilistic search of several sizes against the third heuristic: games and time
    training      the weights of the first heuristic, trained by games as in the paper: do the signs come out again?
"""

import re
import shutil

from papers.common import ROOT, Figure, keep, played, plot, run
from client import find_engine

TITLE = '"A Comparison Between Probabilistic Search and Weighted Heuristics" (Gordon, 1993)'

# Of 10,000 games each: mean scores of the player and of greedy, wins %, moves, sacrifices, trades.
TABLE_2 = {
    "greedy": ([388.8, 388.8], None, 253_563, 0, 0),
    "rack1": ([402.8, 396.4], 53.4, 257_278, 43_617, 179),
    "rack2": ([411.9, 388.6], 59.5, 251_743, 41_834, 207),
    "rack3": ([417.0, 386.7], 63.4, 251_975, 45_792, 254),
}
# Candidates, scenarios.
SIZES = [(candidates, scenarios) for candidates in (2, 5, 10) for scenarios in (1, 10, 50)]


COLUMNS = ["mean score, of greedy", "paper", "wins %", "paper", "moves", "paper", "sacrifices", "paper", "trades", "paper"]


def heading(first):
    print(f"| {first} | {' | '.join(COLUMNS)} |\n|" + "---|" * (len(COLUMNS) + 1))


def row_of_table2(arguments, player, name, label, *options):
    """A player against greedy beside the paper's row of this name, printed; the match."""
    scores, wins, *counts = TABLE_2[name]
    match = played(arguments, player, "greedy", arguments.pairs, "--redraws", "0", "--count-turns", *options, name=f"{label} {player} greedy")
    games = 2 * match.pairs
    ours = [round(games * sum(match.turns)), match.sacrifices[0], match.exchanges[0]]
    cells = [f"{match.scores[0]:.1f}, {match.scores[1]:.1f}", f"{scores[0]}, {scores[1]}", match.wins.text(), wins or "50"]
    cells += [f"{count:,.0f}" for pair in zip(ours, (games / 10_000 * count for count in counts)) for count in pair]
    print(f"| `{player}` | {' | '.join(map(str, cells))} |", flush=True)
    return match


def table2(arguments):
    """The heuristics against greedy."""
    print(f"{2 * arguments.pairs:,} games a row on ENABLE; the paper has 10,000, and its counts are given for so many as ours.\n")
    heading("player")
    rows = []
    for name, (_, wins, *_) in TABLE_2.items():
        match = row_of_table2(arguments, name, name, "enable")
        rows.append((name, match.wins, wins or 50.0, match._asdict()))
    keep(arguments, "table2", [row for *_, row in rows])
    plot(arguments, "table2", "Wins against greedy, %", [row[:3] for row in rows])
    print("\n![wins](gordon/table2.svg)\n")


def differences(arguments):
    """Table 2 under other assumptions, one at a time and together."""
    words = (ROOT / "lexicons" / "enable.txt").read_text().split()
    short = [word for word in words if len(word) <= 8]
    lists = {"short": short, "thin": [word for at, word in enumerate(short) if at % 4]}
    for name, kept in lists.items():
        (arguments.out / f"{name}.txt").write_text("\n".join(kept) + "\n")
    print("His list had some 94,000 words, of two to eight letters and what is made of them. Of ENABLE we try the words of up to eight letters, and of these three of")
    print("four. The paper does not say what a leave is worth with an empty bag: nothing above, here as much as before.\n")
    rows = []
    assumptions = [
        (f"up to eight letters, {len(short):,} words", "short", ""),
        (f"three of four of these, {len(lists['thin']):,} words", "thin", ""),
        ("ENABLE, leaves count to the end", None, ":end=count"),
        ("three of four, leaves count to the end", "thin", ":end=count"),
    ]
    for title, words_of, end in assumptions:
        heading(title)
        options = ["--lexicon", str(arguments.out / f"{words_of}.txt")] if words_of else []
        for name, (_, wins, *_) in TABLE_2.items():
            if name == "greedy" and end:
                continue
            player = name if name == "greedy" else name + end
            match = row_of_table2(arguments, player, name, words_of or "enable", *options)
            rows.append((f"{name}, {title}"[:48], match.wins, wins or 50.0, {"assumption": title, **match._asdict()}))
        print()
    keep(arguments, "differences", [row for *_, row in rows])
    plot(arguments, "differences", "Wins against greedy, %", [row[:3] for row in rows])
    print("![wins](gordon/differences.svg)\n")
    without_the_end(arguments)


def without_the_end(arguments):
    """What table 2 is if the end of a game pays nothing. Neither player looks at it, so that the games are the same."""
    pairs = min(arguments.pairs, 2000)
    print("The paper does not say what the end of a game pays. Ours pays twice the other rack to whoever goes out. No player of the table looks at that,")
    print(f"so the games are the same without it: of {2 * pairs:,} games each,\n")
    print("| player | mean score without it, of greedy | paper | wins % without it | with it | paper |\n|" + "---|" * 6)
    rows = []
    for name, (scores, wins, *_) in TABLE_2.items():
        folder = arguments.out / f"games-{name}"
        run([find_engine(), "match", name, "greedy", "--pairs", str(pairs), "--seed", "1", "--redraws", "0", "--gcg", str(folder)])
        plain, paid = ended(folder)
        shutil.rmtree(folder)
        means = [sum(game[side] for pair in plain for game in pair) / (2 * pairs) for side in (0, 1)]
        results = [wins_of(plain), wins_of(paid)]
        cells = [f"{means[0]:.1f}, {means[1]:.1f}", f"{scores[0]}, {scores[1]}", results[0].text(), results[1].text(), wins or "50"]
        print(f"| `{name}` | {' | '.join(map(str, cells))} |", flush=True)
        rows.append({"player": name, "pairs": pairs, "scores": means, "wins": results[0], "wins_with_end": results[1]})
    keep(arguments, "without-end", rows)
    print()


def ended(folder):
    """The scores of the games of a folder, pair by pair, player a first: without what the end pays, and with it."""
    plain, paid = {}, {}
    for file in folder.glob("pair*.gcg"):
        scores, end = {"a": 0, "b": 0}, {"a": 0, "b": 0}
        for player, move, gained in re.findall(r"^>(\w+): .*?(\S+) ([+-]\d+) -?\d+(?: .*)?$", file.read_text(), re.MULTILINE):
            (end if move.startswith("(") else scores)[player] += int(gained)
        pair = file.name.split("-")[0]
        plain.setdefault(pair, []).append((scores["a"], scores["b"]))
        paid.setdefault(pair, []).append(tuple(scores[side] + end[side] for side in "ab"))
    return list(plain.values()), list(paid.values())


def wins_of(pairs):
    """The wins of player a in percent, with the standard error over pairs."""
    results = [sum((a > b) + (a == b) / 2 for a, b in pair) / len(pair) * 100 for pair in pairs]
    mean = sum(results) / len(results)
    variance = sum((result - mean) ** 2 for result in results) / max(1, len(results) - 1)
    return Figure(mean, (variance / len(results)) ** 0.5)


def table4(arguments):
    """Searches against heuristic 3."""
    print("The numbers of the paper's table are not known to us; its abstract says that weighted heuristics are more reliable and far cheaper. Each search against")
    print(f"`rack3` over the same {arguments.search_pairs} pairs, the luck of the draws taken off; time in ms a turn, and how many times that of `rack3`.\n")
    print("| candidates | scenarios | replies | wins % | spread | wins %, plain | ms a turn | times |\n|" + "---|" * 8)
    rows = []
    for replies in ("greedy", "rack3"):
        for candidates, scenarios in SIZES:
            player = f"gordon:candidates={candidates},scenarios={scenarios},replies={replies}"
            match = played(arguments, player, "rack3", arguments.search_pairs)
            cells = [candidates, scenarios, replies, match.adjusted_wins.text(), match.adjusted_spread.text(sign="+"), match.wins.text()]
            print(f"| {' | '.join(map(str, cells))} | {match.ms[0]:.2f} | {match.ms[0] / match.ms[1]:.0f} |", flush=True)
            rows.append((f"{candidates} x {scenarios}, {replies}", match.adjusted_wins, None, match._asdict()))
    keep(arguments, "table4", [row for *_, row in rows])
    plot(arguments, "table4", "Wins of probabilistic search against rack3, %", [row[:3] for row in rows])
    print("\n![wins](gordon/table4.svg)\n")


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=5000, help="pairs of each heuristic")
    parser.add_argument("--search-pairs", type=int, default=400, help="pairs of each search")
    parser.add_argument("--training-pairs", type=int, default=500, help="pairs of each trial in training, four times as many with the small steps")
    parser.add_argument("--passes", type=int, default=4, help="passes over all weights in training with either step, at most")


def prepare(parser, arguments):
    if min(arguments.pairs, arguments.search_pairs, arguments.training_pairs, arguments.passes) < 1:
        parser.error("all numbers are from 1 on")


def training(arguments):
    """His training, and whether its signs are those of his table."""
    pairs = f"{arguments.training_pairs},{4 * arguments.training_pairs}"
    command = ["train", "weights", "--pairs", pairs, "--passes", str(arguments.passes), "--seed", "1", "--force", "--out", str(arguments.out / "weights.csv")]
    print("Each weight in turn is raised or lowered by 2.0 points, later by 0.5, and what gains points from greedy is kept, as in the paper. All weights begin with 0.\n")
    told = run([find_engine(), *command])
    print(f"```\n{told.strip()}\n```\n")
    keep(arguments, "training", told.splitlines())


PARTS = {"table2": table2, "differences": differences, "table4": table4, "training": training}
