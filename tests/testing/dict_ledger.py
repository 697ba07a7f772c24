"""The ledger of a language model in plain lists: the second engine's half of that contract."""

from collections import defaultdict
from dataclasses import dataclass, field, replace

from engraphy.model.calls import (
    CallLimits,
    CallOutcome,
    ModelCall,
    ModelUse,
    UNASKED,
)
from engraphy.model.scope import Tenant

_FAILED = {CallOutcome.TIMEOUT, CallOutcome.ERROR}


@dataclass
class DictLedger:
    """Lines of (tenant, moment, call), numbered from 1."""

    lines: list[tuple[Tenant, int, ModelCall]] = field(default_factory=list)

    def begin(
        self, tenant: Tenant, call: ModelCall, limits: CallLimits, now: int
    ) -> int | CallOutcome:
        refusal = self._refusal(tenant, call, limits)
        if refusal is None:
            self.lines.append((tenant, now, replace(call, outcome=CallOutcome.STARTED)))
            return len(self.lines)
        line = ModelCall(model=call.model, skill=call.skill, outcome=refusal)
        self.lines.append((tenant, now, line))
        return refusal

    def _refusal(self, tenant: Tenant, call: ModelCall, limits: CallLimits) -> CallOutcome | None:
        mine = [(at, c) for t, at, c in self.lines if t == tenant and c.outcome not in UNASKED]
        today = [c for at, c in mine if at >= limits.since] + [call]
        tokens = sum(c.prompt_tokens + c.completion_tokens for c in today)
        spent = (len(today), tokens, sum(c.cost or 0.0 for c in today))
        allowed = (limits.calls, limits.tokens, limits.cost)
        if any(limit and much > limit for much, limit in zip(spent, allowed, strict=True)):
            return CallOutcome.BUDGET
        ended = [(at, c.outcome) for at, c in mine if c.outcome is not CallOutcome.STARTED]
        last = ended[len(ended) - limits.pause_after :] if limits.pause_after else []
        failing = len(ended) >= limits.pause_after and {o for _, o in last} <= _FAILED
        if last and failing and last[-1][0] >= limits.pause_since:
            return CallOutcome.PAUSED
        return None

    def finish(self, tenant: Tenant, number: int, call: ModelCall) -> None:
        owner, at, line = self.lines[number - 1]
        if owner == tenant and line.outcome is CallOutcome.STARTED:
            self.lines[number - 1] = (tenant, at, replace(call, model=line.model, skill=line.skill))

    def use(self, tenant: Tenant, since: int, until: int) -> list[ModelUse]:
        groups: dict[tuple[str, str, CallOutcome], list[ModelCall]] = defaultdict(list)
        for owner, at, call in self.lines:
            if owner == tenant and since <= at < until:
                groups[call.model, call.skill, call.outcome].append(call)
        return [_summed(*key, calls) for key, calls in sorted(groups.items())]


def _summed(model: str, skill: str, outcome: CallOutcome, calls: list[ModelCall]) -> ModelUse:
    costs = [call.cost for call in calls if call.cost is not None]
    return ModelUse(
        model=model,
        skill=skill,
        outcome=outcome,
        calls=len(calls),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        completion_tokens=sum(call.completion_tokens for call in calls),
        cost=sum(costs) if costs else None,
        milliseconds=sum(call.milliseconds for call in calls),
    )
