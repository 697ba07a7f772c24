"""What a language model was asked and cost, and what injected memories cost in tokens, by day."""

from collections import Counter
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import shows
from engraphy.dashboard.pages import page
from engraphy.dashboard.showing import utc_day
from engraphy.dashboard.visit import Visit
from engraphy.model import MICROSECONDS_PER_DAY, Receipt
from engraphy.model.calls import Costs
from engraphy.model.granting import TokenRole

_DAYS = (7, 30, 90)
_MOST_RECEIPTS = 500
_AROUND = "around them"
"""What a block has beside its memories: how it begins, its headings, how it ends."""


def routes() -> list[BaseRoute]:
    """The page."""
    return [shows("/costs", _costs, TokenRole.ADMIN)]


async def _costs(visit: Visit) -> Response:
    days = int(visit.chosen("days", [str(one) for one in _DAYS]) or _DAYS[1])
    starts = _starts(visit.now, days)
    whole = await visit.work(visit.memory.costs, since=starts[0], until=visit.now)
    daily = await visit.work(_daily, visit, starts) if whole.uses else []
    receipts = await visit.work(visit.memory.receipts, limit=_MOST_RECEIPTS, **visit.scope)
    recent = [one for one in receipts if one.at >= starts[0] and one.lines]
    return page(
        visit,
        "costs.html",
        days=days,
        choices=_DAYS,
        whole=whole,
        prompts=[(utc_day(at), one.prompt_tokens + one.completion_tokens) for at, one in daily],
        calls=[(utc_day(at), one.calls) for at, one in daily],
        injected=_injected(recent, starts),
        receipts=recent,
        layers=_layers(recent),
        kept=visit.memory.profile.inject.receipts,
        kept_days=visit.memory.profile.sessions.keep_days,
        counted_since=_counted_since(visit, receipts, starts[0]),
        ends=(utc_day(starts[0]), "today"),
    )


def _starts(now: int, days: int) -> list[int]:
    """The beginnings of the last days, UTC, the oldest first."""
    today = now // MICROSECONDS_PER_DAY
    return [(today - ago) * MICROSECONDS_PER_DAY for ago in range(days - 1, -1, -1)]


def _daily(visit: Visit, starts: Sequence[int]) -> list[tuple[int, Costs]]:
    ask = visit.memory.costs
    return [(at, ask(since=at, until=at + MICROSECONDS_PER_DAY)) for at in starts]


def _counted_since(visit: Visit, receipts: Sequence[Receipt], begin: int) -> int | None:
    """Since when everything that was injected is counted; None where that is all that is asked for:
    receipts are kept for some days, and so many."""
    profile = visit.memory.profile
    since = visit.now - round(profile.sessions.keep_days * MICROSECONDS_PER_DAY)
    if receipts and len(receipts) >= min(profile.inject.receipts, _MOST_RECEIPTS):
        since = max(since, receipts[-1].at)
    return since if since > begin else None


def _injected(receipts: Sequence[Receipt], starts: Sequence[int]) -> list[tuple[str, int]]:
    tokens: Counter[str] = Counter()
    for one in receipts:
        tokens[utc_day(one.at)] += one.tokens
    return [(utc_day(at), tokens[utc_day(at)]) for at in starts]


def _layers(receipts: Sequence[Receipt]) -> dict[str, float]:
    tokens: Counter[str] = Counter()
    for one in receipts:
        for line in one.lines:
            tokens[line.layer] += line.tokens
        tokens[_AROUND] += max(0, one.tokens - sum(line.tokens for line in one.lines))
    return {name: float(count) for name, count in tokens.most_common() if count}
