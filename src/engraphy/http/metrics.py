"""What operators measure, in the format of Prometheus: no label says who asked or what for."""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.responses import Response

from engraphy import __version__

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters of one server, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "engraphy_requests",
            "Requests answered, by route, method and status.",
            ("route", "method", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "engraphy_request_seconds",
            "Seconds until an answer began, by route.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._open = Gauge("engraphy_requests_open", "Requests under way.", registry=self._registry)
        self._store = Gauge(
            "engraphy_store_bytes", "Bytes of the store's files.", registry=self._registry
        )
        built = Gauge("engraphy_build_info", "Its version.", ("version",), registry=self._registry)
        built.labels(__version__).set(1)

    def begun(self) -> None:
        """A request came."""
        self._open.inc()

    def ended(self, *, route: str, method: str, status: int, seconds: float) -> None:
        """It was answered."""
        self._open.dec()
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def told(self, sizes: Mapping[str, float]) -> Response:
        """Everything, as Prometheus reads it."""
        self._store.set(sizes["store_bytes"])
        return Response(
            generate_latest(self._registry), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )
