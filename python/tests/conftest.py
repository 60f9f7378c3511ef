"""Fixtures that several test files use."""

import json
from pathlib import Path
from typing import Any, Callable, List

import pytest

TIMES = {"time_us", "idle_us", "time_ms", "times_ms", "machine", "crc32"}


def untimed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: untimed(inner) for key, inner in value.items() if key not in TIMES}
    return [untimed(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture
def untimed_lines() -> Callable[[Path], List[str]]:
    """The lines of a journal without times, checksums and the name of the machine."""
    return lambda journal: [json.dumps(untimed(json.loads(line))) for line in journal.read_text().splitlines()]
