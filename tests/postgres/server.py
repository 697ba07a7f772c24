"""The PostgreSQL of a test run."""

from engraphy.testing.instance import PARTITIONS, QUICK, Server, running

__all__ = ["PARTITIONS", "QUICK", "Server", "running"]
