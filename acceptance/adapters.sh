#!/bin/sh
# Each framework in an environment of its own: its example, our tests, and the suites of others.
#   acceptance/adapters.sh [langgraph ...]      (all where none is named; ADAPTERS=folder keeps them)
set -eu
. "$(dirname "$0")/common/shared.sh"
place=${ADAPTERS:-$(mktemp -d)}
mkdir -p "$place"
# What frameworks tell their makers by themselves.
export CREWAI_DISABLE_TELEMETRY=true OTEL_SDK_DISABLED=true OPENAI_AGENTS_DISABLE_TRACING=1
status=0

# An environment with engraphy, one extra and some packages. Ten of them: engraphy is built once.
made() {
    extra=$1
    shift
    [ -e "$place/built" ] || {
        echo "-- building engraphy"
        "$python" -m pip --disable-pip-version-check wheel --quiet --no-input --no-deps \
            --wheel-dir "$place/built" "$root"
    }
    environment "$place/$extra" "$(echo "$place"/built/engraphy-*.whl)[$extra]" \
        pytest pytest-asyncio "$@"
    run=$venv/bin/python
}

# The sources of a package as they were released, for their tests; never kept.
fetched() {
    if [ ! -d "$place/$1" ]; then
        "$python" -m pip --disable-pip-version-check download --quiet --no-deps --no-binary :all: \
            --dest "$place/sources" "$2" || return 1
        mkdir -p "$place/$1"
        tar -xzf "$place"/sources/"$3"-*.tar.gz -C "$place/$1" --strip-components 1
        rm -rf "$place/$1/langgraph" "$place/$1/src"
    fi
}

try() { echo "-- $*"; (cd "$here/adapters" && here_only "$@") || { status=1; echo "   FAILED: $*"; }; }
# Where a test takes minutes, its stack shows what it does.
tests() {
    try "$run" -m pytest -v -p no:cacheprovider -c /dev/null --rootdir . -o asyncio_mode=auto \
        -o asyncio_default_fixture_loop_scope=function -o faulthandler_timeout=180 "$1"
}

anthropic() {
    made anthropic
    try "$run" page.py "Anthropic"
    tests test_anthropic.py
    try "$run" anthropic_oracle.py --sequences "${SEQUENCES:-100}"
}
langgraph() {
    made langgraph langgraph-checkpoint-sqlite pytest-mock
    fetched store-tests "langgraph-checkpoint-sqlite==3.1.2" langgraph_checkpoint_sqlite
    try "$run" page.py "LangGraph"
    tests test_langgraph.py
    try "$run" langgraph_store.py "$place/store-tests"
}
openai_agents() {
    made openai-agents
    fetched session-tests "openai-agents==0.24.0" openai_agents
    try "$run" page.py "OpenAI Agents SDK"
    tests test_openai_agents.py
    try "$run" openai_session.py "$place/session-tests"
}
langchain() { made langchain langchain-tests==1.1.9; try "$run" page.py "LangChain"; tests test_langchain.py; }
llama_index() { made llama-index; try "$run" page.py "LlamaIndex"; tests test_llama_index.py; }
google_adk() { made google-adk; try "$run" page.py "Google ADK"; tests test_google_adk.py; }
agent_framework() {
    made agent-framework
    try "$run" page.py "Microsoft Agent Framework"
    tests test_agent_framework.py
}
pydantic_ai() { made pydantic-ai; try "$run" page.py "Pydantic AI"; tests test_pydantic_ai.py; }
crewai() { made crewai; try "$run" page.py "CrewAI"; tests test_crewai.py; }
amplifier() { made amplifier; try "$run" amplifier_suite.py; tests test_amplifier.py; }

for name in ${*:-anthropic langgraph openai_agents langchain llama_index google_adk agent_framework \
    pydantic_ai amplifier crewai}; do
    echo "== $name"
    "$name"
done
[ -n "${ADAPTERS:-}" ] || rm -rf "$place"
exit $status
