"""`engraphy` with servers that do not heed one another: for the proof that has to catch it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engraphy.cli.app import main
from engraphy.stores.postgres import PostgresStore


@contextmanager
def _not_alone(store: Any, tenant: Any) -> Iterator[None]:  # noqa: ARG001 - the shape of the real one
    yield


PostgresStore.alone = _not_alone  # type: ignore[method-assign,assignment]

if __name__ == "__main__":
    main()
