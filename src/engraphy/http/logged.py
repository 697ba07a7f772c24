"""Each request as a line of JSON on stderr: what was asked, never with what and by which token."""

import json
import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engraphy.here import stopwatch
from engraphy.http.metrics import Metrics
from engraphy.serving.problems import WRONG

_LOG = logging.getLogger("engraphy.http")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})


class Logged:
    """Tells the log and the metrics of every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and tell of it when it is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status, first = stopwatch(), 499, 0.0

        async def heard(message: Message) -> None:
            nonlocal status, first
            if message["type"] == "http.response.start":
                status, first = message["status"], stopwatch() - begun
            await send(message)

        self._metrics.begun()
        try:
            await self._app(scope, receive, heard)
        finally:
            self._tell(scope, status, first, stopwatch() - begun)

    def _tell(self, scope: Scope, status: int, first: float, whole: float) -> None:
        route = getattr(scope.get("route"), "path", "none")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.ended(route=route, method=method, status=status, seconds=first or whole)
        if route in _QUIET and status < 400:
            return
        told = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(whole * 1e3, 1),
            **({"code": scope[WRONG]} if WRONG in scope else {}),
        }
        _LOG.info("%s", json.dumps(told))


class Lines(logging.Formatter):
    """A record of the log as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        text = record.getMessage()
        told = json.loads(text) if record.name == _LOG.name and text.startswith("{") else None
        head = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname}
        rest = told if told is not None else {"logger": record.name, "message": text}
        if record.exc_info:
            rest = {**rest, "trace": self.formatException(record.exc_info)}
        return json.dumps({**head, **rest}, ensure_ascii=False)
