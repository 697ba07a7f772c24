"""`engraphy bench write`: what each part counts, on data of a few lines whose counts are known."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.benchmarks import tiny_write

from engraphy.benchmarks.slot_cases import duplicates, generated, hand
from engraphy.cli import main


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_write.everything(tmp_path_factory.mktemp("data"))


def told(data: Path, *parts: str) -> dict[str, Any]:
    only = [word for part in parts for word in ("--only", part)]
    arguments = ["bench", "write", "--data", str(data), "--no-embed", *only, "--json"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def groups(result: dict[str, Any], part: str) -> dict[str, dict[str, Any]]:
    found = next(one for one in result["parts"] if one["part"] == part)
    return {group["group"]: group for group in found["groups"]}


def counted(group: dict[str, Any]) -> tuple[int, int, int, int]:
    return tuple(group["counts"][name] for name in ("tp", "fp", "fn", "tn"))  # type: ignore[return-value]


def value(group: dict[str, Any], name: str) -> float:
    return float(group["figures"][name]["value"])


@pytest.mark.long
def test_an_event_must_supersede_its_own_preference_alone(data: Path) -> None:
    """A preference that is given up counts once as found; the two others, the user without it and
    the first tellings are pairs that must not supersede; users at even places are for tuning."""
    found = groups(told(data, "halumem"), "halumem")
    # The event: 1 of 3 held. Its control: 2 held. First telling of 3: 0 + 1 + 2 pairs.
    assert counted(found["told, tuning"]) == (1, 0, 0, 2 + 2 + 3)
    assert value(found["told, tuning"], "deletion") == 1.0
    assert counted(found["told, reporting"]) == (0, 0, 0, 3)
    assert found["told, reporting"]["figures"]["f1"] == {"value": None, "interval_95": None, "n": 1}


def test_trivial_messages_are_those_of_the_listed_intents(data: Path) -> None:
    """Three of four messages of trivial intents are dropped as trivial and nothing else is; what is
    out of scope counts as real."""
    found = groups(told(data, "clinc"), "clinc")["as trivial"]
    assert counted(found) == (3, 0, 1, 2)
    assert (value(found, "precision"), value(found, "recall")) == (1.0, 0.75)


def test_a_missed_case_is_a_row_without_its_text(data: Path) -> None:
    """A case that went wrong is a row with its id and why; its text only with --texts."""
    [row] = told(data, "clinc")["rows"]
    assert (row["part"], row["id"]) == ("clinc", "test:3:goodbye")
    assert "Vera" not in json.dumps(row)
    arguments = ["bench", "write", "--data", str(data), "--only", "clinc", "--texts", "--json"]
    told_with = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert "Vera" in json.loads(told_with.stdout)["rows"][0]["text"]


def test_preferences_are_known_and_questions_are_none(data: Path) -> None:
    """A statement of taste is a positive, the question beside it a negative, topic by topic."""
    found = groups(told(data, "preferences"), "preferences")
    for half in ("tuning", "reporting"):
        assert counted(found[half]) == (1, 0, 0, 1)
        assert value(found[half], "kept") == 1.0
    assert found["other texts"]["counts"] == {"texts": 1}


@pytest.mark.long
def test_typed_extraction_wants_the_type_and_half_of_the_words(data: Path) -> None:
    """A kept memory of the labelled type with the labelled words counts, as does a named person."""
    found = groups(told(data, "mempalace"), "mempalace")
    assert counted(found["en: typed"]) == (1, 0, 0, 0)
    assert counted(found["en: typed entities"]) == (1, 0, 0, 0)
    assert {name.partition(":")[0] for name in found} >= {"en", "de", "pt-BR", "zh"}


def test_pairs_are_merged_only_where_they_say_the_same(data: Path) -> None:
    """A full stop makes no second memory; a contradiction and another sentence do."""
    found = groups(told(data, "sick"), "sick")
    merged = {name: value(group, "merged") for name, group in found.items()}
    assert merged == {"entailment": 1.0, "contradiction": 0.0, "neutral": 0.0}


def test_a_long_conversation_supersedes_what_changed_in_it(data: Path) -> None:
    """The home that changed is found, the work that did not is none; noise is dropped."""
    found = groups(told(data, "cri"), "cri")
    assert counted(found["noise"]) == (1, 0, 0, 1)
    assert value(found["changes"], "conflicts") == 1.0
    assert value(found["changes"], "changes") == 0.5


def test_superseded_beliefs_are_pairs_in_the_order_they_were_formed(data: Path) -> None:
    """A belief and the one that replaced it are one positive pair; all others must stand."""
    found = groups(told(data, "beliefs"), "beliefs")["by words"]
    tp, fp, fn, tn = counted(found)
    # Six beliefs of one user, one of another: 5 + 4 + 3 + 2 + 1 pairs, one of them positive.
    assert (tp + fn, fp, tn) == (1, 0, 14)


@pytest.mark.long
def test_gates_are_compared_with_no_gates_in_one_run(data: Path) -> None:
    """Both suites have rec@10 with and without the gates, and the points that were lost."""
    found = groups(told(data, "gating"), "gating")
    assert set(found) == {"locomo", "beam"}
    for group in found.values():
        lost = value(group, "lost_points")
        assert lost == pytest.approx(100 * (value(group, "no gates") - value(group, "gates")))
        assert group["counts"]["skipped without gates"] == 0


def test_every_part_says_what_its_figures_mean_and_what_they_should_reach(data: Path) -> None:
    """Definitions, the hash of the data, the target and whether it was reached stand in the
    result."""
    [part] = told(data, "clinc")["parts"]
    assert part["definitions"]["positive"]
    assert len(part["data_sha256"]["clinc"]) == 64
    assert part["data"] == {"clinc": "not a known file"}
    reached = {(bar["figure"], bar["limit"], bar["met"]) for bar in part["bars"]}
    assert reached == {("recall", 0.85, False), ("precision", 0.97, True)}


def test_parts_whose_data_are_not_there_are_named(tmp_path: Path) -> None:
    """Asked for everything, what cannot be measured is named; asked for by name, it is an error."""
    tiny_write.sick(tmp_path)
    arguments = ["bench", "write", "--data", str(tmp_path), "--only", "clinc"]
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code != 0
    assert "clinc" in refused.output


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    """The error names the parts there are."""
    arguments = ["bench", "write", "--data", str(tmp_path), "--only", "nothing"]
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code != 0
    assert "halumem" in refused.output


def test_it_is_shown_for_people(data: Path) -> None:
    """Without --json: each group's counts and figures, then whether the target was reached."""
    arguments = ["bench", "write", "--data", str(data), "--only", "clinc", "--no-embed"]
    shown = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert "as trivial: cases 6, tp 3, fp 0, fn 1, tn 2" in shown.output
    assert "missed as trivial: recall >= 0.85: 0.750" in shown.output


