"""The ledger of a language model: budgets are kept here, so that all processes share them."""

from msgspec.structs import replace

from engraphy.model.calls import CallLimits, CallOutcome, ModelCall, ModelUse
from engraphy.model.scope import Tenant
from engraphy.stores.relational.sql import Connection, every, first, query

_FAILED = frozenset({CallOutcome.TIMEOUT, CallOutcome.ERROR})


def begin(
    connection: Connection, tenant: Tenant, call: ModelCall, limits: CallLimits, now: int
) -> int | CallOutcome:
    """Set aside what `call` may cost and return its number; or why it may not be made, which is
    then the ledger's line. The caller holds the write lock, so no budget is spent twice."""
    refusal = _refusal(connection, tenant, call, limits)
    if refusal is None:
        return _put(connection, tenant, replace(call, outcome=CallOutcome.STARTED), now)
    _put(connection, tenant, ModelCall(model=call.model, skill=call.skill, outcome=refusal), now)
    return refusal


def finish(connection: Connection, tenant: Tenant, number: int, call: ModelCall) -> None:
    """Put what `call` really cost in place of what was set aside; once per call."""
    connection.execute(query("finish_call"), {"number": number, "tenant": tenant} | _row(call))


def use(connection: Connection, tenant: Tenant, since: int, until: int) -> list[ModelUse]:
    """The calls of a tenant that began in [since, until), summed up."""
    rows = every(connection, query("model_use"), {"tenant": tenant, "since": since, "until": until})
    return [
        ModelUse(
            model=model,
            skill=skill,
            outcome=CallOutcome(outcome),
            calls=calls,
            prompt_tokens=asked,
            completion_tokens=answered,
            cost=cost,
            milliseconds=milliseconds,
        )
        for model, skill, outcome, calls, asked, answered, cost, milliseconds in rows
    ]


def _refusal(
    connection: Connection, tenant: Tenant, call: ModelCall, limits: CallLimits
) -> CallOutcome | None:
    spent = first(connection, query("spent_on_calls"), {"tenant": tenant, "since": limits.since})
    wanted = (1, call.prompt_tokens + call.completion_tokens, call.cost or 0.0)
    allowed = (limits.calls, limits.tokens, limits.cost)
    for limit, before, more in zip(allowed, spent, wanted, strict=True):
        if limit and before + more > limit:
            return CallOutcome.BUDGET
    if not limits.pause_after:
        return None
    last = {"tenant": tenant, "most": limits.pause_after}
    ended = every(connection, query("last_calls"), last)
    failing = len(ended) == limits.pause_after and _FAILED.issuperset(one for _, one in ended)
    return CallOutcome.PAUSED if failing and ended[0][0] >= limits.pause_since else None


def _put(connection: Connection, tenant: Tenant, call: ModelCall, now: int) -> int:
    row = {"tenant": tenant, "at": now, "model": call.model, "skill": call.skill} | _row(call)
    (number,) = first(connection, query("begin_call"), row)
    return int(number)


def _row(call: ModelCall) -> dict[str, str | int | float | None]:
    return {
        "outcome": call.outcome.value,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "cost": call.cost,
        "milliseconds": call.milliseconds,
    }
