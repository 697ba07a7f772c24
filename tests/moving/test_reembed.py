"""Another embedding model: beside the old one, which answers until the new one is whole."""

import signal
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner
from tests.postgres.server import Server
from tests.processes import forked
from tests.raw import raw

from engraphy import Memory
from engraphy.cli import main
from engraphy.errors import EmbedderMismatchError, InvalidInputError
from engraphy.testing import ToyEmbedder

NEW = ToyEmbedder(dim=16, model_id="toy-new")
OLD = ToyEmbedder(dim=32, model_id="toy-old")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store of many memories with vectors of one model."""
    told = str(tmp_path / "store.db")
    if request.param == "postgres":
        server: Server = request.getfixturevalue("server")
        told = server.fresh_url()
    with Memory(told, embedder=OLD) as memory:
        for number in range(12):
            memory.remember(f"Fact {number}: tea number {number * 7} is at {number % 24}.")
    return told


class BrokenOffError(Exception):
    """Somebody stopped it."""


@pytest.mark.spec("P-06")
def test_the_old_model_answers_until_the_new_one_is_whole(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While vectors are made the old ones answer, for who has the store open and who opens it; the
    new model is refused until it is whole. Broken off twice, it goes on; then the new one answers
    and the old one is refused."""
    monkeypatch.setattr("engraphy.engine.reembedding._BATCH", 5)

    def stop(_: int) -> None:
        raise BrokenOffError

    with Memory(place, embedder=OLD) as memory:
        before = [hit.memory.id for hit in memory.recall("tea number 14", touch=False)]
        for made in (5, 10):
            with pytest.raises(BrokenOffError):
                memory.reembed(model=NEW, progress=stop)
            told = memory.vectors()
            assert (told.serves, told.models) == ("toy-old", {"toy-new": made, "toy-old": 12})
            again = [hit.memory.id for hit in memory.recall("tea number 14", touch=False)]
            assert again == before
            with pytest.raises(EmbedderMismatchError, match="made by toy-old"):
                Memory(place, embedder=NEW)
        memory.remember("A later one, of the old model, is found by the last look.")
        assert memory.reembed(model=NEW) == 3
        assert memory.embedder_id == "toy-new"
        assert memory.vectors().models == {"toy-new": 13, "toy-old": 13}
    with pytest.raises(EmbedderMismatchError, match="made by toy-new"):
        Memory(place, embedder=OLD)


@pytest.mark.long
def test_back_is_at_once_and_the_old_is_dropped_on_request(place: str) -> None:
    """Until the old vectors are dropped the old model can answer again, at once; afterwards there
    is no way back, which is said."""
    with Memory(place, embedder=OLD) as memory:
        with pytest.raises(InvalidInputError, match="there is no earlier model to go back to"):
            memory.reembed_back()
        memory.reembed(model=NEW)
        assert memory.reembed_back().serves == "toy-old"
    with Memory(place, embedder=OLD) as memory:
        assert memory.recall("tea number 14")
        assert memory.reembed(model=NEW) == 0
    with Memory(place, embedder=NEW) as memory:
        told = memory.drop_old_vectors()
        assert (told.dropped, told.models, told.before) == (12, {"toy-new": 12}, "")
        assert [check for check in memory.doctor(deep=True) if not check.ok] == []
        with pytest.raises(InvalidInputError, match="there is no earlier model to go back to"):
            memory.reembed_back()


class EditingEmbedder(ToyEmbedder):
    """While it makes vectors somebody edits what it was given."""

    def __init__(self, place: str) -> None:
        super().__init__(dim=16, model_id="toy-new")
        self._place = place
        self.times = 0

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        self.times += 1
        if self.times == 1:
            with Memory(self._place, embedder=OLD) as other:
                held = {one.content: one.id for one in other.list(limit=20)}
                other.update(held[texts[0]], content="The harbour is closed in winter.")
        return super().embed_documents(texts)


def test_an_edit_meanwhile_gets_the_vector_of_its_own_text(place: str) -> None:
    """A memory that is edited while its vector is made does not keep that of its earlier text: it
    gets one in a later round."""
    new = EditingEmbedder(place)
    with Memory(place, embedder=OLD) as memory:
        assert memory.reembed(model=new) == 12
        assert memory.vectors().missing == 0
        [edited] = [one for one in memory.list(limit=20) if "harbour" in one.content]
        store = memory._engine.store  # noqa: SLF001 - no verb tells it
        view = memory._view({})  # noqa: SLF001
        vector = new.embed_query(edited.content)
        told = {one.id: one.cosine for one in store.search_vector(view, "toy-new", vector, 12)}
    assert told[edited.id] == pytest.approx(1.0, abs=0.02)
    assert new.times > 1


@pytest.mark.parametrize("model", ["none", False])
def test_no_model_cannot_be_put_in_the_place_of_one(tmp_path: Path, model: object) -> None:
    """`reembed --model none` is refused, and says what may be named; nothing is changed."""
    with Memory(tmp_path / "store.db", embedder=OLD) as memory:
        memory.remember("Tea is at four.")
        with pytest.raises(InvalidInputError, match="allowed: a model that makes vectors: static"):
            memory.reembed(model=model)
        assert memory.embedder_id == "toy-old"


