"""The knobs of personal data: what is done with it on the way in (D-71)."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Section

PiiKind = Literal["email", "phone", "iban", "national_id", "ip_address"]
PiiPolicy = Literal["off", "flag", "redact", "refuse"]
KINDS: tuple[PiiKind, ...] = ("email", "phone", "iban", "national_id", "ip_address")


class Pii(Section, frozen=True):
    """What is done with e-mail addresses, phone numbers and the like before anything is written;
    other than `off` it needs the extra `pii`. Card numbers are credentials: they never stay."""

    policy: PiiPolicy
    """Of every kind that `kinds` does not name: `flag` (tag it, and make it private at least),
    `redact` (put its kind in its place), `refuse` (write nothing of it)."""
    kinds: dict[PiiKind, PiiPolicy]
    regions: list[Annotated[str, Meta(pattern="^[A-Z]{2}$")]]
    """Countries whose phone numbers are known without their prefix, as ISO 3166-1 codes."""

    def of(self, kind: PiiKind) -> PiiPolicy:
        """What is done with a kind."""
        return self.kinds.get(kind, self.policy)

    def each(self) -> list[tuple[PiiKind, PiiPolicy]]:
        """Every kind, with what is done with it."""
        return [(kind, self.of(kind)) for kind in KINDS]

    @property
    def acts(self) -> bool:
        """Whether anything is looked for."""
        return any(policy != "off" for _, policy in self.each())
