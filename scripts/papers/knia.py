"""Cooper and Shuster, "KNIA, a Scrabble player by Monte Carlo expectimax with a k-local beam"; Young's WordSmith is its opponent.

    games   each preset and WordSmith against greedy, rack3, static, sim and each other, with the time of a turn
"""

from papers.common import keep, played, plot

TITLE = "KNIA, three plies of Monte Carlo expectimax with a k-local beam (Cooper & Shuster)"

PLAYERS = ["knia:preset=seed1", "knia:preset=seed2", "knia:preset=seed3", "knia:preset=timing", "wordsmith"]
# A player, and whether it is so slow that only some games are played.
OPPONENTS = [("wordsmith", False), ("greedy", False), ("rack3", False), ("static:late=off", False), ("static", False), ("sim:iterations=100", True)]


def games(arguments):
    """The round robin."""
    print("The paper tells single games: KNIA beat WordSmith, and a person beat WordSmith by 343 to 338; a move may take three minutes there. Ours: paired games,")
    print("the luck of the draws taken off.\n")
    print("| player | opponent | pairs | wins % | spread | wins %, plain | ms a turn, of the opponent |\n|" + "---|" * 7)
    rows = []
    for player in PLAYERS:
        for opponent, is_slow in OPPONENTS:
            if player != opponent:
                match = played(arguments, player, opponent, arguments.slow_pairs if is_slow else arguments.pairs)
                cells = [match.pairs, match.adjusted_wins.text(), match.adjusted_spread.text(sign="+"), match.wins.text()]
                print(f"| `{player}` | `{opponent}` | {' | '.join(map(str, cells))} | {match.ms[0]:.2f}, {match.ms[1]:.2f} |", flush=True)
                rows.append((f"{player}, {opponent}", match.adjusted_wins, None, match._asdict()))
    keep(arguments, "games", [row for *_, row in rows])
    plot(arguments, "games", "Wins, luck taken off, %", [row[:3] for row in rows])
    print("\n![wins](knia/games.svg)\n")


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=1000, help="pairs of each match")
    parser.add_argument("--slow-pairs", type=int, default=200, help="pairs of each match against a player who simulates")


def prepare(parser, arguments):
    if min(arguments.pairs, arguments.slow_pairs) < 1:
        parser.error("all numbers are from 1 on")


PARTS = {"games": games}
