"""Where deliveries may go: public addresses only, looked at when the connection is made.

A name is resolved here, and the connection goes to the very address that was looked at: whoever
changes the name's address in between gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from typing import Any, Final

import httpcore

_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class AddressNotPublic(Exception):  # noqa: N818
    """A receiver's name stands for no address that everybody can reach."""


class PublicAddresses(httpcore.AsyncNetworkBackend):
    """Connects to public addresses; with ``anywhere`` to all of them."""

    def __init__(self, *, anywhere: bool = False) -> None:
        self._anywhere = anywhere
        self._connections = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to an address of ``host`` that is allowed; raises AddressNotPublic."""
        found = await self.resolved(host, port)
        allowed = [address for address in found if self._anywhere or is_public(address)]
        if not allowed:
            raise AddressNotPublic(host)
        for address in allowed[:-1]:
            try:
                return await self._connections.connect_tcp(address, port, timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._connections.connect_tcp(allowed[-1], port, timeout)

    async def resolved(self, host: str, port: int) -> list[str]:
        """The addresses that a name stands for now; raises httpcore.ConnectError."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(str(error)) from error
        return list(dict.fromkeys(str(info[4][0]) for info in found))

    async def sleep(self, seconds: float) -> None:
        """Wait: the pool asks for it between attempts."""
        await asyncio.sleep(seconds)


def is_public(text: str) -> bool:
    """Whether an address is one of the public internet, whatever it is wrapped into."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:  # with a zone: of this machine's own links
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.teredo is not None or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved
