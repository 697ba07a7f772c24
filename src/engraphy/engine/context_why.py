"""How a block for a prompt comes about, and why a memory is not in it."""

from engraphy.engine.context import Call, imagined
from engraphy.engine.explaining import explain
from engraphy.engine.parts import Engine
from engraphy.model import Context, Explanation, Step


def explained(engine: Engine, call: Call, missing: str | None) -> Explanation:
    """How an injection comes about, and the stage at which `missing` fell out of it; nothing is
    counted and nothing kept."""
    made = imagined(engine, call)
    whole = explain(engine, call.prompt, call.view, call.knobs.depth, missing)
    receipt = made.receipt
    steps = [step for step in whole.steps if step.stage != "gate"]
    gated = [one for one in receipt.skipped if one.stage == "gate"]
    steps = [Step(stage="gate", detail=one.detail, passed=False) for one in gated] + steps
    for layer in call.knobs.layers:
        count = sum(line.layer == layer.name for line in receipt.lines)
        steps.append(Step(stage=layer.name, detail=f"{count} of at most {layer.quota}"))
    told = f"{receipt.tokens} of {receipt.budget} tokens ({receipt.tokenizer})"
    steps.append(Step(stage="budget", detail=told))
    lost = _lost(made, whole, missing) if missing else None
    return Explanation(query=call.prompt, steps=tuple(steps), hits=made.hits, missing=lost)


def _lost(made: Context, whole: Explanation, missing: str) -> Step | None:
    for line in made.receipt.lines:
        if line.memory_id == missing:
            detail = f"it is injected by {line.layer}, {line.style}, {line.tokens} tokens"
            return Step(stage="delivered", detail=detail)
    for one in made.receipt.skipped:
        if one.memory_id == missing:
            return Step(stage=one.stage, detail=one.detail, passed=False)
    for one in made.receipt.skipped:
        if one.stage == "gate":
            return Step(stage="gate", detail=one.detail, passed=False)
    return whole.missing
