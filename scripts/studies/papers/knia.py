"""Cooper and Shuster, "KNIA, a Scrabble player by Monte Carlo expectimax with a k-local beam"; Young's WordSmith is its opponent.

    games   each preset and WordSmith against greedy, rack3 and static, with the time per turn
    slow    the same players against WordSmith, sim, and static with its late games
"""

from papers.common import keep, played, plot, processor_ms

TITLE = "KNIA, three plies of Monte Carlo expectimax with a k-local beam (Cooper & Shuster)"

PLAYERS = ["knia:preset=seed1", "knia:preset=seed2", "knia:preset=seed3", "knia:preset=timing", "wordsmith"]
# Each opponent with the option that has the number of its pairs.
OPPONENTS = [("greedy", "pairs"), ("rack3", "pairs"), ("static:late=off", "pairs")]
SLOW_OPPONENTS = [("wordsmith", "wordsmith_pairs"), ("sim:iterations=100", "sim_pairs"), ("static", "static_pairs")]
# The paper's time for a move, in ms.
PUBLISHED_MS = 180_000


def games(arguments):
    """The round robin."""
    print("The paper reports single games: KNIA beat WordSmith, and a person beat WordSmith by 343 to 338. It allows three minutes per move. Here paired games are")
    print("played, with the luck of the draws subtracted. `seed1` and `seed2` consider only one play (M = 1), so their trees decide nothing: both play by points, leave and board,")
    print("and their games are the same. The time of a turn is wall time on a machine that also did much other work; processor time is below.\n")
    rows = round_robin(arguments, OPPONENTS)
    keep(arguments, "games", [*(row for *_, row in rows), {"processor_ms": times()}])
    plotted(arguments, "games", rows)


def slow(arguments):
    """The matches that would take hours with as many pairs."""
    print("Fewer pairs against players who think longer, with the luck of the draws subtracted.\n")
    rows = round_robin(arguments, SLOW_OPPONENTS)
    keep(arguments, "slow", [row for *_, row in rows])
    plotted(arguments, "slow", rows)


def round_robin(arguments, opponents):
    """The matches against these opponents: rows for the plot, with the matches."""
    print("| player | opponent | pairs | wins % | spread | wins %, plain | ms a turn, of the opponent |\n|" + "---|" * 7)
    rows = []
    for opponent, pairs in opponents:
        for player in PLAYERS:
            if player != opponent and getattr(arguments, pairs):
                match = played(arguments, player, opponent, getattr(arguments, pairs))
                cells = [match.pairs, match.adjusted_wins.text(), match.adjusted_spread.text(sign="+"), match.wins.text()]
                print(f"| `{player}` | `{opponent}` | {' | '.join(map(str, cells))} | {match.ms[0]:.2f}, {match.ms[1]:.2f} |", flush=True)
                rows.append((f"{player}, {opponent}", match.adjusted_wins, None, match._asdict()))
    return rows


def plotted(arguments, name, rows):
    """The plot of these rows."""
    plot(arguments, name, "Wins, luck taken off, %", [row[:3] for row in rows])
    print(f"\n![wins](knia/{name}.svg)\n")


def times():
    """Processor time per turn next to the paper's limit."""
    print("\n| player | ms of processor time a turn | the paper's three minutes are this many times as long |\n|---|---|---|")
    rows = [(player, processor_ms(player, 5 if "knia" in player else 200)) for player in PLAYERS]
    for player, ms in rows:
        print(f"| `{player}` | {ms:.2f} | {PUBLISHED_MS / ms:,.0f} |")
    return rows


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=1000, help="pairs of each match against a quick player")
    parser.add_argument("--wordsmith-pairs", type=int, default=1000, help="pairs of each match against WordSmith")
    parser.add_argument("--sim-pairs", type=int, default=200, help="pairs of each match against a player who simulates")
    parser.add_argument("--static-pairs", type=int, default=1000, help="pairs of each match against static with its late games")


def prepare(parser, arguments):
    if arguments.pairs < 1 or min(getattr(arguments, pairs) for _, pairs in SLOW_OPPONENTS) < 0:
        parser.error("all numbers must be at least 0, which plays none of these matches; --pairs must be at least 1")


PARTS = {"games": games, "slow": slow}
