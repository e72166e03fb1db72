"""A client for Talon: a generated core (``core``), and what makes it comfortable.

``Talon`` retries, resumes streams, and tells refusals as exceptions; every operation of the
interface is in ``talon_client.core.api``, every type in ``talon_client.core.models``.
"""

from talon_client.refusals import Refused, StreamEnded, ok
from talon_client.retries import Retrying
from talon_client.session import Talon

__all__ = ["Refused", "Retrying", "StreamEnded", "Talon", "ok"]
