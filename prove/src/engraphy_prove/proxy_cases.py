"""What clients and upstreams do to a proxy, each as a case of the proof `proxy`."""

import http.client
import json
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from engraphy_prove.provider import PATIENCE, Provider, Says, Served

_ASKED = "On what does the billing service of the shop run?"
_HALF = "I decided that the herons of the lake are {}."
_OPENS, _CLOSES = "<memory-context>", "</memory-context>"
_PATH = "/proxy/anthropic/v1/messages"
_LARGE = 10_000_000
_TARGETS = (
    "/proxy/anthropic/../meta/x", "/proxy/anthropic/%2e%2e/x", "/proxy/anthropic/a%2fb",
    "/proxy/anthropic//{trap}/x", "/proxy/anthropic/v1//x", "/proxy/anthropic/%5c{trap}",
    "/proxy/anthropic/%00", "/proxy/anthropic/%252e%252e/x", "/proxy/http://{trap}/x",
    "/proxy/{trap}/x", "/proxy/%61nthropic/v1/models", "http://{trap}/v1/messages",
    "//{trap}/v1/messages", "/proxy/world/v1/models", "/proxy/anthropic/.%2e/x",
)  # fmt: skip


@dataclass(kw_only=True)
class Scene:
    """What a case is tried on: a server, the provider it is meant to ask, and a trap."""

    served: Served
    provider: Provider
    trap: Provider
    chance: random.Random
    number: int = 0
    keys: list[str] = field(default_factory=list)

    def word(self, length: int = 12) -> str:
        """Letters by chance."""
        return "".join(self.chance.choices(string.ascii_letters, k=length))

    def ask(
        self, body: bytes, *, target: str = _PATH, method: str = "POST", **headers: str
    ) -> tuple[int, bytes, bool]:
        """The status (0: none came), the bytes that came, and whether the answer had its end."""
        line = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=PATIENCE)
        self.keys.append(key := f"sk-canary-{self.word(24)}")
        own = {"x-engraphy-token": self.served.token, "x-api-key": key}
        given = {"content-type": "application/json", **own, **_named(headers)}
        try:
            line.putrequest(method, target, skip_host="host" in given, skip_accept_encoding=True)
            for name, value in given.items():
                line.putheader(name, value)
            line.putheader("content-length", str(len(body)))
            line.endheaders(body)
            answer = line.getresponse()
            try:
                return answer.status, answer.read(), True
            except http.client.IncompleteRead as error:
                return answer.status, error.partial, False
        except (OSError, http.client.HTTPException):
            return 0, b"", False
        finally:
            line.close()


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def _body(scene: Scene) -> bytes:
    """A body as no library of ours would write it: spaced, ordered and numbered by chance."""
    text = scene.chance.choice([_ASKED, f"{_ASKED} {scene.word()}"])
    content = scene.chance.choice([text, [{"type": "text", "text": text, "x": None}]])
    members = [
        '"model" : "m"',
        f'"messages":[ {{"role":"user", "x":1.0e+2,"content":{json.dumps(content)} }} ]',
        f'"max_tokens":{scene.chance.choice(["100", "1000"])}',
        f'"temperature": {scene.chance.choice(["1.0", "0.10", "1E-1"])}',
        f'"unknown-{scene.word(4)}":{{"b":[1.50,2], "a":"\\u00fc\\/" }}',
    ]
    scene.chance.shuffle(members)
    return f"{{\n {', '.join(members)} }}\n".encode()


def _stream(text: str) -> bytes:
    delta = json.dumps({"type": "text_delta", "text": text})
    return (
        b'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}\n\n'
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":'
        + delta.encode()
        + b'}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n'
    )


def _pieces(data: bytes, chance: random.Random) -> list[bytes]:
    cuts = sorted(chance.randrange(1, len(data)) for _ in range(chance.randint(0, 5)))
    ends = [0, *cuts, len(data)]
    return [data[a:b] for a, b in pairwise(ends) if a < b]


def _whole(scene: Scene) -> Iterator[str]:
    """An answer that comes whole, in any pieces; a request that is the client's but for a block."""
    data = _stream(scene.word())
    scene.provider.ready(Says(pieces=_pieces(data, scene.chance)))
    body = _body(scene)
    _, got, ended = scene.ask(body)
    if (got, ended) != (data, True):
        yield "the client has other bytes than the upstream sent"
    yield from _added_only(scene, body)


def _added_only(scene: Scene, body: bytes) -> Iterator[str]:
    """Whether what went up is the client's body, but for one inserted piece with a block."""
    for _, _, sent in scene.provider.seen:
        if sent == body:
            continue
        text = sent.decode()
        if text.count(_OPENS) != 1:
            yield "more than one block went up, or none in an edited body"
            continue
        if not _is_inserted(body, sent):
            yield "the body was written anew"


def _is_inserted(body: bytes, sent: bytes) -> bool:
    """Whether `body` is `sent` without what was put in: its bytes, all of them, in their order."""
    rest = iter(sent)
    return all(sign in rest for sign in body) and json.loads(sent) is not None


def _cut(scene: Scene) -> Iterator[str]:
    """An upstream that breaks off."""
    data = _stream(_HALF.format(scene.word()))
    half = data[: scene.chance.randrange(data.index(b"lake") + 4, len(data) - 30)]
    scene.provider.ready(Says(pieces=_pieces(half, scene.chance), cut=True))
    _, got, ended = scene.ask(_body(scene))
    if got != half:
        yield "the client has other bytes than came before the break"
    if ended:
        yield "the client does not see that its answer broke off"


