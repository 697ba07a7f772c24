"""Each loader takes the published format, and says so where a file is not in it."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.benchmarks import tiny

from engraphy.benchmarks import beam, locomo, longmemeval, precision_data
from engraphy.benchmarks.data import known
from engraphy.errors import UnreadableFileError


def test_locomo_turns_carry_speaker_session_time_and_caption(tmp_path: Path) -> None:
    """A LoCoMo turn keeps its id, speaker, session and moment; a picture is its caption."""
    suite = locomo.load(str(tiny.written(tmp_path / "l.json", tiny.locomo())))
    [case] = suite.cases
    assert [turn.source for turn in case.turns] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]
    assert case.turns[2].content == "Look at this. [image: a photo of a lighthouse]"
    start = round(datetime(2023, 5, 8, 13, 56, tzinfo=UTC).timestamp() * 1e6)
    assert (case.turns[0].at, case.turns[1].at) == (start, start + 60_000_000)
    assert (case.turns[3].speaker, case.turns[3].session) == ("Ben", "session_2")


def test_locomo_evidence_is_read_however_it_is_written(tmp_path: Path) -> None:
    """ "D1:2; D2:02" is two turns, "D:2:1" is D2:1; what names no turn is dropped and counted."""
    suite = locomo.load(str(tiny.written(tmp_path / "l.json", tiny.locomo())))
    asked = suite.cases[0].questions
    assert [one.gold for one in asked] == [{"D1:1"}, {"D1:2", "D2:2"}, {"D2:1"}]
    assert [one.category for one in asked] == ["single-hop", "multi-hop", "temporal"]
    assert suite.dropped == 2


def test_longmemeval_haystacks_are_cases_in_the_order_of_time(tmp_path: Path) -> None:
    """The published format gives one case per question, sessions by date, gold turns and
    sessions; abstention questions are dropped and counted."""
    suite = longmemeval.load(str(tiny.written(tmp_path / "s.json", tiny.haystacks())))
    [case] = suite.cases
    assert [turn.source for turn in case.turns] == ["early#0", "late#0", "late#1"]
    assert case.questions[0].gold == {"late#0"}
    assert case.questions[0].gold_sessions == {"late"}
    assert suite.dropped == 1


def test_longmemeval_slices_are_pooled(tmp_path: Path) -> None:
    """A slice is one case; a document's lines are turns of their speakers, empty ones left out."""
    suite = longmemeval.load(str(tiny.written(tmp_path / "s.json", tiny.pooled())))
    [case] = suite.cases
    assert [(turn.role, turn.content) for turn in case.turns] == [
        ("user", "I graduated in botany."),
        ("assistant", "Well done.\nWith two lines."),
        ("user", "My bicycle is red."),
    ]
    assert case.questions[0].gold_sessions == {"s1"}


def test_beam_knows_what_was_updated(tmp_path: Path) -> None:
    """A BEAM question takes nested ids as gold; a change names the new and the stale message."""
    suite = beam.load(str(tiny.written(tmp_path / "chats" / "7.json.gz", tiny.beam()).parent))
    [case] = suite.cases
    update, order = case.questions
    assert (update.updated, update.stale, update.gold) == ({"2"}, {"0"}, {"0", "2"})
    assert (order.gold, order.stale) == ({"0", "2"}, frozenset())
    assert suite.dropped == 1
    assert case.turns[1].at == case.turns[0].at + 60_000_000


def test_the_hash_is_over_the_bytes_of_the_files(tmp_path: Path) -> None:
    """The data hash is SHA-256 of the file, or of a folder's files in the order of their names."""
    one = tiny.written(tmp_path / "b" / "1.json", tiny.beam())
    two = tiny.written(tmp_path / "b" / "2.json.gz", {**tiny.beam(), "chat_id": "8"})
    suite = beam.load(str(tmp_path / "b"))
    assert suite.data_sha256 == hashlib.sha256(one.read_bytes() + two.read_bytes()).hexdigest()
    assert suite.known is None
    assert [case.id for case in suite.cases] == ["chat-7", "chat-8"]


def test_a_published_file_is_known_by_its_hash() -> None:
    """The hash of a file that figures were published for tells its name."""
    digest = "2ba19efc8b4340f6e33750bea626723e1571674965226e6f65e91d6a08a3aecb"
    assert known(digest) == "LoCoMo, five dialogues (conv-26, 30, 41, 42, 43)"
    assert known("0" * 64) is None


def test_precision_reads_two_files_only(tmp_path: Path) -> None:
    """The seed and the cases are read wherever they stand under the folder, and nothing else."""
    fixtures = precision_data.load(str(tiny.precision(tmp_path)))
    assert len(fixtures.beliefs) == 7
    assert [case.budget for case in fixtures.cases] == [20, 20, 20, 1, 20]
    assert fixtures.cases[2].user == "new"


@pytest.mark.parametrize("module", [locomo, longmemeval, beam, precision_data])
@pytest.mark.parametrize("value", [{}, [{"id": 1}], 7, None, "text"])
def test_other_data_are_refused(module: object, value: object, tmp_path: Path) -> None:
    """Data in another format are an UnreadableFileError that names the file."""
    for name in ("beliefs.seed.json", "retrieval.cases.json"):
        tiny.written(tmp_path / "p" / name, value)
    path = tmp_path / "p" if module is precision_data else tmp_path / "p" / "beliefs.seed.json"
    with pytest.raises(UnreadableFileError, match="not in the format of"):
        module.load(str(path))  # type: ignore[attr-defined]


def test_missing_and_broken_files_are_refused(tmp_path: Path) -> None:
    """No file, no JSON, several files where one is meant: each an UnreadableFileError."""
    for path, problem in (
        (tmp_path / "absent.json", "no JSON file"),
        (tmp_path, "no JSON file"),
    ):
        with pytest.raises(UnreadableFileError, match=problem):
            locomo.load(str(path))
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    with pytest.raises(UnreadableFileError, match=r"a\.json"):
        locomo.load(str(tmp_path))
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    (tmp_path / "b.json.gz").write_bytes(b"no gzip")
    with pytest.raises(UnreadableFileError, match=r"b\.json\.gz"):
        locomo.load(str(tmp_path))
    tiny.written(tmp_path / "b.json.gz", [])
    with pytest.raises(UnreadableFileError, match="name one of its files"):
        locomo.load(str(tmp_path))
    with pytest.raises(UnreadableFileError, match=r"beliefs\.seed\.json"):
        precision_data.load(str(tmp_path))
