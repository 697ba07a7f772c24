"""The verbs that bring memories into a prompt, and tell what was brought."""

from collections.abc import Mapping, Sequence
from typing import Unpack, get_args

from msgspec import structs

from engraphy.engine import context as contexts
from engraphy.engine import receipts, scoping
from engraphy.engine.chatting import continued
from engraphy.engine.context import Later
from engraphy.engine.context_why import explained
from engraphy.errors import InvalidInputError
from engraphy.model import Context, Explanation, Injection, Receipt, View
from engraphy.model.outcome import Placed
from engraphy.profile import Format
from engraphy.read.placing import last_of_user, placed, said
from engraphy.text.clean import clean
from engraphy.text.fence import strip_injected
from engraphy.verbs.base import Reading, Verbs

FORMATS: tuple[str, ...] = get_args(Format)
_BIGGEST_BUDGET = 1_000_000
_MOST_RECEIPTS = 10_000
_MESSAGES = "a list of mappings with role and content"


class Injecting(Verbs):
    """Blocks of memories for prompts, and their receipts."""

    def context(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        recent: Sequence[str] = (),
        conversation: str | None = None,
        format: str | None = None,
        touch: bool = True,
        **scope: Unpack[Reading],
    ) -> Context:
        """A fenced, escaped block of memories for `prompt` within `budget` tokens, with receipt.

        `recent`: the last messages, oldest first, so that what they say already is not injected
        again. `conversation`: the session the block goes into, so that nothing is given to it
        twice in a row of turns; unlike `session` it does not filter, and where it is left out it
        is the `session`. `format`: memory-context, system, assistant_preamble or json; the
        profile's where it is left out. The receipt is kept (`receipts`). `touch=False` only shows
        what would be injected: nothing is counted, and nothing is kept (dashboards, tests).
        """
        view = self._view(scope)
        call = self._call(
            prompt, view, budget=budget, recent=recent, conversation=conversation, format=format
        )
        if not scoping.flag("touch", touch):
            return contexts.imagined(self._engine, call)
        return contexts.context(self._engine, call)

    def inject(
        self,
        messages: Sequence[Mapping[str, object]],
        *,
        budget: int | None = None,
        conversation: str | None = None,
        format: str | None = None,
        replay: bool = False,
        later: Later | None = None,
        **scope: Unpack[Reading],
    ) -> Injection:
        """The messages of a chat with a block for the user's last one in its place.

        `messages`: mappings with role and content (text, or blocks of which some are text); they
        are not changed. The block goes to the end of the user's last message, into the system
        message (format `system`), or into a message of the assistant before the user's last one
        (`assistant_preamble`). What the messages say already is not injected.

        `replay`: for who keeps the chat without what was injected, and sends all of it again: the
        blocks of earlier prompts stand at their places again, letter by letter (also in another
        process), so that a provider's cache knows the beginning; and only a prompt that nobody
        answered to gets a new one. They are kept for `sessions.keep_days`.

        `later`: is handed, as a call without arguments, what keeps the new block and its receipt
        and counts it as delivered, for who sends the messages off first and then makes that call;
        else all of it is done when this returns.
        """
        view = self._view(scope)
        scoping.told("later", later)
        chat = _chat(messages)
        if scoping.flag("replay", replay):
            call = self._call(
                "", view, budget=budget, recent=[], conversation=conversation, format=format
            )
            return continued(self._engine, call, chat, later)
        place = last_of_user(chat)
        prompt = "" if place is None else strip_injected(said(chat[place].get("content")))
        recent = [clean(said(one.get("content"))) for one in chat[:place]]
        call = self._call(
            prompt, view, budget=budget, recent=recent, conversation=conversation, format=format
        )
        made = contexts.context(self._engine, call, later)
        blocks = (
            (Placed(message=place, text=made.text, placement=made.placement),) if made.text else ()
        )
        put = tuple(placed(chat, made.text, made.placement))
        return Injection(messages=put, context=made, blocks=blocks)

    def receipts(self, *, limit: int = 20, **scope: Unpack[Reading]) -> list[Receipt]:
        """What was injected for exactly this user, agent and project, newest first: which
        memories, as what, why, at what cost, and what was left out; with `session`, into that
        conversation.

        The profile's `inject.receipts` newest are kept, for `sessions.keep_days`; a receipt goes
        with the memories it names when they are forgotten.
        """
        count = scoping.positive("limit", limit, _MOST_RECEIPTS)
        return receipts.receipts(self._engine, self._view(scope), count)

    def explain_context(
        self,
        prompt: str,
        *,
        missing: str | None = None,
        budget: int | None = None,
        recent: Sequence[str] = (),
        conversation: str | None = None,
        **scope: Unpack[Reading],
    ) -> Explanation:
        """How the block for `prompt` comes about, and at which stage the memory `missing` fell out
        of it: scope, state, validity, search, cut-off, layer, threshold, confidence, given, recent,
        repeated, quota, budget or gate. Nothing is counted, nothing is kept."""
        view = self._view(scope)
        call = self._call(prompt, view, budget=budget, recent=recent, conversation=conversation)
        lost = None if missing is None else self._lost(missing, view)
        return explained(self._engine, call, lost)

    def _call(
        self,
        prompt: object,
        view: View,
        *,
        budget: object,
        recent: object,
        conversation: object,
        format: object = None,
    ) -> contexts.Call:
        """A call, checked. Raises InvalidInputError."""
        knobs = self._engine.profile.inject
        if format is not None:
            if format not in FORMATS:
                allowed = ", ".join(FORMATS)
                raise InvalidInputError(field="format", got=repr(format)[:60], allowed=allowed)
            knobs = structs.replace(knobs, format=format)
        most = knobs.budget
        if budget is not None:
            most = scoping.positive("budget", budget, _BIGGEST_BUDGET)
        return contexts.Call(
            prompt=scoping.text("prompt", prompt),
            view=view,
            budget=most,
            knobs=knobs,
            recent=scoping.texts("recent", recent),
            conversation=scoping.name("conversation", conversation),
        )


def _chat(messages: object) -> list[Mapping[str, object]]:
    """The messages of a chat. Raises InvalidInputError."""
    listed = messages if isinstance(messages, Sequence) and not isinstance(messages, str) else None
    if listed is None or not all(isinstance(one, Mapping) for one in listed):
        raise InvalidInputError(field="messages", got=repr(messages)[:60], allowed=_MESSAGES)
    return [dict(one) for one in listed]
