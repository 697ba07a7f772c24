"""Several servers on one store at once, and what is left of them when their clients are killed."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from common import PATIENCE, environment, server
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

_CLIENT = """
import json, subprocess, sys, time
told = json.loads(sys.argv[1])
pipe = subprocess.PIPE
process = subprocess.Popen(told["words"], stdin=pipe, stdout=pipe, text=True)
process.stdin.write(json.dumps(told["hello"]) + "\\n")
process.stdin.flush()
process.stdout.readline()
print(process.pid, flush=True)
time.sleep(600)
"""
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "client", "version": "1"},
    },
}


def written_together(home: Path, *, servers: int, calls: int) -> list[str]:
    """What goes wrong where so many servers write so often each."""
    return asyncio.run(_together(home, servers, calls))


async def _together(home: Path, servers: int, calls: int) -> list[str]:
    errors = await asyncio.gather(*(_write(home, number, calls) for number in range(servers)))
    async with Client(_started(home)) as client:
        told = await client.call_tool("stats", {})
    total = (told.structured_content or {}).get("total")
    print(f"    {servers} servers, {calls} calls each: {sum(errors)} errors, {total} memories")
    return (
        [] if not sum(errors) and total == servers * calls else [f"{errors} errors, {total} kept"]
    )


def _started(home: Path) -> object:
    [first, *rest] = server("default")
    return stdio_client(StdioServerParameters(command=first, args=rest, env=environment(home)))


async def _write(home: Path, number: int, calls: int) -> int:
    wrong = 0
    era = "legacy" if number % 2 else "auto"
    async with Client(_started(home), mode=era) as client:  # type: ignore[arg-type]
        for each in range(calls):
            sensor = number * calls + each
            content = f"Sensor {sensor} stands in room {sensor * 7}"
            wrong += bool((await client.call_tool("remember", {"content": content})).is_error)
    return wrong


def orphans(home: Path, *, clients: int) -> list[str]:
    """The servers that stay after their clients were killed."""
    told = json.dumps({"words": server("default"), "hello": _HELLO})
    left = set()
    for _ in range(clients):
        words = [sys.executable, "-c", _CLIENT, told]
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, env=environment(home)
        ) as client:
            left.add(int(client.stdout.readline()) if client.stdout else 0)
            client.send_signal(signal.SIGKILL)
    until = time.monotonic() + PATIENCE / 5
    while left and time.monotonic() < until:
        time.sleep(0.2)
        left = {one for one in left if Path(f"/proc/{one}").exists()}
    print(f"    {clients} clients killed: {len(left)} servers stay")
    return [f"servers stay: {left}"] if left else []
