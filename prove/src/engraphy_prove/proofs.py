"""The table of proofs."""

from engraphy_prove.benign import benign
from engraphy_prove.builds import (
    CARELESS,
    DEFERRED,
    HASTY,
    HIDING,
    LOSSY,
    SILENT,
    SOUND,
    TRUSTING,
    UNCHAINED,
    UNSYNCED,
    WRITE_BEHIND,
)
from engraphy_prove.clocks import BY_TIME, EARLY, clocks
from engraphy_prove.clustered import CLUSTERED
from engraphy_prove.credentials import credentials
from engraphy_prove.damage import CARELESS_BUILDS, damage
from engraphy_prove.detection import detection
from engraphy_prove.dreams import dreams
from engraphy_prove.encryption import encryption
from engraphy_prove.faults import faults
from engraphy_prove.fence import fence
from engraphy_prove.forget import forget
from engraphy_prove.hooks import LINGERING, LOUD, hooks
from engraphy_prove.journal import journal
from engraphy_prove.kill import kill
from engraphy_prove.linear import linear
from engraphy_prove.more_proofs import MORE
from engraphy_prove.origin import origin
from engraphy_prove.power import power
from engraphy_prove.processes import processes
from engraphy_prove.proof import Proof
from engraphy_prove.proxy import proxy
from engraphy_prove.proxybuild import (
    CREDULOUS,
    FOLLOWING,
    HALFWAY,
    HOARDING,
    REWRITING,
    TELLING,
    UNREFUSING,
)
from engraphy_prove.requested import BUILDS
from engraphy_prove.requests import requests
from engraphy_prove.textbuild import (
    BELIEVING,
    BLIND,
    CLAIMING,
    FORGETFUL,
    GULLIBLE,
    LAUNDERING,
    OPEN,
    QUADRATIC,
    SEEING,
    SLOW,
    SPOKEN,
    STEEPER,
    SUSPICIOUS,
    VERBATIM,
    ZEALOUS,
)
from engraphy_prove.texts import text
from engraphy_prove.vaults import IN_PLACE, SOUND_VAULT, SPOOLING, UNHEEDING

