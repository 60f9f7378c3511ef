"""Brian Sheppard, "World-championship-caliber Scrabble", Artificial Intelligence 134, 2002.

    games   what Maven's games look like: points a turn, turns and bingos of a game
    rank    Maven's way of playing against players of before and after it
"""

from papers.common import keep, played, plot

TITLE = '"World-championship-caliber Scrabble" (Sheppard, 2002)'

# Of Maven's games against itself: points a turn, turns and bingos a game and side.
PUBLISHED = {"points a turn": 35.0, "turns": 10.5, "bingos": 1.9}
OPPONENTS = ["rack3", "static:late=off", "strong"]


def games(arguments):
    """Maven against itself."""
    print(f"{arguments.pairs} games of `maven` against itself on ENABLE; of each pair the two games are the same. The paper's word list is that of its time.\n")
    match = played(arguments, "maven", "maven", arguments.pairs, "--redraws", "0")
    score, turns, bingos = (sum(both) / 2 for both in (match.scores, match.turns, match.bingos))
    print("| a side | paper | ours |\n|---|---|---|")
    for (name, paper), ours in zip(PUBLISHED.items(), (score / turns, turns, bingos)):
        print(f"| {name} | {paper} | {ours:.2f} |")
    keep(arguments, "games", [match._asdict()])
    print()


def rank(arguments):
    """Where it stands."""
    print("Paired games, the luck of the draws taken off.\n")
    print("| opponent | pairs | wins % | spread | wins %, plain | ms a turn, of the opponent |\n|" + "---|" * 6)
    rows = []
    for opponent in OPPONENTS:
        match = played(arguments, "maven", opponent, arguments.pairs)
        cells = [match.pairs, match.adjusted_wins.text(), match.adjusted_spread.text(sign="+"), match.wins.text()]
        print(f"| `{opponent}` | {' | '.join(map(str, cells))} | {match.ms[0]:.2f}, {match.ms[1]:.2f} |", flush=True)
        rows.append((opponent, match.adjusted_wins, None, match._asdict()))
    keep(arguments, "rank", [row for *_, row in rows])
    plot(arguments, "rank", "Wins of maven, luck taken off, %", [row[:3] for row in rows])
    print("\n![wins](maven/rank.svg)\n")


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=200, help="pairs of each match")


def prepare(parser, arguments):
    if arguments.pairs < 1:
        parser.error("--pairs is from 1 on")


PARTS = {"games": games, "rank": rank}
