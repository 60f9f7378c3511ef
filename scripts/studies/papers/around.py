"""Games around the board: Ghost and Superghost on a word list, dead positions, WordSmog, the board of 21 rows, languages.

    ghost       Ghost solved for each length from which words count: the winner, the first letters that win, the sheets to learn
    superghost  Superghost, with letters at both ends: the winner for each length
    dead        Kyle Corbin's dead position after four plays, and the tiles that it lacks
    search      a beam search for dead positions of at most nine tiles, and its results
    wordsmog    matches of players whose words may be spelled in any order, and mean scores next to those of the classic game
    super       static games on 21 rows with 200 tiles
    languages   tables trained from a made-up list for the letters of each of twelve languages, and a match with them
"""

import re
import tempfile
import time
from pathlib import Path

from checkout import find_engine
from papers.common import ROOT, keep, played, run
from tilewright.engine import Setup, SimpleEngine

TITLE = "The games around it"
LANGUAGES = "catalan danish dutch english french german italian norwegian polish portuguese spanish swedish".split()
CORBIN = ["8G.JUS", "I8.SOx", "H7.jUS", "J9.XU"]


SOLVED = r"winner (\S+) winning (\S+) against (\d+)"


def solved(engine, kind, least):
    """The lines of `ghost solve` or `ghost super solve`. The last one is for the letter Z; `readyok` comes before the game is solved."""
    return engine.tell(f"ghost {kind}solve minlen {least}", timeout=600, last=f"info string ghost {kind}letter Z")


def without_qub():
    """The number of words against all letters that lose, by the length from which words count, for the list without words that begin with QUB."""
    with tempfile.TemporaryDirectory() as folder, SimpleEngine.popen_siu(find_engine()) as engine:
        words = (ROOT / "lexicons/enable.txt").read_text().splitlines()
        (Path(folder) / "without.txt").write_text("\n".join(word for word in words if not word.startswith("QUB")) + "\n")
        engine.configure({"DataPath": folder, "Lexicon": "without"})
        return {least: int(re.search(SOLVED, "\n".join(solved(engine, "", least)))[3]) for least in range(1, 7)}


def ghost(_arguments):
    print("A sheet lists one word for each possible reply; a player who knows it wins. Randall Munroe (the blog of xkcd, 31 December 2007) found that with the Scrabble")
    print("list the second player always wins if words count from three letters on; so it is here.\n")
    print("With ENABLE itself, the list `enable1.txt` of 172,823 words, 54, 54, 55, 65 and 62 words are needed against all losing letters, if words count from 1 to 5 letters")
    print("on. This program's list has four words that ENABLE lacks, QUBIT, QUBYTE and their plurals, so the second player also has to answer QUB. The last column is for the")
    print("list without them.\n")
    print("| words count from | winner | first letters that win | the shortest sheet of them | words against all letters that lose | without QUB |\n|---|---|---|---|---|---|")
    rows = []
    without = without_qub()
    with SimpleEngine.popen_siu(find_engine()) as engine:
        for least in range(1, 7):
            lines = solved(engine, "", least)
            head = re.search(SOLVED, "\n".join(lines))
            sheets = [re.search(r"letter (\S+) wins plies \d+ sheet (\d+) words (\S+)", line) for line in lines]
            shortest = min((sheet for sheet in sheets if sheet), key=lambda sheet: int(sheet[2]), default=None)
            sheet = f"{shortest[1]}: {shortest[3].replace('|', ', ').lower()}" if shortest else "-"
            print(f"| {least} | {head[1]} | {head[2].replace('|', ', ')} | {sheet} | {head[3]} | {without[least]} |")
            rows.append({"least": least, "winner": head[1], "winning": head[2], "sheet": sheet, "against": int(head[3]), "without": without[least]})
    keep(_arguments, "ghost", rows)
    print()


