"""The copy of an answer is read alike however its bytes are cut, packed or broken."""

import json
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.proxy.upstream import message, messages, zipped

from engraphy.proxy.answers import Answer, Hearing, hearing
from engraphy.proxy.coding import UndoError, accepted, undoing, undone

try:
    from compression import zstd
except ImportError:
    from backports import zstd

TEXTS = ("Hello ", "wörld 🪶\n\ndata: x", "", "東京")


def lines(*events: object) -> bytes:
    """Events without names."""
    said = (one if isinstance(one, str) else json.dumps(one) for one in events)
    return b"".join(f"data: {one}\n\n".encode() for one in said)


CHAT = lines(
    {"id": "c", "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
    *({"id": "c", "choices": [{"index": 0, "delta": {"content": text}}]} for text in TEXTS),
    {"id": "c", "choices": [{"index": 1, "delta": {"content": "another choice"}}]},
    {"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {"id": "c", "choices": [], "usage": {"total_tokens": 1}},
    "[DONE]",
)
ITEM = {"type": "message", "content": [{"type": "output_text", "text": "".join(TEXTS)}]}
RESPONSES = lines(
    {"type": "response.created", "response": {"id": "resp_1"}},
    {"type": "response.output_text.delta", "delta": "Hello "},
    {"type": "response.output_item.done", "item": ITEM},
    {"type": "response.something.new", "x": 1},
    {"type": "response.completed", "response": {"id": "resp_1", "output": [ITEM]}},
)
GEMINI = lines(
    *({"candidates": [{"index": 0, "content": {"parts": [{"text": text}]}}]} for text in TEXTS),
    {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}}]},
    {"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}], "usageMetadata": {}},
)
STREAMS = {"gemini": GEMINI, "anthropic": messages(*TEXTS), "chat": CHAT, "responses": RESPONSES}
PACKED = {
    "gzip": zipped,
    "deflate": zlib.compress,
    "zstd": zstd.compress,
    "br": brotli.compress,
    "": lambda data: data,
}


def listener(name: str) -> Hearing:
    """The listener to a stream of a dialect."""
    found = hearing(name, "text/event-stream; charset=utf-8")
    assert found is not None
    return found


def heard(name: str, data: bytes, cuts: list[int], encoding: str = "") -> tuple[Answer, bytes]:
    """What was heard of bytes that came in pieces, and the pieces put together."""
    listening, undo = listener(name), undoing(encoding)
    assert undo is not None
    at, passed = 0, b""
    for cut in [*sorted(one % (len(data) + 1) for one in cuts), len(data)]:
        piece = data[at:cut]
        passed += piece
        for part in undo(piece):
            listening.feed(part)
        at = cut
    return listening.end(), passed


@pytest.mark.parametrize("name", STREAMS)
@given(
    cuts=st.lists(st.integers(0, 10**6), max_size=30),
    encoding=st.sampled_from(sorted(PACKED)),
    breaks=st.sampled_from([b"\n", b"\r\n", b"\r"]),
)
def test_any_cut_gives_the_same_bytes_and_the_same_text(
    name: str, cuts: list[int], encoding: str, breaks: bytes
) -> None:
    """Wherever the pieces begin and end, in every encoding and with every line break."""
    data = PACKED[encoding](STREAMS[name].replace(b"\n", breaks))
    answer, passed = heard(name, data, cuts, encoding)
    assert passed == data
    assert answer.text == "".join(TEXTS)
    assert answer.whole


@pytest.mark.parametrize("name", STREAMS)
def test_byte_by_byte(name: str) -> None:
    """A stream of single bytes is heard as one in one piece."""
    data = STREAMS[name]
    assert heard(name, data, list(range(len(data))))[0] == heard(name, data, [])[0]


@pytest.mark.parametrize("name", STREAMS)
def test_what_breaks_off_is_not_whole(name: str) -> None:
    """An answer that ends before its last event is no answer, wherever it ends."""
    data = STREAMS[name]
    end = {
        "gemini": b'data: {"candidates": [{"content": {"parts": []}',
        "anthropic": b"event: message_stop",
        "chat": b'data: {"id": "c", "choices": [{"index": 0, "delta": {}, "fin',
    }
    last = data.rindex(end.get(name, b'data: {"type": "response.completed"'))
    for cut in range(0, last, 37):
        assert not heard(name, data[:cut], [])[0].whole


@given(st.binary(max_size=400), st.sampled_from(sorted(STREAMS)))
def test_bytes_that_are_no_events_are_passed_over(noise: bytes, name: str) -> None:
    """Nothing that an upstream sends breaks the listener."""
    for kind in ("text/event-stream", "application/json"):
        listening = hearing(name, kind)
        assert listening is not None
        listening.feed(noise)
        listening.feed(b"\n\n" + STREAMS[name])
        listening.end()


@given(noise=st.binary(min_size=1, max_size=300), encoding=st.sampled_from(sorted(PACKED)))
def test_what_is_not_packed_as_it_says_is_told(noise: bytes, encoding: str) -> None:
    """Undoing ends with the plain bytes or with one error, and never grows without bound."""
    try:
        undone(noise, encoding, 100_000)
    except UndoError:
        return


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd", "br"])
def test_a_bomb_is_not_undone(encoding: str) -> None:
    """What grows beyond the bound is given up."""
    with pytest.raises(UndoError):
        undone(PACKED[encoding](bytes(5_000_000)), encoding, 1_000_000)


def test_answers_in_one_piece() -> None:
    """Without a stream the same is heard."""
    said = {"role": "assistant", "content": "Yes", "tool_calls": [{"function": {"name": "f"}}]}
    whole = {
        "anthropic": message("Yes"),
        "chat": json.dumps({"choices": [{"message": said, "finish_reason": "stop"}]}).encode(),
        "responses": json.dumps(
            {"output": [{"type": "message", "content": [{"type": "output_text", "text": "Yes"}]}]}
        ).encode(),
    }
    parts = [{"content": {"parts": [{"text": text}]}} for text in ("Ye", "s")]
    pieces = [{"candidates": [one]} for one in (*parts, {"finishReason": "STOP"})]
    whole["gemini"] = json.dumps(pieces).encode()
    for name, data in whole.items():
        listening = hearing(name, "application/json")
        assert listening is not None
        listening.feed(data)
        answer = listening.end()
        assert (answer.text, answer.whole) == ("Yes", True)


def test_only_what_can_be_undone_is_asked_for() -> None:
    """Of what the client takes; and nothing where it does not say."""
    assert accepted("gzip, deflate, br, zstd") == "gzip, deflate, br, zstd"
    assert accepted("zstd;q=1.0, compress, *") == "zstd;q=1.0"
    assert accepted("exi") == "identity"
    assert accepted(None) == "identity"
