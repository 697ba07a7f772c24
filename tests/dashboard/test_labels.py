"""Labels of the graph: where there is room, and not over others."""

from engraphy.dashboard.labels import Taken, labelled


def test_labels_make_room_for_one_another() -> None:
    """A label goes to the side that is free, and stays in the picture; one that has no room is left
    out, unless it is needed."""
    near = [(500.0, 300.0, 8.0), (530.0, 300.0, 8.0), (990.0, 20.0, 8.0)]
    room = Taken(1_000, 640, near)
    first = labelled(room, "staging", near[0], needed=True)
    assert first is not None
    assert first.anchor == "end"
    assert labelled(room, "kafka", near[1], needed=True) == (543.0, 304.0, "start")
    corner = labelled(room, "porto", near[2], needed=True)
    assert corner is not None
    assert corner.anchor == "end"
    full = Taken(200, 40, [(100.0, 20.0, 90.0)])
    assert labelled(full, "nothing fits", (100.0, 20.0, 5.0), needed=False) is None
    assert labelled(full, "nothing fits", (100.0, 20.0, 5.0), needed=True) is not None


def test_a_label_at_the_edge_is_moved_into_the_picture() -> None:
    """Where there is no room beside a dot at the edge, its label stands above or below it, whole,
    and not over what is beside it."""
    dots = [(985.0, 300.0, 6.0), (880.0, 300.0, 7.0)]
    found = labelled(Taken(1_000, 640, dots), "release checkout", dots[0], needed=True)
    assert found is not None
    assert found.anchor == "middle"
    assert found.x + 8.4 * len("release checkout") / 2 <= 1_000
