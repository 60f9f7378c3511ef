#!/usr/bin/env python3
"""Tilewright as the engine worker of Quackle Web: JSON lines on standard input and output, protocol version 1. Python 3.9.

    scripts/quackle_web_worker.py --lexicon-id <name> [--data-dir <folder>] [--worker-kind fast|deep]

Quackle Web's Go supervisor starts it: set QUACKLE_WORKER_BIN to this script, and QUACKLE_LEXICON_ID to a lexicon of Tilewright, such as
ENABLE. A list or graph of that name may be in QUACKLE_DATA_DIR. The supervisor always passes --dawg and --gaddag, which name files of
Quackle; they are not read.

The worker answers `validate_position`, `generate_moves` and, with --worker-kind deep, `analyze`; `cancel` and the end of the input stop an
analysis. `generate_moves` ranks by static equity. `analyze` searches as `go` does until shortly before its deadline, so the same seed may
give other numbers. `win` is the share of draws in a pre-endgame, and 1, 0.5 or 0 in an endgame. The ids of moves are moves in Tilewright's
notation.

Environment: TILEWRIGHT is the engine, if it is not the release build or a program of the search path.
Exit status: 0, 1 if the engine cannot be used, 2 for a wrong argument.
"""

import argparse
import json
import queue
import sys
import threading
import time
from collections import Counter

from checkout import find_engine
from tilewright.engine import EndgameRow, EngineError, GenRow, Limit, PegRow, SimpleEngine, SimRow

SIZE = 15
RACK_SIZE = 7
MOST_EXCHANGES = 2**RACK_SIZE
LONGEST_MESSAGE = 1024


class WorkerError(Exception):
    """An error in a request: a code, a text, whether trying again may help, and details."""

    def __init__(self, code, message, retryable=False, details=None):
        super().__init__(message)
        self.code, self.retryable, self.details = code, retryable, details


def say(request_id, event, payload=None, error=None):
    """Writes an event."""
    said = {"protocol": 1, "id": request_id, "event": event}
    if error is None:
        said["payload"] = payload
    else:
        said["error"] = {"code": error.code, "message": str(error)[:LONGEST_MESSAGE], "retryable": error.retryable}
        if error.details:
            said["error"]["details"] = error.details
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def part(value, name):
    """An object of a request, empty if it is missing."""
    found = value.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise WorkerError("invalid_request", f"field {name!r} must be an object")
    return found


def whole(value, name, least, most, usual=None):
    """A number of a request."""
    number = value.get(name)
    if number is None and usual is not None:
        return usual
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if not isinstance(number, int) or isinstance(number, bool):
        raise WorkerError("invalid_request", f"field {name!r} must be an integer")
    if not least <= number <= most:
        raise WorkerError("invalid_request", f"field {name!r} must be between {least} and {most}")
    return number


class Position:
    """The position of a request."""

    def __init__(self, told, lexicon_id):
        if str(told.get("version", 1)) != "1":
            raise WorkerError("unsupported_position_version", "position.version must be 1")
        if str(told.get("lexicon_id", lexicon_id)).upper() != lexicon_id.upper():
            raise WorkerError("lexicon_mismatch", f"this worker has the lexicon {lexicon_id}")
        board = part(told, "board")
        if board.get("id", "classic15") != "classic15":
            raise WorkerError("board_mismatch", "this worker only has the board classic15")
        self.squares = squares_of(board.get("cells"))
        players = part(told, "players")
        own, other = part(players, "on_turn"), part(players, "opponent")
        self.rack = rack_of(told.get("rack"), "rack")
        self.other_rack = rack_of(other.get("rack"), "opponent rack")
        self.scores = [whole(player, "score", 0, 100_000, 0) for player in (own, other)]
        self.zero_turns = whole(part(told, "turn"), "scoreless_turns", 0, 1000, 0)

    def cgp(self):
        """The position for the engine."""
        rows = []
        for row in range(SIZE):
            text, empty = "", 0
            for column in range(SIZE):
                letter = self.squares.get((row, column))
                if letter is None:
                    empty += 1
                else:
                    text, empty = text + (str(empty) if empty else "") + letter, 0
            rows.append(text + (str(empty) if empty else ""))
        racks, scores = f"{self.rack}/{self.other_rack}", "/".join(map(str, self.scores))
        return f"{'/'.join(rows)} {racks} {scores} {self.zero_turns}"

    def tiles(self):
        """The tiles on the board, and the known tiles of the racks."""
        placed = ("?" if letter.islower() else letter for letter in self.squares.values())
        return Counter(placed) + Counter(self.rack) + Counter(self.other_rack)

    def words(self):
        """The words on the board: word, orientation, row and column of its first letter."""
        for orientation, step in (("horizontal", (0, 1)), ("vertical", (1, 0))):
            for row, column in sorted(self.squares):
                if (row - step[0], column - step[1]) not in self.squares:
                    word = ""
                    at = (row, column)
                    while at in self.squares:
                        word += self.squares[at].upper()
                        at = (at[0] + step[0], at[1] + step[1])
                    if len(word) > 1:
                        yield word, orientation, row, column


