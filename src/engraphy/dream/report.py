"""A cycle as a page for people: what each step looked at, changed and why (Markdown)."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from engraphy.model import DreamReport, DreamStep
from engraphy.model.survey import Survey

PAGE: Final = "# A dream"
"""How every such page begins."""
_SECOND = 1_000_000
_REASONS = 8


def page(report: DreamReport, before: Survey, after: Survey | None, picture: str) -> str:
    """The page of a cycle, `before` and `after` being the memory around it (None where nothing was
    changed: a dry run). `picture` is the name of the file beside it, '' for none."""
    parts = [
        _head(report),
        f"![{alternative(before, after)}]({picture})" if picture else "",
        _counts(before, after),
        _steps(report),
        *(_why(step) for step in report.steps if step.why),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def alternative(before: Survey, after: Survey | None) -> str:
    """The picture in words."""
    told = [
        f"{name} {before_count:,}" + ("" if after is None else f" to {after_count:,}")
        for name, before_count, after_count in counts(before, after)
        if before_count or after_count
    ]
    return "Retention by tier over 60 days, and memories by tier and state: " + ", ".join(told)


def counts(before: Survey, after: Survey | None) -> list[tuple[str, int, int]]:
    """Each tier (of active memories) and each state with its counts before and after."""
    last = before if after is None else after
    tiers = _both(before.by_tier, last.by_tier, ("working", "episodic", "semantic"))
    order = ("active", "dormant", "archived", "superseded", "expired", "quarantined")
    return [*tiers, *_both(before.by_state, last.by_state, order)]


def _both(
    first: Mapping[str, int], second: Mapping[str, int], order: Sequence[str]
) -> list[tuple[str, int, int]]:
    return [(name, first.get(name, 0), second.get(name, 0)) for name in order]


def _head(report: DreamReport) -> str:
    title = f"{PAGE} that was only tried" if report.dry_run else PAGE
    facts = [f"**{report.changed:,} changes** by {len(report.steps)} steps"]
    if report.started_at:
        facts.append(f"begun {_moment(report.started_at)}")
    if report.finished_at is not None:
        seconds = (report.finished_at - report.started_at) / _SECOND
        facts.append(f"finished after {seconds:,.1f} s")
    elif not report.dry_run:
        facts.append("its time was up: the next cycle goes on there")
    if report.resumed:
        facts.append("it went on with an interrupted one")
    if report.run:
        facts.append(f"run `{report.run}`")
    if report.next_due_at is not None:
        facts.append(f"the next one is due {_moment(report.next_due_at)}")
    return f"{title}\n\n" + "; ".join(facts) + "."


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / _SECOND, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _counts(before: Survey, after: Survey | None) -> str:
    if after is None:
        lines = [f"| {name} | {count:,} |" for name, count, _ in counts(before, after) if count]
        return "\n".join(["| | memories |", "|---|---:|", *lines])
    lines = [
        f"| {name} | {first:,} | {last:,} | {last - first:+,} |"
        for name, first, last in counts(before, after)
        if first or last
    ]
    change = after.total - before.total
    lines.append(f"| **all** | {before.total:,} | {after.total:,} | {change:+,} |")
    return "\n".join(["| | before | after | |", "|---|---:|---:|---:|", *lines])


def _steps(report: DreamReport) -> str:
    lines = [
        f"| {step.name} | {step.looked:,} | {step.changed:,} | {step.seconds:,.2f} |"
        for step in report.steps
    ]
    return "\n".join(
        ["## Steps", "", "| step | looked at | changed | seconds |", "|---|---:|---:|---:|", *lines]
    )


def _why(step: DreamStep) -> str:
    reasons = [f"- {count:,} × {_plain(reason)}" for reason, count in step.why[:_REASONS]]
    if more := sum(count for _, count in step.why[_REASONS:]):
        reasons.append(f"- {more:,} × for other reasons")
    several = len(step.why) > 1
    shown = [
        f"`{one.id}`" + (f" ({_plain(one.reason)})" if several else "") for one in step.examples
    ]
    for_example = [f"\nFor example {', '.join(shown)}."] if shown else []
    return "\n".join([f"### {step.name}", "", *reasons, *for_example])


def _plain(text: str) -> str:
    """A reason inside Markdown: what would be a sign of it is told as it is."""
    escaped = "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in text)
    return " ".join(escaped.split())
