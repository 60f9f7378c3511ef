"""Runs the program's long commands on a cluster, by Ray. The journal is the same as on one machine, byte for byte, except for times.

    from tilewright.ray import ray_match
    run = ray_match("sim:iterations=200", "static", pairs=20_000, out="match.jsonl", address="auto")
    print(run.report)

Ray distributes the tasks, repeats those of a lost node, and gathers the results. A task is a shard of the run (`--shard`): it plays in a
folder of its node with the program in this package, and returns the lines of its journal. The driver adds them to the journal of the run
as they come, so that this journal is valid at any time. If the driver dies, the same call with `resume=True` continues the run, and so
does the program without Ray. See docs/ray.md. Ray is needed when a run begins: `pip install tilewright[ray]`.
"""

from __future__ import annotations

import argparse
import dataclasses
import glob
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

__all__ = ["RayRun", "RayRunError", "ray_analyse", "ray_match", "ray_tournament", "ray_train", "run"]

#: Tasks for each worker, so that a task takes this part of the run's time. No more than that is lost with a worker, and no worker is busy
#: for longer after the others. Each task also has to start the program (scripts/measure_ray).
TASKS_PER_WORKER = 32

#: Tasks that are given to Ray at once, if the cluster is small.
WINDOW = 1000

#: A shard without pieces in any run: the program only makes the header.
_NO_PIECE = "1000000000000000000/1000000000000000000"

#: The files that a command writes about the whole run, by their flags.
_REPORTS = {
    "match": {"--html", "--csv-pairs", "--csv-turns"},
    "tournament": {"--html", "--csv-pairs", "--csv-turns", "--gcg", "--cgp"},
    "analyse": {"--html", "--json", "--csv-turns", "--csv-games", "--cgp", "--gcg"},
}

#: The flags of a test that may end the whole run.
_TEST = {"--sprt", "--alpha", "--beta"}

#: Commands whose result does not depend on `--threads`.
_THREADED = {"match", "analyse", "lab train", "lab regret"}

_PIECE = re.compile(rb'\{"piece":(\d+),"run":"([0-9a-f]+)"')

PathLike = Union[str, "os.PathLike[str]"]


class RayRunError(RuntimeError):
    """A run that cannot begin, or a task whose program has ended with an error; the message is the program's."""


class _KilledError(RuntimeError):
    """The system has killed the program of a task, perhaps for lack of memory. Ray repeats the task."""


@dataclasses.dataclass(frozen=True)
class RayRun:
    """A run that is done."""

    #: The journal. A training without `--journal` removes it, as on one machine.
    journal: Path
    #: The number of its pieces, and how many of them this call has computed.
    pieces: int
    computed: int
    #: The name of a piece: "pair", "game", "turn".
    unit: str
    #: The shards that the run was divided into, and the tasks that this call has run.
    shards: int
    tasks: int
    #: Bytes that were shipped with each task, and those that all tasks have returned.
    shipped_bytes: int
    returned_bytes: int
    #: The text that the program prints about the whole run.
    report: str


class _Files(NamedTuple):
    """Files of a task, by their paths in its folder."""

    contents: Dict[str, Tuple[int, bytes]]

    def write(self, folder: Path) -> None:
        for name, (mode, content) in self.contents.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(mode)

    def size(self) -> int:
        return sum(len(content) for _, content in self.contents.values())