def squares_of(cells):
    """The letters on the board by row and column, in lowercase for blanks."""
    if not isinstance(cells, list):
        raise WorkerError("invalid_position", "board.cells must be an array")
    squares = {}
    for cell in cells:
        if not isinstance(cell, dict):
            raise WorkerError("invalid_position", "each cell of the board must be an object")
        at = (whole(cell, "row", 0, SIZE - 1), whole(cell, "col", 0, SIZE - 1))
        letter = cell.get("letter")
        if not isinstance(letter, str) or len(letter) != 1 or not letter.isascii() or not letter.isalpha():
            raise WorkerError("invalid_position", f"the cell at row {at[0]}, col {at[1]} needs a letter from A to Z")
        if at in squares:
            raise WorkerError("invalid_position", f"the cell at row {at[0]}, col {at[1]} comes twice")
        squares[at] = letter.lower() if cell.get("blank") is True else letter.upper()
    return squares


def rack_of(text, name):
    """Tiles of a rack; empty if they are not known."""
    text = "" if text is None else text
    if not isinstance(text, str) or len(text) > RACK_SIZE:
        raise WorkerError("invalid_rack", f"the {name} must be a text of at most {RACK_SIZE} tiles")
    if any(not (tile == "?" or (tile.isascii() and tile.isalpha())) for tile in text):
        raise WorkerError("invalid_rack", f"the {name} may only have letters from A to Z and ?")
    return text.upper()


