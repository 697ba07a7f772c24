"""What is put into a request is insertions: taken out again, the client's bytes are back."""

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engraphy.model.outcome import Placed, Placement
from engraphy.proxy.dialects import DIALECTS, edited, read
from engraphy.proxy.reading import Dialect
from engraphy.proxy.splice import UnclearError, applied, opened
from engraphy.read.prompts import prompts

BLOCK = '<memory-context>\n- "quoted" \\ back, ünï, 🪶\n</memory-context>'
BY_NAME: Mapping[str, Dialect] = {one.name: one for one in DIALECTS}
PLACES: tuple[Placement, ...] = ("tail", "system", "assistant")
FORMS = ("part", "system", "developer")

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
words = st.text(min_size=1, max_size=20)
unknown = st.dictionaries(st.text("xyz_", min_size=1, max_size=6), values, max_size=2)
EDITED = ("messages", "input", "system", "instructions", "contents", "systemInstruction")
NUMBERS = ("1.0", "1e5", "-0.0", "100000000000000000000000001", "0.1000", "1E-7")


def part(kind: str) -> st.SearchStrategy[Any]:
    """A part of a content, with fields that nobody knows."""
    known = st.fixed_dictionaries({"type": st.just(kind), "text": words})
    return st.builds(lambda one, more: {**more, **one}, known, unknown)


def content(kind: str) -> st.SearchStrategy[Any]:
    """A content as text or parts."""
    return words | st.lists(part(kind) | unknown, max_size=3)


def messages(kind: str) -> st.SearchStrategy[Any]:
    """Messages of all roles."""
    roles = st.sampled_from(["user", "assistant", "system", "developer", "tool", "user"])
    known = st.fixed_dictionaries({"role": roles, "content": content(kind)})
    return st.lists(st.builds(lambda one, more: {**more, **one}, known, unknown), max_size=5)


def turns() -> st.SearchStrategy[Any]:
    """Turns of Gemini's."""
    roles = st.sampled_from(["user", "model", "function"])
    parts = st.lists(
        st.builds(lambda text, more: {**more, "text": text}, words, unknown)
        | st.just({"functionResponse": {"name": "t", "response": {}}})
        | unknown,
        max_size=3,
    )
    return st.lists(st.fixed_dictionaries({"role": roles, "parts": parts}), max_size=5)


BODIES = {
    "anthropic": st.fixed_dictionaries(
        {"model": words, "messages": messages("text")},
        optional={"system": content("text"), "max_tokens": st.integers(20, 9999)},
    ),
    "chat": st.fixed_dictionaries({"model": words, "messages": messages("text")}),
    "responses": st.fixed_dictionaries(
        {"model": words, "input": words | messages("input_text")},
        optional={"instructions": words | st.none(), "previous_response_id": words},
    ),
    "gemini": st.fixed_dictionaries(
        {"contents": turns()},
        optional={"systemInstruction": st.fixed_dictionaries({"parts": st.just([{"text": "S"}])})},
    ),
}


def spelled(value: Any, chance: random.Random) -> str:
    """A value as JSON, spaced, ordered and escaped in one of many ways, with numbers that would
    not survive a reading and writing."""
    gap = chance.choice(["", " ", "\n  ", "\t"])
    if isinstance(value, dict):
        pairs = [f"{spelled(k, chance)}{gap}:{gap}{spelled(v, chance)}" for k, v in value.items()]
        chance.shuffle(pairs)
        return f"{{{gap}{f'{gap},{gap}'.join(pairs)}{gap}}}"
    if isinstance(value, list):
        return f"[{gap}{f'{gap},{gap}'.join(spelled(one, chance) for one in value)}{gap}]"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return chance.choice(NUMBERS)
    return json.dumps(value, ensure_ascii=chance.random() < 0.5)