class _Line:
    """A command line, in words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = [os.fspath(word) for word in words]
        self.name = " ".join(self.words[: 2 if self.words[:1] == ["lab"] else 1])

    def value(self, flag: str) -> Optional[str]:
        """The value of a flag, as `--flag value` or `--flag=value`."""
        for word, after in zip(self.words, [*self.words[1:], None]):
            if word == flag:
                return after
            if word.startswith(flag + "="):
                return word[len(flag) + 1 :]
        return None

    def without(self, valued: Iterable[str], alone: Iterable[str] = ()) -> _Line:
        """The line without these flags, some with a value, some without."""
        valued, alone, kept, is_value = set(valued), set(alone), [], False
        for word in self.words:
            if is_value:
                is_value = False
            elif word in valued:
                is_value = True
            elif word not in alone and word.split("=")[0] not in valued:
                kept.append(word)
        return _Line(kept)

    def only(self, valued: Iterable[str]) -> List[str]:
        """Those of these flags that the line has, with their values."""
        found = ((flag, self.value(flag)) for flag in valued)
        return [f"{flag}={value}" for flag, value in found if value is not None]


class _Command:
    """A command, with its journal and the words of its tasks."""

    def __init__(self, words: Sequence[str], cpus: int) -> None:
        line = _Line(words)
        if line.name not in {*_REPORTS, "lab endgames", "lab pegs", "lab regret", "lab train"}:
            raise RayRunError(
                f"{' '.join(line.words[:2])!r} has no pieces: expected match, tournament, analyse, or lab with regret make, "
                "endgames, pegs, or train"
            )
        if line.value("--shard") is not None:
            raise RayRunError("--shard: Ray divides the run itself")
        if line.name == "lab regret" and (line.words[2:3] != ["make"] or len(line.words) < 4 or line.words[-1].startswith("-")):
            raise RayRunError("expected lab regret make, with the corpus as the last word")
        if line.name == "match" and line.value("--gcg") is not None:
            raise RayRunError(
                "--gcg: a match writes records while it plays, but other machines play it; use `tilewright tournament --report` afterwards"
            )
        self.name, self.line = line.name, line
        self.is_training = line.name == "lab train"
        self.is_resumed, self.is_forced = "--resume" in line.words, "--force" in line.words
        self.flag = {"match": "--out", "lab regret": ""}.get(line.name, "--journal")
        journal = line.value(self.flag) if self.flag else line.words[-1]
        out = line.value("--out")
        if journal is None and self.is_training and out is not None:
            journal = out + ".part"
        if journal is None:
            raise RayRunError(f"{line.name} needs {self.flag}, the file in which its pieces are kept")
        self.journal = Path(journal)
        reports = _REPORTS.get(line.name, set())
        #: The words of each task, as they are typed here.
        self.base = line.without({*reports, *_TEST, "--journal", "--out"}, {"--resume", "--force"}).words
        if not self.flag:
            self.base.pop()
        self._more = [] if self.is_training else ["--resume"]
        if out is not None and self.is_training:
            self._more.append("--out=" + Path(out).name)
        if line.name in _THREADED and line.value("--threads") is None:
            self._more.append(f"--threads={cpus}")
        if line.name == "tournament":
            self._more.append(f"--set=concurrency={cpus}")
        written = [value for value in map(line.value, [*reports, *(["--out"] if self.is_training else [])]) if value is not None]
        is_begun = self.is_resumed or self.is_forced or (self.is_training and os.path.isfile(self.journal))
        for path in [] if is_begun else filter(os.path.exists, written):
            raise RayRunError(f"{path}: the file exists already; --force overwrites it")

    def shard(self, words: Sequence[str], shard: str) -> List[str]:
        """The command of a task. Its journal exists already, except in a new run."""
        journal = f"{self.flag}=journal.jsonl" if self.flag else "journal.jsonl"
        return [*words, *self._more, f"--shard={shard}", journal]

    def ending(self) -> List[str]:
        """The command that makes the reports of the whole journal."""
        if self.name == "tournament":
            reports = self.line.only(_REPORTS["tournament"])
            return [
                "tournament",
                "--report",
                f"--journal={self.journal}",
                *reports,
                *(["--force"] if self.is_forced or self.is_resumed else []),
            ]
        if self.is_training:
            return self.line.without([], ["--resume"]).words
        words = self.line.without([], ["--force", "--resume"]).words
        return [*words[:-1], "--resume", words[-1]] if not self.flag else [*words, "--resume"]


def run(
    command: Sequence[str],
    *,
    address: Optional[str] = None,
    shards: Optional[int] = None,
    cpus: int = 1,
    files: Iterable[PathLike] = (),
    retries: int = 10,
    progress: bool = True,
) -> RayRun:
    """Runs a command of the program on a cluster.

    `command` is the command for one machine, in words: `["match", "static", "greedy", "--out", "match.jsonl"]`. `address` is that of a
    cluster; without it, Ray finds one (RAY_ADDRESS) or starts one on this machine for the run. If Ray is connected already, it stays
    connected. A task has `cpus` processors and threads. `shards` is the number of tasks; by default it depends on pieces and workers.
    `files` are shipped in addition to the files that the command names. A task whose node is lost is repeated up to `retries` times.

    Raises `RayRunError` with the program's message, and the exceptions of Ray.
    """
    import ray

    if cpus < 1 or (shards is not None and shards < 1):
        raise RayRunError("expected at least one processor per task, and at least one shard")
    parsed = _Command(command, cpus)
    words, shipped = _ship(parsed.base, parsed.name, files)
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(address=address)
    try:
        with _Journal(parsed) as journal:
            tasks = _Tasks(ray, parsed, words, shipped, cpus, retries)
            journal.begin(tasks.header(journal.header))
            counts = _gather(tasks, journal, shards, progress)
        _program("journal", "merge", parsed.journal, parsed.journal, "--force")
        return RayRun(
            journal=parsed.journal,
            pieces=len(journal.places),
            unit=journal.unit,
            shipped_bytes=shipped.size(),
            report=_program(*parsed.ending()),
            **counts,
        )
    finally:
        if is_ours:
            ray.shutdown()


def ray_match(a: str, b: str, pairs: int = 1000, *, out: PathLike, address: Optional[str] = None, **options: Any) -> RayRun:
    """Plays a match: `tilewright match <a> <b> --pairs <n> --out <file>`.

    `options` are those of `run`, and flags of the command: `seed=2, count_turns=True, resume=True`.
    """
    return _run_with(["match", a, b, "--pairs", str(pairs), "--out", os.fspath(out)], address, options)


def ray_tournament(file: Optional[PathLike] = None, *, journal: PathLike, address: Optional[str] = None, **options: Any) -> RayRun:
    """Plays a tournament: `tilewright tournament <file> --journal <file>`, or with `engine=[...]` instead of a file.

    The engines' programs are files that the tournament names, or are on the search path of each node. For `options` see `ray_match`.
    """
    return _run_with(["tournament", *([] if file is None else [os.fspath(file)]), "--journal", os.fspath(journal)], address, options)


def ray_train(what: str, *arguments: str, out: PathLike, address: Optional[str] = None, **options: Any) -> RayRun:
    """Makes a table: `tilewright lab train <what> --out <file>` with leaves, winpct, bag or opponents. For `options` see `ray_match`."""
    return _run_with(["lab", "train", what, *arguments, "--out", os.fspath(out)], address, options)


def ray_analyse(games: Union[PathLike, Sequence[PathLike]], *, journal: PathLike, address: Optional[str] = None, **options: Any) -> RayRun:
    """Analyses games: `tilewright analyse <games> --journal <file>`. For `options` see `ray_match`."""
    named = [games] if isinstance(games, (str, os.PathLike)) else games
    return _run_with(["analyse", *(os.fspath(game) for game in named), "--journal", os.fspath(journal)], address, options)


def _run_with(words: List[str], address: Optional[str], options: Mapping[str, Any]) -> RayRun:
    own = {"shards", "cpus", "files", "retries", "progress"}
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if name in own or value is None or value is False:
            continue
        for each in value if isinstance(value, (list, tuple)) else [value]:
            words += [flag] if each is True else [f"{flag}={each}"]
    return run(words, address=address, **{name: value for name, value in options.items() if name in own})


# The shipped files.


def _ship(words: Sequence[str], name: str, more: Iterable[PathLike]) -> Tuple[List[str], _Files]:
    """The words for a task's folder, and its files: those that the words name, with files of the same name in their folders, which may be
    tables of a word list; files that a tournament's file names; and `more`.

    A path stays as it is, since a player's text identifies the run. A file that is not below the current folder is moved to another folder.
    """
    paths: Set[Path] = {Path(path) for path in more}
    moved: Dict[str, Path] = {}
    shipped: List[str] = []
    # The words of the command itself name no files.
    own = 3 if name.startswith("lab") else 1
    shipped += words[:own]
    for word in words[own:]:
        flag, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
        path = Path(value)
        if os.path.isfile(value) and not _is_below(path):
            moved[f"outside/{len(moved)}/{path.name}"] = path
            shipped.append(f"{flag}{equals}{next(reversed(moved))}")
            continue
        shipped.append(word)
        if name == "analyse" and os.path.isdir(value) and not flag:
            paths.update(inner for inner in path.rglob("*") if inner.is_file())
        for part in {value, *re.split("[:,=]", value)}:
            paths.update(_named(part))
        if path.suffix == ".toml" and os.path.isfile(value):
            texts = re.findall(r'"([^"\n]+)"|\'([^\'\n]+)\'', path.read_text(encoding="utf-8"))
            paths.update(inner for pair in texts for inner in _beside(path.parent / max(pair)))
    contents: Dict[str, Tuple[int, bytes]] = {}
    for path in sorted(paths):
        if not _is_below(path):
            raise RayRunError(f"{path}: expected a file below the current folder, since each node uses the same relative path")
        contents[os.path.relpath(path)] = _read(path)
    for place, path in moved.items():
        for beside in _beside(path):
            contents[f"{os.path.dirname(place)}/{beside.name}"] = _read(beside)
    return shipped, _Files(contents)


def _is_below(path: Path) -> bool:
    relative = os.path.relpath(path)
    return not path.is_absolute() and not relative.startswith("..")


def _read(path: Path) -> Tuple[int, bytes]:
    try:
        return stat.S_IMODE(path.stat().st_mode) | stat.S_IWUSR, path.read_bytes()
    except OSError as error:
        raise RayRunError(f"cannot read {path}: {error.strerror}") from error


def _named(part: str) -> List[Path]:
    """The files that a part of a word may mean: a path, or the name of a table in this folder or in one directly below."""
    if not part or part.startswith("-") or part.replace(".", "").isdigit():
        return []
    if "/" in part or os.path.isfile(part):
        return _beside(Path(part))
    name = glob.escape(part) + ".*"
    return [path for path in map(Path, glob.glob(name) + glob.glob("*/" + name)) if path.is_file()]


def _beside(path: Path) -> List[Path]:
    """A file, if it exists, and the files in its folder whose names are the same up to the first dot."""
    if not os.path.isfile(path):
        return []
    return [path, *(other for other in path.parent.glob(glob.escape(path.name.split(".")[0]) + ".*") if other.is_file())]


# The tasks.


class _Done(NamedTuple):
    """The result of a task: the number of pieces of the run, and the new lines of the journal."""

    total: int
    lines: bytes


def _run_shard(words: List[str], shipped: _Files, begun: bytes) -> _Done:
    """A task: runs the program in a folder of its own, with the lines that exist already."""
    from .__main__ import bound_words

    with tempfile.TemporaryDirectory(prefix="tilewright-ray-") as name:
        folder = Path(name)
        shipped.write(folder)
        journal = folder / "journal.jsonl"
        if begun:
            journal.write_bytes(begun)
        done = subprocess.run([*bound_words(), *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode < 0:
            raise _KilledError(f"the program was ended by signal {-done.returncode}: {_said(done.stderr)}")
        if done.returncode != 0:
            raise RayRunError(_said(done.stderr))
        total = re.search(rb"\(of (\d+) in all\)", done.stdout + done.stderr)
        return _Done(int(total[1]) if total else 0, journal.read_bytes()[len(begun) :])


def _said(stderr: bytes) -> str:
    """The error of the program: the text after its name in the last lines."""
    text = stderr.decode("utf-8", "replace").strip()
    return text[max(text.rfind("\ntilewright: ") + 1, text.rfind("\nerror: ") + 1, len(text) - 4000) :].replace("tilewright: ", "", 1)


def _program(*words: PathLike) -> str:
    """Runs the program on this machine, and returns what it prints."""
    from .__main__ import again_words

    done = subprocess.run(
        [*again_words(), *(os.fspath(word) for word in words)], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise RayRunError(_said(done.stderr))
    return done.stdout.decode("utf-8", "replace")


class _Tasks:
    """The tasks of a run, in the form for Ray."""

    def __init__(self, ray: Any, command: _Command, words: List[str], shipped: _Files, cpus: int, retries: int) -> None:
        self.ray, self.command, self.words = ray, command, words
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)) // cpus)
        self._shipped = ray.put(shipped)
        self._task = ray.remote(_run_shard)
        self._options = {"num_cpus": cpus, "max_retries": retries, "retry_exceptions": [_KilledError]}

    def start(self, shard: str, begun: Any) -> Any:
        """Starts the task of a shard. `begun` are the lines that it has, or a reference to them."""
        name = f"{self.command.name} {'header' if shard == _NO_PIECE else shard}"
        return self._task.options(name=name, **self._options).remote(self.command.shard(self.words, shard), self._shipped, begun)

    def header(self, begun: Optional[bytes]) -> _Done:
        """How many pieces the run has, and its header alone. The program compares an existing header, and reports differences."""
        done = self.ray.get(self.start(_NO_PIECE, begun or b""))
        if not done.total:
            raise RayRunError("the program did not report how many pieces the run has")
        return _Done(done.total, begun or done.lines)


def _gather(tasks: _Tasks, journal: _Journal, shards: Optional[int], progress: bool) -> Dict[str, int]:
    """Runs tasks until all pieces are there, and keeps the results."""
    ray, bar = tasks.ray, None
    if progress:
        from ray.experimental import tqdm_ray

        bar = tqdm_ray.tqdm(desc=f"{tasks.command.name}, {journal.unit}s", total=journal.total)
        bar.update(len(journal.places))
    # Later pieces of a staged run depend on earlier ones of all shards.
    count = shards or max(1, min(journal.total, tasks.workers * (1 if journal.is_staged else TASKS_PER_WORKER)))
    computed = begun = returned = 0
    pending: List[Any] = []
    try:
        while True:
            left = [shard for shard in range(count) if journal.is_staged or journal.misses(shard, count)]
            whole = ray.put(journal.all()) if journal.is_staged else None
            before = computed
            while left or pending:
                while left and len(pending) < max(WINDOW, 2 * tasks.workers):
                    shard = left.pop(0)
                    pending.append(tasks.start(f"{shard + 1}/{count}", whole or journal.of_shard(shard, count)))
                    begun += 1
                ray.wait(pending, num_returns=1)
                ready, pending = ray.wait(pending, num_returns=len(pending), timeout=0)
                # Results are fetched and released one by one, so that a node's memory has room for the next ones.
                lines = [ray.get(reference).lines for reference in ready]
                returned += sum(map(len, lines))
                found = journal.add(lines)
                computed += found
                if bar is not None:
                    bar.update(found)
            if not journal.is_staged or computed == before:
                break
    finally:
        for reference in pending:
            ray.cancel(reference, force=True)
        if bar is not None:
            bar.close()
    return {"computed": computed, "shards": count, "tasks": begun, "returned_bytes": returned}


# The journal.


class _Journal:
    """The journal of the run, which no other process has open: lines in the order of arrival."""

    def __init__(self, command: _Command) -> None:
        self._path = command.journal
        #: Where the line of each piece is, and its length.
        self.places: Dict[int, Tuple[int, int]] = {}
        self.header: Optional[bytes] = None
        self.total = 0
        self.unit = self.run = ""
        self.is_staged = False
        self._end = 0
        self._may_exist = command.is_resumed or command.is_training
        self._is_replaced = command.is_forced and not command.is_training
        self._flag = command.flag or "file"

    def __enter__(self) -> _Journal:
        try:
            self._file: BinaryIO = open(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as error:
            raise RayRunError(f"{self._path}: {error.strerror}") from error
        try:
            self._hold()
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        # A wrong command leaves no file behind. While the file is locked, no other process can begin it; Windows removes no open file.
        is_empty = os.fstat(self._file.fileno()).st_size == 0
        if is_empty and sys.platform != "win32":
            self._path.unlink()
        self._file.close()
        if is_empty and sys.platform == "win32":
            self._path.unlink()

    def _hold(self) -> None:
        """Locks the file, as the program does."""
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RayRunError(f"{self._path}: another process writes to this file") from error

    def _read(self) -> None:
        if self._is_replaced:
            return  # `begin` overwrites it, once the command has proved to be right.
        if os.fstat(self._file.fileno()).st_size > 0 and not self._may_exist:
            raise RayRunError(f"{self._path}: the journal exists already; --resume continues it, --force overwrites it")
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            if self.header is None:
                self.header = line
                self._note_header()
            else:
                self._note(self._checked(line, f"{self._path}: line {number}"), len(line))
                continue
            self._end += len(line)
        # A last line without a line break was cut off.
        self._file.truncate(self._end)

    def _note_header(self) -> None:
        try:
            header = json.loads(self.header or b"")
            self.unit, self.run, identity = header["unit"], header["run"], header["identity"]
        except (ValueError, KeyError, TypeError) as error:
            raise RayRunError(f"{self._path}: line 1 is not the header of a journal") from error
        configuration = identity.get("configuration") or {}
        self.is_staged = header["kind"] == "leaves" or configuration.get("format") == "swiss"

    def begin(self, told: _Done) -> None:
        """Sets the number of pieces of the run, and the header if the file has none."""
        self.total, header = told
        if self.header is None:
            self._file.seek(0)
            self._file.truncate(0)
            self.header = header
            self._note_header()
            self._write(header)
            self._end = len(header)

    def _checked(self, line: bytes, place: str) -> int:
        """The number of the piece of a line, after its checksum was checked."""
        found, end = _PIECE.match(line), line.rfind(b',"crc32":"')
        if found is None or line[end + 10 : end + 18] != b"%08x" % zlib.crc32(line[:end]):
            raise RayRunError(f"{place} is damaged; to keep all other lines: tilewright journal merge --partial <new> {self._path}")
        if found[2].decode() != self.run:
            raise RayRunError(f"{place}: this {self.unit} belongs to the run {found[2].decode()}, expected {self.run}")
        return int(found[1])

    def _note(self, piece: int, length: int) -> None:
        self.places[piece] = (self._end, length)
        self._end += length

    def add(self, texts: Iterable[bytes]) -> int:
        """Writes lines to the disk, and returns how many pieces are new."""
        kept = []
        for text in texts:
            for line in text.splitlines(keepends=True):
                piece = self._checked(line, "a line of a task")
                if piece not in self.places:
                    self._note(piece, len(line))
                    kept.append(line)
        self._write(b"".join(kept))
        return len(kept)

    def _write(self, lines: bytes) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(lines)
        self._file.flush()
        os.fsync(self._file.fileno())

    def misses(self, shard: int, of: int) -> bool:
        """Whether a piece of a shard is missing."""
        return any(piece not in self.places for piece in range(shard, self.total, of))

    def all(self) -> bytes:
        """The whole file."""
        self._file.seek(0)
        return self._file.read()

    def of_shard(self, shard: int, of: int) -> bytes:
        """The header, and the lines of a shard."""
        lines = [self.header or b""]
        for place, length in (self.places[piece] for piece in range(shard, self.total, of) if piece in self.places):
            self._file.seek(place)
            lines.append(self._file.read(length))
        return b"".join(lines)


def _main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tilewright.ray",
        description="Runs a command of tilewright on a cluster by Ray. The command follows the options, and must name its journal.",
        epilog="Example: python -m tilewright.ray --address auto match static greedy --pairs 20000 --out match.jsonl",
    )
    parser.add_argument("--address", help="the cluster [default: the one that Ray finds, or a new one on this machine]")
    parser.add_argument("--shards", type=int, help="number of tasks [default: by pieces and processors]")
    parser.add_argument("--cpus", type=int, default=1, help="processors per task [default: 1]")
    parser.add_argument(
        "--file", action="append", default=[], dest="files", help="a file to ship in addition to those that the command names"
    )
    parser.add_argument("--retries", type=int, default=10, help="how often a task is repeated if its node is lost [default: 10]")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command, as on one machine")
    arguments = vars(parser.parse_args(words))
    try:
        done = run(**arguments)
    except RayRunError as error:
        print(f"tilewright.ray: {error}", file=sys.stderr)
        return 1
    sys.stdout.write(done.report)
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
