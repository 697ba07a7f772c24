# What the scripts share; they source it: where they are, the Python, and environments of their own.
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
# Only what is imported is compiled (--no-compile), by the first that imports it. Where nothing
# compiled is kept, every program that is started would compile all of it anew.
unset PYTHONDONTWRITEBYTECODE
# What is printed is seen at once.
export PYTHONUNBUFFERED=1

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

# here_only COMMAND...     (it and every Python it starts are kept on this machine, and it fails where
# one of them tried to leave it)
here_only() {
    code=0
    tried=$(mktemp)
    ENGRAPHY_TESTS_REPORT=$tried PYTHONPATH=$root/tests/offline "$@" || code=$?
    if [ -s "$tried" ]; then
        echo "   tried to leave this machine:"
        sort "$tried" | uniq -c
        code=1
    fi
    rm -f "$tried"
    return "$code"
}
