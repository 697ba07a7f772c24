"""Quality over a database is measured with the command that measures it over a file."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.benchmarks import tiny
from tests.postgres.server import Server

from engraphy.cli import main


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of `engraphy bench locomo`."""
    result = CliRunner().invoke(main, ["bench", "locomo", "--no-embed", *arguments])
    return result.exit_code, result.output


@pytest.mark.long
def test_locomo_over_a_database_gives_what_it_gives_over_a_file(
    server: Server, tmp_path: Path
) -> None:
    """The same figures, under the engine's own name; a database that is filled is refused."""
    data = str(tiny.written(tmp_path / "tiny.json", tiny.locomo()))
    url = server.fresh_url()
    found: list[dict[str, Any]] = []
    for more in ([], ["--database", url]):
        code, told = run("--data", data, "--json", *more)
        assert code == 0, told
        found.append(json.loads(told))
    file, database = found
    assert (file["engine"], database["engine"]) == ("sqlite", "postgres")
    assert database["metrics"] == file["metrics"]
    code, told = run("--data", data, "--database", url)
    assert code != 0
    assert "filled" in told
