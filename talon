#!/bin/sh
# Talon's front door. The first run makes .venv beside this file from the lock in requirements/
# (with uv if it is there, else with python3 -m venv and pip); every run then starts the program.
# Try: ./talon serve, ./talon test, ./talon --help
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=$root/.venv
case ${1:-} in
    test) lock=test ;;
    *) lock=run ;;
esac

find_python() {
    for name in python3 python3.11 python3.12 python3.13 python3.14 python; do
        # A name may be there and not run (a shim for a version that is not installed): try it.
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    uv python find --no-python-downloads '>=3.11' 2>/dev/null
}

checksum=$(cat "$root/pyproject.toml" "$root/requirements"/*.txt | cksum)
if [ ! -x "$venv/bin/python" ] || [ "$(cat "$venv/installed-$lock" 2>/dev/null)" != "$checksum" ]
then
    python=$(find_python) || {
        echo "talon: needs Python 3.11 or newer on PATH (or uv, and a Python that it knows)" >&2
        exit 1
    }
    "$python" "$root/requirements/install.py" "$venv" "$lock" "$checksum"
fi

# The data stays with the checkout, wherever the program is called from.
TALON_DATA=${TALON_DATA:-$root/.talon}
PYTHONPATH=$root${PYTHONPATH:+:$PYTHONPATH}
export TALON_DATA PYTHONPATH
exec "$venv/bin/python" -m service.cli.main "$@"
