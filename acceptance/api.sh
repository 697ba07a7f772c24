#!/bin/sh
# The REST API against its own OpenAPI document, by schemathesis, with each of its checks: no 5xx, no
# status, header, type or shape of an answer that the document does not know, nothing refused that
# it allows, nothing taken that it does not, nobody answered without a token, no method that is not
# told. EXAMPLES=n: so many requests by chance for each operation, beside those at every edge of the
# document (default 15).
set -eu
. "$(dirname "$0")/common/shared.sh"
place=${YARDSTICKS:-$(mktemp -d)}
environment "$place/api" "$root[server]" schemathesis==4.32.5
home=$(mktemp -d)
export ENGRAPHY_HOME="$home"
token=$("$venv/bin/engraphy" token create api --role admin --json | "$venv/bin/python" -c \
    'import json, sys; print(json.load(sys.stdin)["token"])')
held=$("$venv/bin/engraphy" remember "We sail on Mondays." --embedder none --json | \
    "$venv/bin/python" -c 'import json, sys; print(json.load(sys.stdin)["memory"]["id"])')
"$venv/bin/engraphy" export "$home/lines.jsonl" --embedder none >/dev/null
"$venv/bin/python" - "$home" 2>"$home/log" <<'END' &
import sys
from pathlib import Path

from engraphy.http.running import serve
from engraphy.serving.options import ServeOptions

told = Path(sys.argv[1]) / "address"
options = ServeOptions(opening={"embedder": "none"}, port=0, dream=False)
serve(options, ready=lambda address, memory: told.write_text(address))
END
server=$!
trap 'kill $server 2>/dev/null; wait $server || true; rm -rf "$home"' EXIT
while [ ! -s "$home/address" ]; do sleep 0.1; done
# What the document cannot tell: what a glob looks like, what an export is, and which ids there are
# (every other request for a memory is for one; none is deleted by a path).
cat >"$home/told.py" <<'END'
import os
import sys
from itertools import count
from pathlib import Path

import schemathesis
from hypothesis import strategies as st

part = st.sampled_from(["*", "**", "src", "a?", "[ab]", "{x,y}", "*.py", "\u0131\u015f"])
schemathesis.openapi.format("glob", st.lists(part, min_size=1, max_size=5).map("/".join))
lines = Path(os.environ["ENGRAPHY_HOME"], "lines.jsonl").read_bytes()
schemathesis.openapi.media_type("application/x-ndjson", st.just(lines))
held, asked, answered = os.environ["HELD"], count(), count(1)


@schemathesis.hook
def after_call(context, case, response):
    if not (number := next(answered)) % 250:
        print(f"   ... {number} answers, the last of {case.operation.label}", file=sys.stderr)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    fits = context.operation.path.startswith("/v1/memories/") and context.operation.method != "delete"
    if path_parameters and "id" in path_parameters and fits and next(asked) % 2:
        return {**path_parameters, "id": held}
    return path_parameters
END
status=0
cd "$home"
SCHEMATHESIS_HOOKS=told HELD="$held" PYTHONPATH="$home" "$venv/bin/schemathesis" run \
    "$(cat "$home/address")/v1/openapi.json" --header "Authorization: Bearer $token" \
    --phases examples,coverage,fuzzing --checks all --max-examples "${EXAMPLES:-15}" \
    --continue-on-failure --no-color || status=1
[ -n "${YARDSTICKS:-}" ] || rm -rf "$place"
exit $status