def dead(_arguments):
    with SimpleEngine.popen_siu(find_engine()) as engine:
        engine.position(Setup(moves=CORBIN))
        lines = [line for line in engine.tell("dead") if "dead" in line]
    print(f"After {', '.join(f'`{play}`' for play in CORBIN)}, nine tiles, no rack at all has a play: the J and both blanks are on the board.\n")
    print("```text\n" + "\n".join(line.replace("info string ", "") for line in lines) + "\n```\n")
    keep(_arguments, "dead", lines)


class Grid:
    """Tiles by square, in capitals, with the tiles that are left to draw."""

    def __init__(self, tiles, left, moves):
        self.tiles, self.left, self.moves = tiles, left, moves

    def letter(self, square):
        return self.tiles.get(square, "").upper()

    def run(self, square, letter, step):
        """The word through a square with this letter on it."""
        before, behind = "", ""
        at = (square[0] - step[0], square[1] - step[1])
        while at in self.tiles:
            before, at = self.letter(at) + before, (at[0] - step[0], at[1] - step[1])
        at = (square[0] + step[0], square[1] + step[1])
        while at in self.tiles:
            behind, at = behind + self.letter(at), (at[0] + step[0], at[1] + step[1])
        return before + letter + behind

    def place(self, word, start, step, words, blank):
        """The grid after a word whose new tile number `blank` is a blank; nothing if the word does not fit."""
        squares = [(start[0] + step[0] * at, start[1] + step[1] * at) for at in range(len(word))]
        beside = [(start[0] - step[0], start[1] - step[1]), (squares[-1][0] + step[0], squares[-1][1] + step[1])]
        if any(square in self.tiles for square in beside) or not all(0 <= row < 15 and 0 <= col < 15 for row, col in squares):
            return None
        tiles, left, text, new, touches = dict(self.tiles), dict(self.left), "", 0, not self.tiles and (7, 7) in squares
        for square, letter in zip(squares, word):
            if square in self.tiles:
                if self.letter(square) != letter:
                    return None
                text, touches = text + tiles[square], True
                continue
            across = self.run(square, letter, (step[1], step[0]))
            if len(across) > 1 and across not in words:
                return None
            touches |= len(across) > 1
            tile = "?" if new == blank else letter
            if left.get(tile, 0) == 0:
                return None
            left[tile] -= 1
            tiles[square] = letter.lower() if tile == "?" else letter
            text, new = text + tiles[square], new + 1
        if new == 0 or blank is not None and blank >= new or not touches:
            return None
        row, col = str(start[0] + 1), chr(65 + start[1])
        return Grid(tiles, left, [*self.moves, (row + col if step == (0, 1) else col + row) + "." + text])


def children(grid, hard, words, most):
    """Each way to add a hard word."""
    squares = {(row + down, col + right) for row, col in grid.tiles for down in range(-3, 3) for right in range(-3, 3)} or {(7, 6), (7, 7), (7, 5)}
    for word in hard:
        for start in squares:
            for step in ((0, 1), (1, 0)) if grid.tiles else ((0, 1),):
                for blank in (None, *range(min(len(word), grid.left["?"] * 4))):
                    child = grid.place(word, start, step, words, blank)
                    if child and len(child.tiles) <= most:
                        yield child


