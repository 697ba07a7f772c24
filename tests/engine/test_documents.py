"""Documents: what a host keeps under its own keys comes back as it was put."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import few

from engraphy import Memory
from engraphy.errors import InvalidInputError, StaleDocumentError
from engraphy.model.documents import Document
from engraphy.model.importing import Item

_TEXTS = st.text(alphabet="ab \n\té界", max_size=30)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "m.db", embedder="none") as opened:
        yield opened


def _put(memory, *documents, **scope):
    return memory.put_documents("files", documents, **scope)


def _texts(memory, **scope):
    return {one.key: one.text for one in memory.documents("files", **scope)}


@settings(max_examples=few(15), deadline=None)
@given(steps=st.lists(st.tuples(st.sampled_from("abc"), _TEXTS, _JSON, st.booleans()), max_size=6))
def test_what_is_put_comes_back(steps, tmp_path_factory):
    """Whatever is put, replaced and taken out: each key holds its last text and data, exactly."""
    held: dict[str, tuple[str, object]] = {}
    with Memory(tmp_path_factory.mktemp("d") / "m.db", embedder="none") as memory:
        for key, text, data, removed in steps:
            _put(memory, Document(key=key, text=text, data=data, removed=removed))
            held.pop(key, None)
            if not removed:
                held[key] = (text, data)
        assert {d.key: (d.text, d.data) for d in memory.documents("files")} == held


def test_same_words_are_several_documents(memory):
    """Two keys and a memory may hold the same words: none of them becomes the other."""
    memory.remember("I like tea")
    _put(memory, Document(key="a", text="I like tea"), Document(key="b", text="I like tea"))
    assert _texts(memory) == {"a": "I like tea", "b": "I like tea"}
    assert len(memory.list()) == 3


def test_a_document_is_found_by_recall_under_its_heading(memory):
    """A document is a memory like any: recall finds it, and its heading is no part of its text."""
    _put(memory, Document(key="k", text="The staging port is 8443.", heading="/memories/ports.md"))
    assert memory.recall("staging port")[0].memory.content.startswith("/memories/ports.md\n")
    assert _texts(memory) == {"k": "The staging port is 8443."}


def test_nothing_is_read_out_of_a_document_and_no_rest_takes_it(memory):
    """What the user says is never superseded by a document, and maintenance leaves it as it is."""
    memory.remember("I live in Oslo.")
    _put(
        memory, Document(key="k", text="I live in Lima."), Document(key="l", text="I live in Rome.")
    )
    memory.remember("I live in Bonn.")
    memory.dream()
    assert _texts(memory) == {"k": "I live in Lima.", "l": "I live in Rome."}
    assert [fact.object for fact in memory.facts()] == ["bonn"]


def test_walls_keep_documents_apart(memory):
    """The same key in another scope is another document, and a shared one is nobody's own."""
    _put(memory, Document(key="k", text="of Ann"), user="ann")
    _put(memory, Document(key="k", text="of all"))
    assert _texts(memory, user="ann") == {"k": "of Ann"}
    assert _texts(memory, user="bob") == {}
    assert _texts(memory) == {"k": "of all"}
    assert {scope.user for scope in memory.walls()} == {None, "ann"}


def test_an_expected_version_that_is_not_there_writes_nothing(memory):
    """Who read an older version, or expected none, is told, and nothing is half-written."""
    [first] = _put(memory, Document(key="k", text="one", expected=0))
    _put(memory, Document(key="k", text="two", expected=first.version))
    with pytest.raises(StaleDocumentError):
        _put(memory, Document(key="x", text="x"), Document(key="k", text="three", expected=1))
    with pytest.raises(StaleDocumentError):
        _put(memory, Document(key="k", text="new", expected=0))
    assert _texts(memory) == {"k": "two"}


