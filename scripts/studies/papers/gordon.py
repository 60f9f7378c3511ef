"""Steven Gordon, "A Comparison Between Probabilistic Search and Weighted Heuristics in a Game with Incomplete Information",
AAAI Fall Symposium "Games: Planning and Learning", 1993.

    table2        each rack heuristic against the greedy player: wins, scores, moves, sacrifices, trades
    differences   table 2 under other assumptions, which the paper leaves open: the word list, leaves with an empty bag, points at the end of a game
    trading       table 2 under other rules of trading tiles
    combined      table 2 with a word list that reproduces greedy, at most one tile kept, and three ways of ending: differences in standard errors
    weights       the same with other weights: can they reproduce the rows?
    table4        probabilistic search of several sizes against the third heuristic: games and time
    training      the weights of the second heuristic, trained by games as in the paper: do they get the same signs?
    together      the same training, with all weights tried in the same games
    plots         the plot of trading, from its results in the folder
"""

import itertools
import json
import math
import re
import shutil
import struct
from typing import NamedTuple

from papers.common import ROOT, Figure, Match, keep, match_file, played, plot, processor_ms, run
from checkout import find_engine

TITLE = '"A Comparison Between Probabilistic Search and Weighted Heuristics" (Gordon, 1993)'

# Figures of 10,000 games each: mean scores of the player and of greedy, wins %, moves, sacrifices, trades.
TABLE_2 = {
    "greedy": ([388.8, 388.8], None, 253_563, 0, 0),
    "rack1": ([402.8, 396.4], 53.4, 257_278, 43_617, 179),
    "rack2": ([411.9, 388.6], 59.5, 251_743, 41_834, 207),
    "rack3": ([417.0, 386.7], 63.4, 251_975, 45_792, 254),
}
HEURISTICS = ["rack1", "rack2", "rack3"]
# The columns of table 2, with the number of printed decimals.
COUNTED = [("score", 1), ("score of greedy", 1), ("wins %", 2), ("moves", 0), ("sacrifices", 0), ("trades", 0)]
ENABLE = ROOT / "lexicons" / "enable.txt"
# Rules of trading: a description, the options of the players, and the options of the match.
TRADING = [
    ("as the paper has it: the best leave is worth more than every placement", "", []),
    ("only if every placement is worth less than nothing", "trade=losing", []),
    ("only if there is no placement", "trade=stuck", []),
    ("at most one tile is kept", "keep=1", []),
    *((f"at least {tiles} tiles in the bag", "", ["--exchange-limit", str(tiles)]) for tiles in (14, 30, 86)),
]
# Candidates, scenarios.
SIZES = [(candidates, scenarios) for candidates in (2, 5, 10) for scenarios in (1, 10, 25, 50)]
# A search with at most this many scenarios for all candidates together is quick, so it plays more games.
SMALL = 100


COLUMNS = ["mean score, of greedy", "paper", "wins %", "paper", "moves", "paper", "sacrifices", "paper", "trades", "paper"]


def heading(first):
    print(f"| {first} | {' | '.join(COLUMNS)} |\n|" + "---|" * (len(COLUMNS) + 1))


def row_of_table2(arguments, player, name, label, *options):
    """Prints a player's match against greedy next to the paper's row of this name, and returns the match."""
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
    print(f"{2 * arguments.pairs:,} games per row on ENABLE. The paper has 10,000 games; its counts are scaled to our number.\n")
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
    words = ENABLE.read_text().split()
    short = [word for word in words if len(word) <= 8]
    lists = {"short": short, "thin": [word for at, word in enumerate(short) if at % 4]}
    for name, kept in lists.items():
        (arguments.out / f"{name}.txt").write_text("\n".join(kept) + "\n")
    print("Gordon's list had some 94,000 words: words of two to eight letters, and their forms. We try ENABLE's words of up to eight letters, and three in four of")
    print("these. The paper does not state the value of a leave with an empty bag. Above it is nothing; here it is also the same as before.\n")
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


