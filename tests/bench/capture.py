"""The truth about RTTs: a tcpdump of the same run, and what its stamps say."""

import os
import signal
import struct
import subprocess
import tempfile

from tools import quantiles

SYN, ACK = 0x02, 0x10
FILTER = "icmp or (tcp and tcp[tcpflags] & tcp-syn != 0)"


class Capture:
    """`with Capture(lab) as capture`: tcpdump sees all probes and answers of the block."""

    def __init__(self, lab):
        self.lab = lab
        self.folder = tempfile.TemporaryDirectory(prefix="vb-")
        self.path = os.path.join(self.folder.name, "run.pcap")
        self.process = None
        self.dropped = None

    def __enter__(self):
        # In blocks, not in immediate mode: it must not disturb what it watches.
        argv = ["tcpdump", "-i", "veth0", "-n", "-w", self.path, "-B", "131072", "-s", "80", "-Z", "root"]
        argv += ["--time-stamp-precision=nano", FILTER]
        self.process = subprocess.Popen(self.lab.inside(*argv), stderr=subprocess.PIPE, text=True)
        while True:
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError("tcpdump did not start")
            if "listening on" in line:
                return self

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGINT)
        _, text = self.process.communicate()
        for line in text.splitlines():
            if "dropped by kernel" in line:
                self.dropped = int(line.split()[0])

    def rtts_ns(self):
        """From each probe's departure to its first answer."""
        with open(self.path, "rb") as file:
            data = file.read()
        self.folder.cleanup()
        return rtts_of(data)


def frames(data):
    order = "<" if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xd4\xc3\xb2\xa1") else ">"
    header = struct.Struct(order + "IIII")
    at = 24
    while at + 16 <= len(data):
        seconds, nanoseconds, captured, _ = header.unpack_from(data, at)
        yield seconds * 1_000_000_000 + nanoseconds, at + 16, captured
        at += 16 + captured


def rtts_of(data):
    departures = {}
    rtts = []
    tcp, echo = struct.Struct("!HHIIBB"), struct.Struct("!BBHHH")
    for time_ns, at, captured in frames(data):
        if captured < 42 or data[at + 12 : at + 14] != b"\x08\x00":
            continue
        if data[at + 23] == 6 and captured >= 54:
            source, destination, sequence, acknowledged, _, flags = tcp.unpack_from(data, at + 34)
            if flags & ACK:
                key, leaves = (destination, source, (acknowledged - 1) & 0xFFFFFFFF), False
            else:
                key, leaves = (source, destination, sequence), True
        else:
            kind, _, _, identifier, sequence = echo.unpack_from(data, at + 34)
            key, leaves = (identifier, sequence), kind == 8
        if leaves:
            departures[key] = time_ns
        elif key in departures:
            rtts.append(time_ns - departures.pop(key))
    return rtts


def truth(capture):
    rtts = capture.rtts_ns()
    return {"count": len(rtts), "dropped": capture.dropped, **quantiles(rtts)}
