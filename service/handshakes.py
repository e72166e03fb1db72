"""The protocol of sockets: uvicorn's, in which a handshake that was refused is over.

uvicorn sends the problem with which the application refuses a handshake, and then logs as an error
that the handshake was not completed.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class SocketProtocol(WebSocketsSansIOProtocol):
    """Takes a handshake that was answered with a problem for completed."""

    async def send(self, message: Any) -> None:
        """Send what the application says."""
        await super().send(message)
        is_last = not message.get("more_body", False)
        if message["type"] == "websocket.http.response.body" and is_last:
            self.handshake_complete = True