_ALL = (
    Proof(
        name="kill",
        promise="P-01",
        about="an acknowledged write survives kill -9, and no write is there by half",
        experiment=kill,
        short=2_000,
        full=10_000,
        check_rounds=20,
        sound=SOUND,
        broken=(WRITE_BEHIND,),
    ),
    Proof(
        name="power",
        promise="P-02",
        about="an acknowledged write survives a power cut",
        experiment=power,
        short=500,
        full=10_000,
        check_rounds=60,
        sound=SOUND,
        broken=(UNSYNCED, WRITE_BEHIND),
    ),
    Proof(
        name="faults",
        promise="P-03",
        about="a failing or full disk gives a typed error, and no false acknowledgement",
        experiment=faults,
        short=200,
        full=2_000,
        check_rounds=60,
        sound=SOUND,
        broken=(SILENT,),
    ),
    Proof(
        name="processes",
        promise="P-04",
        about="many processes write one file: none is refused, nothing is lost",
        experiment=processes,
        short=500,
        full=2_000,
        check_rounds=50,
        sound=SOUND,
        broken=(DEFERRED,),
    ),
    Proof(
        name="damage",
        promise="P-05",
        about="a damaged file never lies, is never thrown away, and what is whole is salvaged",
        experiment=damage,
        short=140,
        full=2_000,
        check_rounds=56,
        sound=SOUND,
        broken=CARELESS_BUILDS,
    ),
    Proof(
        name="forget",
        promise="P-16",
        about="forgotten means forgotten: on every read, and in every byte of the files",
        experiment=forget,
        short=200,
        full=1_000,
        check_rounds=20,
        sound=SOUND,
        broken=(HIDING, CARELESS),
    ),
    Proof(
        name="dreams",
        promise="D-42",
        about="a cycle of maintenance that is killed goes on, and ends where it would have ended",
        experiment=dreams,
        short=6,
        full=200,
        check_rounds=6,
        sound=SOUND,
        broken=(HASTY,),
    ),
    Proof(
        name="journal",
        promise="P-25",
        about="the journal is complete: replay rebuilds the store, and no edit of it is unnoticed",
        experiment=journal,
        short=400,
        full=5_000,
        check_rounds=80,
        sound=SOUND,
        broken=(LOSSY, UNCHAINED),
    ),
    Proof(
        name="hooks",
        promise="P-24",
        about="hooks never hurt their host: they end with 0, in time, and leave nothing behind",
        experiment=hooks,
        short=100,
        full=1_000,
        check_rounds=20,
        sound=SOUND,
        broken=(LOUD, LINGERING),
    ),
    Proof(
        name="requests",
        promise="P-17",
        about="malformed input makes no internal error, no hang and no memory that grows",
        experiment=requests,
        short=2_000,
        full=100_000,
        check_rounds=200,
        sound=SOUND,
        broken=tuple(BUILDS.values()),
    ),
    Proof(
        name="text",
        promise="R-02",
        about="any text is a legal query and legal content",
        experiment=text,
        short=10_000,
        full=100_000,
        check_rounds=30,
        sound=SOUND,
        broken=(TRUSTING,),
    ),
    Proof(
        name="proxy",
        promise="P-22",
        about="the proxy is no way out, adds and changes nothing else, and keeps nothing by half",
        experiment=proxy,
        short=280,
        full=5_600,
        check_rounds=140,
        sound=SOUND,
        broken=(FOLLOWING, HALFWAY, HOARDING, REWRITING, TELLING, CREDULOUS, UNREFUSING),
    ),
    Proof(
        name="encryption",
        promise="P-27",
        about="encryption at rest: whole, never silently off, and no key change leaves half a file",
        experiment=encryption,
        short=60,
        full=1_000,
        check_rounds=12,
        sound=SOUND_VAULT,
        broken=(UNHEEDING, IN_PLACE, SPOOLING),
    ),
    Proof(
        name="clocks",
        promise="P-23",
        about="the order of writing stays, nothing ends early, no age is negative",
        experiment=clocks,
        short=40,
        full=1_000,
        check_rounds=4,
        sound=SOUND,
        broken=(BY_TIME, EARLY),
    ),
    Proof(
        name="fence",
        promise="P-09",
        about="nothing leaves the fence: no field of a memory breaks out of an injected block",
        experiment=fence,
        short=3_000,
        full=100_000,
        check_rounds=200,
        sound=SOUND,
        broken=(OPEN, SEEING, SPOKEN),
    ),
    Proof(
        name="origin",
        promise="P-10",
        about="nothing from a tool, a page, a file or an agent gains a user's authority",
        experiment=origin,
        short=120,
        full=37_000,
        check_rounds=24,
        sound=SOUND,
        broken=(CLAIMING, BELIEVING, LAUNDERING, GULLIBLE),
    ),
    Proof(
        name="benign",
        promise="P-11",
        about="normal use is untouched: nothing benign is lost, refused or held back",
        experiment=benign,
        short=240,
        full=100_000,
        check_rounds=60,
        sound=SOUND,
        broken=(SUSPICIOUS, FORGETFUL),
    ),
    Proof(
        name="detection",
        promise="P-12",
        about="most attack texts show a sign, hardly any benign one does",
        experiment=detection,
        short=100_000,
        full=100_000,
        check_rounds=200,
        sound=SOUND,
        broken=(BLIND, SUSPICIOUS),
    ),
    Proof(
        name="linear",
        promise="P-15",
        about="a hostile megabyte costs no verb and no pattern more than a moment",
        experiment=linear,
        short=10,
        full=1_000,
        check_rounds=1,
        sound=SOUND,
        broken=(QUADRATIC, STEEPER, SLOW),
    ),
    Proof(
        name="credentials",
        promise="P-14",
        about="credentials of the public kinds are redacted, and benign texts are not",
        experiment=credentials,
        short=4_000,
        full=100_000,
        check_rounds=400,
        sound=SOUND,
        broken=(VERBATIM, ZEALOUS),
    ),
)

PROOFS = {proof.name: proof for proof in (*_ALL, *MORE, *CLUSTERED)}
