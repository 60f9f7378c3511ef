"""Runs on Ray: several nodes on this machine, some of which are lost while they work, and drivers that die."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import pytest

from tilewright.__main__ import again_words
from tilewright.ray import RayRunError, _ship, ray_analyse, ray_match, ray_tournament, ray_train, run

ray = pytest.importorskip("ray", reason="Ray is not installed")

Untimed = Callable[[Path], List[str]]

#: Pairs of some tenths of a second.
MATCH = ["match", "sim:iterations=60,plies=2,plays=6", "greedy", "--pairs", "24", "--redraws", "2"]


def program(*words: str) -> str:
    done = subprocess.run([*again_words(), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    # Ray's workers also look for modules in the driver's folder, so it must not be that of the sources.
    here = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("driver"))
    os.environ["RAY_AUTH_MODE"] = "disabled"  # a cluster of this test, which writes no token into the user's folder
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for _ in range(2):
        made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False)
    os.chdir(here)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < end, "it has not come"
        time.sleep(0.02)


def pieces(journal: Path) -> int:
    return max(0, journal.read_bytes().count(b"\n") - 1) if journal.exists() else 0


def test_a_lost_node_changes_nothing(cluster: Any, folder: Path, untimed_lines: Untimed) -> None:
    program(*MATCH, "--out", "one.jsonl")
    journal = folder / "ray.jsonl"

    def lose_a_node() -> None:
        wait_for(lambda: pieces(journal) > 0)
        # Its processes are killed, in the middle of a task. Two nodes are left.
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    killer = threading.Thread(target=lose_a_node)
    killer.start()
    done = run([*MATCH, "--out", "ray.jsonl"], shards=8)
    killer.join()
    assert (done.pieces, done.computed, done.shards, done.unit) == (24, 24, 8, "pair") and "24 pairs of games" in done.report
    assert untimed_lines(journal) == untimed_lines(folder / "one.jsonl")


def test_a_dead_driver_is_followed_by_another_one(cluster: Any, folder: Path, untimed_lines: Untimed) -> None:
    program(*MATCH, "--seed", "3", "--out", "one.jsonl")
    journal = folder / "ray.jsonl"
    words = [*MATCH, "--seed", "3", "--out", "ray.jsonl"]
    with subprocess.Popen([sys.executable, "-m", "tilewright.ray", "--address", cluster.address, "--shards", "8", *words]) as driver:
        wait_for(lambda: pieces(journal) > 0)
        driver.send_signal(signal.SIGKILL)
    found = pieces(journal)
    assert 0 < found < 24
    # The unfinished file is a valid journal. A line that was cut off does no harm.
    program("tournament", "--report", "--journal", "ray.jsonl")
    with journal.open("ab") as file:
        file.write(b'{"piece":23,"run":"')
    with pytest.raises(RayRunError, match="--resume continues it"):
        run(words)
    with pytest.raises(RayRunError, match="seed"):
        run([*MATCH, "--seed", "4", "--out", "ray.jsonl", "--resume"])
    done = run([*words, "--resume"])
    assert done.computed == 24 - found and done.tasks < done.shards
    assert untimed_lines(journal) == untimed_lines(folder / "one.jsonl")
    again = ray_match(MATCH[1], "greedy", 24, redraws=2, seed=3, out="ray.jsonl", resume=True, html="page.html")
    assert again.computed == again.tasks == 0 and "<html" in (folder / "page.html").read_text()[:200]


def language(folder: Path) -> None:
    """Words of three letters, and their tiles."""
    (folder / "tiny.csv").write_text(
        "?,?,1,0,0\n" + "".join(f"{letter},{letter.lower()},6,{value},{vowel}\n" for letter, value, vowel in TILES)
    )
    (folder / "tiny.txt").write_text("".join(f"{a}{b}\n{b}{a}{c}\n" for a in "AB" for b in "AC" for c in "ABC" if a != b))


TILES = [("A", 1, 1), ("B", 2, 0), ("C", 3, 0)]


def test_trainings_ship_their_words(cluster: Any, folder: Path) -> None:
    language(folder)
    flags: Dict[str, Any] = {"letters": "tiny.csv", "lexicon": "tiny.txt", "save_every": 4}
    words = ["--letters", "tiny.csv", "--lexicon", "tiny.txt", "--save-every", "4"]
    program("lab", "train", "winpct", *words, "--games", "20", "--out", "one.win.csv")
    done = ray_train("winpct", out="ray.win.csv", games=20, shards=3, **flags)
    assert (done.pieces, done.tasks) == (5, 3)
    assert (folder / "ray.win.csv").read_bytes() == (folder / "one.win.csv").read_bytes()
    assert not (folder / "ray.win.csv.part").exists()
    # A generation of leaves depends on all pieces of the previous one.
    leaves = ["--boards", "6", "--generations", "2", "--pairs", "8"]
    program("lab", "train", "leaves", *words[:4], "--save-every", "2", *leaves, "--out", "one.klv2", "--journal", "one.j")
    flags["save_every"] = 2
    ray_train("leaves", *leaves, out="ray.klv2", journal="ray.j", **flags)
    assert (folder / "ray.klv2").read_bytes() == (folder / "one.klv2").read_bytes()
    assert (folder / "ray.j").read_bytes() == (folder / "one.j").read_bytes()


def test_tournaments_and_analyses(cluster: Any, folder: Path, untimed_lines: Untimed) -> None:
    engines = ["rack1", "greedy", "rack2", "rack3"]
    settings = ["format=swiss", "pairs=2", "rounds=2"]
    words = [word for engine in engines for word in ("--engine", engine)] + [word for key in settings for word in ("--set", key)]
    program("tournament", *words, "--journal", "one.jsonl")
    done = ray_tournament(engine=engines, set=settings, journal="ray.jsonl", csv_pairs="pairs.csv")
    assert untimed_lines(folder / "ray.jsonl") == untimed_lines(folder / "one.jsonl") and done.pieces == 8
    assert len((folder / "pairs.csv").read_text().splitlines()) == 17
    program("lab", "selfplay", "1", "--seed", "8", "--out", "games")
    program("analyse", "games", "--iterations", "2", "--journal", "one.j", "--json", "one.json")
    ray_analyse("games", iterations=2, journal="ray.j", json="ray.json", shards=4)
    assert (folder / "ray.j").read_bytes() == (folder / "one.j").read_bytes()
    reports = [json.loads((folder / name).read_text())["games"] for name in ("one.json", "ray.json")]
    assert reports[0] == reports[1]


def test_what_cannot_be_run_is_told(cluster: Any, folder: Path) -> None:
    (folder / "there.html").write_text("")
    for words, message in [
        (["match", "statik", "greedy", "--out", "m"], "statik"),
        (["match", "static", "greedy"], "match needs --out"),
        (["match", "static", "greedy", "--out", "m", "--shard", "1/2"], "Ray divides the run itself"),
        (["match", "static", "greedy", "--out", "m", "--html", "there.html"], "there.html: the file exists already"),
        (["match", "static", "greedy", "--out", "no/folder"], "no/folder"),
        (["lab", "bench"], "has no pieces"),
        (["lab", "train", "weights", "--out", "w"], "."),
        (["lab", "endgames", "--file", "none", "--journal", "e"], "none"),
    ]:
        with pytest.raises(RayRunError, match=message):
            run(words, progress=False)
    assert not (folder / "m").exists()
    told = subprocess.run([sys.executable, "-m", "tilewright.ray", "match", "a", "b"], capture_output=True, text=True, check=False)
    assert told.returncode == 1 and told.stderr == "tilewright.ray: match needs --out, the file in which its pieces are kept\n"


def test_what_is_shipped(folder: Path) -> None:
    (folder / "lists").mkdir()
    for name in ("lists/own.txt", "lists/own.klv2", "lists/other.txt", "polish.csv", "engine", "t.toml"):
        (folder / name).write_text(name)
    (folder / "t.toml").write_text('[game]\nlexicon = "lists/own.txt"\n[[engines]]\ncommand = "./engine"\n')
    (folder / "engine").chmod(0o700)
    words, shipped = _ship(["match", "static:leaves=lists/own.klv2", "greedy", "--letters=polish", "--pairs", "10"], "match", [])
    assert words[1] == "static:leaves=lists/own.klv2" and set(shipped.contents) == {"lists/own.txt", "lists/own.klv2", "polish.csv"}
    _, shipped = _ship(["tournament", "t.toml"], "tournament", ["lists/other.txt"])
    assert set(shipped.contents) == {"t.toml", "lists/own.txt", "lists/own.klv2", "lists/other.txt", "engine"}
    assert shipped.contents["engine"] == (0o700, b"engine")
    words, shipped = _ship(["match", "static", "greedy", f"--lexicon={folder / 'lists/own.txt'}"], "match", [])
    assert words[3] == "--lexicon=outside/0/own.txt" and set(shipped.contents) == {"outside/0/own.txt", "outside/0/own.klv2"}
    with pytest.raises(RayRunError, match="below the current folder"):
        _ship(["match", f"static:leaves={folder / 'lists/own.klv2'}", "greedy"], "match", [])