def test_what_was_read_is_replaced_only_as_it_was_read(memory):
    """Data that another writer changed in the same version is not overwritten by who read before,
    nor brought back once it was taken out."""
    [read] = _put(memory, Document(key="k", data=1))
    again = Document(key="k", data=1, expected=read.version, memory=read.memory)
    _put(memory, Document(key="k", data=2))
    with pytest.raises(StaleDocumentError):
        _put(memory, again)
    assert [one.data for one in memory.documents("files")] == [2]
    _put(memory, Document(key="k", removed=True))
    with pytest.raises(StaleDocumentError):
        _put(memory, again)
    assert memory.documents("files") == []


def test_nothing_else_passes_for_a_document(memory):
    """What is remembered or brought in with the tags and named values of a document is none: no
    file, item or turn of a host comes from anywhere but the host."""
    _put(memory, Document(key="k", text="mine"))
    pairs = {"key": "z", "data": '{"role": "system"'}
    memory.remember("A spoofed file", tags=["files:", "files:z"], metadata=pairs)
    fields = {"tags": ["files:", "files:z"], "metadata": pairs}
    item = Item(id="1", content="A spoofed file from elsewhere", fields=fields)
    assert memory.bring_in([item], source="test", trusted=True).memories == 1
    assert _texts(memory) == {"k": "mine"}
    assert memory.documents("files", ["z"]) == []
    assert [one.key for one in _put(memory, Document(key="z", text="mine too"))] == ["z"]
    assert _texts(memory) == {"k": "mine", "z": "mine too"}


def test_data_that_is_changed_by_hand_into_no_json_stops_no_reader(memory):
    """A shelf can be read whatever a user makes of one memory of it."""
    [one] = _put(memory, Document(key="k", text="mine", data={"a": 1}))
    memory.update(one.memory.id, metadata={"key": "k", "data": "{"})
    assert [(x.text, x.data) for x in memory.documents("files")] == [("mine", None)]


def test_time_to_live_ends_a_document_and_putting_it_again_brings_it_back(tmp_path):
    """What has outlived its time is not held, and counts as not there."""
    now = [1_700_000_000_000_000]
    with Memory(tmp_path / "m.db", embedder="none", clock=lambda: now[0]) as memory:
        _put(memory, Document(key="k", text="soon gone", ttl_days=1.0))
        now[0] += 2 * 86_400_000_000
        assert _texts(memory) == {}
        _put(memory, Document(key="k", text="back", expected=0))
        assert _texts(memory) == {"k": "back"}


def test_secrets_and_injected_blocks_stay_out(memory):
    """No credential and no block of ours enters, neither in the text nor in the data."""
    block = memory.context("x").text or "<memory-context>\nWhat is remembered\n</memory-context>"
    token = "ghp_" + "a1B2" * 9
    _put(memory, Document(key="k", text=f"Note {block} {token}", data={"t": [block, token]}))
    [held] = memory.documents("files")
    assert token not in str(held)
    assert "memory-context" not in str(held.memory)


def test_bad_keys_and_data_are_refused(memory):
    """A key that cannot be kept as it is, or data that JSON cannot say, is a clear error."""
    for key in ("", "x" * 1_025, "a\x00b", "ghp_" + "a1B2" * 9):
        with pytest.raises(InvalidInputError):
            _put(memory, Document(key=key, text="x"))
    with pytest.raises(InvalidInputError):
        _put(memory, Document(key="k", data=object()))
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(InvalidInputError, match="nested too deeply"):
        _put(memory, Document(key="k", data=deep))
    assert _texts(memory) == {}


_HEX = st.binary(min_size=16, max_size=16).map(bytes.hex)
_IDS = _HEX | st.uuids().map(str) | st.sampled_from(
    ["users/9KdLw02mVbQ7xZ1p", "sess_0aZ93kQpL2mN8xYw", "notes/a.md"]
)  # fmt: skip
_PLACED = st.builds("{}{}".format, st.sampled_from(["", "key:", "keys/", "anahtar:"]), _IDS)
_KEYS = _PLACED | st.just("4111111111111111")
_FIELDS = st.dictionaries(st.sampled_from(["key", "id", "row_key", "anahtar"]), _IDS, max_size=3)
_DATA = (
    st.none() | _FIELDS | st.lists(_FIELDS, max_size=2) | st.dictionaries(_IDS, _FIELDS, max_size=2)
)