def search(arguments):
    most, beam = 9, arguments.beam
    words = set((ROOT / "lexicons/enable.txt").read_text().split())
    letters = [line.split(",") for line in (ROOT / "src/formats/data/english.csv").read_text().splitlines() if not line.startswith("#")]
    alphabet = [letter[0] for letter in letters if letter[0] != "?"]
    hooks = lambda word: sum(letter + word in words for letter in alphabet) + sum(word + letter in words for letter in alphabet)  # noqa: E731
    hard = sorted(word for word in words if len(word) <= 4 and hooks(word) == 0 and set(word) & set("JQXZV") and len(word) <= 3)
    grids, found, asked = [Grid({}, {letter[0]: int(letter[2]) for letter in letters}, [])], {}, 0
    print(f"Plays of {len(hard)} words of up to three letters with a J, Q, V, X or Z that no letter extends. After each play the search keeps the {beam} positions")
    print("with the fewest plays of the fewest tiles for any rack.\n")
    with SimpleEngine.popen_siu(find_engine()) as engine:
        for plays in range(1, 5):
            nearest, seen = [], set()
            for grid in grids:
                for child in children(grid, hard, words, most):
                    key = frozenset(child.tiles.items())
                    if key in seen:
                        continue
                    seen.add(key)
                    engine.position(Setup(moves=child.moves))
                    head = next(line for line in engine.tell("dead", timeout=600) if "dead " in line)
                    asked += 1
                    alive = re.search(r"dead no tiles (\d+) plays (\d+)", head)
                    if alive:
                        nearest.append((-int(alive[1]), int(alive[2]), len(nearest), child))
                    else:
                        found.setdefault(tuple(sorted(key)), (child, head.split("dead ")[1]))
            grids = [child for *_, child in sorted(nearest)[:beam]]
    print(f"{asked} positions were examined; {len(found)} of them are dead.\n")
    rows = sorted(found.values(), key=lambda row: (len(row[0].tiles), row[0].moves))
    if rows:
        print("| tiles | plays | lacks |\n|---|---|---|")
        for child, told in rows[:12]:
            print(f"| {len(child.tiles)} | {', '.join(f'`{move}`' for move in child.moves)} | {told.replace('yes lacks ', '')} |")
    keep(arguments, "search", [{"tiles": len(child.tiles), "moves": child.moves, "told": told} for child, told in rows])
    print()


def superghost(arguments):
    print("All parts of words are solved, from the longest to the shortest. A first letter wins if the other player loses after it.\n")
    print("| words count from | winner | first letters that win | fragments | seconds |\n|---|---|---|---|---|")
    rows = []
    with SimpleEngine.popen_siu(find_engine()) as engine:
        engine.tell("check AA", timeout=600)
        for least in range(1, 8):
            began = time.monotonic()
            text = "\n".join(solved(engine, "super ", least))
            seconds = time.monotonic() - began
            head = re.search(r"onturn (\S+) fragments (\d+)", text)
            winner = "first" if head[1] == "wins" else "second"
            winning = re.findall(r"super letter (\S+) back wins", text)
            print(f"| {least} | {winner} | {', '.join(winning) or '-'} | {int(head[2]):,} | {seconds:.1f} |")
            rows.append({"least": least, "winner": winner, "winning": winning, "fragments": int(head[2])})
    keep(arguments, "superghost", rows)
    print()


def wordsmog(arguments):
    print("Each row of tiles is an anagram of a word. Leave values are those of the classic game.\n")
    print("| player | against | pairs | wins % | spread | mean scores | ms a turn |\n|---|---|---|---|---|---|---|")
    rows = []
    games = [("static", "greedy", arguments.pairs), ("static", "rack3", arguments.pairs), (f"sim:iterations={arguments.iterations}", "static", arguments.slow_pairs)]
    for a, b, pairs in games:
        match = played(arguments, a, b, pairs, "--variant", "wordsmog", name=f"wordsmog {a} {b}")
        scores, ms = (" and ".join(f"{figure:.1f}" for figure in figures) for figures in (match.scores, match.ms))
        print(f"| `{a}` | `{b}` | {pairs} | {match.wins.text()} | {match.spread.text(sign='+')} | {scores} | {ms} |", flush=True)
        rows.append(match._asdict())
    print("\n| static games | mean score | turns | bingos |\n|---|---|---|---|")
    for variant in ("classic", "wordsmog"):
        print(f"| {variant} | {selfplay(arguments, '--variant', variant)} |")
    keep(arguments, "wordsmog", rows)
    print()


def selfplay(arguments, *options):
    told = run([find_engine(), "lab", "selfplay", str(arguments.pairs), *options])
    return " | ".join(re.search(rf"^{label} (\S+)", told, re.MULTILINE)[1] for label in ("mean score", "turns per game", "bingos per game"))


