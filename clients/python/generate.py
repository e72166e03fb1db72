"""Make the core of the client from openapi/openapi.json: `python clients/python/generate.py`.

The core is made, not kept: it is never older than the description of the interface beside it. Any
warning of the generator is a failure.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "openapi" / "openapi.json"
CORE = HERE / "talon_client" / "core"
OPEN = {"Event": "UnknownEvent", "PlayerCommand": "UnknownCommand"}
"""Unions that may gain members: what is not known is taken as it comes."""
CONFIG = {"content_type_overrides": {"application/x-ndjson": "text/plain"}, "post_hooks": []}


def generate(target: Path = CORE) -> None:
    """Put the core into a folder, in place of what was there; raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as scratch:
        document, config = Path(scratch, "openapi.json"), Path(scratch, "config.json")
        document.write_text(json.dumps(prepared(json.loads(DOCUMENT.read_text()))))
        config.write_text(json.dumps(CONFIG))
        shutil.rmtree(target, ignore_errors=True)
        command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
        paths = ["--path", str(document), "--config", str(config), "--output-path", str(target)]
        subprocess.run([*command, "--fail-on-warning", *paths], check=True, cwd=scratch)


def prepared(document: dict[str, Any]) -> dict[str, Any]:
    """The document as the generator is to read it: what is not known yet is no error."""
    components = document["components"]
    for union, unknown in OPEN.items():
        components["schemas"][unknown] = {
            "type": "object",
            "description": "What this client is too old to know.",
            "properties": {"type": {"type": "string"}},
            "required": ["type"],
        }
        reference = {"$ref": f"#/components/schemas/{unknown}"}
        components["schemas"][union]["oneOf"].append(reference)
        del components["schemas"][union]["discriminator"]
    for header in components["parameters"].values():
        header["schema"].pop("format", None)  # a header is text, whatever it means
    _take_lines_as_text(document)
    return document


def _take_lines_as_text(document: dict[str, Any]) -> None:
    """Where an answer is nothing but lines of JSON, the generated core gives them as one text."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for answer in operation["responses"].values():
                if list(answer.get("content", {})) == ["application/x-ndjson"]:
                    answer["content"]["application/x-ndjson"]["schema"] = {"type": "string"}


if __name__ == "__main__":
    generate(*map(Path, sys.argv[1:2]))
