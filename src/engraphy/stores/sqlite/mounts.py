"""Which file system a folder is on: SQLite's locks do not hold on network file systems."""

from pathlib import Path

MOUNTS = Path("/proc/mounts")

_NETWORK = frozenset(
    {
        "9p",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "fuse.ceph",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "smb3",
        "smbfs",
    }
)


def network_filesystem(folder: Path, mounts: Path = MOUNTS) -> str | None:
    """The kind of network file system `folder` is on; None on a local one, or where unknown."""
    try:
        table = mounts.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    kinds = {_plain(line.split()[1]): line.split()[2] for line in table.splitlines() if line}
    for place in (folder, *folder.parents):
        kind = kinds.get(str(place))
        if kind is not None:
            return kind if kind in _NETWORK else None
    return None


def _plain(point: str) -> str:
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, sign)
    return point
