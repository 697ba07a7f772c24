"""What speaks for a candidate by when it happened: inside the time a question names, or not."""

from engraphy.formulas import elapsed_days
from engraphy.model import Candidate, DateMention, Grain
from engraphy.profile import Fuse
from engraphy.read.measure import Pool
from engraphy.text.imprint import recurs
from engraphy.text.timeframe import Stretch

_DAY = 86_400_000_000
_YEAR = 365.2425 * _DAY
_CALENDAR = frozenset({Grain.DAY, Grain.MONTH, Grain.SEASON})


def dating(one: Candidate, pool: Pool, knobs: Fuse) -> dict[str, float]:
    """The factors of a candidate's time, by name; none where the question names no time."""
    stretches, found = pool.asked.stretches, dict[str, float]()
    if stretches and knobs.date:
        near = max(closeness(one.valid_from, stretch, knobs) for stretch in stretches)
        near = 1.0 if one.id in pool.held else near
        found["date"] = 1.0 + knobs.date * near
    limits = [stretch for stretch in stretches if stretch.sharp]
    beyond = bool(limits) and not any(limit.holds(one.valid_from) for limit in limits)
    if (beyond and one.id not in pool.held) or one.id in pool.late | pool.asked.events:
        found["outside"] = 1.0 - knobs.outside
    return found


def closeness(at: int, stretch: Stretch, knobs: Fuse) -> float:
    """1 inside a stretch of time; outside less and less, or 0 where it is open to one side or
    the question sets a limit."""
    begin, until = stretch.begin, stretch.until
    if stretch.holds(at):
        return 1.0
    if begin is None or until is None or stretch.sharp:
        return 0.0
    if stretch.mention is not None:
        begin, until = _nearest_year(at, stretch.mention)
    return nearness(at, begin, until, knobs.date_days)


def nearness(at: int, begin: int, until: int, days: float) -> float:
    """1 inside a named time, down to 0 at `days` after it (one tells afterwards) and half as many
    before it."""
    if at >= until:
        return max(0.0, 1.0 - elapsed_days(now=at, then=until) / days)
    return max(0.0, 1.0 - elapsed_days(now=begin, then=at) / (days / 2.0))


def _nearest_year(at: int, mention: DateMention) -> tuple[int, int]:
    """A date named without its year is looked for in every year."""
    if mention.grain not in _CALENDAR or not recurs(mention.text):
        return mention.begin, mention.until
    middle = (mention.begin + mention.until) // 2
    shift = round(round((at - middle) / _YEAR) * _YEAR)
    return mention.begin + shift, mention.until + shift