def test_a_model_with_a_name_is_followed_by_who_asks_for_none(tmp_path: Path) -> None:
    """Who opens the store without naming an embedder gets the one whose vectors answer."""
    path = tmp_path / "store.db"
    with Memory(path, embedder=OLD) as memory:
        memory.remember("Tea is at four.")
    with pytest.raises(EmbedderMismatchError):
        Memory(path)
    run = ["reembed", "--db", str(path)]
    words = CliRunner().invoke(main, [*run, "--model", "static"])
    assert (words.exit_code, "1 vectors made" in words.stdout) == (0, True)
    with Memory(path) as memory:
        assert memory.embedder_id.startswith("static")
        assert memory.recall("when is tea?")
    assert CliRunner().invoke(main, [*run, "--back", "--drop-old"]).exit_code == 2
    assert CliRunner().invoke(main, [*run, "--back"]).exit_code == 0
    with Memory(path, embedder=OLD) as memory:
        assert memory.vectors().serves == "toy-old"


@pytest.mark.spec("P-06")
def test_a_tenant_is_served_by_the_model_that_answers_there(tmp_path: Path) -> None:
    """A server that named no embedder takes for each tenant the one that its store says."""
    path = tmp_path / "store.db"
    with Memory(path, tenant="acme", embedder=OLD) as memory:
        memory.remember("Tea is at four.")
        memory.reembed(model="static")
    with Memory(path) as server:
        acme = server.of_tenant("acme")
        assert acme.embedder_id.startswith("static")
        assert acme.recall("when is tea?")


def noting(path: Path, *told: str) -> None:
    """A store whose note says that another model answers: (model, spec, model before, its spec)."""
    with Memory(path) as memory:
        memory.remember("Tea is at four.")
    with closing(raw(path)) as connection:
        connection.execute("INSERT INTO served_models VALUES ('default', ?, ?, ?, ?, 1)", told)


def test_a_store_does_not_choose_a_model_that_is_asked_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who opens a store names a `provider/model`: a note in the file that does is an error
    that says how to choose one, also where one goes back to it, and none that nobody named is put
    in its place."""
    monkeypatch.setenv("ENGRAPHY_API_KEY", "unused")
    monkeypatch.setenv("ENGRAPHY_BASE_URL", "http://127.0.0.1:9/v1")
    noting(tmp_path / "a.db", "openai/another", "openai/another", "static", "static")
    with pytest.raises(EmbedderMismatchError, match="ENGRAPHY_EMBEDDER"):
        Memory(tmp_path / "a.db")
    with Memory(tmp_path / "a.db", reembed=True) as memory:
        with pytest.raises(EmbedderMismatchError, match="made by openai/another"):
            memory.reembed()
        assert memory.vectors().serves == "openai/another"
    with Memory(tmp_path / "a.db", embedder="openai/another") as memory:
        assert memory.embedder_id == "openai/another"
    with Memory(tmp_path / "b.db") as memory:
        own = memory.embedder_id
    with Memory(tmp_path / "a.db", reembed=True) as memory:
        assert memory.reembed(model="static") == 0
    with Memory(tmp_path / "a.db") as memory:
        assert memory.embedder_id == own
    noting(tmp_path / "b.db", own, "static", "openai/another", "openai/another")
    with Memory(tmp_path / "b.db") as memory:
        assert memory.reembed_back().serves == "openai/another"
        assert memory.embedder_id == own


def test_an_embedder_that_is_named_by_the_environment_is_the_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ENGRAPHY_EMBEDDER=static is a choice, although static is what there is without one."""
    noting(tmp_path / "store.db", "another", "multilingual", "", "")
    monkeypatch.setenv("ENGRAPHY_EMBEDDER", "static")
    with pytest.raises(EmbedderMismatchError, match="made by another, the embedder is static"):
        Memory(tmp_path / "store.db")


KILLED = """
    import os, signal, sys
    from engraphy import Memory
    from engraphy.engine import reembedding
    from engraphy.testing import ToyEmbedder

    reembedding._BATCH = 3
    left = int(sys.argv[2])

    def told(_):
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    with Memory(sys.argv[1], embedder=ToyEmbedder(dim=32, model_id="toy-old")) as memory:
        print(memory.reembed(model=ToyEmbedder(dim=16, model_id="toy-new"), progress=told))
"""


@pytest.mark.long
@pytest.mark.spec("P-06")
def test_what_was_killed_is_gone_on_with(place: str) -> None:
    """Killed twice on the way, what was made stays made, and nothing is made twice."""
    for at in (1, 2):
        assert forked(dedent(KILLED), place, at).returncode == -signal.SIGKILL
        with Memory(place, embedder=OLD) as memory:
            assert memory.recall("tea number 14")
    done = forked(dedent(KILLED), place, 0)
    assert (done.returncode, done.stdout.split()) == (0, ["3"])
    with Memory(place, embedder=NEW) as memory:
        assert memory.vectors().models == {"toy-new": 12, "toy-old": 12}
        assert [check for check in memory.doctor(deep=True) if not check.ok] == []
