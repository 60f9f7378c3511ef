"""Shared by the scripts that compare runs on Ray with those of one machine: journals without their times."""

import re

_TIMES = re.compile(r'"(time_us|idle_us)":(\[[0-9,]*\]|[0-9]+)|"crc32":"\w+"')


def untimed(journal):
    """The lines of a journal without times, and without the checksums that depend on them."""
    return [_TIMES.sub("", line) for line in journal.read_text().splitlines()]
