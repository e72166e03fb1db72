#!/bin/sh
# Resolves pyproject.toml into the three lock files, for every platform and Python >= 3.11, with
# hashes and without the address of any registry. Needs uv on PATH. Arguments go to uv: --upgrade.
set -eu
cd "$(dirname "$0")/.."
resolve() {
    file=requirements/$1.txt
    shift
    uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
        --no-emit-index-url --no-emit-find-links --custom-compile-command requirements/lock.sh \
        "$@" pyproject.toml -o "$file"
}
resolve test --extra embedded --extra test "$@"
resolve run --extra embedded --constraint requirements/test.txt
resolve image --constraint requirements/test.txt
