"""Steven Gordon, "A Comparison Between Probabilistic Search and Weighted Heuristics in a Game with Incomplete Information",
AAAI Fall Symposium "Games: Planning and Learning", 1993.

    table2   each rack heuristic against the greedy player: wins, scores, moves, sacrifices, trades; once more with a list as short as his
    table4   probabilistic search of several sizes against the third heuristic: games and time
"""

from papers.common import ROOT, keep, played, plot

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


def table2(arguments):
    """The heuristics against greedy."""
    print(f"{2 * arguments.pairs:,} games a row; the paper has 10,000, and its counts are given for so many as ours. Its word list had some 94,000 words, of")
    print("two to eight letters and what is made of them; the second table has the words of ENABLE with up to eight letters.\n")
    short = arguments.out / "short.txt"
    words = (ROOT / "lexicons" / "enable.txt").read_text().split()
    kept = [word for word in words if len(word) <= 8]
    short.write_text("\n".join(kept) + "\n")
    rows = []
    for name, number, options in (("ENABLE", len(words), []), ("ENABLE up to eight letters", len(kept), ["--lexicon", str(short)])):
        print(f"{name}, {number:,} words:\n")
        print("| player | mean score, of greedy | paper | wins % | paper | moves | paper | sacrifices | paper | trades | paper |\n|" + "---|" * 11)
        for player, (scores, wins, *counts) in TABLE_2.items():
            file = f"{player}-greedy" + ("-short" if options else "")
            match = played(arguments, player, "greedy", arguments.pairs, "--redraws", "0", "--count-turns", *options, name=file)
            games = 2 * match.pairs
            ours = [round(games * sum(match.turns)), match.sacrifices[0], match.exchanges[0]]
            cells = [f"{match.scores[0]:.1f}, {match.scores[1]:.1f}", f"{scores[0]}, {scores[1]}", match.wins.text(), wins or "50"]
            cells += [f"{count:,.0f}" for pair in zip(ours, (games / 10_000 * count for count in counts)) for count in pair]
            print(f"| `{player}` | {' | '.join(map(str, cells))} |", flush=True)
            rows.append((f"{player}, {name}", match.wins, wins or 50.0, {"words": name, **match._asdict()}))
        print()
    keep(arguments, "table2", [row for *_, row in rows])
    plot(arguments, "table2", "Wins against greedy, %", [row[:3] for row in rows])
    print("![wins](gordon/table2.svg)\n")


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


def prepare(parser, arguments):
    if min(arguments.pairs, arguments.search_pairs) < 1:
        parser.error("all numbers are from 1 on")


PARTS = {"table2": table2, "table4": table4}
