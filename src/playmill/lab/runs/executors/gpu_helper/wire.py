"""Messages between a question and the GPU helper: JSON and bytes over a private socket, never pickled objects."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.run.match import GroupCounts
from playmill.lab.runs.finished_games import FinishedGames, StretchCounts
from playmill.lab.runs.sparse_counts import CELL

#: The longest JSON of a message; a plan is some kilobytes.
_MOST = 1 << 26
_LENGTH = struct.Struct("!I")
#: What the system knows of whoever is at the other end: process, user, group.
_PEER = struct.Struct("3i")


class LostHelperError(Exception):
    """Raised when the other end is gone, or is not what it should be."""


def send(connection: socket.socket, message: Mapping[str, Any]) -> None:
    """Sends a message; values that are bytes follow the JSON as they are."""
    blobs = {key: value for key, value in message.items() if isinstance(value, bytes)}
    plain = {key: value for key, value in message.items() if key not in blobs}
    head = json.dumps([plain, {key: len(value) for key, value in blobs.items()}]).encode()
    try:
        connection.sendall(_LENGTH.pack(len(head)) + head)
        for value in blobs.values():
            connection.sendall(value)
    except OSError as error:
        raise LostHelperError(str(error)) from None


def receive(connection: socket.socket) -> dict[str, Any]:
    """Waits for a message and returns it."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    if length > _MOST:
        raise LostHelperError("a message that is too long")
    try:
        plain, sizes = json.loads(_exactly(connection, length))
        return {**plain, **{key: bytes(_exactly(connection, int(size))) for key, size in sizes.items()}}
    except (ValueError, TypeError, AttributeError) as error:
        raise LostHelperError(f"no message of ours: {error}") from None


def _exactly(connection: socket.socket, size: int) -> bytearray:
    found = bytearray(size)
    left = memoryview(found)
    while left:
        try:
            count = connection.recv_into(left)
        except OSError as error:
            raise LostHelperError(str(error)) from None
        if not count:
            raise LostHelperError("the other end is gone")
        left = left[count:]
    return found


def check_peer(connection: socket.socket) -> None:
    """Raises unless the other end is a process of this user."""
    try:
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    except OSError as error:
        raise LostHelperError(str(error)) from None
    if _PEER.unpack(peer)[1] != os.getuid():
        raise LostHelperError("the other end is somebody else's")


def part_message(part: FinishedGames) -> dict[str, Any]:
    """Returns the message of finished games."""
    made: dict[str, Any] = {"first": part.first, "games": part.games, "cells": part.cells.tobytes()}
    if part.rows is not None:
        made["rows"] = part.rows.tobytes()
    if part.fallbacks is not None:
        made["fallbacks"] = part.fallbacks.saved()
    if part.apart is not None:
        counts = part.apart.counts
        made |= {"edge": part.apart.edge, "groups": _bytes(counts.groups), "places": _bytes(counts.places)}
        made["values"] = _bytes(counts.values)
    return made


def part_of(message: Mapping[str, Any], outcome: np.dtype[np.void]) -> FinishedGames:
    """Returns the finished games that a message describes."""
    try:
        apart = None
        if "edge" in message:
            groups, places, values = (np.frombuffer(message[key], np.int64) for key in ("groups", "places", "values"))
            apart = StretchCounts(int(message["edge"]), GroupCounts(groups, places, values))
        return FinishedGames(
            int(message["first"]),
            int(message["games"]),
            np.frombuffer(message["cells"], CELL),
            np.frombuffer(message["rows"], outcome) if "rows" in message else None,
            Fallbacks.from_saved(message["fallbacks"]) if "fallbacks" in message else None,
            apart=apart,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise LostHelperError(f"no part of ours: {error}") from None


def _bytes(numbers: np.ndarray[Any, np.dtype[Any]]) -> bytes:
    return numbers.astype(np.int64).tobytes()
