"""Grants of access tokens: written whole, ended for good, found by id, told by the journal."""

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.errors import ConflictError, NotFoundError
from engraphy.model.granting import Grant, PutGrant, RevokeGrant, TokenRole
from engraphy.model.kinds import Origin, Sensitivity
from engraphy.model.leaving import ForgetUser
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import HOSTILE, PROPERTY, T0, TENANT, made
from engraphy.testing.contract.suite import Suite, insert, write

GRANT = Grant(
    id="g",
    tenant=TENANT,
    name="laptop",
    role=TokenRole.WRITE,
    user="ada",
    agent="coder",
    project="p",
    origin=Origin.AGENT,
    clearance=Sensitivity.PRIVATE,
    created_at=T0,
    expires_at=T0 + 9,
)
DIGEST = sha256(b"a token").digest()


class GrantingConformance(Suite):
    """A store keeps who may come in, and of a token its digest only."""

    def test_a_grant_comes_back_as_it_was(self, store: Store) -> None:
        """Every field, by its tenant and by its id, the digest with it."""
        self.needs("grants")
        write(store, PutGrant(grant=GRANT, digest=DIGEST))
        bare = Grant(id="b", tenant=TENANT, name="n", role=TokenRole.READ, created_at=T0 + 1)
        write(store, PutGrant(grant=bare, digest=bytes(32)))
        assert list(store.grants(TENANT)) == [GRANT, bare]
        assert store.grant_of("g") == (GRANT, DIGEST)
        assert store.grant_of("nobody") is None

    def test_tenants_do_not_see_each_others_grants(self, store: Store) -> None:
        """A list is of one tenant, and nobody ends another's; the look-up by id finds any."""
        self.needs("grants")
        other = self.fresh_tenant()
        theirs = replace(GRANT, tenant=other)
        write(store, PutGrant(grant=theirs, digest=DIGEST), tenant=other)
        assert list(store.grants(TENANT)) == []
        assert store.grant_of("g") == (theirs, DIGEST)
        with pytest.raises(NotFoundError):
            write(store, RevokeGrant(id="g"))
        store.grant_used(TENANT, "g", now=T0 + 3)
        assert list(store.grants(other)) == [theirs]

    def test_an_id_is_given_once(self, store: Store) -> None:
        """A second grant of the same id is a conflict, and the first stays."""
        self.needs("grants")
        write(store, PutGrant(grant=GRANT, digest=DIGEST))
        with pytest.raises(ConflictError):
            write(store, PutGrant(grant=replace(GRANT, role=TokenRole.ADMIN), digest=bytes(32)))
        assert store.grant_of("g") == (GRANT, DIGEST)

    def test_what_is_revoked_stays_revoked(self, store: Store) -> None:
        """From the first time on; once more changes nothing and is no line of the journal."""
        self.needs("grants")
        write(store, PutGrant(grant=GRANT, digest=DIGEST))
        assert len(write(store, RevokeGrant(id="g"), now=T0 + 5)) == 1
        assert write(store, RevokeGrant(id="g"), now=T0 + 7) == ()
        assert list(store.grants(TENANT)) == [replace(GRANT, revoked_at=T0 + 5)]
        with pytest.raises(NotFoundError):
            write(store, RevokeGrant(id="nobody"))

    def test_a_use_is_noted_and_never_goes_back(self, store: Store) -> None:
        """The last use is the latest that was told, and no line of the journal."""
        self.needs("grants")
        write(store, PutGrant(grant=GRANT, digest=DIGEST))
        store.grant_used(TENANT, "g", now=T0 + 8)
        store.grant_used(TENANT, "g", now=T0 + 6)
        assert list(store.grants(TENANT)) == [replace(GRANT, last_used_at=T0 + 8)]
        assert len(store.journal(TENANT)) == 1

    def test_the_journal_tells_grants_and_no_digest(self, store: Store) -> None:
        """Who, when and what; replay holds what the store holds; of the token it knows nothing."""
        self.needs("grants")
        write(store, PutGrant(grant=GRANT, digest=DIGEST, reason="why"), actor="me")
        write(store, RevokeGrant(id="g"), now=T0 + 5)
        lines = store.journal(TENANT)
        told = [(one.op, one.target_id, one.actor, one.reason) for one in lines]
        assert told == [("grant", "g", "me", "why"), ("revoke", "g", "suite", "")]
        assert not any(DIGEST.hex() in (one.payload or "") for one in lines)
        if self.has_removal:
            held = next(store.replayed(TENANT, [lines[-1].seq]))
            assert list(held.grants.values()) == list(store.grants(TENANT))
            assert store.broken_line() is None

    def test_who_is_forgotten_keeps_no_grant(self, store: Store) -> None:
        """A user's grants go with them, whether they hold memories or not, and their name with
        what the journal told; another's stay."""
        self.needs("grants")
        bob = replace(GRANT, id="h", user="bob")
        write(store, PutGrant(grant=GRANT, digest=DIGEST), PutGrant(grant=bob, digest=DIGEST))
        assert store.holdings(TENANT, "ada").grants == 1
        write(store, ForgetUser(user="ada", alias="x"))
        assert store.holdings(TENANT, "ada").grants == 0
        assert list(store.grants(TENANT)) == [bob]
        assert store.grant_of("g") is None
        assert not any("ada" in (one.payload or "") for one in store.journal(TENANT))
        if self.has_removal:
            last = store.journal(TENANT)[-1].seq
            assert list(next(store.replayed(TENANT, [last])).grants.values()) == [bob]

    def test_a_failed_transaction_gives_nobody_anything(self, store: Store) -> None:
        """All of a list of changes, or none: no grant without its line."""
        self.needs("grants")
        insert(store, made("m"))
        with pytest.raises(NotFoundError):
            write(store, PutGrant(grant=GRANT, digest=DIGEST), RevokeGrant(id="nobody"))
        assert list(store.grants(TENANT)) == []
        assert [one.op for one in store.journal(TENANT)] == ["insert"]

    @PROPERTY
    @given(names=st.lists(st.sampled_from(HOSTILE), min_size=4, max_size=4))
    def test_names_stay_as_they_are(self, store: Store, names: list[str]) -> None:
        """No name of a grant or a wall becomes another."""
        self.needs("grants")
        tenant: Tenant = self.fresh_tenant()
        name, user, agent, project = names
        own = replace(GRANT, id=f"of {tenant}", tenant=tenant, name=name)
        wanted = replace(own, user=user, agent=agent, project=project)
        write(store, PutGrant(grant=wanted, digest=DIGEST), tenant=tenant)
        assert list(store.grants(tenant)) == [wanted]
        assert store.holdings(tenant, user).grants == 1
