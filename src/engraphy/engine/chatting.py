"""A chat whose client keeps nothing of what was injected: each block at its place, every time."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engraphy.engine.context import Call, Later, context
from engraphy.engine.parts import Engine
from engraphy.engine.replaying import again
from engraphy.model import Context, Injection, Receipt
from engraphy.model.outcome import Placed
from engraphy.read.placing import placed, said
from engraphy.read.prompts import Prompt, is_open, prompts
from engraphy.read.render import PLACEMENTS
from engraphy.text.clean import clean
from engraphy.text.tokens import TOKENIZER

Chat = Sequence[Mapping[str, object]]
_READ = 4_000
"""Characters of an earlier message in which a memory is looked for."""


def continued(engine: Engine, call: Call, chat: Chat, later: Later | None = None) -> Injection:
    """The chat with the blocks it was given at their places, and with a new one for its last
    prompt where nobody has answered to it yet; what keeps that one goes to `later`."""
    asked = list(prompts(chat, call.into.session or ""))
    last = asked[-1] if asked else None
    fresh = last is not None and is_open(chat, last.place)
    known = again(engine, call.view, asked, PLACEMENTS[call.knobs.format], fresh=fresh)
    blocks = [Placed(message=p.place, text=k.text, placement=k.placement) for p, k in known.blocks]
    made = _nothing(call)
    if last is not None and known.asks:
        shown = known.given(asked, call.knobs.given_turns)
        made = context(engine, _asked(call, chat, last, shown), later)
        if made.text:
            blocks.append(Placed(message=last.place, text=made.text, placement=made.placement))
    put = [dict(one) for one in chat]
    for one in reversed(blocks):
        put = placed(put, one.text, one.placement, one.message)
    return Injection(messages=tuple(put), context=made, blocks=tuple(blocks))


def _asked(call: Call, chat: Chat, last: Prompt, shown: Mapping[str, int]) -> Call:
    before = chat[max(0, last.place - call.knobs.lookback) : last.place]
    recent = [clean(said(one.get("content"))[:_READ]) for one in before]
    return replace(call, prompt=last.text, recent=recent, shown=shown, key=last.key)


def _nothing(call: Call) -> Context:
    receipt = Receipt(query="", budget=call.budget, tokens=0, tokenizer=TOKENIZER)
    return Context(text="", tokens=0, hits=(), receipt=receipt)
