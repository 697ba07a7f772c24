"""A tiny ONNX model as bytes, written field by field (protobuf wire format), for tests.

Per row it answers the highest token id of the second part: max over tokens of id x type.
"""

from collections.abc import Sequence

_INT64, _FLOAT = 7, 1


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _part(field: int, content: bytes | str) -> bytes:
    raw = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(raw)) + raw


def _attribute(name: str, value: int | Sequence[int]) -> bytes:
    if isinstance(value, int):
        return _part(5, _part(1, name) + _number(3, value) + _number(20, 2))
    listed = b"".join(_number(8, one) for one in value)
    return _part(5, _part(1, name) + listed + _number(20, 7))


def _node(kind: str, takes: Sequence[str], gives: str, *attributes: bytes) -> bytes:
    ends = b"".join(_part(1, name) for name in takes) + _part(2, gives)
    return _part(1, ends + _part(4, kind) + b"".join(attributes))


def _value(field: int, name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    sizes = b"".join(
        _part(1, _part(2, one) if isinstance(one, str) else _number(1, one)) for one in shape
    )
    tensor = _number(1, kind) + _part(2, sizes)
    return _part(field, _part(1, name) + _part(2, _part(1, tensor)))


def cross_encoder(labels: int = 1) -> bytes:
    """The model; with two labels the second is the score and the first its negative, with three
    it is no cross-encoder."""
    nodes = [
        _node("Mul", ["input_ids", "token_type_ids"], "second"),
        _node("Cast", ["second"], "numbers", _attribute("to", _FLOAT)),
        _node("ReduceMax", ["numbers"], "best", _attribute("axes", [1]), _attribute("keepdims", 1)),
        _node("Neg", ["best"], "worst"),
    ]
    joined = {1: ["best"], 2: ["worst", "best"], 3: ["worst", "best", "best"]}[labels]
    nodes.append(_node("Concat", joined, "logits", _attribute("axis", 1)))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [_value(11, name, _INT64, ("n", "length")) for name in names]
    graph = b"".join(
        [*nodes, _part(2, "toy"), *inputs, _value(12, "logits", _FLOAT, ("n", labels))]
    )
    return _number(1, 8) + _part(7, graph) + _part(8, _number(2, 13))
