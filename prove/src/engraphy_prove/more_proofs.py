"""The end of the table of proofs."""

from engraphy_prove.builds import SOUND
from engraphy_prove.lines import lines
from engraphy_prove.matching import BACKTRACKING, STEEP, matching
from engraphy_prove.piped import BUILDS
from engraphy_prove.proof import Proof
from engraphy_prove.statements import QUOTING, statements

MORE = (
    Proof(
        name="sql",
        promise="P-20",
        about="no statement is made from data: the texts of SQL are a finite set",
        experiment=statements,
        short=5_000,
        full=50_000,
        check_rounds=2_000,
        sound=SOUND,
        broken=(QUOTING,),
    ),
    Proof(
        name="patterns",
        promise="P-15",
        about="no pattern of the package, and nothing that takes a text apart, is more than linear",
        experiment=matching,
        short=20,
        full=1_000,
        check_rounds=1,
        sound=SOUND,
        broken=(BACKTRACKING, STEEP),
    ),
    Proof(
        name="lines",
        promise="P-17",
        about="over stdin each MCP request is answered, whatever it is, and the server lives on",
        experiment=lines,
        short=1_200,
        full=30_000,
        check_rounds=120,
        sound=SOUND,
        broken=tuple(BUILDS.values()),
    ),
)