@pytest.mark.long
@pytest.mark.parametrize("name", BODIES)
@given(data=st.data())
def test_without_what_was_put_in_the_body_is_the_clients_to_the_letter(
    name: str, data: st.DataObject
) -> None:
    """For any body, place and form: cutting the inserted pieces out gives the client's exact
    bytes, and what the provider reads is valid JSON with every member the client sent."""
    value = data.draw(BODIES[name] | st.builds(lambda a, b: {**b, **a}, BODIES[name], unknown))
    text = spelled(value, random.Random(data.draw(st.integers(0, 999))))
    spoken = BY_NAME[name]
    reading = read(spoken, text.encode("utf-8", "surrogatepass"))
    assume(reading is not None)
    assert reading is not None
    placement, form = data.draw(st.sampled_from(PLACES)), data.draw(st.sampled_from(FORMS))
    put = []
    for one in prompts(reading.chat):
        block = Placed(message=one.place, text=BLOCK, placement=placement)
        put += spoken.place(reading, block, form)
    whole = applied(text, put)
    back, shift = whole, 0
    for one in sorted(put, key=lambda one: one.at):
        start = one.at + shift
        assert whole[start : start + len(one.text)] == one.text
        shift += len(one.text)
    for one in sorted(put, key=lambda one: one.at, reverse=True):
        shift -= len(one.text)
        back = back[: one.at + shift] + back[one.at + shift + len(one.text) :]
    assert back == text
    read_again = json.loads(whole)
    for key in value:
        if key not in EDITED:
            assert read_again[key] == json.loads(text)[key]
    if put:
        assert BLOCK in json.dumps(read_again, ensure_ascii=False).replace("\\n", "\n").replace(
            '\\"', '"'
        ).replace("\\\\", "\\")


@given(st.binary(max_size=200) | values.map(lambda one: json.dumps(one).encode()))
def test_whatever_is_sent_is_read_or_left(data: bytes) -> None:
    """No body is an error: it is a conversation, or it passes as it is."""
    for spoken in DIALECTS:
        reading = read(spoken, data)
        if reading is not None:
            block = Placed(message=0, text=BLOCK, placement="tail")
            made = edited(spoken, reading, [block])
            assert made is None or json.loads(made)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"messages":[],"messages":[]}',
        b'{"messages":[{"role":"user","content":"a"}]} trailing',
        b'{"messages":[{"role":"user","content":"a"}],}',
        b'{"a":1 "b":2}',
        b'\xef\xbb\xbf{"messages":[]}',
        b'{"messages":' + b"[" * 100_000,
        b'{"messages":"\xff"}',
        b'{"n":' + b"9" * 10_000 + b"x}",
        b'{"a":{"b":[}}',
    ],
)
def test_what_two_readers_could_read_differently_is_not_read(body: bytes) -> None:
    """Members that stand twice, trailing text, broken JSON, depth without bound: not ours to
    edit."""
    with pytest.raises(UnclearError):
        opened(body)
    assert all(read(spoken, body) is None for spoken in DIALECTS)


def body(name: str, value: Any) -> Any:
    """A body edited with a block for its last prompt, as the provider reads it."""
    return placed(name, value, "tail")


def placed(name: str, value: Any, placement: Placement, form: str | None = None) -> Any:
    """The same in another place."""
    reading = read(BY_NAME[name], json.dumps(value).encode())
    assert reading is not None
    *_, last = prompts(reading.chat)
    block = Placed(message=last.place, text="B", placement=placement)
    made = edited(BY_NAME[name], reading, [block], form)
    return json.loads(made or b"null")


USER = {"role": "user", "content": "Hi"}
MARKED = {"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}


def test_the_block_stands_behind_the_clients_last_mark() -> None:
    """A part is put behind the marked one, and brings no mark: there are never five."""
    made = body("anthropic", {"messages": [{"role": "user", "content": [MARKED]}]})
    assert made["messages"][0]["content"] == [MARKED, {"type": "text", "text": "B"}]


def test_where_the_client_speaks_between_turns_the_block_does() -> None:
    """A client that sends messages of the system among the turns gets the block as one of them,
    behind its own."""
    own = {"role": "system", "content": [MARKED]}
    chat = [USER, own, {"role": "assistant", "content": "Yes"}]
    made = body("anthropic", {"messages": chat})
    assert made["messages"] == [USER, own, {"role": "system", "content": "B"}, chat[-1]]


def test_answers_of_tools_are_no_prompt() -> None:
    """In a tool loop the block belongs to the prompt, and answers stay first in their message."""
    result = {"type": "tool_result", "tool_use_id": "t", "content": "42"}
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "x"}]}
    chat = [USER, call, {"role": "user", "content": [result]}]
    made = body("anthropic", {"messages": chat})
    assert made["messages"][1:] == chat[1:]
    assert made["messages"][0]["content"][-1] == {"type": "text", "text": "B"}
    both = {"role": "user", "content": [result, {"type": "text", "text": "And?"}]}
    made = body("anthropic", {"messages": [USER, call, both]})
    assert [one["type"] for one in made["messages"][2]["content"]] == [
        "tool_result",
        "text",
        "text",
    ]


