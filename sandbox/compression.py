"""The gateway's transport compression: one stream per connection."""

import zlib
from typing import Final, Protocol

import zstandard


class Stream(Protocol):
    def pack(self, data: bytes) -> bytes: ...


class Zlib:
    """Every message ends with the four bytes of a sync flush."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def pack(self, data: bytes) -> bytes:
        return self._stream.compress(data) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class Zstd:
    def __init__(self) -> None:
        self._stream = zstandard.ZstdCompressor().compressobj()

    def pack(self, data: bytes) -> bytes:
        block = zstandard.COMPRESSOBJ_FLUSH_BLOCK
        return self._stream.compress(data) + self._stream.flush(block)


STREAMS: Final[dict[str, type[Zlib] | type[Zstd]]] = {"zlib-stream": Zlib, "zstd-stream": Zstd}
