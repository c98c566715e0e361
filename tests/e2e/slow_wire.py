#!/usr/bin/env python3
"""slow_wire.py relay A B DELAY_MS JITTER_MS LOSS: forwards frames between two interfaces with delay
and loss, like `tc netem` if the kernel has it. Prints a line when it is ready, and exits at the end
of its standard input.

slow_wire.py plain INTERFACE: disables offloading of checksums and segmentation, because nothing
behind the relay would do it."""

import ctypes
import fcntl
import heapq
import random
import selectors
import socket
import struct
import sys
import time

SIOCETHTOOL = 0x8946
# ethtool's commands for checksums, TCP segmentation, and generic segmentation.
OFFLOADS = (0x17, 0x1F, 0x24)
ETH_P_ALL = 3
FRAME_MAX = 65536


def make_plain(interface):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in OFFLOADS:
            value = bytearray(struct.pack("II", command, 0))
            address = ctypes.addressof(ctypes.c_char.from_buffer(value))
            request = struct.pack("16sP", interface.encode(), address)
            fcntl.ioctl(control, SIOCETHTOOL, request)


def open_on(interface):
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    raw.bind((interface, 0))
    raw.setblocking(False)
    return raw


def receive(raw):
    """Yields received frames, not sent ones."""
    while True:
        try:
            frame, source = raw.recvfrom(FRAME_MAX)
        except BlockingIOError:
            return
        if source[2] != socket.PACKET_OUTGOING:
            yield frame


def relay(one, two, delay, jitter, loss):
    ends = [open_on(one), open_on(two)]
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin, selectors.EVENT_READ)
    for index, raw in enumerate(ends):
        selector.register(raw, selectors.EVENT_READ, index)
    print(flush=True)
    waiting, count = [], 0
    while True:
        timeout = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        for key, _ in selector.select(timeout):
            if key.data is None:
                return
            now = time.monotonic()
            for frame in receive(ends[key.data]):
                if random.random() >= loss:
                    count += 1
                    when = now + delay + random.uniform(0, jitter)
                    heapq.heappush(waiting, (when, count, 1 - key.data, frame))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, index, frame = heapq.heappop(waiting)
            try:
                ends[index].send(frame)
            except OSError:
                pass  # a full queue drops frames


if __name__ == "__main__":
    if sys.argv[1] == "plain":
        make_plain(sys.argv[2])
    else:
        relay(sys.argv[2], sys.argv[3], float(sys.argv[4]) / 1000, float(sys.argv[5]) / 1000,
              float(sys.argv[6]))
