"""The program in the package: `python -m tilewright`, and the console script."""

import shlex
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Callable, List

import pytest

MODULE = [sys.executable, "-m", "tilewright"]
SCRIPT = [str(Path(sysconfig.get_path("scripts")) / "tilewright")]
ON_UNIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and closed streams of Unix")


def told(folder: Path, *words: str, program: List[str] = MODULE, status: int = 0) -> str:
    done = subprocess.run([*program, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == status, done
    return done.stdout if status == 0 else done.stderr


@pytest.mark.parametrize("program", [MODULE, SCRIPT])
def test_subcommands_and_statuses(tmp_path: Path, program: List[str]) -> None:
    assert told(tmp_path, "--version", program=program).startswith("tilewright 0.")
    assert told(tmp_path, "position startpos", "rack AEINRST", "go gen", program=program).count("RETINAS")
    assert "tilewright: no game could be read" in told(tmp_path, "analyse", "none", program=program, status=1)
    assert "Usage: tilewright match" in told(tmp_path, "match", "static", program=program, status=2)
    assert 'did you mean "match"' in told(tmp_path, "macth", program=program, status=2)


def test_the_protocol_ends_with_its_input(tmp_path: Path) -> None:
    done = subprocess.run(MODULE, input="siu\n", cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "siuok" and done.stderr == ""


def test_the_program_starts_itself_in_any_folder(tmp_path: Path) -> None:
    # Neither the folder nor the environment may replace the package.
    for name in ("tilewright.py", "signal.py", "ctypes.py"):
        (tmp_path / name).write_text("raise SystemExit(3)\n")
    (tmp_path / "games.toml").write_text(
        'pairs = 1\n[time]\nnodes = 100\n[[engines]]\nname = "a"\ndialect = "siu"\n[[engines]]\nname = "b"\nplayer = "greedy"\n'
    )
    told(tmp_path, "tournament", "games.toml", "--journal", "games.jsonl", program=SCRIPT)
    assert "fault" not in (tmp_path / "games.jsonl").read_text()
    told(tmp_path, f"setoption name LogFile value {tmp_path / 'session'}", "position startpos", "rack AEINRST", "go gen", program=SCRIPT)
    assert "the same as in the log" in told(tmp_path, "replay", "session", program=SCRIPT)


@ON_UNIX
@pytest.mark.parametrize("program", [MODULE, SCRIPT])
def test_an_interrupted_match_says_how_to_go_on(tmp_path: Path, program: List[str], untimed_lines: Callable[[Path], List[str]]) -> None:
    match = ["match", "rack1", "greedy", "--pairs", "500", "--redraws", "0", "--out", "m.jsonl"]
    told(tmp_path, *match, "--threads", "1")
    whole = untimed_lines(tmp_path / "m.jsonl")
    with subprocess.Popen([*program, *match, "--force", "--threads", "1"], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        first = running.stderr.readline()
        while (tmp_path / "m.jsonl").read_bytes().count(b"\n") < 3:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        rest = running.stderr.read()
    assert running.returncode == 1 and "Traceback" not in rest and "interrupted after" in rest
    command = first.removeprefix("if interrupted, go on with: ")
    assert shlex.split(command)[-1] == "--resume"
    subprocess.run(command, shell=True, cwd="/", check=True, capture_output=True)
    again = untimed_lines(tmp_path / "m.jsonl")
    different = [number for number, (a, b) in enumerate(zip(whole, again)) if a != b]
    assert len(again) == len(whole) and not different


@ON_UNIX
def test_an_interrupt_ends_a_command_that_does_not_listen(tmp_path: Path) -> None:
    with subprocess.Popen([*MODULE, "lab", "selfplay", "1000000"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        time.sleep(4)  # Python has started, and the command is at work.
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    assert running.returncode != 0 and b"Traceback" not in errors


@ON_UNIX
def test_closed_streams(tmp_path: Path) -> None:
    program = shlex.join(MODULE)
    for command in (f"{program} lexicon words --length 7 | head -1", f"yes isready | {program} | head -3"):
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0 and "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr, done
    # An opened file does not become the standard output.
    subprocess.run(
        f"{program} match static greedy --pairs 1 --out m.jsonl >&- <&-", shell=True, cwd=tmp_path, capture_output=True, check=False
    )
    assert [line[:2] for line in (tmp_path / "m.jsonl").read_text().splitlines()] == ['{"', '{"']


def test_output_to_a_pipe_is_whole(tmp_path: Path) -> None:
    words = told(tmp_path, "lexicon", "words", "--length", "7").splitlines()
    numbers = [line.split()[0] for line in words[1:]]
    assert numbers == [str(number) for number in range(1, len(words))] and len(words) > 19_000
