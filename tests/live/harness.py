"""What every live test needs: a lab of its own, volley run inside it, captures read.

A test is a script NAME.test.py that imports this and calls main(). It exits
with 77 where it can't run (no root, no /dev/net/tun), 1 on a failed check.
Labs get a name and a network number of their own, so tests run side by side.
"""

import collections
import csv
import json
import os
import signal
import struct
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("BUILD", os.path.join(ROOT, "build"))
VOLLEY = os.environ.get("VOLLEY", os.path.join(BUILD, "volley"))
LAB = os.path.join(ROOT, "tests", "lab", "lab.sh")

failures = []


def check(condition, what):
    """Notes a failed expectation; the test goes on, and fails at its end."""
    if not condition:
        failures.append(what)
        print("NOT SO: " + what)
    return condition


def near(value, wanted, tolerance, what):
    return check(
        value is not None and abs(value - wanted) <= tolerance, f"{what}: {value}, wanted {wanted} +- {tolerance}"
    )


def skip(reason):
    print(reason)
    sys.exit(77)


def main(*tests):
    if os.geteuid() != 0:
        skip("needs root")
    if not os.path.exists("/dev/net/tun"):
        skip("there is no /dev/net/tun here")
    for test in tests:
        print(f"-- {test.__name__}")
        test()
    sys.exit(1 if failures else 0)


class Result:
    """How a finished command ended, and what it printed."""

    def __init__(self, status, stdout, stderr, peak_kb=0):
        self.status = status
        self.stdout = stdout
        self.stderr = stderr
        self.peak_kb = peak_kb

    def json(self):
        try:
            return json.loads(self.stdout)
        except ValueError:
            print(f"no JSON: status {self.status}\n{self.stdout}\n{self.stderr}")
            raise


def run(argv, timeout=60, **options):
    """Runs a command to its end, with its peak memory."""
    process = start(argv, **options)
    return end(process, timeout)


def start(argv, **options):
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def end(process, timeout=60):
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        stdout, stderr = process.communicate()
        failures.append(f"{process.args}: not over after {timeout} s")
        print(f"NOT OVER: {process.args}\n{stdout}\n{stderr}")
    return Result(process.returncode, stdout, stderr)


class Lab:
    """A software NIC between a client and a target namespace. `with Lab(...) as lab`."""

    count = 0

    def __init__(self, *options, queues=8):
        Lab.count += 1
        self.name = f"vt{os.getpid()}-{Lab.count}"
        self.net = (os.getpid() * 7 + Lab.count) % 200 + 20
        self.options = ["--queues", str(queues), *options]
        self.facts = {}
        self.truth_at_end = {}

    def __enter__(self):
        argv = [LAB, "up", "--name", self.name, "--net", str(self.net), "--programs", os.path.join(BUILD, "lab")]
        result = run(argv + self.options)
        if result.status == 77:
            skip(result.stderr.strip())
        if result.status != 0:
            raise RuntimeError(f"lab did not come up: {result.stderr}")
        self.facts = dict(line.split("=", 1) for line in result.stdout.splitlines())
        return self

    def __exit__(self, *error):
        result = run([LAB, "down", "--name", self.name])
        if result.status == 0 and result.stdout.strip():
            self.truth_at_end = json.loads(result.stdout)

    @property
    def address(self):
        return self.facts["address"]

    @property
    def address6(self):
        return self.facts["address6"]

    @property
    def rss(self):
        return self.facts["rss"]

    def truth(self):
        return json.loads(run([LAB, "truth", "--name", self.name]).stdout)

    def rules(self, *options):
        result = run([LAB, "rules", "--name", self.name, *options])
        if result.status != 0:
            raise RuntimeError(result.stderr)

    def log(self):
        """The NIC's log of every frame, as dictionaries; the NIC must be down or flushed."""
        with open(os.path.join(self.facts["state"], "log.csv"), newline="") as file:
            return list(csv.DictReader(file))

    def inside(self, side, *argv):
        return ["ip", "netns", "exec", self.facts[side], *argv]

    def client(self, *argv, timeout=60):
        return run(self.inside("client", *argv), timeout)

    def target(self, *argv, timeout=60):
        return run(self.inside("target", *argv), timeout)

    def volley(self, *argv, timeout=60):
        return self.client(VOLLEY, *argv, timeout=timeout)

    def start_volley(self, *argv):
        return start(self.inside("client", VOLLEY, *argv))

    def probe(self, *argv, timeout=60):
        """Runs `volley probe --json`; gives the document."""
        return self.volley("probe", "--json", *argv, timeout=timeout).json()


def only(document):
    """The one result of a document, its sums checked."""
    results = document["results"]
    check(len(results) == 1, f"one result, got {len(results)}")
    result = results[0]
    check(
        result["sent"] == result["answered"] + result["lost"] + result["in_flight"] + result["stale_half_open"],
        f"sent = answered + lost + in_flight + stale_half_open: {result}",
    )
    direction = result["loss_direction"]
    check(
        direction["forward"] + direction["reverse"] + direction["unknown"] == result["lost"],
        f"directions add up to the losses: {direction} of {result['lost']}",
    )
    check(result["late"] <= result["lost"], "late probes are lost ones")
    return result


def quantile(values, q):
    """Nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(len(ordered) * q * 1000) // 1000) - 1)] if ordered else None


Segment = collections.namedtuple("Segment", "time_ns source destination source_port destination_port sequence ack flags")


def read_tcp(path):
    """TCP segments over IPv4 of a pcap file with Ethernet frames or cooked v2."""
    segments = []
    with open(path, "rb") as file:
        data = file.read()
    magic = data[:4]
    order = "<" if magic in (b"\x4d\x3c\xb2\xa1", b"\xd4\xc3\xb2\xa1") else ">"
    scale = 1 if magic in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    link = struct.unpack(order + "I", data[20:24])[0] & 0xFFFF
    skip_bytes = {1: 14, 276: 20, 113: 16, 12: 0, 101: 0}[link]
    at = 24
    while at + 16 <= len(data):
        seconds, fraction, captured, _ = struct.unpack(order + "IIII", data[at : at + 16])
        frame = data[at + 16 + skip_bytes : at + 16 + captured]
        at += 16 + captured
        if len(frame) < 40 or frame[0] >> 4 != 4 or frame[9] != 6:
            continue
        tcp = frame[(frame[0] & 15) * 4 :]
        source_port, destination_port, sequence, ack = struct.unpack("!HHII", tcp[:12])
        segments.append(
            Segment(
                seconds * 1_000_000_000 + fraction * scale,
                frame[12:16],
                frame[16:20],
                source_port,
                destination_port,
                sequence,
                ack,
                tcp[13],
            )
        )
    return segments


def wait_for(condition, what, seconds=10):
    """Waits until a condition holds, looking often."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return check(False, f"{what} within {seconds} s")


def interrupt(process, which=signal.SIGINT):
    process.send_signal(which)
