"""Runs tests of others on ours, counts by name, and tells what was expected to fail."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

_OPTIONS = ("-v", "--tb=short", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto",
            "-o", "asyncio_default_fixture_loop_scope=function",
            "-o", "faulthandler_timeout=180")  # fmt: skip
"""A line per test; where one takes minutes, the stack shows what it does."""


class Counted:
    """Counts what passed and failed, by name."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The worst of a test's phases counts."""
        if report.when == "call" or report.failed or report.skipped:
            name = report.nodeid.rpartition("/")[2]
            if self.outcomes.get(name) != "failed":
                self.outcomes[name] = report.outcome


def run(title: str, options: Sequence[str], expected: Mapping[str, str]) -> int:
    """Run pytest with `options`; 1 where anything fails that `expected` does not name with its
    reason, or where nothing passes."""
    counted = Counted()
    pytest.main([*_OPTIONS, *options], plugins=[counted])
    failed = sorted(name for name, out in counted.outcomes.items() if out == "failed")
    reasons = {name: expected.get(_test(name), "") for name in failed}
    counts = Counter(counted.outcomes.values())
    print(f"{title}: {dict(counts)}")
    for name in failed:
        print(f"  fails: {name}: {reasons[name] or 'NOT EXPECTED'}")
    return int(not all(reasons.values()) or not counts["passed"])


def _test(name: str) -> str:
    return name.rpartition("::")[2].partition("[")[0]
