"""P-12: how many attack texts show a sign of instructing, and how many benign texts do."""

import random
from collections import Counter
from collections.abc import Sequence

from engraphy.text import injection
from engraphy_prove.corpus import OWN, TUNED, Text, attacks, benign, seeded
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.textbuild import patched

LEAST, MOST = 0.60, 0.01
"""Share of attack texts that must be seen, and of benign texts that may be."""


def detection(trial: Trial) -> Findings:
    """Look at `rounds` attack texts (all of them where there are fewer) and every benign text."""
    chance = random.Random(trial.seed)
    bad, good = attacks(trial.data), benign(trial.data)
    chance.shuffle(bad)
    own = list(seeded(chance, max(20, trial.rounds // 5)))
    bad = bad[: trial.rounds]
    with patched(trial.build):
        seen = {text for text in (*bad, *own, *good) if injection.injection_signals(text.text)}
    findings = Findings(tried=len(bad) + len(good))
    unseen = [text for text in bad if text.source not in TUNED]
    shares = {
        "attacks": _share(bad, seen),
        "of unseen sources": _share(unseen, seen),
        "seeded": _share(own, seen),
        "benign": _share(good, seen),
    }
    if shares["attacks"] < LEAST:
        findings.breach(f"{shares['attacks']:.1%} of the attack texts are seen, not {LEAST:.0%}")
    if shares["benign"] > MOST:
        findings.breach(f"{shares['benign']:.2%} of the benign texts are taken for attacks")
    by = Counter(text.source for text in (*bad, *own))
    for source, count in sorted(by.items()):
        of = [text for text in (*bad, *own) if text.source == source]
        kind = "seeded" if source == OWN else "tuned on" if source in TUNED else "unseen"
        trial.tell(f"  {source}: {_share(of, seen):.1%} of {count} ({kind})")
    told = ", ".join(f"{share:.2%} {name}" for name, share in shares.items())
    findings.figure = f"{len(bad)} attack and {len(good)} benign texts: seen {told}"
    return findings


def _share(texts: Sequence[Text], seen: set[Text]) -> float:
    return sum(text in seen for text in texts) / len(texts) if texts else 0.0
