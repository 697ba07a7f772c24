"""The session tests of the OpenAI Agents SDK, run on ours in place of `SQLiteSession`.

Given the folder of the unpacked sdist of `openai-agents`.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import agents
from suite import run

from engraphy.adapters.openai_agents import EngraphySession

_INSIDE = "looks into SQLiteSession's own connections, locks or tables"
EXPECTED = {
    "test_sqlite_session_closed_rejects_empty_add_items": "wants SQLiteSession's own words",
    "test_sqlite_session_close_closes_worker_thread_connections": _INSIDE,
    "test_sqlite_session_reaps_connections_from_exited_worker_threads": _INSIDE,
    "test_sqlite_session_closes_retired_connections_before_the_next_allocation": _INSIDE,
    "test_sqlite_session_keeps_connections_of_live_worker_threads": _INSIDE,
    "test_sqlite_session_pop_item_skips_corrupt_most_recent": _INSIDE,
    "test_sqlite_session_pop_item_returns_none_after_dropping_only_corrupt_rows": _INSIDE,
    "test_sqlite_session_get_items_limit_skips_corrupt_newest_rows": _INSIDE,
    "test_sqlite_session_get_items_session_settings_limit_skips_corrupt_rows": _INSIDE,
    "test_sqlite_session_file_lock_is_shared_across_instances": _INSIDE,
    "test_sqlite_session_failed_add_items_releases_write_lock": "wants TypeError for what JSON "
    "cannot say; ours is InvalidInputError, a ValueError",
    "test_sqlite_session_failed_clear_session_rolls_back": _INSIDE,
    "test_sqlite_session_failed_pop_item_releases_write_lock": _INSIDE,
    "test_sqlite_session_rollback_failure_evicts_connection": _INSIDE,
    "test_sqlite_session_close_retries_quarantined_connection": _INSIDE,
    "test_sqlite_session_post_commit_cancellation_propagates_after_known_outcome": _INSIDE,
}


class Shim(EngraphySession):
    """Ours, as the tests make a session: its id, and the path of a file."""

    def __init__(self, session_id: str, db_path: Any = ":memory:", **given: Any) -> None:
        path = f"{tempfile.mkdtemp()}/memory.db" if str(db_path) == ":memory:" else db_path
        super().__init__(session_id, Path(path), **given)


if __name__ == "__main__":
    os.environ.setdefault("OPENAI_API_KEY", "none")
    agents.SQLiteSession = Shim
    sdist = sys.argv[1]
    os.chdir(sdist)
    sys.path.insert(0, sdist)
    options = ["-o", "addopts=", "tests/memory/test_session.py"]
    sys.exit(run("openai agents session tests", [*options, *sys.argv[2:]], EXPECTED))
