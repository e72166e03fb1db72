"""Make a token, and print it: once, since only its hash is kept.

An application creates players and acts for them. An auditor, and an operator, reads every match,
private ones too, as a spectator does: never a hand or a card that is hidden. An operator
makes keys besides (POST /v1/keys). Works beside a running service, and without one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from service.cli.failure import Failure
from service.cli.flags import add_data, database_of, settings_of
from service.settings import Settings

KINDS = ("app", "auditor", "operator")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("kind", choices=KINDS, help="whom the token is for")
    parser.add_argument("--name", help="what a new application is called (kind app only)")
    parser.add_argument("--app", metavar="ID", help="the application, if it is there already")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Store a new token and print it on standard output; what it is goes to standard error."""
    from service.cli.beside import database
    from service.cli.migrate import bring_up_to_date

    if (args.kind == "app") != (bool(args.name) != bool(args.app)) or (args.name and args.app):
        raise Failure(
            "a new application needs --name NAME, one that is there --app ID;"
            " only an application has one"
        )
    settings = settings_of(args)
    with database(settings) as url:
        bring_up_to_date(url)
        token, owner = asyncio.run(_add(url, settings, args))
    where = f"kept in {database_of(settings)}"
    print(f"{args.kind} {owner}, {where}; this token is shown once:", file=sys.stderr)
    print(token)
    return 0


async def _add(url: str, settings: Settings, args: argparse.Namespace) -> tuple[str, str]:
    """A stored token and the id of its owner."""
    from domain.ports import Principal
    from infra.clock import now_us
    from infra.embedded.folder import DataFolder
    from infra.postgres.pool import open_pool
    from infra.postgres.registry import PostgresRegistry
    from infra.sealing import Sealer, key_from
    from service.cli.seal import seal_key
    from service.identity import new_token, token_hash
    from service.ids import id_in, new_id, text_of

    sealer = Sealer(key_from(seal_key(settings, DataFolder(Path(settings.data)))))
    pool = await open_pool(url, size=1)
    try:
        registry = PostgresRegistry(pool, sealer)
        owner, token = new_id(), new_token()
        if args.name:
            await registry.add_app(owner, args.name)
        elif args.app:
            app = id_in(args.app)
            if app is None or not await registry.is_app(app):
                raise Failure(f"there is no application {args.app}")
            owner = app
        await registry.add_token(token_hash(token), Principal(args.kind, owner), now_us(), None)
    finally:
        await pool.close()
    return token, text_of(owner)