def test_the_system_prompt_keeps_its_form() -> None:
    """A text stays a text, a list a list, and one that is missing is made."""
    made = placed("anthropic", {"system": "S", "messages": [USER]}, "system")
    assert made == {"system": "S\n\nB", "messages": [USER]}
    made = placed("anthropic", {"system": [MARKED], "messages": [USER]}, "system")
    assert made["system"] == [MARKED, {"type": "text", "text": "B"}]
    assert placed("anthropic", {"messages": [USER]}, "system")["system"] == "B"
    told = {"role": "developer", "content": "D"}
    assert (
        placed("chat", {"messages": [told, USER]}, "system")["messages"][0]["content"] == "D\n\nB"
    )
    made = placed("chat", {"messages": [USER]}, "system")
    assert made["messages"] == [{"role": "system", "content": "B"}, USER]
    made = placed("responses", {"input": "Hi", "instructions": "I"}, "system")
    assert made == {"input": "Hi", "instructions": "I\n\nB"}
    assert placed("responses", {"input": "Hi"}, "system")["instructions"] == "B"


def test_a_preamble_stands_before_the_prompt() -> None:
    """As a message of the assistant; where none may stand first, behind the prompt."""
    said = {"role": "assistant", "content": "B"}
    chat = [USER, {"role": "assistant", "content": "Yes"}, {"role": "user", "content": "And?"}]
    made = placed("anthropic", {"messages": chat}, "assistant")
    assert made["messages"] == [*chat[:2], said, chat[2]]
    assert placed("anthropic", {"messages": [USER]}, "assistant")["messages"][0]["role"] == "user"
    assert placed("chat", {"messages": [USER]}, "assistant")["messages"] == [said, USER]


def test_openai_forms() -> None:
    """The client's own word for the system decides; without one it is a part of the prompt."""
    for role in ("developer", "system"):
        first = {"role": role, "content": "D"}
        made = body("chat", {"messages": [first, USER]})
        assert made["messages"] == [first, USER, {"role": role, "content": "B"}]
    made = body("chat", {"messages": [USER]})
    assert made["messages"][0]["content"][1] == {"type": "text", "text": "B"}
    made = body("responses", {"input": "Hi"})
    assert [one["text"] for one in made["input"][0]["content"]] == ["Hi", "B"]
    first = {"type": "message", "role": "developer", "content": []}
    made = body("responses", {"input": [first, USER]})
    assert made["input"][2]["role"] == "developer"
    assert made["input"][2]["content"] == [{"type": "input_text", "text": "B"}]


def test_gemini_has_two_roles() -> None:
    """The block is a part of the prompt; an answer of a tool is none; the system's instruction is
    made where it is missing."""
    user = {"role": "user", "parts": [{"text": "Hi"}]}
    call = {"role": "model", "parts": [{"functionCall": {"name": "t", "args": {}}}]}
    result = {"role": "user", "parts": [{"functionResponse": {"name": "t", "response": {}}}]}
    made = body("gemini", {"contents": [user, call, result]})
    assert made["contents"] == [
        {"role": "user", "parts": [{"text": "Hi"}, {"text": "B"}]},
        call,
        result,
    ]
    made = placed("gemini", {"contents": [user]}, "system")
    assert made == {"contents": [user], "systemInstruction": {"parts": [{"text": "B"}]}}


def test_a_conversation_that_the_provider_holds_is_not_filled() -> None:
    """What is put among its messages would stay there for good: instructions do not."""
    made = body("responses", {"input": [USER], "previous_response_id": "resp_1"})
    assert made == {"input": [USER], "previous_response_id": "resp_1", "instructions": "B"}


def test_what_a_host_wraps_is_no_prompt() -> None:
    """The environment that an agent tells its model is not what the user said."""
    told = "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"
    chat = [{"role": "user", "content": told}, USER]
    made = body("responses", {"input": chat})
    assert made["input"][0] == chat[0]
    own = f"{told}\nHi"
    made = body("responses", {"input": [{"role": "user", "content": own}]})
    assert made["input"][0]["content"][1]["text"] == "B"
