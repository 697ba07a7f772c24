"""Shares, F1 and their intervals in the measure of the way in."""

import pytest

from engraphy.benchmarks.write_figures import Bar, Group, Tally, f1, scored, share


def test_a_share_has_wilsons_interval() -> None:
    """Nine of ten: .596 to .982 (Wilson 1927); of nothing there is no share."""
    found = share(9, 10)
    assert found.value == 0.9
    assert (found.low, found.high) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert (share(0, 0).value, share(0, 0).low) == (None, None)


def test_f1_counts_over_all_cases_and_varies_with_them() -> None:
    """2 tp / (2 tp + fp + fn) of the sums; the interval comes from drawing the cases anew."""
    found = f1([Tally(tp=1), Tally(tp=1, fp=1), Tally(fn=1), Tally(tn=5)])
    assert found.value == pytest.approx(4 / 6)
    assert found.low is not None
    assert found.high is not None
    assert 0.0 <= found.low < 4 / 6 < found.high <= 1.0
    assert f1([Tally(tn=1)]).value is None
    assert f1([Tally(tp=1)] * 5).low == 1.0


def test_a_group_has_precision_and_recall() -> None:
    """Precision leaves out the missed, recall the wrongly found."""
    group = scored("g", [Tally(tp=3, fp=1, fn=2, tn=4)])
    assert group.counts == {"cases": 1, "tp": 3, "fp": 1, "fn": 2, "tn": 4}
    assert (group.figures["precision"].value, group.figures["recall"].value) == (0.75, 0.6)


@pytest.mark.parametrize(
    ("limit", "at_least", "met"),
    [(0.75, True, True), (0.76, True, False), (0.75, False, True), (0.74, False, False)],
)
def test_a_bar_is_reached_at_its_limit(limit: float, at_least: bool, met: bool) -> None:
    """At least, or at most, the limit itself included."""
    group = Group(name="g", figures={"p": share(3, 4)})
    row = Bar(group="g", figure="p", limit=limit, at_least=at_least).row([group])
    assert row is not None
    assert (row["met"], row["measured"]) == (met, 0.75)


def test_a_bar_of_what_was_not_measured_is_left_out() -> None:
    """No group or no figure of that name: no row; a share of nothing is not met."""
    group = Group(name="g", figures={"p": share(0, 0)})
    assert Bar(group="other", figure="p", limit=0.0).row([group]) is None
    assert Bar(group="g", figure="q", limit=0.0).row([group]) is None
    row = Bar(group="g", figure="p", limit=0.0).row([group])
    assert row is not None
    assert row["met"] is False
