#!/bin/sh
# The SDKs of Anthropic and OpenAI, Claude Code, Codex, Gemini CLI and OpenCode through the proxy of a real
# server, in front of a model server of our own: see proxy/run.py.
#   acceptance/proxy.sh [sdk claude codex gemini opencode]      (all where none is named)
set -eu
. "$(dirname "$0")/common/shared.sh"
place=${ENGRAPHY_ACCEPTANCE:-${TMPDIR:-/tmp}/engraphy-npm}
environment "$place/sdk" "anthropic>=2.14" "openai>=3.57"
SDK="$place/sdk/bin/python" exec "$python" "$here/proxy/run.py" "$@"