def trading(arguments):
    """Table 2 under other rules of trading: the number of trades, and the wins."""
    pairs = arguments.trading_pairs
    print(f"{2 * pairs:,} games per row against `greedy` on ENABLE, leaves counting to the end. Trades are per 10,000 games.\n")
    print("| tiles are traded if | trades of `rack1`, `rack2`, `rack3` | wins % of each |\n|---|---|---|")
    rows = []
    for rule, option, options in [("(the paper)", None, []), *TRADING]:
        if option is None:
            of_paper = [TABLE_2[name] for name in HEURISTICS]
            print(f"| {rule} | {', '.join(str(row[4]) for row in of_paper)} | {', '.join(str(row[1]) for row in of_paper)} |")
            continue
        matches = []
        for name in HEURISTICS:
            player = f"{name}:end=count{',' if option else ''}{option}"
            label = " ".join([player, "greedy", str(pairs), *options])
            matches.append(played(arguments, player, "greedy", pairs, "--redraws", "0", "--count-turns", *options, name=label))
        trades = [match.exchanges[0] * 5000 / pairs for match in matches]
        print(f"| {rule} | {', '.join(f'{count:.0f}' for count in trades)} | {', '.join(match.wins.text() for match in matches)} |", flush=True)
        rows.append({"rule": rule, "trades": trades, "matches": [match._asdict() for match in matches]})
    keep(arguments, "trading", rows)
    plot_trades(arguments, rows)


def plot_trades(arguments, rows):
    """A plot of the trades by each rule."""
    bars = []
    for row in rows:
        for name, trades, match in zip(HEURISTICS, row["trades"], row["matches"]):
            scale = 5000 / match["pairs"]
            bars.append((f"{name}, {row['rule']}"[:44], Figure(trades, scale * math.sqrt(trades / scale)), TABLE_2[name][4]))
    plot(arguments, "trading", "Trades in 10,000 games", bars)
    print("\n![trades](gordon/trading.svg)\n")


def combined(arguments):
    """Table 2 under all assumptions together."""
    short = [word for word in ENABLE.read_text().split() if len(word) <= 8]
    words = [word for at, word in enumerate(short) if at % 8]
    (arguments.out / "seven.txt").write_text("\n".join(words) + "\n")
    print(f"{2 * arguments.pairs:,} games per row, on seven in eight of ENABLE's words of up to eight letters, {len(words):,} words. They reproduce greedy's number of moves, and its score")
    print("within 2 points. At most one tile is kept in a trade. With an empty bag leaves are worth the same as before (`end=count`), the same but players go out if they can")
    print("(`end=out`), or nothing (`end=ignore`). In brackets is the difference from the paper in standard errors of both, `(ours - paper) / sqrt(e^2 + s^2 / 10000)`: `e` is")
    print("our error over pairs, and `s` the deviation of a single game of ours, since the paper has 10,000 single games.\n")
    print("| player | score | of greedy | wins % | moves | sacrifices | trades | differences over two errors |\n|" + "---|" * 8)
    rows = []
    options = ("--lexicon", str(arguments.out / "seven.txt"))
    for end in ("", "count", "out", "ignore"):
        for name in HEURISTICS if end else ["greedy"]:
            player = f"{name}:end={end},keep=1" if end else name
            rows.append(beside_the_paper(arguments, player, name, "seven", options))
    keep(arguments, "combined", [row.kept() for row in rows])
    plot(arguments, "combined", "Differences from the paper in standard errors", [bar for row in rows for bar in row.bars()], "dot: ours less the paper's, with two standard errors")
    print("\n![differences](gordon/combined.svg)\n")


class RowOfTable2(NamedTuple):
    """A player's row next to the paper's: its counts by name, and their differences in standard errors of both."""

    player: str
    counts: dict
    errors: dict

    def text(self):
        far = [name for name, errors in self.errors.items() if abs(errors) > 2]
        cells = [f"{self.counts[name]:,.{digits}f} ({self.errors[name]:+.1f})" if name in self.errors else f"{self.counts[name]:,.{digits}f}" for name, digits in COUNTED]
        return f"| `{self.player}` | {' | '.join(cells)} | {', '.join(far) or 'none'} |"

    def kept(self):
        return {"player": self.player, "counts": self.counts, "errors": self.errors}

    def bars(self):
        return [(f"{self.player}, {name}"[:44], Figure(errors, 1.0), None) for name, errors in self.errors.items()]