@pytest.mark.slow
def test_the_cost_of_observing_stands_beside_its_limit() -> None:
    """CPU and wall time of a message and of eight, and the ratio to a durable write, need no
    data."""
    arguments = ["bench", "write", "--only", "speed", "--json"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    found = groups(json.loads(result.stdout), "speed")
    message = found["message"]
    assert message["counts"] == {"cases": 800}
    assert 0 < value(message, "cpu_ms.p50") <= value(message, "cpu_ms.p95")
    ratio = value(message, "wall_ms.p50") / value(message, "limit_wall_ms")
    assert value(message, "ratio") == pytest.approx(ratio)
    assert found["conversation of 8"]["counts"] == {"cases": 60}


@pytest.mark.slow
def test_the_cases_that_ship_need_no_data() -> None:
    """Generated cases, those by hand and the pairs are all counted, each language apart."""
    arguments = ["bench", "write", "--no-embed", "--json"]
    only = ["--only", "generated", "--only", "hand", "--only", "duplicates"]
    result = CliRunner().invoke(main, [*arguments, *only], catch_exceptions=False)
    printed = json.loads(result.stdout)
    for part, cases in (("generated", generated()), ("hand", hand())):
        for language in ("en", "tr"):
            own = [case for case in cases if case.language == language]
            counts = groups(printed, part)[language]["counts"]
            assert counts["cases"] == len(own)
            assert counts["tp"] + counts["fn"] == sum(len(case.supersedes) for case in own)
    pairs = groups(printed, "duplicates")["pairs"]["counts"]
    assert pairs["tp"] + pairs["fn"] == sum(pair.same for pair in duplicates())
    assert pairs["cases"] == len(duplicates())
