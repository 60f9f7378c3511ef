"""An engine as a process, for asyncio.

`popen_siu` and `popen_ucgi` start an engine. `EngineProtocol` sends commands and passes each line
that comes to what it answers: a command (all lines until `readyok`) or the running search, an
`Analysis`. Start with `EngineProtocol.tell` and `EngineProtocol.analysis`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import (
    Any,
    ClassVar,
    TypeVar,
)

from .answers import (
    EngineError,
    EngineTerminatedError,
    Option,
    PlayResult,
    Ranking,
    RankingReader,
    move_of,
    shortened,
)
from .questions import (
    Command,
    Limit,
    Parameter,
    Position,
    Setup,
    check_line,
    clocks_of,
    is_limited,
    parameter_words,
    seconds_of,
    setup_of,
)

LOGGER = logging.getLogger("tilewright.engine")

# Seconds after which rows count as a ranking although no line has followed them.
PAUSE_AFTER_ROWS = 0.05
# Seconds from a sign of the end, such as a closed output, until the process must have ended.
GRACE = 1.0
# Seconds from `quit` until the process is killed.
QUIT_TIME = 3.0
# A line or an answer beyond these bounds does not come from an engine.
MOST_BYTES_OF_A_LINE = 16 << 20
MOST_LINES_OF_AN_ANSWER = 1_000_000
# Lines kept for messages.
LINES_OF_STDERR = 20

# The modes of `go` that SIU has no capability for.
MODES_WITHOUT_CAPABILITY = ("challenge", "replies")

_Engine = TypeVar("_Engine", bound="EngineProtocol")


class _Waiter:
    """A command that waits for a line, and the lines that have come before it.

    With `keeps_last` the line only begins like `last`, and is part of the answer, as is an error in
    its place.
    """

    def __init__(self, last: str, keeps_last: bool = False) -> None:
        self.last = last
        self.keeps_last = keeps_last
        self.lines: list[str] = []
        self.answer: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()

    def ends_with(self, line: str) -> bool:
        """Whether a line is the last one."""
        if self.keeps_last:
            return line.startswith(self.last) or EngineError.of_line(line) is not None
        return line == self.last

    def end(self, line: str) -> None:
        """Ends the waiting with the last line."""
        if self.keeps_last:
            self.lines.append(line)
        if not self.answer.done():
            self.answer.set_result(self.lines)

    def fail(self, error: EngineError) -> None:
        """Ends the waiting with an error."""
        if not self.answer.done():
            self.answer.set_exception(error)
            # Marks the error as seen, since its receiver may be gone.
            self.answer.exception()


class Analysis:
    """A running search: an asynchronous iterator over improving rankings.

    Leaving a loop over it early stops the search. `with` stops it at the end of the block. The
    engine's next command also stops it. `ranking` is the newest ranking.
    """

    def __init__(
        self,
        engine: EngineProtocol,
        sent: str,
        ignored: Sequence[str],
        deadline: float | None,
    ) -> None:
        self.ranking = Ranking(ignored=tuple(ignored))
        self._engine = engine
        self._sent = sent
        self._reader = RankingReader(ignored)
        self._loop = asyncio.get_running_loop()
        self._rankings: asyncio.Queue[Ranking | None] = asyncio.Queue()
        # `_done`: the caller has a result or an error. `_over`: the engine is no longer searching.
        self._done = asyncio.Event()
        self._over = asyncio.Event()
        self._result: PlayResult | None = None
        self._error: EngineError | None = None
        self._is_stopped = False
        self._pause: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        if deadline is not None:
            text = f"the search did not end within {deadline:g} s"
            self._timer = self._loop.call_later(deadline, self._expire, text)

    async def next(self) -> Ranking | None:
        """Returns the next ranking, or None at the end. Raises EngineError if the search fails."""
        ranking = await self._rankings.get()
        if ranking is None:
            # For later calls.
            self._rankings.put_nowait(None)
            if self._error is not None:
                raise self._error
        return ranking

    async def __aiter__(self) -> AsyncIterator[Ranking]:
        """Iterates over the rankings; the search is stopped if the loop is left early."""
        try:
            while True:
                ranking = await self.next()
                if ranking is None:
                    return
                yield ranking
        finally:
            self.stop()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def wait(self) -> PlayResult:
        """Waits for the end of the search; returns its result. Raises EngineError if it fails."""
        await self._done.wait()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def stop(self) -> None:
        """Stops the search, if it has not ended. Its last ranking and its result still come."""
        if self._is_stopped or self._over.is_set():
            return
        self._is_stopped = True
        if not self._engine.obeys_stop:
            return
        try:
            self._engine.send("stop")
        except EngineError as error:
            self.fail(error)
            return
        if self._timer is not None:
            self._timer.cancel()
        seconds = self._engine.timeout
        text = f"the search did not end within {seconds:g} s after stop"
        self._timer = self._loop.call_later(seconds, self._expire, text)

    def _expire(self, text: str) -> None:
        self.fail(EngineError("timeout", text, self._sent))
        self.stop()

    async def over(self, timeout: float) -> None:
        """Stops the search, and waits until the engine is no longer searching."""
        self.stop()
        try:
            await asyncio.wait_for(self._over.wait(), timeout)
        except asyncio.TimeoutError:
            text = f"the engine is still searching {timeout:g} s after stop"
            raise EngineError("timeout", text, self._sent) from None

    def feed(self, line: str) -> None:
        """Takes a line of the engine."""
        error = EngineError.of_line(line, self._sent)
        if error is not None:
            if self._is_refusal(error):
                self.fail(error)
                self.end()
            return
        words = line.split()
        try:
            completed = self._reader.feed(line)
            if completed is not None:
                self._show(completed)
            if words[:1] == ["bestmove"]:
                self._finish(words[1:])
                return
        except EngineError as nonsense:
            nonsense.sent = self._sent
            self.fail(nonsense)
            self.stop()
        if self._pause is not None:
            self._pause.cancel()
        self._pause = self._loop.call_later(PAUSE_AFTER_ROWS, self._show_rows)

    def _is_refusal(self, error: EngineError) -> bool:
        """Whether an error means that there is no search. Other errors answer other commands."""
        if error.code == "busy" or error.command not in (None, "go"):
            return False
        return not (error.code == "unknown-command" and self._is_stopped)

    def _show_rows(self) -> None:
        """Shows rows that no line has followed yet, since the next line may take a while."""
        if not self._reader.is_complete:
            self._show(self._reader.current)

    def _show(self, ranking: Ranking) -> None:
        if ranking != self.ranking and not self._done.is_set():
            self.ranking = ranking
            self._rankings.put_nowait(ranking)

    def _finish(self, words: list[str]) -> None:
        """Takes what follows `bestmove`."""
        if not words:
            self.fail(EngineError("nonsense", "bestmove without a move", self._sent))
        elif not self._done.is_set():
            if not self.ranking.rows:
                self.ranking = self._reader.current
            move = None if words[0] == "none" else move_of(words[0])
            self._result = PlayResult(move, self.ranking)
            self._close()
        self.end()

    def fail(self, error: EngineError) -> None:
        """Gives the caller an error, unless there already is a result or an error."""
        if not self._done.is_set():
            self._error = error
            self._close()

    def _close(self) -> None:
        self._done.set()
        self._rankings.put_nowait(None)

    def end(self) -> None:
        """Notes that the engine is no longer searching."""
        for timer in (self._timer, self._pause):
            if timer is not None:
                timer.cancel()
        self._over.set()
        self._engine.search_is_over(self)


class EngineProtocol(asyncio.SubprocessProtocol):
    """A running engine. `popen_siu` and `popen_ucgi` start one.

    All methods raise EngineError if the engine refuses the command or does not answer within
    `timeout` seconds, and EngineTerminatedError once its process has ended. After a timeout the
    engine may be asked again: a late answer is dropped. An engine does one thing at a time. A new
    command, except `ping`, stops the running search, whose caller gets what was found until then.
    """

    dialect: ClassVar[str]
    iterations_word: ClassVar[str]

    def __init__(self, timeout: float = 10.0) -> None:
        self.timeout = timeout
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self.capabilities: tuple[str, ...] = ()
        self.returncode: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._loop = asyncio.get_running_loop()
        self._lock = asyncio.Lock()
        self._transport: asyncio.SubprocessTransport | None = None
        self._waiters: deque[_Waiter] = deque()
        self._search: Analysis | None = None
        self._ended: EngineTerminatedError | None = None
        self._buffers: dict[int, bytearray] = {1: bytearray(), 2: bytearray()}
        self._stderr: deque[str] = deque(maxlen=LINES_OF_STDERR)
        self._last_sent = ""
        self._ignored: list[str] = []
        self._moves_made = 0

    @classmethod
    async def popen(
        cls: type[_Engine],
        command: Command,
        *,
        options: Mapping[str, object] | None = None,
        timeout: float = 10.0,
        **popen_args: Any,
    ) -> tuple[asyncio.SubprocessTransport, _Engine]:
        """Starts an engine, does the handshake, and sets options. See `popen_siu`."""
        words = [command] if isinstance(command, (str, os.PathLike)) else list(command)
        texts = [os.fspath(word) for word in words]
        loop = asyncio.get_running_loop()
        try:
            transport, engine = await loop.subprocess_exec(lambda: cls(timeout), *texts, **popen_args)
        except OSError as error:
            text = f"{texts[0]} cannot be started: {error.strerror or error}"
            raise EngineError("missing", text) from None
        try:
            await engine._handshake()
            if options:
                await engine.configure(options)
        except BaseException:
            await engine.close()
            raise
        return transport, engine

    async def _handshake(self) -> None:
        lines = await self._answer([self.dialect], f"{self.dialect}ok", self.timeout)
        for line in lines:
            words = line.split()
            if words[:1] == ["id"] and len(words) > 2:
                self.id[words[1]] = " ".join(words[2:])
            elif words[:1] == ["capability"]:
                self.capabilities += tuple(words[1:])
            elif words[:2] == ["option", "name"]:
                option = Option.of_line(line)
                self.options[option.name] = option

    async def __aenter__(self: _Engine) -> _Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.quit()

    @property
    def obeys_stop(self) -> bool:
        """Whether the engine can stop a search."""
        return True

    async def tell(self, line: str, timeout: float | None = None, *, last: str | None = None) -> list[str]:
        """Sends any command but `go`; returns the lines that answer it.

        The answer ends when the engine is ready. `last` is for commands that go on after that, such
        as Tilewright's `bench` and `ghost`: it is the beginning of the last line of their answer.
        """
        if line.split()[:1] == ["go"]:
            raise ValueError("tell does not send go: use play, analyse or analysis")
        async with self._lock:
            await self._end_search()
            return await self._exchange([line], timeout, last)

    async def ping(self, timeout: float | None = None) -> None:
        """Waits until the engine is ready. Does not stop a search."""
        await self._answer(["isready"], "readyok", self.timeout if timeout is None else timeout)

    async def configure(self, options: Mapping[str, object]) -> None:
        """Sets options, names in any case; True and False for a check, None for the empty text.

        An option that is not in the handshake, or a value that it excludes, is an EngineError
        (`bad-option`), and nothing is sent. All options are sent before the engine uses any of
        them, as a letter distribution and its lexicon require.
        """
        known = {name.lower(): option for name, option in self.options.items()}
        lines = []
        for name, value in options.items():
            option = known.get(name.lower())
            if option is None:
                raise EngineError("bad-option", f"{name}: the engine has no option of this name")
            text = option.text(value)
            line = f"setoption name {option.name}"
            lines.append(line if option.type == "button" else f"{line} value {text or '<empty>'}")
        async with self._lock:
            await self._end_search()
            await self._exchange(lines)

    async def new_game(self) -> None:
        """Tells the engine that the next position is from another game."""
        await self.tell(f"{self.dialect}newgame")

    async def position(self, position: Position) -> list[str]:
        """Sets up a position, for searches of None. Returns the engine's answer as lines.

        A refused position is an EngineError (`bad-position` or `bad-move`), and the engine keeps
        the position before it. If only `opponent_rack` is refused, the rest is set up.
        """
        async with self._lock:
            await self._end_search()
            return await self._set_up(setup_of(position))

    async def _set_up(self, setup: Setup) -> list[str]:
        lines = await self._exchange(setup.lines())
        self._moves_made = len(setup.moves)
        return lines

    async def analysis(
        self,
        position: Position | None,
        limit: Limit | None = None,
        *,
        mode: str = "auto",
        timeout: float | None = None,
        **parameters: Parameter,
    ) -> Analysis:
        """Starts a search and returns it: an iterator of rankings.

        Without a limit it goes on until it is stopped or left. The arguments are those of `play`.
        """
        endless = {} if is_limited(limit, parameters) else {"infinite": True}
        return await self._start(position, limit, mode, timeout, {**parameters, **endless})

    async def _start(
        self,
        position: Position | None,
        limit: Limit | None,
        mode: str,
        timeout: float | None,
        parameters: Mapping[str, Parameter],
    ) -> Analysis:
        self._check_mode(mode)
        setup = None if position is None else setup_of(position)
        async with self._lock:
            await self._end_search()
            if setup is not None:
                await self._set_up(setup)
            words = self._limit_words(limit or Limit()) + parameter_words(parameters)
            line = " ".join(["go", *([] if mode == "auto" and not self.capabilities else [mode]), *words])
            self.send(line)
            if timeout is None:
                seconds = seconds_of(limit, parameters)
                timeout = None if seconds is None else seconds + self.timeout
            self._search = Analysis(self, line, self._ignored, timeout)
            return self._search

    async def analyse(
        self,
        position: Position | None,
        limit: Limit | None = None,
        *,
        mode: str = "auto",
        timeout: float | None = None,
        **parameters: Parameter,
    ) -> Ranking:
        """Searches to the end; returns the last ranking. The arguments are those of `play`."""
        result = await self.play(position, limit, mode=mode, timeout=timeout, **parameters)
        return result.ranking

    async def play(
        self,
        position: Position | None,
        limit: Limit | None = None,
        *,
        mode: str = "auto",
        timeout: float | None = None,
        **parameters: Parameter,
    ) -> PlayResult:
        """Searches to the end; returns the move with the last ranking.

        `position` is a CGP, a `Setup`, a position that has a `cgp`, or None for the one that was
        set up last. Without a limit the engine decides when it has searched enough. `mode` is
        `auto`, `gen`, `sim`, `peg`, `endgame`, `infer`, `challenge` or `replies`. `parameters` are
        those of `go`, by their names in the protocol: `multipv=3`, `plays=30`, `seed=1`,
        `searchmoves=["8D.DOG"]`, `firstwin=True`. Raises EngineError (`timeout`) if the search has
        not ended after `timeout` seconds, by default the engine's `timeout` after the time of the
        limit. If the waiting is cancelled, the search is stopped.
        """
        analysis = await self._start(position, limit, mode, timeout, parameters)
        with analysis:
            return await analysis.wait()

    async def quit(self, timeout: float = QUIT_TIME) -> int:
        """Ends the engine, kills it after `timeout` seconds; returns its exit status."""
        try:
            self.send("quit")
            await asyncio.wait_for(asyncio.shield(self.returncode), timeout)
        except (EngineError, asyncio.TimeoutError):
            pass
        await self.close()
        return self.returncode.result() if self.returncode.done() else -1

    async def close(self) -> None:
        """Kills the engine if it still runs. Does nothing if it has ended."""
        if self._transport is None:
            return
        self._transport.close()
        try:
            await asyncio.wait_for(asyncio.shield(self.returncode), GRACE)
        except asyncio.TimeoutError:
            LOGGER.warning("%s still runs %g s after it was killed", self._name(), GRACE)
        self._end()

    def _name(self) -> str:
        return self.id.get("name", "the engine")

    def _check_mode(self, mode: str) -> None:
        """Refuses modes that the engine does not have. UCGI has no capabilities."""

    def _limit_words(self, limit: Limit) -> list[str]:
        seconds = [("movetime", limit.time), *zip(self._clock_words(), clocks_of(limit))]
        words = [f"{word} {round(1000 * value)}" for word, value in seconds if value is not None]
        counts = [
            (self.iterations_word, limit.iterations),
            ("nodes", limit.nodes),
            ("depth", limit.depth),
            ("stopcondition", limit.stop_condition),
        ]
        return words + [f"{word} {value}" for word, value in counts if value is not None]

    def _clock_words(self) -> Sequence[str]:
        raise NotImplementedError

    async def _end_search(self) -> None:
        if self._search is not None:
            await self._search.over(self.timeout)

    def search_is_over(self, search: Analysis) -> None:
        """Notes that a search has ended: the next lines belong to others."""
        if self._search is search:
            self._search = None

    async def _exchange(self, lines: list[str], timeout: float | None = None, last: str | None = None) -> list[str]:
        """Sends commands; returns the answering lines, or raises the first error among them."""
        seconds = self.timeout if timeout is None else timeout
        if last is None:
            answer = await self._answer([*lines, "isready"], "readyok", seconds)
        else:
            answer = await self._answer(lines, last, seconds, keeps_last=True)
        if lines and lines[0].split()[:1] == ["position"]:
            start = "info string ignored "
            self._ignored = [line[len(start) :] for line in answer if line.startswith(start)]
        for line in answer:
            error = EngineError.of_line(line)
            if error is not None:
                those = [sent for sent in lines if sent.split()[:1] == [error.command]]
                error.sent = "; ".join(those if len(those) == 1 else lines)
                raise error
        return answer

    async def _answer(self, lines: list[str], last: str, timeout: float, keeps_last: bool = False) -> list[str]:
        """Sends lines; returns the lines before the line `last`."""
        for line in lines:
            check_line(line)
        for line in lines:
            self.send(line)
        waiter = _Waiter(last, keeps_last)
        self._waiters.append(waiter)
        try:
            # The waiter stays queued after a timeout, so that a late answer is not taken for another.
            return await asyncio.wait_for(asyncio.shield(waiter.answer), timeout)
        except asyncio.TimeoutError:
            said = f"; its last line was {shortened(waiter.lines[-1])!r}" if waiter.lines else ""
            text = f"no {last} within {timeout:g} s after {shortened(lines[0])!r}{said}"
            raise EngineError("timeout", text, lines[0]) from None

    def send(self, line: str) -> None:
        """Writes a line to the engine, without waiting for an answer."""
        check_line(line)
        if self._ended is not None:
            raise self._ended.with_traceback(None)
        assert self._transport is not None
        LOGGER.debug("%s: << %s", self._name(), line)
        self._last_sent = line
        pipe = self._transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(f"{line}\n".encode())

    # Methods that asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the transport."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Takes bytes of the engine's output and cuts them into lines."""
        assert isinstance(data, bytes)
        self._buffers[fd] += data
        if b"\n" in data:
            *lines, rest = bytes(self._buffers[fd]).split(b"\n")
            self._buffers[fd] = bytearray(rest)
            for line in lines:
                self._line_came(fd, line.decode("utf-8", "replace").strip())
        if len(self._buffers[fd]) > MOST_BYTES_OF_A_LINE:
            self._give_up(f"a line of more than {MOST_BYTES_OF_A_LINE} bytes")

    def _line_came(self, fd: int, line: str) -> None:
        if fd == 2:
            LOGGER.debug("%s: stderr: %s", self._name(), line)
            self._stderr.append(line)
            return
        LOGGER.debug("%s: >> %s", self._name(), line)
        waiter = self._waiters[0] if self._waiters else None
        if waiter is not None and waiter.ends_with(line):
            self._waiters.popleft()
            waiter.end(line)
        elif self._search is not None:
            self._search.feed(line)
        elif waiter is not None and line:
            waiter.lines.append(line)
            if len(waiter.lines) > MOST_LINES_OF_AN_ANSWER:
                self._give_up(f"an answer of more than {MOST_LINES_OF_AN_ANSWER} lines")

    def _give_up(self, what: str) -> None:
        """Kills an engine whose output is not an answer."""
        for buffer in self._buffers.values():
            buffer.clear()
        self._fail_all(EngineError("nonsense", f"{what}: the engine is killed", self._last_sent))
        self._kill()

    def _fail_all(self, error: EngineError) -> None:
        waiters, self._waiters = self._waiters, deque()
        for waiter in waiters:
            waiter.fail(error)
        search, self._search = self._search, None
        if search is not None:
            search.fail(error)
            search.end()

    def _kill(self) -> None:
        if self._transport is not None and self._transport.get_returncode() is None:
            with contextlib.suppress(ProcessLookupError):
                self._transport.kill()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Ends an engine that has closed its output, even if its process goes on."""
        if fd == 1:
            self._loop.call_later(GRACE, self._kill)

    def process_exited(self) -> None:
        """Notes the status. Lines may still be on their way."""
        self._note_status()
        # A process that the engine has started may keep the engine's output open.
        self._loop.call_later(GRACE, self._end)

    def _note_status(self) -> None:
        status = None if self._transport is None else self._transport.get_returncode()
        if status is not None and not self.returncode.done():
            self.returncode.set_result(status)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the process has ended and all of its lines have come."""
        self._end()

    def _end(self) -> None:
        if self._ended is not None:
            return
        self._note_status()
        status = self.returncode.result() if self.returncode.done() else None
        last = list(self._stderr)[-3:]
        sent = f"; the last line sent was {shortened(self._last_sent)!r}" if self._last_sent else ""
        said = f"; its standard error ends: {' / '.join(last)}" if last else ""
        text = f"the engine has ended with status {status}{sent}{said}"
        self._ended = EngineTerminatedError(text, status, tuple(self._stderr), self._last_sent)
        if self._search is not None:
            # The last line may be incomplete.
            rest = self._buffers[1].decode("utf-8", "replace").strip()
            if rest.startswith("bestmove "):
                self._search.feed(rest)
        self._fail_all(self._ended)


