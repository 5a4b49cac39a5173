"""Observations of an audit: named arrays with a row for each thing observed; joined, and packed as bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

Observations = Mapping[str, np.ndarray[Any, Any]]
#: A function that observes things by their numbers: it takes a context, numbers, and arguments that JSON knows.
Work = Callable[..., Observations]
#: Types of records by the names of their arrays; all other arrays are of plain numbers.
RecordTypes = Mapping[str, np.dtype[Any]]
#: The plain numbers there are.
_PLAIN = ("<f8", "<i8")


def joined(parts: Sequence[Observations]) -> Observations:
    """Returns the observations of some parts, in their order."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def packed(observations: Observations) -> bytes:
    """Returns observations as bytes: the names and shapes of the arrays, then what is in them."""
    arrays = {name: np.ascontiguousarray(array) for name, array in observations.items()}
    head = json.dumps([[name, array.dtype.str, array.shape] for name, array in arrays.items()]).encode()
    return zlib.compress(head + b"\n" + b"".join(array.tobytes() for array in arrays.values()), 1)


def unpacked(data: bytes, records: RecordTypes) -> Observations:
    """Returns the observations in bytes; raises ValueError unless they are whole."""
    try:
        head, _, rest = zlib.decompress(data).partition(b"\n")
        found, at = {}, 0
        for name, kind, shape in json.loads(head):
            if name not in records and kind not in _PLAIN:
                raise ValueError(kind)
            dtype = records[name] if name in records else np.dtype(kind)
            count = prod(shape)
            found[str(name)] = np.frombuffer(rest, dtype, count, at).reshape(shape)
            at += count * dtype.itemsize
        if at != len(rest):
            raise ValueError(at)
    except (zlib.error, TypeError, KeyError) as error:
        raise ValueError(str(error)) from None
    return found
