"""Reads what a node sends, in tests that act as the service on a plain socket."""

import socket

from grader.contract import transport


def next_from_node(connection: socket.socket) -> transport.FromNode:
    """Wait for the next message of the node. Raises `ConnectionError` at the end of the connection, and `TimeoutError` if the
    connection has a timeout and it passes.
    """
    (size,) = transport._LENGTH.unpack(transport._read_exactly(connection, transport._LENGTH.size))
    return transport.read_from_node(transport._read_exactly(connection, size))
