#!/bin/sh
# What a look through a browser needs: Playwright as it is pinned, in the environment of PYTHON, and a
# Chromium: CHROMIUM=path, one that is installed, or Debian's, which root installs here.
# Where that is not to be had, the one line that is printed says why, and the exit code is 1.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-$root/.venv/bin/python}

lacks() {
    echo "$1"
    exit 1
}

found() {
    for name in ${CHROMIUM:-chromium-headless-shell chromium google-chrome chrome}; do
        if command -v "$name" >/dev/null; then return 0; fi
    done
    return 1
}

fetched() {
    timeout 420 apt-get -qq install -y --no-install-recommends "$1" >&2 </dev/null
}

if ! "$python" -c 'import playwright' 2>/dev/null; then
    "$python" -m pip --disable-pip-version-check install --quiet --no-input --require-hashes \
        --requirement "$root/requirements/browser.txt" >&2 \
        || lacks "pip cannot install what requirements/browser.txt pins"
fi
if found; then exit 0; fi
[ -z "${CHROMIUM:-}" ] || lacks "CHROMIUM=$CHROMIUM is no program"
[ "$(id -u)" = 0 ] || lacks "no Chromium, and only root can install one (apt-get install chromium)"
command -v apt-get >/dev/null || lacks "no Chromium, and no apt-get to install one with"
export DEBIAN_FRONTEND=noninteractive
timeout 120 apt-get -qq update >&2 || lacks "no Chromium, and apt-get cannot update its lists"
fetched chromium-headless-shell || fetched chromium || lacks "apt-get cannot install a Chromium"
found || lacks "apt-get installed a Chromium that is not to be found"
