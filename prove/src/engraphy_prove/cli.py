"""The command `engraphy-prove`."""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from engraphy_prove.proof import Build, Findings, Proof, Trial
from engraphy_prove.proofs import PROOFS

MOST_SHOWN = 10
_PAUSES = (0.1, 0.3, 1.0, 3.0, 9.0)
"""Seconds between tries to take a folder away."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", type=click.Choice(["list", "all", *PROOFS]), metavar="list|all|NAME")
@click.option("--rounds", type=click.IntRange(min=1), help="How often to try, form or no form.")
@click.option("--seed", default=1, show_default=True, help="Which chances are taken.")
@click.option("--quick", "form", flag_value="quick", help="A tenth of the short form.")
@click.option("--short", "form", flag_value="short", default=True, help="The short form (default).")
@click.option("--full", "form", flag_value="full", help="The full figure of the promise.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar="ENGRAPHY_PROVE_DATA",
    help="A folder with security/attacks.json.gz and benign.json.gz, instead of what ships.",
)
@click.option(
    "--folder", type=click.Path(path_type=Path), help="Where to work (default: temporary)."
)
def main(
    name: str,
    *,
    rounds: int | None,
    seed: int,
    form: str,
    data: Path | None,
    folder: Path | None,
) -> None:
    """Prove a promise: `engraphy-prove list` names them."""
    if name == "list":
        for proof in PROOFS.values():
            click.echo(f"{proof.name:<10} {proof.promise:<5} {proof.about}")
        return
    chosen = PROOFS.values() if name == "all" else [PROOFS[name]]
    passed = failed = 0
    for proof in chosen:
        room = partial(_trial, seed=seed, data=data, folder=folder)
        good, bad = _prove(proof, rounds or _rounds(proof, form), room)
        passed, failed = passed + good, failed + bad
    click.echo(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def _rounds(proof: Proof, form: str) -> int:
    return {"quick": max(1, proof.short // 10), "short": proof.short, "full": proof.full}[form]


def _trial(
    build: Build, rounds: int, *, seed: int, data: Path | None, folder: Path | None
) -> Trial:
    return Trial(build=build, rounds=rounds, seed=seed, data=data, folder=_room(folder))


def _prove(proof: Proof, rounds: int, trial_of: Callable[[Build, int], Trial]) -> tuple[int, int]:
    click.echo(f"{proof.name} ({proof.promise}): {proof.about}")
    findings = _run(proof, trial_of(proof.sound, rounds))
    click.echo(f"  {findings.figure}; breaches: {len(findings.breaches)}")
    _show(findings)
    bad = min(len(findings.breaches), findings.tried) or int(bool(findings.breaches))
    good = findings.tried - bad
    for build in proof.broken:
        trial = replace(trial_of(build, proof.check_rounds), tell=_silent, until_caught=True)
        caught = _run(proof, trial)
        verdict = "caught" if caught.breaches else "NOT CAUGHT"
        click.echo(
            f"  self-check, a build that {build.name}: {verdict}"
            f" ({len(caught.breaches)} breaches in {caught.tried} tries)"
        )
        good, bad = good + bool(caught.breaches), bad + (not caught.breaches)
    return good, bad


def _cleared(folder: Path) -> None:
    """Take a trial's folder away. What hooks started may be at its last writes there."""
    for pause in _PAUSES:
        with suppress(OSError):
            shutil.rmtree(folder)
        if not folder.exists():
            return
        time.sleep(pause)
    shutil.rmtree(folder)


def _run(proof: Proof, trial: Trial) -> Findings:
    started = time.perf_counter()
    try:
        findings = proof.experiment(trial)
    finally:
        _cleared(trial.folder)
    findings.figure += f" ({time.perf_counter() - started:.1f} s)"
    return findings


def _room(folder: Path | None) -> Path:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="engraphy-prove-", dir=folder))


def _show(findings: Findings) -> None:
    for what in findings.breaches[:MOST_SHOWN]:
        click.echo(f"    {what}")
    if len(findings.breaches) > MOST_SHOWN:
        click.echo(f"    ... and {len(findings.breaches) - MOST_SHOWN} more")


def _silent(line: str) -> None:
    """The progress of a self-check is not shown."""
