"""How much a caller may ask for: token buckets shared by all processes, leased by this one.

A process takes some tokens at once from the shared bucket and spends only what it has taken, so
that the limit is exact over all processes while few requests wait for Redis; what it has not
spent after LEASE_US is lost. Without Redis play goes on unlimited; registering does not.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from typing import Final

from msgspec import Struct

from domain.buckets import Bucket, Buckets
from domain.ports import Unavailable
from service.identity import Caller, Kind
from service.problems import Code, ProblemError, fail
from service.reply import Header
from service.settings import Settings

LEASE_US: Final = 60_000_000
"""How long tokens that were taken may be spent: somebody who plays on asks Redis that often."""
LEASE_FIRST: Final = 1_000
"""The part of a bucket taken for somebody who comes: what a person spends in a minute or two."""
LEASE_TOKENS_MAX: Final = 256
"""Taken at once for somebody who spends fast; what a process that ends takes along."""
LEASE_SHARE: Final = 20
"""The part of a bucket taken at most: the rest is there for other processes."""
LEASES_MAX: Final = 50_000
"""Callers remembered: about 10 MB. Who is forgotten loses what was taken for them."""
MINUTE_MS: Final = 60_000
REGISTRATION_MS: Final = 600_000
RETRY_SECONDS: Final = 2
"""When to come back after Redis was away: it is asked again twice a second."""
STRANGERS_FACTOR: Final = 20
"""Behind one address or one application there are many people."""
BAD_TOKEN_COST: Final = 10
"""Of a request whose token is not valid, to its address: guessing is not cheap."""


class Policy(Struct, frozen=True):
    """A limit by name; ``is_closed``: nothing without Redis. A size of 0 is no limit."""

    name: str
    size: int
    fills_ms: int
    per: str
    is_closed: bool = False

    @property
    def header(self) -> bytes:
        """As ``RateLimit-Policy`` tells it."""
        return b'"%b";q=%d;w=%d' % (self.name.encode(), self.size, self.fills_ms // 1_000)


class _Lease:
    """What this process has taken for one caller; who takes more holds ``taking``."""

    __slots__ = (
        "at_once",
        "key",
        "left",
        "refused",
        "refused_until",
        "spent",
        "taking",
        "tokens",
        "until",
    )

    def __init__(self, key: str) -> None:
        self.key = key
        self.tokens = 0
        self.until = 0
        self.left = 0
        self.at_once = 0
        self.spent = 0
        self.refused = 0
        self.refused_until = 0
        self.taking = asyncio.Lock()

    def has(self, cost: int, now: int) -> bool:
        """Whether so many may be spent of what was taken."""
        return self.tokens >= cost and self.until > now


class Limits:
    """The limits of one process over the shared buckets."""

    def __init__(self, settings: Settings, buckets: Buckets) -> None:
        self._buckets = buckets
        self._leases: OrderedDict[str, _Lease] = OrderedDict()
        self.player = Policy("player", settings.limit_player, MINUTE_MS, "player")
        self.app = Policy("app", settings.limit_app, MINUTE_MS, "application")
        self.address = Policy("address", settings.limit_address, MINUTE_MS, "address")
        self.registration = Policy(
            "registration", settings.limit_registration, REGISTRATION_MS, "address", True
        )
        self.refused: Counter[str] = Counter()
        """How often each policy has refused, by its name: for a metric."""
        self.unlimited = 0
        """How often nothing was limited because Redis was away."""
        self._policy_headers = {one.name: one.header for one in self.policies}

    @property
    def policies(self) -> tuple[Policy, ...]:
        """All policies that limit anything."""
        every = (self.player, self.app, self.address, self.registration)
        return tuple(one for one in every if one.size)

    def policy_of(self, caller: Caller) -> Policy:
        """The policy under which somebody asks."""
        if caller.player is not None:
            return self.player
        return self.address if caller.kind is Kind.ANONYMOUS else self.app

    async def charge(self, caller: Caller, who: str, cost: int, now: int) -> tuple[Header, ...]:
        """Spend tokens under the caller's own policy; see ``spend``."""
        return await self.spend(self.policy_of(caller), who, cost, now)

    async def spend(self, policy: Policy, who: str, cost: int, now: int) -> tuple[Header, ...]:
        """Spend tokens, and what to tell of those left; raises ProblemError (429, 503).

        More than a bucket holds is never asked of it: what costs that much empties it.
        """
        if not policy.size:
            return ()
        cost = min(cost, policy.size)
        lease = self._lease(f"{policy.name}:{who}")
        if not lease.has(cost, now):
            try:
                async with lease.taking:
                    if not lease.has(cost, now):  # nobody has taken more meanwhile
                        await self._take(lease, policy, cost, now)
            except Unavailable:
                if policy.is_closed:
                    raise _away() from None
                self.unlimited += 1
                return ()
        lease.tokens -= cost
        lease.spent += cost
        return self._told(policy, lease.tokens + lease.left)

    async def _take(self, lease: _Lease, policy: Policy, cost: int, now: int) -> None:
        """Take tokens for a caller: as many as they are likely to spend before these are lost.

        Who was told to wait is not asked for until then.
        """
        if lease.refused <= cost and now < lease.refused_until:
            raise self._refused(policy, lease.left, lease.refused_until - now)
        if lease.until <= now:
            lease.at_once, lease.tokens, lease.spent = lease.spent, 0, 0
        else:
            lease.at_once *= 2
        short, first = cost - lease.tokens, policy.size // LEASE_FIRST
        most = min(LEASE_TOKENS_MAX, policy.size // LEASE_SHARE)
        lease.at_once = max(short, min(max(first, lease.at_once), most))
        bucket = Bucket(lease.key, policy.size, policy.fills_ms)
        taken = await self._buckets.take(bucket, short, lease.at_once)
        lease.left = taken.left
        if not taken.tokens:
            lease.refused, lease.refused_until = cost, now + taken.wait_ms * 1_000
            raise self._refused(policy, taken.left, taken.wait_ms * 1_000)
        lease.tokens += taken.tokens
        lease.until = now + LEASE_US

    def _lease(self, key: str) -> _Lease:
        lease = self._leases.get(key)
        if lease is None:
            lease = self._leases[key] = _Lease(key)
            if len(self._leases) > LEASES_MAX:
                self._leases.popitem(last=False)
        else:
            self._leases.move_to_end(key)
        return lease

    def _told(self, policy: Policy, left: int, wait_s: int | None = None) -> tuple[Header, ...]:
        """The two headers: what is left, and in how many seconds all will be, or enough."""
        missing_ms = (policy.size - left) * policy.fills_ms // policy.size
        seconds = -(-missing_ms // 1_000) if wait_s is None else wait_s
        return (
            (b"ratelimit-policy", self._policy_headers[policy.name]),
            (b"ratelimit", b'"%b";r=%d;t=%d' % (policy.name.encode(), left, seconds)),
        )

    def _refused(self, policy: Policy, left: int, wait_us: int) -> ProblemError:
        self.refused[policy.name] += 1
        seconds = max(1, -(-wait_us // 1_000_000))
        headers = {
            name.decode(): value.decode() for name, value in self._told(policy, left, seconds)
        }
        return fail(
            Code.TOO_MANY_REQUESTS,
            f"The limit `{policy.name}` is used up; there is room again in {seconds} s.",
            headers={"Retry-After": str(seconds), **headers},
        )


def _away() -> ProblemError:
    return fail(
        Code.UNAVAILABLE,
        "Registering waits until the limits can be kept again; try again.",
        headers={"Retry-After": str(RETRY_SECONDS)},
    )
