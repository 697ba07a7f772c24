"""P-14: secrets do not stay: credentials of the public kinds are redacted, benign texts are not."""

import random
import time
from collections import Counter
from statistics import median

from engraphy.text import secrets
from engraphy_prove.corpus import Form, benign, forms, written
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.textbuild import patched

LEAST = 0.98
"""Share of the credentials of which nothing may be left."""
SLOWEST = 0.001
"""Seconds of CPU for the median message."""
_ALONE = (
    "{}", "for staging use {} please", "export KEY={}", 'KEY="{}"', '{{"key": "{}", "n": 3}}',
    "key: {}\nregion: eu", "`{}`", "I pasted {}, sorry", "12:00:01 INFO got {} from env",
    "anahtar: {} (kimseye verme)", "GET /v1?key={}&n=1", "<key>{}</key>",
    "Here it is:\n{}\nThanks!",
)  # fmt: skip
_NAMED = (
    "{0}_API_KEY={1}", 'export {0}_TOKEN="{1}"', "{0}_secret: {1}", '"{0}_api_key": "{1}"',
    "our {0} key is {1}", "the {0} token: {1}", "{0}.api.key = '{1}'", "{0}_key => {1}",
    "{0} anahtarı: {1}", "const {0}Secret = '{1}';",
)  # fmt: skip


def credentials(trial: Trial) -> Findings:
    """Write `rounds` credentials into messages of every kind, and all benign texts."""
    chance = random.Random(trial.seed)
    kinds = forms()
    findings, missed, took = Findings(), Counter[str](), list[float]()
    with patched(trial.build):
        for number in range(trial.rounds):
            form = kinds[number % len(kinds)]
            message, secret = _message(form, chance)
            clean, seconds = _redacted(message)
            took.append(seconds)
            if secret in clean:
                missed[form.kind] += 1
                trial.tell(f"  missed {form.kind}: {message[:90]!a}")
        harmless = [text.text for text in benign(trial.data)]
        for text in harmless:
            clean, seconds = _redacted(text)
            took.append(seconds)
            if clean != text:
                findings.breach(f"redacted in a benign text: {text[:60]!a}")
    found = 1 - missed.total() / trial.rounds
    if found < LEAST:
        worst = ", ".join(f"{kind} {count}" for kind, count in missed.most_common(5))
        findings.breach(f"{found:.2%} of the credentials are redacted, not {LEAST:.0%}: {worst}")
    if median(took) > SLOWEST:
        findings.breach(f"the median message takes {median(took) * 1000:.2f} ms of CPU")
    findings.tried = trial.rounds + len(harmless)
    findings.figure = (
        f"{trial.rounds} credentials of {len({one.kind for one in kinds})} kinds:"
        f" {found:.2%} redacted; {len(harmless)} benign texts untouched where there is no breach;"
        f" median {median(took) * 1e6:.0f} us of CPU, worst {max(took) * 1000:.1f} ms"
    )
    return findings


def _message(form: Form, chance: random.Random) -> tuple[str, str]:
    whole, secret = written(form, chance)
    if form.service:
        name = chance.choice((form.service, form.service.upper(), form.service.capitalize()))
        return chance.choice(_NAMED).format(name, whole), secret
    return chance.choice(_ALONE).format(whole), secret


def _redacted(message: str) -> tuple[str, float]:
    started = time.process_time()
    clean, _ = secrets.redact(message)
    return clean, time.process_time() - started
