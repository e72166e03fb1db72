"""Builds the client: its core is generated first. All else stands in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).parent))

from generate import CORE, DOCUMENT, generate

if DOCUMENT.exists() or not CORE.exists():
    generate()
setup()