def beside_the_paper(arguments, player, name, label, options, pairs=None):
    """Prints a player's results against greedy next to the paper's row of this name."""
    called = f"{label} {player} greedy".replace(str(arguments.out), "")
    match = played(arguments, player, "greedy", pairs or arguments.pairs, "--redraws", "0", "--count-turns", *options, name=called)
    scores, wins, *rest = TABLE_2[name]
    published = dict(zip((column for column, _ in COUNTED), [*scores, wins or 50.0, *rest]))
    counts, errors = {}, {}
    for column, pairs_of_games in counted(match_file(arguments, called), match.pairs).items():
        scale = 1.0 if column.startswith("score") else 100.0 if column == "wins %" else 10_000.0
        games = [game for pair in pairs_of_games for game in pair]
        means = [sum(pair) / len(pair) for pair in pairs_of_games]
        counts[column] = scale * sum(games) / len(games)
        both = math.sqrt(variance(means) / len(means) + variance(games) / 10_000)
        # Greedy against itself wins one half of each pair, and neither sacrifices nor trades.
        if both and not (name == "greedy" and column not in ("score", "score of greedy", "moves")):
            errors[column] = (counts[column] - published[column]) / (scale * both)
    row = RowOfTable2(player.replace(str(arguments.out) + "/", ""), counts, errors)
    print(row.text(), flush=True)
    return row


def variance(values):
    """The estimated variance of values."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def counted(file, pairs):
    """The games of a match's file by column, pair by pair, player a first."""
    columns = {column: [] for column, _ in COUNTED}
    for line in file.read_text().splitlines()[1 : pairs + 1]:
        games = json.loads(line)["games"]
        values = {
            "score": [game["scores"][0] for game in games],
            "score of greedy": [game["scores"][1] for game in games],
            "wins %": [(game["scores"][0] > game["scores"][1]) + (game["scores"][0] == game["scores"][1]) / 2 for game in games],
            "moves": [sum(game["turns"]) for game in games],
            "sacrifices": [game["counts"]["sacrifices"][0] for game in games],
            "trades": [game["counts"]["exchanges"][0] for game in games],
        }
        for column, of_games in values.items():
            columns[column].append(of_games)
    return columns


