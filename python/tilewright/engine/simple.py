"""An engine as a process, without asyncio: `SimpleEngine`, with an event loop in a thread.

Each method is the same as in `EngineProtocol`, but blocks until the engine has answered.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Mapping
from typing import (
    Any,
    TypeVar,
)

from .answers import EngineTerminatedError, Option, PlayResult, Ranking
from .asynchronous import QUIT_TIME, Analysis, EngineProtocol, SiuProtocol, UcgiProtocol
from .questions import Command, Limit, Parameter, Position

_T = TypeVar("_T")


class _Thread:
    """A thread with an event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        # The engine ends when its input ends, so a forgotten one does not outlive the program.
        self._thread = threading.Thread(target=self.loop.run_forever, name="engine", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Runs a coroutine to its end. If the waiting is interrupted, it is cancelled."""
        if self.loop.is_closed():
            work.close()
            raise EngineTerminatedError("the engine was closed")
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def _finish(self) -> None:
        """Waits for the remaining tasks, all of which end because the engine has ended."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)
        await self.loop.shutdown_asyncgens()

    def end(self) -> None:
        """Ends the thread."""
        if self.loop.is_closed():
            return
        self.run(self._finish())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class SimpleAnalysis:
    """A running search: an iterator over rankings, as `Analysis`.

    Leaving a loop over it early stops the search. `with` stops it at the end of the block.
    """

    def __init__(self, analysis: Analysis, thread: _Thread) -> None:
        self._analysis = analysis
        self._thread = thread

    @property
    def ranking(self) -> Ranking:
        """The newest ranking."""
        return self._analysis.ranking

    def next(self) -> Ranking | None:
        """Returns the next ranking, or None at the end. Raises EngineError if the search fails."""
        return self._thread.run(self._analysis.next())

    def __iter__(self) -> Iterator[Ranking]:
        """Iterates over the rankings; the search is stopped if the loop is left early."""
        try:
            while True:
                ranking = self.next()
                if ranking is None:
                    return
                yield ranking
        finally:
            self.stop()

    def __enter__(self) -> SimpleAnalysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def wait(self) -> PlayResult:
        """Waits for the end of the search; returns its result. Raises EngineError if it fails."""
        return self._thread.run(self._analysis.wait())

    def stop(self) -> None:
        """Stops the search, if it has not ended. Its last ranking and its result still come."""
        if not self._thread.loop.is_closed():
            self._thread.loop.call_soon_threadsafe(self._analysis.stop)


class SimpleEngine:
    """A running engine. All methods block until the engine has answered, or raise EngineError.

    `SimpleEngine.popen_siu` and `popen_ucgi` start one; `with` ends it. `protocol` is the
    asynchronous engine behind it, which describes the methods in full.
    """

    def __init__(self, protocol: EngineProtocol, thread: _Thread) -> None:
        self.protocol = protocol
        self._thread = thread

    @classmethod
    def popen_siu(
        cls,
        command: Command,
        *,
        options: Mapping[str, object] | None = None,
        timeout: float = 10.0,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts an engine that speaks SIU, as `tilewright.engine.popen_siu`."""
        return cls._popen(SiuProtocol, command, options, timeout, popen_args)

    @classmethod
    def popen_ucgi(
        cls,
        command: Command,
        *,
        options: Mapping[str, object] | None = None,
        timeout: float = 10.0,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts an engine that speaks UCGI, as `tilewright.engine.popen_ucgi`."""
        return cls._popen(UcgiProtocol, command, options, timeout, popen_args)

    @classmethod
    def _popen(
        cls,
        kind: type[EngineProtocol],
        command: Command,
        options: Mapping[str, object] | None,
        timeout: float,
        popen_args: dict[str, Any],
    ) -> SimpleEngine:
        thread = _Thread()
        try:
            start = kind.popen(command, options=options, timeout=timeout, **popen_args)
            _, protocol = thread.run(start)
        except BaseException:
            thread.end()
            raise
        return cls(protocol, thread)

    @property
    def id(self) -> dict[str, str]:
        """The engine's `name` and `author`, from the handshake."""
        return self.protocol.id

    @property
    def options(self) -> dict[str, Option]:
        """The options of the handshake, by their names."""
        return self.protocol.options

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The capabilities of the handshake; UCGI has none."""
        return self.protocol.capabilities

    @property
    def timeout(self) -> float:
        """How many seconds an answer may take."""
        return self.protocol.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self.protocol.timeout = seconds

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()

    def tell(self, line: str, timeout: float | None = None, *, last: str | None = None) -> list[str]:
        """Sends any command but `go`; returns the answering lines, as `EngineProtocol.tell`."""
        return self._thread.run(self.protocol.tell(line, timeout, last=last))

    def ping(self, timeout: float | None = None) -> None:
        """Waits until the engine is ready. Does not stop a search."""
        self._thread.run(self.protocol.ping(timeout))

    def configure(self, options: Mapping[str, object]) -> None:
        """Sets options, as `EngineProtocol.configure`."""
        self._thread.run(self.protocol.configure(options))

    def new_game(self) -> None:
        """Tells the engine that the next position is from another game."""
        self._thread.run(self.protocol.new_game())

    def position(self, position: Position) -> list[str]:
        """Sets up a position, as `EngineProtocol.position`."""
        return self._thread.run(self.protocol.position(position))

    def play(
        self,
        position: Position | None,
        limit: Limit | None = None,
        *,
        mode: str = "auto",
        timeout: float | None = None,
        **parameters: Parameter,
    ) -> PlayResult:
        """Searches to the end; returns the move with the last ranking, as `EngineProtocol.play`."""
        work = self.protocol.play(position, limit, mode=mode, timeout=timeout, **parameters)
        return self._thread.run(work)

    def analyse(
        self,
        position: Position | None,
        limit: Limit | None = None,
        *,
        mode: str = "auto",
        timeout: float | None = None,
        **parameters: Parameter,
    ) -> Ranking:
        """Searches to the end; returns the last ranking. The arguments are those of `play`."""
        return self.play(position, limit, mode=mode, timeout=timeout, **parameters).ranking

    def analysis(
        self,
        position: Position | None,
        limit: Limit | None = None,
        *,
        mode: str = "auto",
        timeout: float | None = None,
        **parameters: Parameter,
    ) -> SimpleAnalysis:
        """Starts a search and returns it, as `EngineProtocol.analysis`."""
        work = self.protocol.analysis(position, limit, mode=mode, timeout=timeout, **parameters)
        return SimpleAnalysis(self._thread.run(work), self._thread)

    def quit(self, timeout: float = QUIT_TIME) -> int:
        """Ends the engine, as `EngineProtocol.quit`. Does nothing if that was done before."""
        if self._thread.loop.is_closed():
            return self.protocol.returncode.result() if self.protocol.returncode.done() else -1
        try:
            return self._thread.run(self.protocol.quit(timeout))
        finally:
            self._thread.end()

    def close(self) -> None:
        """Kills the engine if it still runs. Does nothing if it has ended."""
        if self._thread.loop.is_closed():
            return
        try:
            self._thread.run(self.protocol.close())
        finally:
            self._thread.end()
