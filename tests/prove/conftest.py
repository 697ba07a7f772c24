"""The prover is a tool of the repository: its tests find it in its own folder."""

import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "prove" / "src"

if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))