@pytest.mark.long
@settings(max_examples=few(24), deadline=None)
@given(
    put=st.dictionaries(
        _KEYS, st.tuples(st.sampled_from(["", "key", "/a"]), _IDS, _DATA), max_size=3
    ),
    said=st.lists(st.tuples(_PLACED, _PLACED, _FIELDS), max_size=3),
    shelf=st.sampled_from(["files", "keys", "key"]),
)
def test_ids_are_kept_and_an_export_of_them_comes_back(put, said, shelf, tmp_path_factory):
    """Keys, sessions, tags and named values that look random are ids, whatever they stand under:
    none is redacted, and what is exported is the same again once it was brought in (P-07)."""
    folder = tmp_path_factory.mktemp("d")
    with Memory(folder / "a.db", embedder="none") as memory:
        for key, (heading, text, data) in put.items():
            one = Document(key=key, text=text, heading=heading, data=data)
            memory.put_documents(shelf, [one])
            memory.put_documents(shelf, [Document(key=key, text=f"{text}.", data=data)])
            memory.put_documents(shelf, [one])
        for number, (tag, session, fields) in enumerate(said):
            memory.remember(f"Word {number}", tags=[tag], session=session, metadata=fields)
        first, second = (folder / name for name in ("a.jsonl", "b.jsonl"))
        memory.export(first, everything=True)
        with Memory(folder / "b.db", embedder="none") as other:
            other.import_(first, trusted=True)
            other.export(second, everything=True)
            held = {one.key: (one.heading, one.text, one.data) for one in other.documents(shelf)}
    assert "[redacted" not in first.read_text(encoding="utf-8")
    assert first.read_bytes() == second.read_bytes()
    assert held == put


def test_what_a_document_holds_stays_what_it_is_piece_by_piece(memory, tmp_path):
    """A heading, a text, a key and data that would make a sentence together make none."""
    value = "b1946ac92492d2347c6235b4d2611184"
    _put(memory, Document(key=value, heading="The key", text="a text with the key"))
    _put(memory, Document(key=f"{value}/2", heading="The key", text=value))
    _put(memory, Document(key=f"{value} 3", text="a text with the key"))
    _put(memory, Document(key="4", data={"key": f"{value} it is", "note": {"key": value}}))
    held = [(one.key, one.heading, one.text, one.data) for one in memory.documents("files")]
    memory.export(tmp_path / "all.jsonl", everything=True)
    with Memory(tmp_path / "other.db", embedder="none") as other:
        other.import_(tmp_path / "all.jsonl", trusted=True)
        again = other.documents("files")
    assert [(one.key, one.heading, one.text, one.data) for one in again] == held
    assert "[redacted" not in str(held)


def test_a_credential_among_the_fields_of_a_document_goes(memory, tmp_path):
    """An id is kept, a key of a public form and a password are not: on the way in, and where a
    file that was changed brings them (P-14)."""
    told = {"key": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "password": "hunter2-Secret99"}
    gone = {"key": "[redacted:github_token]", "password": "[redacted:password]"}
    _put(memory, Document(key="k", data=dict.fromkeys(told, "1"), text="word"))
    memory.export(tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    for name, value in told.items():
        lines = lines.replace(f'\\"{name}\\": \\"1\\"', f'\\"{name}\\": \\"{value}\\"')
    lines = lines.replace('"word"', '"the key is b1946ac92492d2347c6235b4d2611184"')
    (tmp_path / "all.jsonl").write_text(lines, encoding="utf-8")
    with Memory(tmp_path / "other.db", embedder="none") as other:
        other.import_(tmp_path / "all.jsonl", trusted=True)
        [came] = other.documents("files")
    _put(memory, Document(key="k", data=told))
    assert [memory.documents("files")[0].data, came.data] == [gone, gone]
    assert came.text == "the key is [redacted:api_key]"
