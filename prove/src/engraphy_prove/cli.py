"""The command `engraphy-prove`."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import click

from engraphy_prove.proof import Findings, Proof, Trial
from engraphy_prove.proofs import PROOFS

MOST_SHOWN = 10


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", type=click.Choice(["list", "all", *PROOFS]), metavar="list|all|NAME")
@click.option("--rounds", type=click.IntRange(min=1), help="How often to try, form or no form.")
@click.option("--seed", default=1, show_default=True, help="Which chances are taken.")
@click.option("--quick", "form", flag_value="quick", help="A tenth of the short form.")
@click.option("--short", "form", flag_value="short", default=True, help="The short form (default).")
@click.option("--full", "form", flag_value="full", help="The full figure of the promise.")
@click.option(
    "--folder", type=click.Path(path_type=Path), help="Where to work (default: temporary)."
)
def main(name: str, rounds: int | None, seed: int, form: str, folder: Path | None) -> None:
    """Prove a promise: `engraphy-prove list` names them."""
    if name == "list":
        for proof in PROOFS.values():
            click.echo(f"{proof.name:<10} {proof.promise:<5} {proof.about}")
        return
    chosen = list(PROOFS.values()) if name == "all" else [PROOFS[name]]
    passed = failed = 0
    for proof in chosen:
        good, bad = _prove(proof, rounds or _rounds(proof, form), seed, folder)
        passed, failed = passed + good, failed + bad
    click.echo(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def _rounds(proof: Proof, form: str) -> int:
    return {"quick": max(1, proof.short // 10), "short": proof.short, "full": proof.full}[form]


def _prove(proof: Proof, rounds: int, seed: int, folder: Path | None) -> tuple[int, int]:
    click.echo(f"{proof.name} ({proof.promise}): {proof.about}")
    findings = _run(proof, Trial(build=proof.sound, rounds=rounds, seed=seed, folder=_room(folder)))
    click.echo(f"  {findings.figure}; breaches: {len(findings.breaches)}")
    _show(findings)
    bad = min(len(findings.breaches), findings.tried) or int(bool(findings.breaches))
    good = findings.tried - bad
    for build in proof.broken:
        trial = Trial(
            build=build, rounds=proof.check_rounds, seed=seed, folder=_room(folder), tell=_silent
        )
        caught = _run(proof, trial)
        verdict = "caught" if caught.breaches else "NOT CAUGHT"
        click.echo(
            f"  self-check, a build that {build.name}: {verdict}"
            f" ({len(caught.breaches)} breaches in {caught.tried} tries)"
        )
        good, bad = good + bool(caught.breaches), bad + (not caught.breaches)
    return good, bad


def _run(proof: Proof, trial: Trial) -> Findings:
    started = time.perf_counter()
    try:
        findings = proof.experiment(trial)
    finally:
        shutil.rmtree(trial.folder)
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
