"""What it costs to observe: one message, and a conversation of eight, without a language model.

The messages are those of the conversation that ships with the product, in their order, all in one
user's memory. The least a kept message can cost is one durable write of as many bytes as it appends
to the write-ahead log, measured beside it on the same disk.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from engraphy.benchmarks import perf_limits
from engraphy.benchmarks.perf_meter import Times
from engraphy.benchmarks.write_figures import Bar, Figure, Group
from engraphy.benchmarks.write_part import Ground, Part
from engraphy.examples import conversation
from engraphy.memory import Memory

_WARM, _MESSAGES, _TURNS, _CONVERSATIONS = 50, 800, 8, 60
_PAGE = 4_096
_DEFINITIONS = {
    "message": f"{_MESSAGES} messages, each with an `observe` of its own, after {_WARM} unmeasured "
    "ones; dropped ones count too",
    "conversation": f"{_CONVERSATIONS} times the next {_TURNS} messages in one `observe`",
    "cpu_ms, wall_ms": "milliseconds of the calling process, embedding and durable write included",
    "limit_wall_ms": "median of an fsync of as many bytes as a kept message appends, plus "
    f"{perf_limits.ADD_CPU} ms of CPU",
    "ratio": "median wall time of a message over that limit",
}
_BARS = (
    Bar(group="message", figure="cpu_ms.p95", limit=30.0, at_least=False),
    Bar(group="conversation of 8", figure="cpu_ms.p95", limit=150.0, at_least=False),
)


def measure(ground: Ground) -> Part:
    """Messages first, conversations after them in the same memory."""
    told = [{"role": row["role"], "content": row["content"]} for row in conversation()]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bench.db"
        opening = ground.opening
        with Memory(
            file,
            profile=opening.profile,
            embedder=opening.embedder,
            overrides=opening.overrides,
        ) as memory:
            for message in told[:_WARM]:
                memory.observe([message], user="u")
            single, grown = _messages(memory, file, told[_WARM : _WARM + _MESSAGES])
            rest = told[_WARM + _MESSAGES :]
            whole = _conversations(memory, rest)
        fsync = perf_limits.fsyncs(Path(folder), grown, 200).summary()["wall_ms"]["p50"]
    limit = fsync + perf_limits.ADD_CPU
    more = {"limit_wall_ms": limit, "ratio": single.summary()["wall_ms"]["p50"] / limit}
    return Part(
        groups=[_group("message", single, more), _group("conversation of 8", whole, {})],
        bars=_BARS,
        definitions=_DEFINITIONS,
    )


def _messages(memory: Memory, file: Path, told: Sequence[dict[str, str]]) -> tuple[Times, int]:
    """Times, and the bytes a message appends to the write-ahead log where it grows."""
    times, grown = Times(), []
    log = Path(f"{file}-wal")
    for message in told:
        before = _size(log)
        times.call(memory.observe, [message], user="u")
        grown.append(_size(log) - before)
    growing = [size for size in grown if size > 0]
    return times, round(median(growing)) if growing else _PAGE


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _conversations(memory: Memory, told: Sequence[dict[str, str]]) -> Times:
    times = Times()
    for start in range(0, min(len(told), _TURNS * _CONVERSATIONS), _TURNS):
        times.call(memory.observe, told[start : start + _TURNS], user="u")
    return times


def _group(name: str, times: Times, more: dict[str, float]) -> Group:
    figures = {
        f"{clock}.{share}": Figure(value=value, n=len(times.cpu))
        for clock, row in times.summary().items()
        for share, value in row.items()
        if share in ("p50", "p95")
    }
    figures |= {key: Figure(value=value, n=len(times.cpu)) for key, value in more.items()}
    return Group(name=name, counts={"cases": len(times.cpu)}, figures=figures)
