"""Where nodes of a graph stand: inside, apart, and always at the same place."""

from hypothesis import given
from hypothesis import strategies as st

from engraphy.dashboard.layout import laid_out

EDGES = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40)


@given(count=st.integers(0, 15), pairs=EDGES)
def test_inside_apart_and_repeatable(count: int, pairs: list[tuple[int, int]]) -> None:
    """Each node has a place in [0, 1] by [0, 1], no two the same, and the same again next time;
    edges to nowhere and to itself are no harm."""
    nodes = [f"n{number}" for number in range(count)]
    edges = [(f"n{first}", f"n{second}") for first, second in pairs]
    places = laid_out(nodes, edges)
    assert list(places) == nodes
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places.values())
    assert len(set(places.values())) == count
    assert laid_out(nodes, edges) == places


def test_what_is_tied_stands_nearer() -> None:
    """Two groups of four that are tied inside stand nearer to their own than to the other."""
    nodes = [f"{group}{number}" for group in "ab" for number in range(4)]
    edges = [
        (f"{group}{i}", f"{group}{j}") for group in "ab" for i in range(4) for j in range(i + 1, 4)
    ]
    places = laid_out(nodes, edges)

    def apart(first: str, second: str) -> float:
        (x1, y1), (x2, y2) = places[first], places[second]
        return float((x1 - x2) ** 2 + (y1 - y2) ** 2)

    inside = max(apart("a0", f"a{number}") for number in range(1, 4))
    outside = min(apart("a0", f"b{number}") for number in range(4))
    assert inside < outside
