#!/usr/bin/env python3
"""A small client of the Tilewright protocol. Python 3.9, standard library only.

    from client import Engine

    with Engine(["tilewright"]) as engine:
        engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")
        for info in engine.go("sim", iterations=500):
            print(info)
        print(engine.bestmove)

From a terminal it analyses one position:

    scripts/client.py "<cgp>" [--movetime ms] [--mode auto] [--rows n]

`EngineError` is raised if the engine cannot be started, refuses a command or lacks a search. A loop over `engine.go(...)` may be left early:
the next command stops the search first. `engine.ignored` lists what the engine could not use, for example a lexicon that does not exist.
protocol/README.md describes the protocol.

Environment: TILEWRIGHT is the engine, if --engine does not name it and it is not the release build or a program of the search path.
Exit status: 0, 1 if the engine fails, 2 for a wrong argument, 130 if interrupted.
"""

import argparse
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

ROWS = ("gen", "sim", "infer", "peg", "endgame", "challenge", "replies")
MODES = ("auto", *ROWS)
NUMBERS = {"score", "eq", "wp", "wpse", "eqse", "iters", "depth", "time", "nodes", "nps", "hashfull", "prob", "prior", "challenge", "accept", "below", "belowse", "probse", "scorese", "racks"}


class EngineError(Exception):
    """The engine refused something (`code`, `text`), could not be started, ended, or did not answer in time."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


class Engine:
    """A running engine. All methods block until the engine has answered, or raise EngineError.

    `name` and `options` (name -> line) are what the handshake told, `bestmove` the result of the last search. `ignored` is what the engine
    had no use for in the last position and search: unknown words, a lexicon that is not there.
    """

    def __init__(self, command, timeout=10.0):
        self.timeout = timeout
        self.name = ""
        self.options = {}
        self.capabilities = []
        self.provenance = ""
        self.ignored = []
        self._ignored_in_position = []
        self.bestmove = None
        # The number of `go`s, and the one whose `bestmove` is still to come.
        self._searches = 0
        self._searching = None
        self._lines = queue.Queue()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except OSError as error:
            raise EngineError("missing", f"{command[0]} cannot be started: {error.strerror}") from None
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._handshake()
        except EngineError:
            self.quit()
            raise

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None)

    def _handshake(self):
        self._send("siu")
        for line in self._until("siuok"):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            elif words[0] == "capability":
                self.capabilities = words[1:]
            elif words[:2] == ["option", "name"]:
                self.options[words[2]] = line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.quit()

    def _send(self, line):
        if "\n" in line or "\r" in line:
            raise ValueError("a command is one line")
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise EngineError("ended", f"the engine does not take {line!r}") from None

    def _line(self, deadline):
        try:
            line = self._lines.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise EngineError("timeout", "no answer in time") from None
        if line is None:
            self._lines.put(None)
            raise EngineError("ended", f"the engine has ended with status {self._process.wait()}")
        return line

    def _until(self, last, timeout=None):
        """Lines before the one that is `last`, error lines raised."""
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        lines = []
        error = None
        while True:
            line = self._line(deadline)
            if line == last:
                if error is not None:
                    raise error
                return lines
            error = error or _error(line)
            lines.append(line)

    def tell(self, line, timeout=None):
        """Sends a command that is not `go`; returns the lines it was answered. `timeout` in seconds, if not the engine's.

        A search that still runs, since the iteration over its infos was left early, is ended first.
        """
        self._end_search()
        self._send(line)
        self._send("isready")
        return self._until("readyok", timeout)

    def _end_search(self):
        """Stops the search that was left before its end, and takes what it still says: the next answer is the next command's."""
        if self._searching is None:
            return
        self._searching = None
        self._send("stop")
        deadline = time.monotonic() + self.timeout
        while True:
            line = self._line(deadline)
            if line.startswith("bestmove"):
                self.bestmove = line.split()[1]
                return
            error = _error(line)
            if error is not None and error.code != "busy":
                return

    def set_option(self, name, value):
        """Sets an option."""
        self.tell(f"setoption name {name} value {value}")

    def new_game(self):
        """The next position is of another game."""
        self.tell("siunewgame")

    def position(self, cgp=None, moves=(), rack=None):
        """Sets a position: a CGP, or the start of a game; then moves; then the rack of the player on turn."""
        words = ["position", f"cgp {cgp}" if cgp else "startpos"]
        tokens = [*moves, *([f"rack.{rack}"] if rack else [])]
        lines = self.tell(" ".join([*words, *(["moves"] if tokens else []), *tokens]))
        self._ignored_in_position = [line.split(" ", 3)[3] for line in lines if line.startswith("info string ignored ")]
        self.ignored = list(self._ignored_in_position)

    def go(self, mode="auto", infinite=False, moves=(), also=(), patience=None, **limits):
        """Starts a search and yields its infos as dicts; `bestmove` is set when it ends.

        An info has a `kind`: `gen`, `sim`, `infer`, `peg`, `endgame`, `challenge`, `replies`, `general` or `string`. `limits` are the parameters of `go`:
        movetime, iterations, depth, nodes, plays, multipv, seed, ... With `infinite`, call `stop` while iterating. With `patience`,
        it is an error if the search has not ended after so many seconds. The iteration may be left early: the next command ends the search.
        """
        # SIU has no capability for the last two.
        modes = [name for name in self.capabilities if name not in ("stream", "stop")] + ["challenge", "replies"]
        if mode not in modes:
            raise EngineError("unsupported-mode", f"{mode!r} is none of {' '.join(modes)}")
        self._end_search()
        self.ignored = list(self._ignored_in_position)
        words = ["go", mode, *(f"{name} {value}" for name, value in limits.items())]
        words += ["infinite"] if infinite else []
        words += ["searchmoves", *moves] if moves else []
        words += ["alsosearchmoves", *also] if also else []
        self.bestmove = None
        self._send(" ".join(words))
        # Only a generator's body runs late: the command is out before the first info is asked for.
        self._searches += 1
        self._searching = self._searches
        return self._infos(self._searches, None if patience is None else time.monotonic() + patience)

    def _infos(self, search, deadline):
        # An iteration that is taken up again after the next command has come to its end: the lines are others' now.
        while self._searching == search:
            line = self._line(deadline)
            words = line.split()
            if words[:1] == ["bestmove"]:
                self.bestmove = words[1]
                self._searching = None
                return
            error = _error(line)
            if error is not None and error.code != "busy":
                # A refused go has no bestmove.
                self._searching = None
                raise error
            if words[:3] == ["info", "string", "ignored"]:
                self.ignored.append(line.split(" ", 3)[3])
            if words[:3] == ["info", "string", "provenance"]:
                self.provenance = " ".join(words[3:])
            elif words[:1] == ["info"]:
                yield _info(words)

    def stop(self):
        """Ends the running search; the iteration over its infos then comes to its end."""
        self._send("stop")

    def search(self, *args, **kwargs):
        """Like `go`, to the end: returns (bestmove, rows of the last block)."""
        block = []
        goes_on = False
        for info in self.go(*args, **kwargs):
            is_row = info["kind"] in ROWS
            if is_row and not goes_on:
                block = []
            if is_row:
                block.append(info)
            goes_on = is_row
        return self.bestmove, block

    def quit(self):
        """Ends the engine."""
        if self._process.poll() is None:
            try:
                self._send("quit")
                self._process.wait(timeout=3)
            except (EngineError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                pass


def _error(line):
    words = line.split(" ", 4)
    return EngineError(words[3], words[4] if len(words) > 4 else "") if words[:3] == ["info", "string", "error"] else None


def _info(words):
    """`info sim move 8D.DOG wp 51.2 ...` as a dict."""
    if words[1] == "string":
        return {"kind": "string", "text": " ".join(words[2:])}
    if words[1] == "peg":
        return _peg(words)
    if words[1] == "endgame":
        return _endgame(words)
    if words[1] == "infer":
        return _infer(words)
    kind, pairs = (words[1], words[2:]) if words[1] in ("gen", "sim", "challenge", "replies") else ("general", words[1:])
    info = {"kind": kind}
    # A leave of no tiles is a key without a value.
    for key, value in zip(pairs[0::2], [*pairs[1::2], ""]):
        info[key] = (float(value) if "." in value else int(value)) if key in NUMBERS else value
    return info


def _peg(words):
    """`info peg move 3I.OXEN w:AC d:AE l:AI|AS spread -4`: `w`, `d` and `l` are lists of draws, `spread` is None as long as it is not known."""
    info = {"kind": "peg", "move": words[3], "spread": int(words[8]) if words[7:8] == ["spread"] else None}
    for word in words[4:7]:
        key, draws = word.split(":", 1)
        info[key] = draws.split("|") if draws else []
    return info


def _endgame(words):
    """`info endgame depth 5 score spread -6 estimate pv 5C.LAD B5.CRU`: `bound` is exact, lowerbound, upperbound or estimate, `pv` a list."""
    pv = words.index("pv")
    bound = words[7] if pv > 7 else "exact"
    return {"kind": "endgame", "depth": int(words[3]), "spread": int(words[6]), "bound": bound, "pv": words[pv + 1 :]}


def _infer(words):
    """`info infer leave ?O prob 0.02 prior 0.003`: a leave of no tiles is `-`."""
    return {"kind": "infer", "leave": words[3], "prob": float(words[5]), "prior": float(words[7])}


def find_engine():
    """The engine's path: $TILEWRIGHT, the release build beside this script, or the search path."""
    built = Path(__file__).resolve().parent.parent / "target" / "release" / "tilewright"
    for path in (os.environ.get("TILEWRIGHT"), str(built) if built.exists() else None, shutil.which("tilewright")):
        if path:
            return path
    sys.exit("no engine: build it with `cargo build --release`, or say --engine PATH")


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cgp", help="the position, racks and scores from the player on turn")
    parser.add_argument("--engine", help="path of the engine")
    parser.add_argument("--mode", default="auto", choices=MODES)
    parser.add_argument("--movetime", type=int, default=3000, help="ms to think")
    parser.add_argument("--rows", type=int, default=10, help="plays to show")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    try:
        with Engine([arguments.engine or find_engine()]) as engine:
            engine.position(arguments.cgp)
            limits = {"multipv": arguments.rows}
            if arguments.mode != "gen":
                limits.update(movetime=arguments.movetime, threads=arguments.threads)
            best, rows = engine.search(arguments.mode, **limits)
            print(f"{engine.name}, {engine.provenance}")
            for what in engine.ignored:
                print(f"ignored: {what}", file=sys.stderr)
            for row in rows:
                if row["kind"] == "sim":
                    print(f"{row['move']:<22} {row['wp']:7.2f} % ± {row['wpse']:.2f}  {row['eq']:+8.2f} ± {row['eqse']:.2f}  {row['iters']:>8}  {row['score']:>4}")
                elif row["kind"] == "peg":
                    spread = "" if row["spread"] is None else f"{row['spread']:+d}"
                    print(f"{row['move']:<22} wins {len(row['w']):>4} draws  ties {len(row['d']):>4}  losses {len(row['l']):>4}  {spread}")
                elif row["kind"] == "infer":
                    print(f"{row['leave']:<8} {100 * row['prob']:6.2f} % before {100 * row['prior']:6.2f} %")
                elif row["kind"] in ("challenge", "replies"):
                    print(" ".join(f"{key} {value}" for key, value in row.items() if key != "kind"))
                elif row["kind"] == "endgame":
                    print(f"{row['spread']:+d} ({row['bound']}, depth {row['depth']}): {' '.join(row['pv'])}")
                else:
                    print(f"{row['move']:<22} {row['score']:>5}  {row['eq']:+8.2f}  {row['leave']}")
            print(f"best: {best}")
    except EngineError as error:
        sys.exit(f"the engine: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
