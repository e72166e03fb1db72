"""Makes the virtual environment that ``./talon`` runs in, from the lock files beside this one.

Standard library only: it runs before anything is installed. Several may be started at once; the
first does the work and the others wait for it.

    python3 requirements/install.py VENV NAME CHECKSUM    NAME is ``run`` or ``test``
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(venv: Path, name: str, checksum: str) -> int:
    """Install what the lock file of that name says, unless somebody just did."""
    try:
        lock = venv.with_name(venv.name + ".lock").open("w")
    except OSError as error:
        return fail(f"cannot write beside {venv}: {error.strerror}. Use a checkout of your own")
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp(venv, name).is_file() and stamp(venv, name).read_text() == checksum:
            return 0
        print(f"talon: installing into {venv} (once, and when the lock changes)", file=sys.stderr)
        problem = install(venv, HERE / f"{name}.txt")
        if problem:
            return fail(problem)
        stamp(venv, "run").write_text(checksum)
        if name == "test":  # it contains the other
            stamp(venv, "test").write_text(checksum)
    return 0


def stamp(venv: Path, name: str) -> Path:
    """The file that says which lock was installed."""
    return venv / f"installed-{name}"


def install(venv: Path, lock: Path) -> str | None:
    """Make the environment if need be and install the lock; returns what went wrong."""
    uv = shutil.which("uv")
    python = venv / "bin" / "python"
    if not runs(python):
        made = make_with_uv(uv, venv) if uv else make_with_venv(venv)
        if made:
            return made
    if uv:
        command = [uv, "pip", "install", "-q", "--python", str(python)]
    else:
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        command += ["--no-deps", "--no-compile", "--no-input", "--root-user-action=ignore"]
    done = subprocess.run([*command, "--require-hashes", "-r", str(lock)])
    return f"the packages of {lock} could not be installed (see above)" if done.returncode else None


def make_with_uv(uv: str, venv: Path) -> str | None:
    """An empty environment; needs no ``venv`` module."""
    done = subprocess.run([uv, "venv", "-q", "--clear", "--python", sys.executable, str(venv)])
    return "`uv venv` failed (see above)" if done.returncode else None


def make_with_venv(venv: Path) -> str | None:
    """An environment with pip; Debian keeps what this needs in a package of its own."""
    command = [sys.executable, "-m", "venv", "--clear", str(venv)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        return None
    return (
        f"`{' '.join(command)}` failed:\n{done.stdout}\n"
        "On Debian and Ubuntu: apt install python3-venv. Or put uv on PATH"
    )


def runs(python: Path) -> bool:
    """Whether an environment's interpreter is there, runs, and is new enough."""
    try:
        new_enough = "import sys; sys.exit(sys.version_info < (3, 11))"
        return subprocess.run([python, "-c", new_enough], capture_output=True).returncode == 0
    except OSError:
        return False


def fail(message: str) -> int:
    """Say what is wrong; the exit code."""
    print(f"talon: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