def weights(arguments):
    """The heuristics with other weights."""
    pairs, words = arguments.trading_pairs, ("--lexicon", str(arguments.out / "seven.txt"))
    print(f"{2 * pairs:,} games per row against `greedy` on the words of the previous part, with at most one tile kept in a trade. `leaves` are tables of the weights of heuristic 1, or of")
    print("the first weights of heuristic 2 without those for further tiles. Differences from the paper are as above.\n")
    print("| player | score | of greedy | wins % | moves | sacrifices | trades | differences over two errors |\n|" + "---|" * 8)
    first, second, duplicates = published_weights()
    tables = {
        "first-of-2": second,
        "half": {tile: weight // 2 for tile, weight in first.items()},
        "more": {tile: weight + 50 for tile, weight in first.items()},
        "less": {tile: weight - 50 for tile, weight in first.items()},
    }
    rows = []
    for name, table in tables.items():
        write_leaves(arguments.out / f"{name}.leaves", table)
        for end in ("count", "ignore"):
            player = f"rack1:end={end},keep=1,leaves={arguments.out / name}.leaves"
            rows.append(beside_the_paper(arguments, player, "rack1", "seven", words, pairs))
    print("\n`half` halves the weights; `more` and `less` add and subtract half a point for each tile, which is the last step of the paper's training. All three heuristics with half")
    print(f"a point more for each tile, {2 * arguments.pairs:,} games per row:\n")
    print("| player | score | of greedy | wins % | moves | sacrifices | trades | differences over two errors |\n|" + "---|" * 8)
    more = {tile: weight + 50 for tile, weight in second.items()}
    write_leaves(arguments.out / "more-2.leaves", more, duplicates)
    write_leaves(arguments.out / "more-3.leaves", more, duplicates, vowel_mix)
    for name, table in zip(HEURISTICS, ("more", "more-2", "more-3")):
        player = f"{name}:end=ignore,keep=1,leaves={arguments.out / table}.leaves"
        rows.append(beside_the_paper(arguments, player, name, "seven", words))
    keep(arguments, "weights", [row.kept() for row in rows])
    plot(arguments, "weights", "Differences from the paper in standard errors", [bar for row in rows[-3:] for bar in row.bars()], "dot: ours less the paper's, with two standard errors")
    print("\n![differences](gordon/weights.svg)\n")


def published_weights():
    """Weights by tile, in hundredths: of heuristic 1, of heuristic 2 for the first tile of a kind, and of heuristic 2 for each further one."""
    text = (ROOT / "src" / "evaluation" / "heuristics.rs").read_text()
    rows = re.findall(r'\("(.)", (-?\d+), (-?\d+), (-?\d+), -?\d+\)', text)
    return [{row[0]: 10 * int(row[column]) for row in rows} for column in (1, 2, 3)]


def vowel_mix(leave):
    """The paper's VCMix of letters, in hundredths."""
    vowels = sum(tile in "AEIOU" for tile in leave)
    consonants = sum(tile not in "AEIOU?" for tile in leave)
    return 100 * (min(3 * vowels + 1, 3 * consonants) - vowels - consonants)


def write_leaves(file, first, further=None, mix=None):
    """A table of leaves (.leaves) whose tiles are worth this many hundredths of a point each."""
    tiles = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    numbers = dict(zip(tiles, (2, 9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1)))
    places = {tile: place for place, tile in enumerate(tiles)}
    steps = [[math.comb(tile + position, position + 1) for tile in range(len(tiles))] for position in range(6)]

    def worth(leave):
        counts = {tile: leave.count(tile) for tile in set(leave)}
        if any(count > numbers[tile] for tile, count in counts.items()):
            return 0
        sum_of_first = sum(first[tile] for tile in leave)
        of_further = sum(count * (count - 1) // 2 * further[tile] for tile, count in counts.items()) if further else 0
        # In the format 0 stands for an impossible leave.
        return sum_of_first + of_further + (mix(leave) if mix else 0) or 1

    with file.open("wb") as out:
        out.write(b"TWLEAVE1" + struct.pack("<I", len(tiles)))
        for size in range(1, 7):
            values = [0] * math.comb(len(tiles) + size - 1, size)
            for leave in itertools.combinations_with_replacement(tiles, size):
                values[sum(step[places[tile]] for step, tile in zip(steps, leave))] = worth(leave)
            out.write(struct.pack(f"<{len(values)}h", *values))


def without_the_end(arguments):
    """Table 2 without points at the end of a game. Neither player considers these points, so the games are the same."""
    pairs = min(arguments.pairs, 2000)
    print("The paper does not state the points at the end of a game. Here the player who goes out gets twice the points of the other rack. No player of the")
    print(f"table considers these points, so the games are the same without them. {2 * pairs:,} games each:\n")
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
    """The scores of the games of a folder, pair by pair, player a first: without and with the points at the end."""
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
    print("We do not have the numbers of the paper's table; its abstract states that weighted heuristics are more reliable and far cheaper. Each search plays against")
    print("`rack3` over the first pairs of one series, with the luck of the draws subtracted. Processor time is measured separately, each player against itself. A")
    print("search is better or worse if the difference is at least two standard errors, in wins or, if these are not clear, in points.\n")
    heuristic = processor_ms("rack3", 1000)
    print(f"A turn of `rack3` takes {1000 * heuristic:.0f} us of processor time. A search of C candidates and S scenarios generates plays 2CS more times.\n")
    print("| candidates | scenarios | replies | pairs | wins % | spread | wins %, plain | ms a turn | times `rack3` | the search is | errors of wins, of points |\n|" + "---|" * 11)
    rows = []
    for replies, pairs in (("greedy", arguments.search_pairs), ("rack3", arguments.rack3_pairs)):
        for candidates, scenarios in SIZES if pairs else ():
            player = f"gordon:candidates={candidates},scenarios={scenarios},replies={replies}"
            is_small = replies == "greedy" and candidates * scenarios <= SMALL
            match = played(arguments, player, "rack3", max(pairs, arguments.small_search_pairs) if is_small else pairs)
            ms = processor_ms(player, max(1, 200 // (candidates * scenarios)))
            rows.append(SizeOfSearch(candidates, scenarios, replies, match, ms, ms / heuristic))
            print(rows[-1].row(), flush=True)
    of_time(rows)
    keep(arguments, "table4", [{**row._asdict(), "match": row.match._asdict(), "verdict": row.verdict()} for row in rows])
    plot(arguments, "table4", "Wins of probabilistic search against rack3, %", [(row.name(), row.match.adjusted_wins, None) for row in rows])
    print("\n![wins](gordon/table4.svg)\n")


class SizeOfSearch(NamedTuple):
    """A search of this size against heuristic 3: its results, and its processor time per turn."""

    candidates: int
    scenarios: int
    replies: str
    match: Match
    ms: float
    times: float

    def name(self):
        return f"{self.candidates} x {self.scenarios}, {self.replies}"

    def errors(self):
        """The wins above one half and the points gained, in standard errors."""
        wins, spread = self.match.adjusted_wins, self.match.adjusted_spread
        return (wins.mean - 50) / wins.error, spread.mean / spread.error

    def verdict(self):
        """The verdict by wins or, if these are not clear, by points."""
        for errors, by in zip(self.errors(), ("", " by points")):
            if abs(errors) >= 2:
                return ("better" if errors > 0 else "worse") + by
        return "not told apart"

    def row(self):
        match = self.match
        cells = [self.candidates, self.scenarios, self.replies, match.pairs, match.adjusted_wins.text(), match.adjusted_spread.text(sign="+"), match.wins.text()]
        return f"| {' | '.join(map(str, cells))} | {self.ms:.2f} | {self.times:.0f} | {self.verdict()} | {self.errors()[0]:+.1f}, {self.errors()[1]:+.1f} |"


def of_time(rows):
    """Prints what the table shows about processor time."""
    print("\nA match at equal processor time is impossible: the smallest search takes many times as long as the heuristic, which has no use for more time. The table")
    print("therefore counts the searches that take at most this many times the heuristic's time:\n")
    print("| times `rack3`, at most | searches | better | worse | not told apart | the best of them | wins % above one half, for each ms |\n|" + "---|" * 7)
    for limit in (10, 30, 100, 300, 1000, 3000):
        within = [row for row in rows if row.times <= limit]
        if within:
            counts = [sum(row.verdict().startswith(verdict) for row in within) for verdict in ("better", "worse", "not told apart")]
            best = max(within, key=lambda row: row.match.adjusted_wins.mean)
            gain = (best.match.adjusted_wins.mean - 50) / best.ms
            print(f"| {limit} | {len(within)} | {' | '.join(map(str, counts))} | {best.name()}: {best.match.adjusted_wins.text()} | {gain:+.2f} |")
    better = [row for row in rows if row.verdict().startswith("better")]
    if better:
        cheapest = min(better, key=lambda row: row.times)
        print(f"\nThe cheapest search that is better is {cheapest.name()}, at {cheapest.times:.0f} times the heuristic's time.")


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=5000, help="pairs of each heuristic")
    parser.add_argument("--trading-pairs", type=int, default=2000, help="pairs of each heuristic with each rule of trading")
    parser.add_argument("--search-pairs", type=int, default=400, help="pairs of each search with greedy replies")
    parser.add_argument("--small-search-pairs", type=int, default=1000, help=f"pairs of each search with greedy replies and at most {SMALL} outcomes")
    parser.add_argument("--rack3-pairs", type=int, default=200, help="pairs of each search with replies by the third heuristic, or 0")
    parser.add_argument("--training-pairs", type=numbers, default=[500, 5000], help="pairs of each trial with the large and the small steps: FIRST,THEN")
    parser.add_argument("--together-pairs", type=int, default=5000, help="pairs of each pass in training with all weights together; each is played twice")
    parser.add_argument("--together-passes", type=int, default=12, help="passes with either step in training with all weights together")
    parser.add_argument("--passes", type=int, default=4, help="passes over all weights in training with either step, at most")


def prepare(parser, arguments):
    from_one = [arguments.pairs, arguments.trading_pairs, arguments.search_pairs, arguments.small_search_pairs, *arguments.training_pairs, arguments.passes]
    from_one += [arguments.together_pairs, arguments.together_passes]
    if arguments.rack3_pairs < 0 or min(from_one) < 1 or len(arguments.training_pairs) != 2:
        parser.error("all numbers must be at least 1, and --training-pairs needs two")


def numbers(text):
    return [int(number) for number in text.split(",")]


def training(arguments):
    """Gordon's training, and whether it gets the signs of his table."""
    pairs = ",".join(map(str, arguments.training_pairs))
    print("As in the paper, each weight in turn is raised or lowered by 2.0 points, later by 0.5, and changes that gain points against greedy are kept. All weights begin at 0.\n")
    heading = f"weights against greedy: seed 1, pairs {pairs}, at most {arguments.passes} passes, lexicon ENABLE"
    weights_found(arguments, "training", heading, ["--pairs", pairs, "--passes", str(arguments.passes), "--out", str(arguments.out / "weights.csv")])


def together(arguments):
    """Gordon's training with all weights tried in the same games, and whether it gets the signs of his table."""
    pairs, passes = arguments.together_pairs, arguments.together_passes
    print(f"The steps are again 2.0 and then 0.5, but all weights are tried at once, over {4 * pairs:,} games per pass. In each pair of games every weight is raised or lowered by 2.0 at")
    print("random, the pair is played again with all changes reversed, and the difference counts for or against each weight by its sign. The effects of the other weights cancel")
    print("on average. A weight is moved by a step once the games since its last move support that by two standard errors. All weights begin at 0.\n")
    heading = f"weights against greedy: all together, seed 1, pairs {pairs},{pairs}, {passes} passes, lexicon ENABLE"
    flags = ["--together", "--pairs", f"{pairs},{pairs}", "--passes", str(passes), "--out", str(arguments.out / "weights-together.csv")]
    weights_found(arguments, "together", heading, flags)


def weights_found(arguments, name, heading, flags):
    """A training with its signs and its plot. Like a match, it is not played again if the folder has it complete."""
    file = arguments.out / f"{name}.json"
    found = json.loads(file.read_text()) if file.exists() else {"rows": [""]}
    if found["rows"][0] == heading:
        made, told = found["made"], "\n".join(found["rows"])
        print(f"The games were played by `{made['command']}` on {made['date']}, at commit {made['commit']}.\n")
    else:
        told = run([find_engine(), "lab", "train", "weights", "--seed", "1", "--force", *flags])
        keep(arguments, name, told.splitlines())
    print(f"```\n{told.strip()}\n```\n")
    print(signs(told))
    plot_weights(arguments, name, told)


def trained(told):
    """The weights of a training's table: name, ours, the paper's."""
    for tile, *weights in re.findall(r"^(\S) +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+)$", told, re.MULTILINE):
        first, paper, further, paper_further = map(float, weights)
        yield tile, first, paper
        yield f"{tile} further", further, paper_further


def plot_weights(arguments, name, told):
    """A plot of the weights that were moved, next to the paper's."""
    rows = [(weight, Figure(ours, 0.0), paper) for weight, ours, paper in trained(told) if ours]
    plot(arguments, name, "Weights of heuristic 2 that were moved, points", rows, "dot: ours; cross: published")
    print(f"\n![weights](gordon/{name}.svg)\n")


def signs(told):
    """How often trained weights have the signs of the paper's, in words."""
    outcomes = {"same": [], "zero": [], "other": []}
    for weight, ours, theirs in trained(told):
        if theirs:
            outcomes["zero" if not ours else "same" if ours * theirs > 0 else "other"].append(weight)
    decided = len(outcomes["same"]) + len(outcomes["other"])
    chance = sum(math.comb(decided, right) for right in range(len(outcomes["same"]), decided + 1)) / 2**decided
    others = f", not {', '.join(outcomes['other'])}" if outcomes["other"] else ""
    return (
        f"Of {decided} weights that were moved, {len(outcomes['same'])} have the paper's sign{others}; by tossing coins the chance of this many or more is {100 * chance:.2g} %. "
        f"{len(outcomes['zero'])} were not moved: {', '.join(outcomes['zero'])}."
    )


def plots(arguments):
    """The plot of trading, from its stored results."""
    plot_trades(arguments, json.loads((arguments.out / "trading.json").read_text())["rows"])


PARTS = {
    "table2": table2,
    "differences": differences,
    "trading": trading,
    "combined": combined,
    "weights": weights,
    "table4": table4,
    "training": training,
    "together": together,
    "plots": plots,
}
