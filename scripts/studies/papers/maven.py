"""Brian Sheppard, "World-championship-caliber Scrabble", Artificial Intelligence 134, 2002.

    games   figures of Maven's games: points per turn, turns and bingos per game
    rank    Maven's way of playing against earlier and later players
"""

from papers.common import keep, played, plot

TITLE = '"World-championship-caliber Scrabble" (Sheppard, 2002)'

# Maven's games against itself: points per turn, turns and bingos per game and side.
PUBLISHED = {"points a turn": 35.0, "turns": 10.5, "bingos": 1.9}
# Each opponent with the option that has the number of its pairs.
OPPONENTS = [("rack3", "pairs"), ("static:late=off", "pairs"), ("strong", "strong_pairs")]


def maven(arguments):
    return f"maven:plays=10,iterations={arguments.iterations}"


def games(arguments):
    """Maven against itself."""
    player, pairs = maven(arguments), arguments.own_pairs
    print(f"{pairs} games of `{player}` against itself on ENABLE; the two games of each pair are the same. The paper used the word list of its time.\n")
    match = played(arguments, player, player, pairs, "--redraws", "0")
    score, turns, bingos = (sum(both) / 2 for both in (match.scores, match.turns, match.bingos))
    print("| a side | paper | ours |\n|---|---|---|")
    for (name, paper), ours in zip(PUBLISHED.items(), (score / turns, turns, bingos)):
        print(f"| {name} | {paper} | {ours:.2f} |")
    keep(arguments, "games", [match._asdict()])
    print()


def rank(arguments):
    """Maven's results against other players."""
    player = maven(arguments)
    print(f"Paired games of `{player}`, with the luck of the draws subtracted.\n")
    print("| opponent | pairs | wins % | spread | wins %, plain | ms a turn, of the opponent |\n|" + "---|" * 6)
    rows = []
    for opponent, pairs in OPPONENTS:
        match = played(arguments, player, opponent, getattr(arguments, pairs))
        cells = [match.pairs, match.adjusted_wins.text(), match.adjusted_spread.text(sign="+"), match.wins.text()]
        print(f"| `{opponent}` | {' | '.join(map(str, cells))} | {match.ms[0]:.2f}, {match.ms[1]:.2f} |", flush=True)
        rows.append((opponent, match.adjusted_wins, None, match._asdict()))
    keep(arguments, "rank", [row for *_, row in rows])
    plot(arguments, "rank", "Wins of maven, luck taken off, %", [row[:3] for row in rows])
    print("\n![wins](maven/rank.svg)\n")


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=200, help="pairs of each match against a quick player")
    parser.add_argument("--strong-pairs", type=int, default=200, help="pairs of the match against strong")
    parser.add_argument("--own-pairs", type=int, default=200, help="games against itself")
    parser.add_argument("--iterations", type=int, default=300, help="iterations of maven's simulations")


def prepare(parser, arguments):
    if min(arguments.pairs, arguments.strong_pairs, arguments.own_pairs, arguments.iterations) < 1:
        parser.error("all numbers must be at least 1")


PARTS = {"games": games, "rank": rank}