class Worker:
    """The engine, and the request that it answers."""

    def __init__(self, engine, arguments):
        self.engine = engine
        self.lexicon_id = arguments.lexicon_id
        self.operations = ["validate_position", "generate_moves"] + (["analyze"] if arguments.worker_kind == "deep" else [])
        tiles = (line.split() for line in engine.tell("rules") if line.startswith("info string rules tile "))
        self.distribution = Counter({words[4]: int(words[8]) for words in tiles})
        # The search that the reader of the input stops.
        self.running = None
        self.analysis = None
        self.is_cancelled = False
        self.lock = threading.Lock()

    def ready(self, arguments):
        """Returns the first line for the supervisor."""
        return {
            "worker_kind": arguments.worker_kind,
            "worker_build": arguments.worker_build,
            "engine": self.engine.id.get("name", ""),
            "protocol_version": 1,
            "lexicon": {"id": self.lexicon_id, "display_name": self.lexicon_id},
            "board_id": "classic15",
            "analysis_capability": "deep",
            "threads": 1,
            "operations": self.operations,
        }

    def stop(self, target=None):
        """Stops the analysis of a request, or any analysis. Called by the reader of the input. Returns whether there is such a request."""
        with self.lock:
            if self.running is None or target not in (None, self.running):
                return False
            self.is_cancelled = True
            if self.analysis is not None:
                self.analysis.stop()
            return True

    def answer(self, request):
        """Answers a request."""
        began = time.monotonic()
        request_id = request.get("id")
        operation, payload = request["op"], request["payload"]
        deadline = whole(request, "deadline_ms", 1, 60_000)
        seed = whole(request, "seed", 0, 2**32 - 1)
        if operation not in self.operations:
            raise WorkerError("unsupported_operation", f"operation {operation!r} is not one of {', '.join(self.operations)}")
        say(request_id, "started", {"op": operation})
        position = Position(part(payload, "position") or payload, self.lexicon_id)
        options = part(payload, "options")
        if operation == "validate_position":
            issues = self.issues(position)
            data = {"valid": not issues, "issues": issues}
        elif operation == "generate_moves":
            data = self.generate(position, options)
        else:
            # The remaining time is for describing the moves after the search.
            until = began + deadline / 1000 - min(1.0, 0.1 + deadline / 10_000)
            data = self.analyze(position, options, seed, request_id, until)
            if data is None:
                say(request_id, "cancelled", {"target_id": request_id})
                return
        elapsed = round((time.monotonic() - began) * 1000)
        if elapsed > deadline:
            raise WorkerError("deadline_exceeded", "the operation has exceeded its deadline", retryable=True)
        say(request_id, "result", {"op": operation, "elapsed_ms": elapsed, "data": data})

    def issues(self, position):
        """Returns what is wrong with a position: more tiles than the game has, and words that are not in the lexicon."""
        issues = []
        if position.tiles() - self.distribution:
            issues.append({"code": "tile_multiset_exceeded", "message": "board and racks have more tiles than the game has"})
        words = list(position.words())
        if words:
            said = self.engine.tell("check " + " ".join(word for word, *_ in words))
            invalid = {line.split()[3] for line in said if line.startswith("info string check ") and line.endswith(" invalid")}
            for word, orientation, row, column in words:
                if word in invalid:
                    message = f"word {word} is not in {self.lexicon_id}"
                    issue = {"code": "unacceptable_word", "message": message, "word": word}
                    issues.append({**issue, "orientation": orientation, "row": row, "col": column})
        return issues

    def set_up(self, position):
        """Gives the engine a position; returns the words on its board that are not in the lexicon."""
        issues = self.issues(position)
        blocking = [issue for issue in issues if issue["code"] != "unacceptable_word"]
        if blocking:
            raise WorkerError("invalid_position", "the position is not valid", details={"issues": blocking})
        if not position.rack:
            raise WorkerError("invalid_rack", "the rack is empty")
        self.engine.position(position.cgp())
        return issues

    def generate(self, position, options):
        """`generate_moves`."""
        limit = whole(options, "limit", 1, 100, 20)
        warnings = self.set_up(position)
        has_exchanges = options.get("include_exchanges", True) is not False
        rows = self.engine.analyse(None, mode="gen", multipv=limit + (0 if has_exchanges else MOST_EXCHANGES)).of(GenRow)
        rows = [row for row in rows if has_exchanges or not row.move.startswith("ex.")][:limit]
        moves = [{**self.move(position, row.move), "score": row.score, "equity": row.equity} for row in rows]
        return {"moves": moves, "count": len(moves), "board_warnings": warnings}

    def analyze(self, position, options, seed, request_id, until):
        """`analyze`; None if it was cancelled."""
        limit = whole(options, "limit", 1, 50, 10)
        began = time.monotonic()
        warnings = self.set_up(position)
        seconds = max(0.01, until - time.monotonic())
        with self.lock:
            if self.is_cancelled:
                return None
            self.analysis = self.engine.analysis(None, Limit(time=seconds), seed=seed)
        say(request_id, "progress", {"fraction": 0.0, "elapsed_ms": 0})
        for _ in self.analysis:
            elapsed = time.monotonic() - began
            say(request_id, "progress", {"fraction": min(0.99, elapsed / seconds), "elapsed_ms": round(elapsed * 1000)})
        result = self.analysis.wait()
        if self.is_cancelled:
            return None
        say(request_id, "progress", {"fraction": 1.0, "elapsed_ms": round((time.monotonic() - began) * 1000)})
        rows = rows_of(result.ranking, position.scores[0] - position.scores[1])
        moves = []
        for rank, (move, win, equity) in enumerate(rows[:limit], 1):
            described = self.move(position, move)
            equity = described["score"] if equity is None else equity
            moves.append({**described, "equity": equity, "rank": rank, "win": win, "possible_win": win})
        return {"moves": moves, "count": len(moves), "strategy": "tilewright", "board_warnings": warnings, "partial": False}

    def move(self, position, move):
        """A move in the form of the worker's protocol, with its points."""
        said = {"id": move, "action": "place", "position": "-", "row": 0, "col": 0, "horizontal": True, "is_bingo": False}
        if move == "pass":
            return {**said, "action": "pass", "tiles": "", "used_tiles": "", "word": "", "score": 0}
        square, tiles = move.split(".")
        if square == "ex":
            return {**said, "action": "exchange", "tiles": tiles, "used_tiles": tiles, "word": "", "score": 0}
        is_across = square[0].isdigit()
        column = square.lstrip("0123456789") if is_across else square[0]
        row, column = int(square.replace(column, "")) - 1, ord(column) - ord("A")
        step = (0, 1) if is_across else (1, 0)
        places = [(row + at * step[0], column + at * step[1]) for at in range(len(tiles))]
        placed = "".join("." if place in position.squares else tile for place, tile in zip(places, tiles))
        used = "".join("?" if tile.islower() else tile for tile in placed if tile != ".")
        words = self.engine.tell(f"score {move}")[0].split()
        return {
            **said,
            "position": square,
            "row": row,
            "col": column,
            "horizontal": is_across,
            "tiles": placed,
            "used_tiles": used,
            "word": tiles.upper(),
            "score": int(words[words.index("score", 3) + 1]),
            "is_bingo": len(used) == RACK_SIZE,
        }


