"""Edits a write-ahead log of RocksDB and updates the checksum. A record is checksum (4 bytes),
length (2), type (1), payload; the checksum is the masked CRC-32C of type and payload."""

import struct

HEADER = struct.Struct("<IHB")


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(crc):
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def replace_in_log(path, old, new):
    """Replaces the only occurrence of `old` by `new`, which must have the same length."""
    data = bytearray(path.read_bytes())
    at = 0
    while at + HEADER.size <= len(data):
        _, length, kind = HEADER.unpack_from(data, at)
        payload = slice(at + HEADER.size, at + HEADER.size + length)
        if old in data[payload]:
            data[payload] = data[payload].replace(old, new)
            sum_ = masked(crc32c(bytes([kind]) + data[payload]))
            HEADER.pack_into(data, at, sum_, length, kind)
            path.write_bytes(data)
            return
        at = payload.stop
    raise RuntimeError(f"{old!r} does not stand in {path}")
