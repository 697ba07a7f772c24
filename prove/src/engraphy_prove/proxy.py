"""P-22, C-01, C-15: the proxy is no way out, changes nothing but what it adds, and keeps nothing by
half: whatever clients send and upstreams do."""

import json
import logging
import random
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from engraphy.serving.options import Upstream
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.provider import PATIENCE, Provider, Says, serving
from engraphy_prove.proxy_cases import CASES, ORDER, Scene
from engraphy_prove.textbuild import patched

_KNOWN = "The billing service of the shop runs on PostgreSQL."


def proxy(trial: Trial) -> Findings:
    """Try `rounds` requests, each in one of the cases."""
    chance = random.Random(trial.seed)
    findings, met = Findings(), Counter[str]()
    for name in ("engraphy", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        stack.enter_context(patched(trial.build))
        provider, trap = stack.enter_context(Provider()), stack.enter_context(Provider())
        stack.enter_context(_resolving("api.provider.example"))
        upstreams = {
            "anthropic": Upstream(base=f"http://127.0.0.1:{provider.port}"),
            "keyed": Upstream(base=f"http://127.0.0.1:{provider.port}", key="sk-own-0001"),
            "world": Upstream(base=f"http://api.provider.example:{trap.port}"),
        }
        served = stack.enter_context(serving(trial.folder / "m.db", upstreams=upstreams))
        served.memory.remember(_KNOWN)
        scene = Scene(served=served, provider=provider, trap=trap, chance=chance)
        for number in range(trial.rounds):
            name = ORDER[number % len(ORDER)]
            scene.number = number
            trap.ready(Says(pieces=[b"{}"]))
            for what in (*CASES[name](scene), *_caught(scene)):
                findings.breach(f"{name}: {what}")
            met[name] += 1
            findings.tried += 1
            if trial.until_caught and findings.breaches:
                break
        served.memory.flush(PATIENCE)
        kept = "\n".join(row.content for row in served.memory.list(limit=1_000))
        if "herons of the lake" in kept:
            findings.breach("half an answer is remembered")
        token = served.token
    for what in _stored(trial, [*scene.keys, token]):
        findings.breach(what)
    told = ", ".join(f"{count} {name}" for name, count in sorted(met.items()))
    findings.figure = f"{findings.tried} requests ({told}): {len(findings.breaches)} breaches"
    return findings


@contextmanager
def _resolving(name: str) -> Iterator[None]:
    """A name of the world that somebody made lead to this machine."""
    usual = socket.getaddrinfo

    def found(host: Any, *more: Any, **told: Any) -> Any:
        text = host.decode() if isinstance(host, bytes) else host
        return usual("127.0.0.1" if text == name else host, *more, **told)

    socket.getaddrinfo = found
    try:
        yield
    finally:
        socket.getaddrinfo = usual


def _caught(scene: Scene) -> Iterator[str]:
    if scene.trap.seen:
        yield f"a request went elsewhere: {scene.trap.seen[0][0]}"
    for _, headers, _ in scene.provider.seen:
        if "egr_" in json.dumps(headers):
            yield "a token of ours went up"


def _stored(trial: Trial, secrets: list[str]) -> Iterator[str]:
    files = [one for one in trial.folder.iterdir() if one.is_file()]
    held = b"".join(one.read_bytes() for one in files)
    if any(one.encode() in held for one in secrets):
        yield "a key or a token stands in the store"