def rows_of(ranking, lead):
    """The moves of a ranking, the best first, each with its chance of winning and its equity, if it has one."""
    rows = []
    for row in ranking.rows:
        if isinstance(row, SimRow):
            rows.append((row.move, row.win / 100, row.equity))
        elif isinstance(row, PegRow):
            rows.append((row.move, None if row.win is None else row.win / 100, row.spread))
        elif isinstance(row, EndgameRow) and row.move:
            end = lead + row.spread
            # There is a row for each depth, and the last one is the answer.
            rows = [(row.move, 1.0 if end > 0 else 0.5 if end == 0 else 0.0, row.spread)]
        elif isinstance(row, GenRow):
            rows.append((row.move, None, row.equity))
    return rows


def request_of(line):
    """A line as a request."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WorkerError("invalid_json", str(error)) from error
    if not isinstance(request, dict):
        raise WorkerError("invalid_json", "a request must be an object")
    return request


def check_request(request):
    """Raises the first error in the fields that all requests have."""
    if request.get("protocol") != 1:
        raise WorkerError("protocol_mismatch", "protocol must be 1")
    if not isinstance(request.get("id"), str) or not request["id"]:
        raise WorkerError("invalid_request", "id must be a text, and not empty")
    if not isinstance(request.get("op"), str):
        raise WorkerError("invalid_request", "op must be a text")
    if not isinstance(request.get("payload"), dict):
        raise WorkerError("invalid_request", "payload must be an object")
    if request["op"] == "cancel" and not isinstance(request["payload"].get("target_id"), str):
        raise WorkerError("invalid_request", "cancel needs payload.target_id")


def read_input(worker, lines):
    """Passes lines on, and stops the analysis that a line cancels; None marks the end."""
    for line in sys.stdin:
        try:
            request = request_of(line)
            if request.get("op") == "cancel":
                check_request(request)
                worker.stop(request["payload"]["target_id"])
        except WorkerError:
            pass  # the error is reported when the line is answered
        lines.put(line)
    lines.put(None)
    worker.stop()


def answer_line(worker, line):
    """Answers any line, even an invalid one."""
    request_id = None
    try:
        request = request_of(line)
        given = request.get("id")
        request_id = given if isinstance(given, str) and given else None
        check_request(request)
        if request["op"] == "cancel":
            say(request_id, "cancelled", {"target_id": request["payload"]["target_id"]})
            return
        with worker.lock:
            worker.running, worker.is_cancelled = request_id, False
        worker.answer(request)
    except WorkerError as error:
        say(request_id, "error", error=error)
    except EngineError as error:
        if error.code in ("ended", "timeout", "nonsense", "missing"):
            raise
        code = {"bad-position": "invalid_position", "bad-move": "invalid_position"}.get(error.code, "engine_error")
        say(request_id, "error", error=WorkerError(code, error.message))
    finally:
        with worker.lock:
            worker.running = worker.analysis = None


def open_engine(arguments):
    """The engine with the lexicon of this name, in any case."""
    engine = SimpleEngine.popen_siu(find_engine())
    if arguments.data_dir:
        engine.configure({"DataPath": arguments.data_dir})
    names = dict.fromkeys([arguments.lexicon_id, arguments.lexicon_id.upper()])
    for name in names:
        try:
            engine.configure({"Lexicon": name})
            engine.ping()
            return engine
        except EngineError as error:
            refused = error
    raise refused


def read_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lexicon-id", default="ENABLE", help="the lexicon's name")
    parser.add_argument("--data-dir", default="", help="a folder with lexicons for Tilewright")
    parser.add_argument("--worker-kind", default="fast", choices=("fast", "deep"), help="deep workers also analyze")
    parser.add_argument("--worker-build", default="development", help="repeated in the ready event")
    parser.add_argument("--dawg", help="not read")
    parser.add_argument("--gaddag", help="not read")
    return parser.parse_args()


def main():
    """Answers requests until the input ends."""
    arguments = read_arguments()
    try:
        with open_engine(arguments) as engine:
            worker = Worker(engine, arguments)
            say(None, "ready", worker.ready(arguments))
            lines = queue.Queue()
            threading.Thread(target=read_input, args=(worker, lines), daemon=True).start()
            while (line := lines.get()) is not None:
                if line.strip():
                    answer_line(worker, line)
    except EngineError as error:
        sys.exit(f"the engine: {error}")


if __name__ == "__main__":
    main()
