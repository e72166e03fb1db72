"""Where a request comes from, as far as that can be trusted: the key of limits without a token.

``X-Forwarded-For`` is looked at only behind as many proxies as the operator says there are: what
stands further left was written by whoever sent the request.
"""

from __future__ import annotations

import ipaddress
from typing import Any, Final

UNKNOWN: Final = "unknown"
"""Of a connection without an address, such as one by a socket file."""
_NETWORK_BITS: Final = 64
"""Of an IPv6 address: whoever has one has all others of its network."""


def address_of(scope: Any, trusted_proxies: int) -> str:
    """The client's address, or its network's for IPv6; as written by the outermost trusted proxy.

    Where fewer proxies than that have passed the request on, it did not come the way it should:
    then it is that of whoever connected.
    """
    client = scope.get("client")
    peer = str(client[0]) if client else UNKNOWN
    if trusted_proxies == 0:
        return _network_of(peer)
    passed = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    hops = b",".join(passed).decode("latin-1").split(",") if passed else []
    return _network_of(hops[-trusted_proxies].strip() if len(hops) >= trusted_proxies else peer)


def _network_of(text: str) -> str:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return UNKNOWN
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found.packed, _NETWORK_BITS), strict=False).network_address)
