#!/bin/sh
# The SDKs of Anthropic and OpenAI, Claude Code, Codex, Gemini CLI and OpenCode through the proxy of a real
# server, in front of a model server of our own: see proxy/run.py.
#   acceptance/proxy.sh [sdk claude codex gemini opencode]      (all where none is named)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
place=${ENGRAPHY_ACCEPTANCE:-${TMPDIR:-/tmp}/engraphy-npm}
if [ ! -e "$place/sdk/made" ]; then
    mkdir -p "$place"
    "$python" -m venv --without-pip "$place/sdk"
    "$python" -m pip --python "$place/sdk/bin/python" --disable-pip-version-check install --quiet \
        --no-input --no-compile "anthropic>=2.14" "openai>=3.57"
    touch "$place/sdk/made"
fi
SDK="$place/sdk/bin/python" exec "$python" "$here/proxy/run.py" "$@"