def super_board(arguments):
    print("The referee checks every play.\n\n| static games | mean score | turns | bingos |\n|---|---|---|---|")
    print(f"| 21 rows, 200 tiles | {selfplay(arguments, '--letters', 'english_super', '--layout', 'super21')} |\n")
    match = played(arguments, "static", "greedy", arguments.pairs // 4, "--letters", "english_super", "--layout", "super21", name="super static greedy")
    print(f"`static` against `greedy` over {match.pairs} pairs: wins {match.wins.text()} %, spread {match.spread.text(sign='+')}.\n")
    keep(arguments, "super", match._asdict())


def made_up_words(name):
    """Words in which vowels and consonants of an alphabet alternate. Letters of several characters are in brackets."""
    lines = (ROOT / f"src/formats/data/{name}.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines if line and not line.startswith("#")]
    text = lambda face: face if len(face) == 1 else f"[{face}]"  # noqa: E731
    vowels, consonants = ([text(row[0]) for row in rows if row[0] != "?" and (row[4].strip() == "1") == is_vowel] for is_vowel in (True, False))
    words = set()
    for i, first in enumerate(consonants):
        for j, vowel in enumerate(vowels):
            second, other = consonants[(3 * i + 7 * j + 1) % len(consonants)], vowels[(i + 5 * j) % len(vowels)]
            last = consonants[(i + j) % len(consonants)]
            words |= {first + vowel, vowel + first, first + vowel + second, first + vowel + second + other, first + vowel + second + other + last}
    return sorted(words)


def languages(arguments):
    print("The lists are made up: they show that letters, words, tables and games work together, not how well anybody plays. `leaves` is `train leaves --boards 2")
    print("--generations 1 --pairs 1`; `win %` is `train winpct --games 20`; then `static` plays a pair against `greedy` under the referee with these tables.\n")
    print("| letters | kinds of tiles | words | leaves, s | win %, s | mean scores |\n|---|---|---|---|---|---|")
    rows = []
    for name in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            words = made_up_words(name)
            file = Path(folder) / f"{name}.txt"
            file.write_text("\n".join(words) + "\n")
            game = ["--lexicon", str(file), "--letters", name]
            seconds = []
            for table in (["leaves", "--boards", "2", "--generations", "1", "--pairs", "1", "--out", f"{folder}/{name}.klv2"], ["winpct", "--games", "20", "--out", f"{folder}/{name}.win.csv"]):
                began = time.monotonic()
                run([find_engine(), "lab", "train", *table, *game])
                seconds.append(time.monotonic() - began)
            told = run([find_engine(), "match", "static", "greedy", "--pairs", "1", "--redraws", "0", "--referee", *game])
            assert f"(leaves {name}" in told, told
            scores = re.search(r"^mean score +(\S+) +(\S+)", told, re.MULTILINE)
            kinds = len([line for line in (ROOT / f"src/formats/data/{name}.csv").read_text().splitlines() if line and not line.startswith("#")])
            print(f"| {name} | {kinds} | {len(words)} | {seconds[0]:.1f} | {seconds[1]:.1f} | {scores[1]}, {scores[2]} |", flush=True)
            rows.append({"letters": name, "words": len(words)})
    keep(arguments, "languages", rows)
    print()


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=100, help="pairs of matches, and static games")
    parser.add_argument("--slow-pairs", type=int, default=10, help="pairs of simulating players")
    parser.add_argument("--iterations", type=int, default=20, help="iterations of simulating players")
    parser.add_argument("--beam", type=int, default=40, help="positions that the search for dead positions keeps")


def prepare(parser, arguments):
    if arguments.pairs < 4 or arguments.slow_pairs < 1 or arguments.iterations < 1:
        parser.error("--pairs must be at least 4, --slow-pairs and --iterations at least 1")


PARTS = {"ghost": ghost, "superghost": superghost, "dead": dead, "search": search, "wordsmog": wordsmog, "super": super_board, "languages": languages}
