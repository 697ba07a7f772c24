"""`engraphy capacity` measures a database by itself: client and server apart, rows and indexes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.postgres.server import Server

from engraphy.cli import main


@pytest.mark.slow
def test_a_database_is_measured(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an empty database costs is measured there: processors of client and server apart, bytes
    of rows and of indexes, which are less than the database; it is kept, and used without one the
    next time."""
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path))
    words = ["capacity", "--memories", "100M", "--qps", "10", "--engine", "postgres", "--json"]
    place = ["--database", server.fresh_url(), "--folder", str(tmp_path)]
    asked = [*words, *place, "--sizes", "3000,3100,3200", "--queries", "10"]
    result = CliRunner().invoke(main, asked, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    made = json.loads(result.stdout)
    assert not made["of_a_file"]
    assert made["per_call"]["database_recall_ms"] > 0
    assert made["per_call"]["database_load_ms"] > 0
    assert made["cores"]["database"] > 0
    whole, rows, indexes = (
        made["costs"][f"disk_{part}mb"]["per million in all"] for part in ("", "rows_", "index_")
    )
    assert rows > 0
    assert indexes > 0
    assert rows + indexes == pytest.approx(whole, rel=0.1)
    again = CliRunner().invoke(main, words, catch_exceptions=False)
    assert json.loads(again.stdout)["costs"] == made["costs"]