def _waits(scene: Scene) -> Iterator[str]:
    """A slow upstream: its first piece reaches the client while the second is not there yet."""
    scene.provider.ready(Says(pieces=[b"data: 1\n\n", b"data: 2\n\n"], waits=True))
    line = http.client.HTTPConnection("127.0.0.1", scene.served.port, timeout=PATIENCE / 4)
    try:
        headers = {"x-engraphy-token": scene.served.token, "content-type": "application/json"}
        line.request("POST", _PATH, _body(scene), headers)
        if line.getresponse().read1(100) != b"data: 1\n\n":
            yield "the first piece is another"
    except TimeoutError:
        yield "the first piece waits for the second"
    finally:
        scene.provider.go.set()
        line.close()


def _leaves(scene: Scene) -> Iterator[str]:
    """A client that goes away in the middle."""
    data = _stream(_HALF.format(scene.word()))
    cut = data.index(b"lake") + 4
    flood = [b": " + b"x" * 60_000 + b"\n\n"] * 400
    scene.provider.ready(Says(pieces=[data[:cut], *flood]))
    line = http.client.HTTPConnection("127.0.0.1", scene.served.port, timeout=PATIENCE)
    headers = {"x-engraphy-token": scene.served.token, "content-type": "application/json"}
    line.request("POST", _PATH, _body(scene), headers)
    answer = line.getresponse()
    answer.read1(10)
    answer.close()
    line.close()
    if not scene.provider.gone.wait(PATIENCE / 2):
        yield "the upstream is read on for a client that is gone"


def _large(scene: Scene) -> Iterator[str]:
    """Ten megabytes; once in a while, as each takes its time."""
    size = _LARGE if scene.number < len(CASES) else 300_000
    data = _stream("x" * size)
    scene.provider.ready(Says(pieces=_pieces(data, scene.chance)))
    if scene.ask(_body(scene))[1] != data:
        yield "a large answer came otherwise"


def _redirect(scene: Scene) -> Iterator[str]:
    """An upstream that points elsewhere."""
    to = f"http://127.0.0.1:{scene.trap.port}/latest/meta-data"
    status = scene.chance.choice([301, 302, 303, 307, 308])
    scene.provider.ready(Says(pieces=[b"moved"], status=status, headers=[("Location", to)]))
    got, body, _ = scene.ask(_body(scene))
    if (got, body) != (status, b"moved"):
        yield "the client is not told what the upstream told"


def _target(scene: Scene) -> Iterator[str]:
    """A target that wants to lead elsewhere."""
    scene.provider.ready(Says(pieces=[b"{}"]))
    trap = f"127.0.0.1:{scene.trap.port}"
    target = scene.chance.choice(_TARGETS).format(trap=trap)
    status, _, _ = scene.ask(b"", target=target, method="GET")
    if status < 400:
        yield f"{target} was answered {status}"
    if scene.provider.seen:
        yield f"{target} reached the upstream as {scene.provider.seen[0][0]}"


def _elsewhere(scene: Scene) -> Iterator[str]:
    """Headers and members of a body that name another place, and a token in every header."""
    scene.provider.ready(Says(pieces=[b"{}"], kind="application/json"))
    trap = f"127.0.0.1:{scene.trap.port}"
    url = f"http://{trap}"
    told = {"model": "m", "api_base": url, "base_url": url, "messages": []}
    status, _, _ = scene.ask(
        json.dumps(told).encode(),
        x_forwarded_host=trap,
        x_upstream=url,
        authorization=f"Bearer {scene.served.token}",
        cookie=f"engraphy={scene.served.token}",
        x_any=scene.served.token,
    )
    if status != 200 or len(scene.provider.seen) != 1:
        yield f"the configured upstream was not asked ({status})"
    if scene.ask(b"", host="provider.example")[0] != 421:
        yield "it answers under a name that is not its own"


def _keyed(scene: Scene) -> Iterator[str]:
    """An upstream with a key of ours: the client's goes nowhere."""
    scene.provider.ready(Says(pieces=[b"{}"], kind="application/json"))
    scene.ask(_body(scene), target="/proxy/keyed/v1/messages")
    for _, headers, _ in scene.provider.seen:
        if headers.get("x-api-key") != "sk-own-0001" or scene.keys[-1] in json.dumps(headers):
            yield "the client's key went to an upstream that has one"


def _noise(scene: Scene) -> Iterator[str]:
    """A body that is none: it passes to the letter."""
    data = scene.chance.choice(
        [scene.chance.randbytes(200), b'{"messages":[{}]', b"[" * 5_000, b'{"messages":1}', b"null"]
    )
    scene.provider.ready(Says(pieces=[data], kind="application/json"))
    _, got, _ = scene.ask(data)
    if got != data or [sent for _, _, sent in scene.provider.seen] != [data]:
        yield "a body that is none was changed"


CASES: dict[str, Callable[[Scene], Iterator[str]]] = {
    "whole": _whole,
    "cut": _cut,
    "slow": _waits,
    "left": _leaves,
    "large": _large,
    "redirected": _redirect,
    "targets": _target,
    "named elsewhere": _elsewhere,
    "keyed": _keyed,
    "noise": _noise,
}
ORDER = [*CASES, "whole", "targets", "cut", "noise"]
