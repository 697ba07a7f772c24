"""`engraphy capacity`: measured costs become nodes, memory and disk, with what is assumed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from engraphy.benchmarks.capacity_fit import Cost, Load, Point, TERMS, fitted
from engraphy.benchmarks.capacity_tenants import Placing, Tenants
from engraphy.cli import main

SIZES = (4_000, 12_000, 36_000, 100_000)
FEW, SHARE = 400, 12
LOOP = 400.0
PARTS = {
    "recall_ms": {"fixed": 2.0, "per doubling of the scope": 0.5, "per million in the scope": 6.0},
    "add_ms": {"fixed": 3.0, "per million in the scope": 6.0},
    "scan_ms": {"per million in the scope": 6.0},
    "vectors_ms": {"per million in the scope": 2_000.0, "per million pages": 3_000.0},
    "signs_ms": {"fixed": 1.0, "per million in the scope": 600.0},
    "disk_mb": {"fixed": 1.0, "per million in all": 1_800.0},
    "process_mb": {"fixed": 90.0, "per million in the scope": 50.0},
    "night_ms": {"fixed": 5.0, "per million in the scope": 900.0},
}
"""A machine that is known."""


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["capacity", *words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def told(file: Path, *words: str, memories: str = "10M", qps: str = "200") -> dict[str, Any]:
    asked = ("--memories", memories, "--qps", qps, "--measured", str(file), "--json", *words)
    made: dict[str, Any] = json.loads(run(*asked).stdout)
    return made


def kept(
    folder: Path,
    *,
    engine: str = "sqlite",
    off: float = 1.0,
    sizes: tuple[int, ...] = SIZES,
    **more: Any,
) -> Path:
    """A file of what was measured on that machine; the largest size times `off`."""
    parts = dict(PARTS)
    if engine == "postgres":
        there = ("recall_ms", "add_ms", "vectors_ms", "night_ms")
        parts |= {f"database_{name}": parts[name] for name in there}
    points: dict[str, list[list[float]]] = {}
    for name, part in parts.items():
        for size in sizes:
            for scope in (size - FEW, size // SHARE):
                load = Load(scope, size)
                value = Cost(part).at(load) * (off if size == sizes[-1] else 1.0)
                points.setdefault(name, []).append([size, *load, value])
    file = folder / f"{engine}.json"
    whole = {
        "format": "engraphy-capacity", "version": 2, "engine": engine, "dim": 128,
        "machine": {"processors": 2, "loop_ms": LOOP}, "sizes": sizes, "serving_ms": 4.0,
        "points": points, **more,
    }  # fmt: skip
    file.write_text(json.dumps(whole), encoding="utf-8")
    return file


@given(
    parts=st.lists(st.floats(0.0, 50.0), min_size=3, max_size=3).filter(lambda told: sum(told) > 1),
    sizes=st.lists(st.integers(2_500, 200_000), min_size=4, max_size=6, unique=True),
)
def test_a_fit_foretells_what_it_was_made_of(parts: list[float], sizes: list[int]) -> None:
    """Points of a cost with parts that are not negative are met again, at their sizes and at a
    bigger one within a thousandth."""
    names = ("fixed", "per doubling of the scope", "per million in the scope")
    made = Cost(dict(zip(names, parts, strict=True)))
    loads = [Load(size - FEW, size) for size in sizes]
    fit = fitted("recall_ms", [Point(load, made.at(load)) for load in loads])
    assert min(fit.parts.values()) >= 0
    for load in loads:
        assert fit.at(load) == pytest.approx(made.at(load), rel=1e-3)


def test_what_falls_is_fitted_without_a_negative_part() -> None:
    """Noise that makes a bigger store cheaper leaves no negative part, so nothing is foretold to
    cost less than nothing."""
    points = [Point(Load(size, size), 9.0 - size / 10_000) for size in SIZES[:3]]
    fit = fitted("recall_ms", points)
    assert min(fit.parts.values()) >= 0
    assert fit.at(Load(1e9, 1e9)) > 0
    assert {*fit.parts} <= {*TERMS}


@given(st.integers(1, 5_000), st.integers(1, 3_000), st.floats(0, 2))
def test_tenants_have_all_memories(each: int, count: int, tail: float) -> None:
    """The sizes come to all memories and all tenants, the largest first, and are those of Zipf's
    law; a node never has less than the largest tenant, nor than its even share."""
    tenants = Tenants(each * count, count, tail)
    groups = [*tenants.groups()]
    sizes = [size for size, _ in groups]
    assert sum(number for _, number in groups) == count
    assert sum(size * number for size, number in groups) == pytest.approx(each * count)
    assert sizes == sorted(sizes, reverse=True)
    exact = sum(rank**-tail for rank in range(1, count + 1))
    assert tenants.largest == pytest.approx(each * count / exact, rel=1e-4)
    spread = Placing(tenants, 16, draws=2).over(4)
    share = max(0.25, tenants.largest / tenants.memories)
    assert spread.worst_node >= spread.fullest_node >= share - 1e-9


def test_work_is_in_proportion_to_requests(tmp_path: Path) -> None:
    """Twice the requests take twice the processors, but for the nights."""
    file = kept(tmp_path)
    one, two = told(file, qps="100"), told(file, qps="200")
    nights = one["cores"]["nights"] / one["demand"]["busy"]
    once, twice = (made["cores"]["servers"] - nights for made in (one, two))
    assert twice == pytest.approx(2 * once)


def test_the_scope_drives_a_question_not_the_total(tmp_path: Path) -> None:
    """The same memories among more tenants make questions cheaper; one tenant alone costs what a
    scope of all of them does."""
    file = kept(tmp_path)
    alone, many = told(file, "--tenants", "1"), told(file, "--tenants", "20k")
    whole = Cost(PARTS["recall_ms"]).at(Load(1e7, 1e7))
    assert alone["per_call"]["recall_ms"] == pytest.approx(whole, rel=1e-3)
    assert many["per_call"]["recall_ms"] < alone["per_call"]["recall_ms"] / 2
    assert many["disk_gb"] == alone["disk_gb"] == pytest.approx(18.001, rel=1e-3)


def test_what_is_too_much_for_a_machine_is_said(tmp_path: Path) -> None:
    """A file that does not fit says what is too much, and what to do; one that fits says so."""
    file = kept(tmp_path)
    large = told(file, memories="2B", qps="50")
    assert not large["fits"]
    assert large["asks"]["disk_gb"]["needs"] > large["asks"]["disk_gb"]["has"]
    assert told(file, memories="100k", qps="5")["fits"]
    shown = run("--memories", "2B", "--qps", "50", "--measured", str(file)).stdout
    assert "does NOT fit" in shown
    assert "--engine postgres" in shown


@pytest.mark.long
def test_nodes_hold_the_fullest_share(tmp_path: Path) -> None:
    """A database gets so many nodes that the fullest has room for its share, not the even one; each
    has its standbys."""
    file = kept(tmp_path, engine="postgres")
    options = ("--engine", "postgres", "--tenants", "50k", "--tail", "0.7", "--replicas", "2")
    made = told(file, *options, memories="1B", qps="500")
    nodes, spread = made["nodes"]["database"], made["spread"]
    assert made["fits"]
    assert spread["fullest_node"] > 1 / nodes
    assert made["nodes"]["standby"] == 2 * nodes
    assert made["asks"]["disk_gb"]["needs"] == pytest.approx(
        made["disk_gb"] / made["demand"]["full"] * spread["fullest_node"]
    )


def test_a_tenant_that_is_too_large_is_said(tmp_path: Path) -> None:
    """No number of nodes helps where one tenant is more than a node."""
    file = kept(tmp_path, engine="postgres")
    words = ("--memories", "1B", "--qps", "2000", "--engine", "postgres", "--measured", str(file))
    shown = run(*words, "--tenants", "3").stdout
    assert "too much" in shown
    assert "split it" in shown


@pytest.mark.long
def test_costs_of_a_file_stand_in_for_a_database(tmp_path: Path) -> None:
    """Where a database was not measured its processors are none, which is said on top of what is
    assumed; costs of a database are none of a file."""
    words = ("--memories", "100M", "--qps", "50", "--engine", "postgres", "--tenants", "20k")
    shown = run(*words, "--measured", str(kept(tmp_path))).stdout
    assert "COSTS OF A FILE" in shown
    refused = ("--memories", "100M", "--qps", "50", "--measured")
    assert "--engine" in run(*refused, str(kept(tmp_path, engine="postgres")), code=2).stderr


@pytest.mark.long
def test_routing_tenants_keeps_their_vectors(tmp_path: Path) -> None:
    """Where tenants come to the same process again, all processes together keep vectors: less is
    read anew, and fewer processors are needed."""
    file = kept(tmp_path)
    words = ("--tenants", "20k", "--tail", "0.5")
    one, routed = (told(file, *words, *more, memories="100M") for more in ((), ("--routed",)))
    assert one["kept_share"] < routed["kept_share"] <= 1
    assert routed["per_call"]["load_ms"] < one["per_call"]["load_ms"]
    assert routed["cores"]["servers"] < one["cores"]["servers"]


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_it_reads_well(tmp_path: Path, engine: str) -> None:
    """At most 80 columns; assumptions, the model and the sizes it was measured at are printed."""
    file = kept(tmp_path, engine=engine)
    words = ("--memories", "1B", "--tenants", "50k", "--qps", "2000", "--engine", engine)
    shown = run(*words, "--measured", str(file)).stdout
    assert max(map(len, shown.splitlines())) <= 80
    for word in ("Assumed", "Model", "Zipf", "4,000, 12,000, 36,000", "a million in the scope"):
        assert word in shown


def test_a_check_shows_how_far_it_is_off(tmp_path: Path) -> None:
    """The largest size is foretold from the others: within 25 % it passes, beyond it fails, and
    each cost is shown with what was met."""
    words = ("--memories", "1M", "--qps", "10", "--check")
    good = run(*words, "--measured", str(kept(tmp_path, off=1.2))).stdout
    assert "within 25%" in good
    bad = run(*words, "--measured", str(kept(tmp_path, off=1.4)), code=1).stdout
    assert "NOT within" in bad
    assert "-29%" in bad


def test_turning_signs_is_a_part_of_reading_many(tmp_path: Path) -> None:
    """Reading a scope that is too large to be compared by its codes takes the turning of its signs
    too, of which scopes that are not tell nothing: measured by itself it is foretold; without it
    the check fails."""
    file, each = kept(tmp_path, sizes=(4_000, 12_000, 20_000, 100_000)), 1_500.0
    made = json.loads(file.read_text())
    for row in made["points"]["vectors_ms"]:
        row[3] += each * row[1] / 1e6 * (row[1] > 32_768)
    file.write_text(json.dumps(made))
    words = ("--memories", "1M", "--qps", "10", "--check", "--measured", str(file))
    assert "NOT within" in run(*words, code=1).stdout
    alone = [[size, size, size, each * size / 1e6] for size in (50_000, 100_000, 200_000)]
    made["points"]["turn_ms"] = alone
    file.write_text(json.dumps(made))
    shown = run(*words).stdout
    assert "a million turned" in shown
    assert "their signs are turned" in shown.replace("\n  ", " ")
    found = json.loads(run(*words, "--json").stdout)["check"]["rows"]
    assert all(abs(row["off"]) < 0.01 for row in found)


def test_scattered_vectors_cost_more_to_read(tmp_path: Path) -> None:
    """Of two plans with equally large tenants, the one with more of them in all reads a tenant's
    vectors from more pages: reading again costs more, answering the same."""
    file = kept(tmp_path)
    close, far = (
        told(file, "--tail", "0", "--tenants", tenants, memories=memories)
        for memories, tenants in (("10M", "500"), ("1B", "50k"))
    )
    assert close["per_call"]["recall_ms"] == pytest.approx(far["per_call"]["recall_ms"])
    spent = [made["per_call"]["load_ms"] / (1 - made["kept_share"]) for made in (close, far)]
    assert spent[0] < spent[1]
    scattered = Cost(PARTS["vectors_ms"]).at(Load(20_000, 1e9))
    assert spent[1] == pytest.approx(scattered, rel=1e-3)
    side_by_side = Cost(PARTS["vectors_ms"]).at(Load(20_000, 20_000))
    assert side_by_side < scattered / 2


@pytest.mark.long
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_faster_machine_needs_fewer_processors(tmp_path: Path, engine: str) -> None:
    """All processor time is in proportion to a loop that is told with what was measured; bytes are
    not."""
    file = kept(tmp_path, engine=engine)
    words = ("--engine", engine, "--tenants", "5k")
    slow, fast = told(file, *words), told(file, *words, "--loop-ms", str(LOOP / 2))
    assert fast["cores"] == {name: pytest.approx(part / 2) for name, part in slow["cores"].items()}
    assert fast["per_call"] == {
        name: pytest.approx(part / 2) for name, part in slow["per_call"].items()
    }
    assert fast["disk_gb"] == slow["disk_gb"]
    shown = run("--memories", "1M", "--qps", "1", "--engine", engine, "--measured", str(file))
    assert "takes 400 ms" in shown.stdout.replace("\n  ", " ")
    unknown = kept(tmp_path, engine=engine, machine={"processors": 2})
    refused = ("--memories", "1M", "--qps", "1", "--engine", engine, "--measured", str(unknown))
    assert "measure again" in run(*refused, "--loop-ms", "9", code=2).stderr


def test_a_database_s_own_costs_are_told_as_such(tmp_path: Path) -> None:
    """Costs that were measured in a database are told as such, with what was not measured; its
    size was looked at empty and full, and is no part of a check."""
    file = kept(tmp_path, engine="postgres")
    made = json.loads(file.read_text())
    whole = sum(SIZES)
    for cost, empty, full in (("disk_mb", 9.0, 409.0), ("disk_rows_mb", 1.0, 201.0)):
        made["points"][cost] = [[0, 0, 0, empty], [whole, whole, whole, full]]
    file.write_text(json.dumps(made))
    words = ("--memories", "1M", "--qps", "10", "--engine", "postgres", "--measured", str(file))
    shown = run(*words).stdout
    assert "COSTS OF A FILE" not in shown
    assert "measured in a database" in shown
    assert "Not measured" in shown.replace("\n  ", " ")
    found = json.loads(run(*words, "--json", "--check").stdout)
    assert found["disk_gb"] == pytest.approx((9.0 + 400.0 * 1e6 / whole) / 1e3)
    assert not [row for row in found["check"]["rows"] if row["cost"].startswith("disk")]


def test_figures_of_the_benchmark_are_read(tmp_path: Path) -> None:
    """What `engraphy bench perf --out` wrote at three sizes is enough for a plan."""
    rows = [
        {"size": size, "layout": "one", "operation": name, "cpu_ms": {"mean": value}, **more}
        for size in SIZES
        for name, value, more in (
            ("recall", 5.0 + size / 1e5, {}),
            ("add", 4.0, {}),
            ("load", 9.0, {"mb_per_10000": 18.0}),
            ("reading process", 9.0, {"megabytes": 100.0}),
        )
    ]
    file = tmp_path / "perf.json"
    file.write_text(json.dumps({"benchmark": "perf", "engine": "sqlite", "rows": rows}))
    made = told(file)
    assert made["disk_gb"] == pytest.approx(18.0, rel=1e-3)
    assert made["sizes"] == [*SIZES]


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (("--memories", "10X", "--qps", "1"), "5000, 200k, 10M or 1.5B"),
        (("--memories", "-5", "--qps", "1"), "5000, 200k, 10M or 1.5B"),
        (("--memories", "0", "--qps", "1"), "1 to 1000B"),
        (("--memories", "9000B", "--qps", "1"), "1 to 1000B"),
        (("--memories", "10M", "--qps", "0"), "0<x"),
        (("--memories", "10M", "--qps", "many"), "valid float"),
        (("--memories", "10M"), "--qps"),
        (("--memories", "10", "--qps", "1", "--tenants", "11"), "at most 10"),
        (("--memories", "10", "--qps", "1", "--tenants", "1", "--sizes", "100,200,300"), "3000"),
        (
            ("--memories", "10", "--qps", "1", "--tenants", "1", "--sizes", "5000,6000"),
            "three sizes",
        ),
        (("--memories", "10M", "--qps", "1", "--replicas", "1"), "--engine postgres"),
        (("--memories", "10M", "--qps", "1", "--writes", "2"), "0<=x<=1"),
    ],
)
def test_bad_input_is_told(tmp_path: Path, words: tuple[str, ...], allowed: str) -> None:
    """What is no number, too small or too much is refused with what is allowed."""
    measured = () if "--sizes" in words else ("--measured", str(kept(tmp_path)))
    assert allowed in run(*words, *measured, code=2).stderr


def test_without_a_database_a_database_cannot_be_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was never measured for an engine needs an empty database, and says so."""
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path))
    words = ("--memories", "1M", "--qps", "1", "--engine", "postgres")
    assert "an empty one" in run(*words, code=2).stderr


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "engraphy-capacity", "version": 9}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    """A file that is none of what was measured is told as such."""
    file = tmp_path / "other.json"
    file.write_text(text)
    result = CliRunner().invoke(
        main, ["capacity", "--memories", "1M", "--qps", "1", "--measured", str(file)]
    )
    assert result.exit_code in (1, 2)
    assert "Error" in result.stderr


@pytest.mark.slow
def test_a_fourth_size_is_foretold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured on this machine at three sizes, the model foretells every cost at a fourth, bigger
    one within 25 %; what was measured is kept and used the next time."""
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path))
    words = ("--memories", "1M", "--qps", "10", "--json")
    sizes = ("--sizes", "3000,3600,4300", "--check-size", "6000", "--queries", "15")
    made = json.loads(run(*words, "--check", *sizes, "--folder", str(tmp_path)).stdout)
    assert made["check"]["kept"], made["check"]["rows"]
    again = json.loads(run(*words).stdout)
    assert again["costs"] == made["costs"]
