"""What reading the vectors of a scope costs that a process does not hold, without the question
around it. Figures are milliseconds of processor time.

The first search over a scope reads the signs of its vectors, the second their codes, where it is
not too large for those; the third reads nothing. Each store is opened anew for it, all of them in
turn, so that what else the machine does meets every size alike. They ask for few, as the first also
reads the codes of what is nearest by sign, the more the more is asked for.
"""

from collections.abc import Sequence
from functools import partial
from statistics import fmean, median
from typing import Any

from engraphy.benchmarks.capacity_calls import FEW, MANY, Meter, SOME, Store
from engraphy.benchmarks.capacity_fit import of_segments
from engraphy.model import Scope, Tenant, View
from engraphy.opening import open_store
from engraphy.providers.clock import now
from engraphy.providing import open_embedder
from engraphy.settings import settings

_OPENED, _WARM, _ASKED, _LIMIT = 9, 3, 4, 1


def read(stores: Sequence[Store]) -> None:
    """Notes `vectors_ms` (all that is read of a scope) and `signs_ms` (the part without which no
    question is answered) of the large scope and of the scattered one; at a server also what that
    takes of its processors. Without an embedder there is nothing to read."""
    embedder = open_embedder(stores[0].embedder, settings(), now)
    if embedder is None:
        return
    asked = [list(embedder.embed_query(query)) for query in stores[0].asked[MANY][:_ASKED]]
    met: dict[tuple[int, str, str], list[float]] = {}
    for _ in range(_OPENED):
        for number, store in enumerate(stores):
            for user in (MANY, SOME):
                meter = _searched(store, user, embedder.model_id, asked)
                is_exact = store.held[user] <= of_segments("EXACT")
                for cost, value in _told(meter, is_exact=is_exact).items():
                    met.setdefault((number, cost, user), []).append(value)
    for (number, cost, user), values in met.items():
        stores[number].met(cost, median(values), user)


def _searched(store: Store, user: str, model: str, asked: Sequence[Sequence[float]]) -> Meter:
    """What each of a few searches of a scope took, in a store that was just opened."""
    opened: Any = open_store(store.place, key=None, read_only=False, unfinished=False)
    try:
        search = opened.search_vector
        for _ in range(_WARM):
            search(_view(store, FEW), model, asked[0], _LIMIT)
        meter = Meter(store.backends())
        for vector in asked:
            meter.call(partial(search, _view(store, user), model, vector, _LIMIT))
        return meter
    finally:
        opened.close()


def _told(meter: Meter, *, is_exact: bool) -> dict[str, float]:
    """The costs of an opening; where a scope is small its codes are read with the signs."""
    told: dict[str, float] = {}
    for before, spent in (("", meter.here), ("database_", meter.there)):
        if spent:
            first, second, *rest = spent
            usual = fmean(rest)
            told[f"{before}vectors_ms"] = first + second - 2 * usual
            if not is_exact:
                told[f"{before}signs_ms"] = first - usual
    return told


def _view(store: Store, user: str) -> View:
    return View(scope=Scope(tenant=Tenant(store.tenant), user=user), now=now())
