# What the scripts share; they source it: where they are, the Python, and environments of their own.
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
# Only what is imported is compiled (--no-compile), by the first that imports it. Where nothing
# compiled is kept, every program that is started would compile all of it anew.
unset PYTHONDONTWRITEBYTECODE

# environment FOLDER PIP-ARGUMENTS...     (made once; pip says what it does, as it may take minutes)
environment() {
    venv=$1
    shift
    [ ! -e "$venv/made" ] || return 0
    echo "-- installing $*"
    mkdir -p "$(dirname "$venv")"
    "$python" -m venv --without-pip "$venv"
    "$python" -m pip --python "$venv/bin/python" --disable-pip-version-check install --no-input \
        --progress-bar off --no-compile "$@"
    touch "$venv/made"
}
