#!/usr/bin/env python3
"""A good engine with one fault, for the tests of `tilewright conform`: `twisted_engine.py <fault> <engine> [args...]`.

It starts the engine and hands lines on, both ways, but for the fault. A fault is a function of the line that comes from the front end, or of
the line that comes from the engine; it gives the lines that are handed on instead.
"""

import os
import re
import subprocess
import sys
import threading
import time

FAULT = sys.argv[1]
LOCK = threading.Lock()
STATE = {"searching": False, "position": ""}


def say(line):
    with LOCK:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def without(pattern):
    return lambda line: [] if re.match(pattern, line) else [line]


def instead(pattern, text):
    return lambda line: [re.sub(pattern, text, line)]


def after(pattern, *more):
    return lambda line: [line, *more] if re.match(pattern, line) else [line]


def drop_parameter(name, arguments=r"(?: (?!movetime|iterations|alsosearchmoves|searchmoves)\S+)*"):
    return lambda line: [re.sub(rf" {name}{arguments}", "", line)] if line.lstrip().startswith("go") else [line]


def forgets_position(line):
    """Plays from the first position that it is told, whatever comes later."""
    if line.startswith("position"):
        return [STATE.setdefault("first", line)]
    return [line]


def ready_again(line):
    return [line, "readyok"] if line == "readyok" else [line]


def ready_waits(line):
    """Answers isready only once the search is over."""
    if line == "isready" and STATE["searching"]:
        return ["stop", line]
    return [line]


# What becomes of the front end's lines.
TO_ENGINE = {
    "deaf-to-quit": without("quit"),
    "deaf-to-end": None,
    "deaf-to-stop": without("stop"),
    "dies-of-unknown": lambda line: ["quit"] if "joho" in line else [line],
    "dies-of-crlf": lambda line: ["quit"] if line.endswith("\r") else [line],
    "dies-of-long-lines": lambda line: ["quit"] if len(line) > 1000 else [line],
    "dies-of-options": lambda line: ["quit"] if re.match("setoption.*no-such-value", line) else [line],
    "refuses-small-letters": instead("^setoption name [a-z].*", "setoption name none value none"),
    "plays-without-position": after("siu|ucgi", "position startpos", "rack AEINRST"),
    "stops-at-isready": ready_waits,
    "infinite-for-a-moment": lambda line: [line.replace("infinite", "movetime 100")],
    "infinite-until-certain": lambda line: [line.replace("infinite", "movetime 1") if "FA13" in STATE["position"] else line],
    "overruns": lambda line: [re.sub(r"movetime\s+(500|2000)$", "movetime 4500", line)],
    "one-limit": lambda line: [line.replace("iterations 20 ", "")],
    "drops-searchmoves": drop_parameter("searchmoves"),
    "drops-alsosearchmoves": drop_parameter("alsosearchmoves"),
    "sticks-to-position": forgets_position,
    "hears-no-moves": lambda line: [line.split(" moves ")[0].replace(" / ", " AEINRST/ ")] if line.startswith("position") else [line],
}

# What becomes of the engine's lines.
FROM_ENGINE = {
    "speaks-first": None,
    "nameless": without("id author"),
    "boasts": instead("^(capability .*)", r"\1 fly"),
    "bad-option-line": instead("^option name Threads type spin.*", "option name Threads type spin default 0 min 1 max 2"),
    "ready-twice": ready_again,
    "answers-idle-stop": None,
    "wrong-code": instead("^info string error (?:bad|no|un)-?[a-z]*-?[a-z]*", "info string error bad-luck"),
    "swallows-errors": without("info string error"),
    "swallows-ignored": without("info string ignored"),
    "illegal": instead("^bestmove .*", "bestmove 1A.QZX"),
    "passes": instead("^bestmove .*", "bestmove pass"),
    "twice": after("bestmove", "bestmove pass"),
    "silent": without("bestmove"),
    "no-provenance": without("info string provenance"),
    "wrong-scores": instead(r"^(info gen .* score )\d+", r"\g<1>7"),
    "wrong-rows": instead(r"^info (sim|peg|endgame|infer) .*", r"info \1 nothing"),
    "wrong-spread": instead(r"score spread ([+-]?)\d+ pv", r"score spread \g<1>3 pv"),
    "moves-after-the-end": instead("^bestmove (none|pass)", "bestmove 8H.AN"),
}


def relay(child):
    """Lines of the engine."""
    for line in child.stdout:
        line = line.rstrip("\n")
        if line.startswith("bestmove"):
            STATE["searching"] = False
        for text in (FROM_ENGINE.get(FAULT) or (lambda same: [same]))(line):
            say(text)
    if FAULT.startswith("deaf"):
        return
    os._exit(0)


def main():
    if FAULT not in TO_ENGINE and FAULT not in FROM_ENGINE:
        sys.exit(f"no fault {FAULT}")
    if FAULT == "speaks-first":
        say("hello")
    child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace", bufsize=1)
    threading.Thread(target=relay, args=(child,), daemon=True).start()
    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", "replace").rstrip("\n")
        if line.startswith("position"):
            STATE["position"] = line
        if line == "stop" and FAULT == "answers-idle-stop" and not STATE["searching"]:
            say("bestmove pass")
        if line.strip().startswith("go"):
            STATE["searching"] = True
        for text in (TO_ENGINE.get(FAULT) or (lambda same: [same]))(line):
            try:
                child.stdin.write(text + "\n")
                child.stdin.flush()
            except OSError:
                break
    if FAULT == "deaf-to-end":
        time.sleep(1000)
    child.stdin.close()
    child.wait()


if __name__ == "__main__":
    main()