class SiuProtocol(EngineProtocol):
    """An engine that speaks SIU."""

    dialect = "siu"
    iterations_word = "iterations"

    @property
    def obeys_stop(self) -> bool:
        """Whether the engine has the capability `stop`."""
        return "stop" in self.capabilities

    def _check_mode(self, mode: str) -> None:
        modes = [word for word in self.capabilities if word not in ("stream", "stop")]
        if mode not in (*modes, *MODES_WITHOUT_CAPABILITY):
            text = f"{mode!r}, expected one of {' '.join([*modes, *MODES_WITHOUT_CAPABILITY])}"
            raise EngineError("unsupported-mode", text)

    def _clock_words(self) -> Sequence[str]:
        return ("mytime", "opptime", "myinc", "oppinc")


class UcgiProtocol(EngineProtocol):
    """An engine that speaks UCGI. Modes other than `auto` are sent as in SIU."""

    dialect = "ucgi"
    iterations_word = "i"

    def _clock_words(self) -> Sequence[str]:
        # Player 1 is the player on turn before any moves.
        own, other = ("1", "2") if self._moves_made % 2 == 0 else ("2", "1")
        return (f"{own}time", f"{other}time", f"{own}inc", f"{other}inc")


async def popen_siu(
    command: Command,
    *,
    options: Mapping[str, object] | None = None,
    timeout: float = 10.0,
    **popen_args: Any,
) -> tuple[asyncio.SubprocessTransport, SiuProtocol]:
    """Starts an engine that speaks SIU; returns its transport and the engine.

    `command` is a program, or a list of a program and its arguments. `options` are set right after
    the handshake. `timeout` is how many seconds each answer may take. `popen_args` are those of
    `subprocess.Popen`. Raises EngineError (`missing`) if the program cannot be started. If it does
    not answer as an engine, its process is ended, and the errors are those of `EngineProtocol`.
    """
    return await SiuProtocol.popen(command, options=options, timeout=timeout, **popen_args)


async def popen_ucgi(
    command: Command,
    *,
    options: Mapping[str, object] | None = None,
    timeout: float = 10.0,
    **popen_args: Any,
) -> tuple[asyncio.SubprocessTransport, UcgiProtocol]:
    """Starts an engine that speaks UCGI. See `popen_siu`."""
    return await UcgiProtocol.popen(command, options=options, timeout=timeout, **popen_args)
