#!/usr/bin/env python3
"""A SIU and UCGI engine that does something wrong, for the tests of tournaments: `bad_engine.py <what>`.

It passes where it does nothing wrong. If the environment has PIDS, the numbers of its processes are appended to that file.
"""

import os
import signal
import subprocess
import sys
import time

WHAT = sys.argv[1]


def note(pid):
    if "PIDS" in os.environ:
        with open(os.environ["PIDS"], "a") as pids:
            print(pid, file=pids)


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def choose(cgp, turn):
    """The answer to a `go`, or None for none."""
    board, racks = cgp.split()[:2]
    rack = racks.split("/")[0]
    first = not any(character.isalpha() for character in board)
    if WHAT in ("dies", "dies-before-its-child") and turn == 3:
        if WHAT == "dies-before-its-child":
            # The child holds the output.
            note(subprocess.Popen(["sleep", "1000"]).pid)
        os._exit(7)
    if WHAT == "silent":
        return None
    if WHAT == "notes-interrupts":
        note("asked")
        return None
    if WHAT == "refuses":
        say("info string error unsupported-mode not today")
        return None
    if WHAT == "late" or WHAT == "slow" and turn == 1:
        time.sleep(0.7)
    if WHAT == "floods":
        sys.stdout.write("info string more and more\n" * 400_000)
        return None
    if WHAT == "floods-without-end":
        sys.stdout.write("more and more " * 800_000)
        return None
    if WHAT in ("eats", "child-eats"):
        # Slowly enough for the machine, without an end.
        eater = "import time\nkept = []\nwhile True: kept.append(bytearray(b'x' * (8 << 20))); time.sleep(0.02)"
        if WHAT == "child-eats":
            note(subprocess.Popen([sys.executable, "-c", eater]).pid)
            time.sleep(600)
        exec(eater)
    if WHAT == "closes":
        os.close(1)
        return None
    if WHAT == "twice":
        say("bestmove pass")
    if WHAT == "illegal":
        return "1A.DOG" if first else "8H"
    if WHAT == "none":
        return "none"
    if WHAT == "words" and first:
        return "8D." + rack.replace("?", "q")
    if WHAT == "tiles" and first:
        letter = next(letter for letter in "ETAO" if letter not in rack)
        return f"8G.{letter}{letter}"
    return "pass"


def main():
    note(os.getpid())
    if WHAT == "notes-interrupts":
        signal.signal(signal.SIGINT, lambda *_: note("interrupted"))
    if WHAT in ("children", "stays"):
        note(subprocess.Popen(["sleep", "1000"]).pid)
    cgp, turn, words = "", 0, []
    for line in sys.stdin:
        words, has_position = line.split(), words[:1] == ["position"]
        if WHAT == "without-handshake":
            continue
        if words in (["siu"], ["ucgi"]):
            say(f"id name bad {WHAT}\n{words[0]}ok")
        elif words in (["siunewgame"], ["ucginewgame"]):
            turn = 0
        elif words[:1] == ["isready"]:
            if not (WHAT == "loads-for-ever" or WHAT == "unready" and has_position):
                say("readyok")
        elif words[:2] == ["position", "cgp"]:
            cgp = line.split(maxsplit=2)[2]
        elif words[:1] == ["go"]:
            # The first search is that of the check before the first game.
            if words == ["go", "movetime", "50"]:
                say("bestmove pass")
                continue
            turn += 1
            answer = choose(cgp, turn)
            if answer is not None:
                say(f"bestmove {answer}")
        elif words[:1] == ["quit"] and WHAT != "stays":
            return
    while WHAT in ("stays", "closes"):
        time.sleep(1)


if __name__ == "__main__":
    main()
