"""Search: text in any spelling, vectors against brute force, light rows with their neighbours."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.model.change import Forget, Update, VectorRow
from engraphy.model.kinds import DataSource, Kind, SubTier, Tier
from engraphy.model.memory import Memory
from engraphy.model.query import Term
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import (
    HERE,
    MODEL,
    PROPERTY,
    T0,
    TENANT,
    made,
    seen_from,
    vectors,
    wide,
)
from engraphy.testing.contract.suite import Suite, embedded, insert, write
from engraphy.text.imprint import code, occurrences

SYNTAX = (
    "", '"', '""', "*", "a*", "^a", "a:b", "{a b}:c", "-a", "+a", "(", ")", "NEAR(a b, 2)", "NEAR",
    "AND", "OR", "NOT", "a AND", "a OR b NOT c", "gpt-4o", "src/api/auth.js", "C++", "node:sqlite",
    "' OR 1=1--", "%", "_", "\\", ";", "--", "/*", "\x00", "\ud800", "🧠", "記", "é", "x" * 10_000,
    "content:zebra", "rowid:1", "memories_fts MATCH x", "\n", "\t",
)  # fmt: skip
_serial = itertools.count()


class TextConformance(Suite):
    """Full-text search."""

    @pytest.fixture(autouse=True)
    def _text_only(self, request: pytest.FixtureRequest) -> None:
        if "search_text" in request.node.name or "text" in request.node.name:
            self.needs("text_search")

    def test_text_finds_what_has_a_term(self, store: Store) -> None:
        """Any one term is enough, and a row without any stays away."""
        insert(store, made("a", "zebra only"), made("b", "yak only"), made("c", "nothing here"))
        assert set(self._found(store, "zebra yak")) == {"a", "b"}
        assert self._found(store, "absent") == []
        assert store.search_text(seen_from(), [], 10).matches == ()

    def test_text_of_titles_is_found(self, store: Store) -> None:
        """The title belongs to the searched text."""
        insert(store, made("a", "words", title="zebra title"))
        assert self._found(store, "zebra") == ["a"]

    def test_better_text_never_scores_lower(self, store: Store) -> None:
        """More terms, and more occurrences at equal length, score higher; scores are positive."""
        filler = "one two three four"
        insert(
            store,
            made("both", f"zebra yak {filler} five"),
            made("twice", f"zebra zebra {filler} six"),
            made("once", f"zebra {filler} seven eight"),
            *(made(f"other{n}", f"nothing {filler} of note {n}") for n in range(20)),
        )
        result = store.search_text(seen_from(), self.terms("zebra yak"), 10)
        assert [match.id for match in result.matches] == ["both", "twice", "once"]
        scores = [match.bm25 for match in result.matches]
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0
        assert scores[1] > scores[2]

    def test_rare_text_outweighs_common_text(self, store: Store) -> None:
        """A term few rows have says more than one that many have."""
        insert(
            store,
            made("rare", "zebra and filler"),
            *(made(f"common{n}", f"yak and filler {n}") for n in range(20)),
        )
        assert self._found(store, "zebra yak")[0] == "rare"

    def test_weight_of_text_terms_counts(self, store: Store) -> None:
        """The weight of a term decides between rows that are alike otherwise."""
        insert(store, made("a", "zebra words"), made("b", "yak words"))
        for heavy, light in (("zebra", "yak"), ("yak", "zebra")):
            terms = [
                Term(term=heavy, surface=heavy, weight=1.0),
                Term(term=light, surface=light, weight=0.1),
            ]
            best = store.search_text(seen_from(), terms, 10).matches[0]
            assert best.id == {"zebra": "a", "yak": "b"}[heavy]

    def test_text_limit(self, store: Store) -> None:
        """At most `limit` candidates come back, the best ones."""
        insert(store, *(made(f"m{n}", f"zebra {'zebra ' * n} word{n}") for n in range(6)))
        assert self._found(store, "zebra", 3) == self._found(store, "zebra", 6)[:3]

    def test_text_statistics_are_those_of_the_view(self, store: Store) -> None:
        """Counts of rows and of rows with a term tell nothing about rows behind a wall."""
        insert(store, made("a", "zebra words"), made("b", "yak words"))
        before = store.search_text(seen_from(), self.terms("zebra yak words"), 10)
        assert before.documents == 2
        assert dict(before.document_frequency) == {"zebra": 1, "yak": 1, "words": 2}
        foreign = (replace(HERE, user="u"), Scope(tenant=Tenant("x")))
        for owner in foreign:
            insert(store, *(made(f"{owner.tenant}{n}", f"zebra words {n}", scope=owner)
                            for n in range(10)))  # fmt: skip
        after = store.search_text(seen_from(), self.terms("zebra yak words"), 10)
        assert after.document_frequency == before.document_frequency
        assert after.documents == before.documents
        assert [m.id for m in after.matches] == [m.id for m in before.matches]

    def test_text_follows_every_change(self, store: Store) -> None:
        """A changed text is found by its new words and not by its old ones."""
        row = made("m", "zebra words")
        insert(store, row)
        changed = replace(row, content="yak words", version=2, updated_at=T0 + 1)
        write(store, Update(memory=changed, expected=row))
        assert (self._found(store, "zebra"), self._found(store, "yak")) == ([], ["m"])
        write(store, Forget(id="m"))
        assert self._found(store, "yak") == []

    @pytest.mark.parametrize("text", SYNTAX)
    def test_operators_are_plain_text(self, store: Store, text: str) -> None:
        """Nothing in a term reaches the engine as syntax (R-02)."""
        insert(store, made("m", "zebra content"))
        alone = store.search_text(seen_from(), [Term(term=text, surface=text)], 10)
        assert alone.matches == () or text == "C++"
        together = [Term(term=text, surface=text), *self.terms("zebra")]
        found = store.search_text(seen_from(), together, 10)
        assert [match.id for match in found.matches] == ["m"]

    @PROPERTY
    @given(texts=st.lists(st.text(), max_size=5))
    def test_any_text_is_a_legal_query(self, store: Store, texts: list[str]) -> None:
        """No text raises (R-02)."""
        terms = [Term(term=text, surface=text) for text in texts]
        assert store.search_text(seen_from(), terms, 10).matches == ()

    def _found(self, store: Store, words: str, limit: int = 10) -> list[str]:
        result = store.search_text(seen_from(), self.terms(words), limit)
        return [match.id for match in result.matches]


class VectorConformance(Suite):
    """Vector search."""

    @pytest.fixture(autouse=True)
    def _vectors_only(self, request: pytest.FixtureRequest) -> None:
        if "vector" in request.node.name:
            self.needs("vector_search")

    @PROPERTY
    @given(data=st.data())
    def test_vectors_match_brute_force(self, store: Store, data: st.DataObject) -> None:
        """The best rows come back, best first, with the cosine of their best part."""
        tenant = self.fresh_tenant()
        several = st.lists(st.lists(vectors(), min_size=1, max_size=3), max_size=12)
        stored = {f"v{next(_serial)}": parts for parts in data.draw(several)}
        scope = Scope(tenant=tenant)
        inserts = [embedded(made(name, scope=scope), *parts) for name, parts in stored.items()]
        write(store, *inserts, tenant=tenant)
        query = data.draw(vectors())
        exact = {
            name: max(_cosine(query, part) for part in parts) for name, parts in stored.items()
        }
        limit = data.draw(st.integers(1, 12))
        found = store.search_vector(seen_from(scope), MODEL, query, limit)
        assert len(found) == min(limit, len(stored))
        assert [m.cosine for m in found] == sorted((m.cosine for m in found), reverse=True)
        worst = sorted(exact.values(), reverse=True)[: len(found)]
        for match, at_least in zip(found, worst, strict=True):
            assert match.cosine == pytest.approx(exact[match.id], abs=self.vector_tolerance)
            assert exact[match.id] >= at_least - 2 * self.vector_tolerance

    def test_vectors_of_other_models_are_apart(self, store: Store) -> None:
        """A search compares vectors of one model only; dimensions of others do not matter."""
        write(
            store, embedded(made("a"), (1.0, 0.0)), embedded(made("b"), (1.0, 0, 0), model_id="x")
        )
        assert [m.id for m in store.search_vector(seen_from(), MODEL, (1.0, 0.0), 9)] == ["a"]
        assert store.search_vector(seen_from(), "unknown", (1.0, 0.0), 9) == []
        assert store.stored_models(TENANT) == {MODEL: 1, "x": 1}
        assert store.stored_models(Tenant("other")) == {}

    def test_vectors_may_be_zero(self, store: Store) -> None:
        """A text without a direction is legal and no cosine becomes anything but a number."""
        write(store, embedded(made("zero"), (0.0, 0.0)), embedded(made("one"), (0.0, 1.0)))
        for query in ((0.0, 0.0), (0.0, 1.0)):
            found = store.search_vector(seen_from(), MODEL, query, 9)
            assert all(-1.001 <= match.cosine <= 1.001 for match in found)

    def test_vectors_follow_every_change(self, store: Store) -> None:
        """A new text brings its vector, a kept text keeps it, a forgotten one loses it."""
        row = made("m")
        write(store, embedded(row, (1.0, 0.0)))
        pinned = replace(row, pinned=True, updated_at=T0 + 1)
        write(store, Update(memory=pinned, expected=row))
        assert self._cosine_of(store, "m") == pytest.approx(1.0, abs=self.vector_tolerance)
        turned = replace(pinned, content="new text", version=2, updated_at=T0 + 2)
        vector = VectorRow(model_id=MODEL, parts=((0.0, 1.0),))
        write(store, Update(memory=turned, expected=pinned, vector=vector))
        assert self._cosine_of(store, "m") == pytest.approx(0.0, abs=self.vector_tolerance)
        write(store, Forget(id="m"))
        assert store.search_vector(seen_from(), MODEL, (1.0, 0.0), 9) == []
        assert store.stored_models(TENANT) == {}

    def test_missing_vectors_are_listed_and_put(self, store: Store) -> None:
        """What has no vector is listed, then found by it; one of a text that is gone is not."""
        insert(store, made("a", "first"), made("b", "second"))
        write(store, embedded(made("c", "third"), (0.0, 1.0)))
        assert set(store.missing_vectors(TENANT, MODEL, 9)) == {("a", "first"), ("b", "second")}
        assert len(store.missing_vectors(TENANT, MODEL, 1)) == 1
        assert len(store.missing_vectors(TENANT, "new", 9)) == 3
        assert store.missing_vectors(Tenant("other"), MODEL, 9) == []
        row = VectorRow(model_id=MODEL, parts=((1.0, 0.0),))
        assert store.put_vectors(TENANT, [("a", "first", row), ("b", "another", row)]) == 1
        assert store.missing_vectors(TENANT, MODEL, 9) == [("b", "second")]
        assert store.put_vectors(TENANT, [("b", "second", row), ("gone", "first", row)]) == 1
        found = {match.id for match in store.search_vector(seen_from(), MODEL, (1.0, 0.0), 2)}
        assert (found, store.missing_vectors(TENANT, MODEL, 9)) == ({"a", "b"}, [])

    def test_candidates_carry_what_scoring_needs(self, store: Store) -> None:
        """A light row repeats the memory's values and gives the cosine that was asked for."""
        row = made(
            "m",
            "zebra yak zebra, on Monday?",
            kind=Kind.PLAN,
            scope=replace(HERE, session="s"),
            speaker="Ada",
            data_source=DataSource.TOOL_OUTPUT,
            tier=Tier.SEMANTIC,
            sub_tier=SubTier.FACTUAL,
            entities=("entity://x/y",),
            importance=0.25,
            utility=0.75,
            pinned=True,
            last_accessed_at=T0 + 1,
            last_decayed_at=T0 + 2,
        )
        vector = VectorRow(model_id=MODEL, parts=((0.0, 1.0), (0.6, 0.8)), tokens=b"\x00\xff")
        write(store, replace(embedded(row), vector=vector))
        (light,) = store.candidates(seen_from(), ["m", "gone"], model_id=MODEL, vector=(1.0, 0.0))
        shared = set(light.__struct_fields__) & set(Memory.__dataclass_fields__) - {"content"}
        assert {name: getattr(light, name) for name in shared} == {
            name: getattr(row, name) for name in shared
        }
        assert (light.session, light.tokens) == ("s", b"\x00\xff")
        assert light.cosine == pytest.approx(0.6, abs=self.vector_tolerance)
        (bare,) = store.candidates(seen_from(), ["m"])
        assert bare.cosine is None

    def test_candidates_carry_their_imprint(self, store: Store) -> None:
        """A light row tells how often a token occurs, and whether the text asks or names a day."""
        row = made("m", "zebra yak zebra")
        insert(store, row, made("q", "Did the zebra eat on Monday?"))
        light, asking = store.candidates(seen_from(), ["m", "q"])
        counts = [occurrences(light.words, code(word)) for word in ("zebra", "yak", "absent")]
        assert counts == [2, 1, 0]
        assert len(light.words) == 4 * light.length
        assert 0 < light.content <= light.length
        assert [(one.asks, one.timed) for one in (light, asking)] == [(False, False), (True, True)]
        assert asking.content < asking.length
        changed = replace(row, content="yak", version=2, updated_at=T0 + 1)
        write(store, Update(memory=changed, expected=row))
        (light,) = store.candidates(seen_from(), ["m"])
        assert [occurrences(light.words, code(word)) for word in ("zebra", "yak")] == [0, 1]

    def test_neighbours_are_the_visible_rows_beside(self, store: Store) -> None:
        """Neighbours share session and scope, in the order they were written."""
        here = replace(HERE, session="s")
        rows = [made(f"m{n}", scope=here, valid_from=T0 + n) for n in range(4)]
        hidden = made("hidden", scope=replace(here, user="u"))
        elsewhere = made("elsewhere", scope=replace(here, session="t"))
        insert(store, rows[0], rows[1], hidden, elsewhere, rows[2], rows[3])
        around = {c.id: c for c in store.candidates(wide(), ["m1"], neighbours=1)}
        assert set(around) == {"m0", "m1", "m2"}
        assert (around["m1"].previous_id, around["m1"].next_id) == ("m0", "m2")
        wider = {c.id: c for c in store.candidates(wide(), ["m1"], neighbours=2)}
        assert set(wider) == {"m0", "m1", "m2", "m3"}
        assert (wider["m2"].previous_id, wider["m2"].next_id) == ("m1", "m3")
        (edge,) = [c for c in store.candidates(wide(), ["m0"], neighbours=1) if c.id == "m0"]
        assert (edge.previous_id, edge.next_id) == (None, "m1")
        lonely = store.candidates(wide(), ["elsewhere"], neighbours=1)
        assert [(c.id, c.previous_id, c.next_id) for c in lonely] == [("elsewhere", None, None)]

    def _cosine_of(self, store: Store, id: str) -> float:
        (match,) = store.search_vector(seen_from(), MODEL, (1.0, 0.0), 9)
        assert match.id == id
        return match.cosine


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    product = sum(x * y for x, y in zip(left, right, strict=True))
    return product / ((math.hypot(*left) * math.hypot(*right)) or 1.0)
