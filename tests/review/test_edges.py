"""The edges: files that come in, errors that go out, options that exclude each other."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.engine.making import opened

from engraphy import Memory
from engraphy.cli.app import main
from engraphy.errors import EngraphyError, NotFoundError

PASSWORD = "hunter2-Secret99"


def test_an_imported_fact_is_redacted_as_a_told_one(memory: Memory, tmp_path: Path) -> None:
    """A file brings no password past the redaction, also where only the predicate tells (P-14)."""
    memory.fact("db", "password", "zzqq")
    file = tmp_path / "facts.jsonl"
    memory.export(file)
    file.write_text(file.read_text().replace("zzqq", PASSWORD))
    memory.fact("other", "password", PASSWORD)
    with opened(tmp_path / "other.db") as other:
        other.import_(file, trusted=True)
        (came,) = other.facts()
    (told,) = memory.facts("other")
    assert came.object == told.object == "[redacted:password]"


def test_an_error_is_one_line(memory: Memory) -> None:
    """Whatever went wrong, the message is one line, as the command line promises."""
    with pytest.raises(NotFoundError) as missing:
        memory.get("nobody")
    assert "\n" not in str(missing.value)
    with pytest.raises(EngraphyError) as refused:
        memory.remember("x" * 100_001)
    assert "\n" not in str(refused.value)


def test_no_embedder_and_an_embedder_exclude_each_other(tmp_path: Path) -> None:
    """Neither of two options that contradict each other is silently dropped."""
    run = CliRunner().invoke
    store = ["--db", str(tmp_path / "cli.db"), "--no-embed"]
    refused = run(main, ["stats", *store, "--embedder", "static"])
    assert (refused.exit_code, "exclude each other" in refused.output) == (2, True)
    run(main, ["remember", "The lamp is green", *store])
    assert run(main, ["stats", *store, "--embedder", "none"]).exit_code == 0
