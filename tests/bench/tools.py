"""The tools under test: one row each, with its command line and how to read what it says.

A row's `command(seconds, rate)` gives the arguments; rate None is as fast as it
goes. `read(run)` gives what the tool itself claims: sent, answered and lost
probes, and RTTs in ns by name (mean, p50, p99), as far as it tells.
"""

import dataclasses
import json
import re
import shutil

from lab import FAR, FAR_MAC, NEAR, NEAR_MAC, target_address

PORT = 80


@dataclasses.dataclass
class Claim:
    """What a tool says of its own run; None where it says nothing."""

    sent: int | None = None
    answered: int | None = None
    lost: int | None = None
    rtt_ns: dict = dataclasses.field(default_factory=dict)
    notes: list = dataclasses.field(default_factory=list)
    document: dict | None = None


@dataclasses.dataclass
class Tool:
    name: str
    protocol: str
    command: object
    read: object
    departures: str = "not captured"
    stops_itself: bool = False
    missing: str | None = None  # why it can't run here


def number(pattern, text, default=None):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else default


def rank(ordered, share):
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)]


def quantiles(values):
    """Nearest rank, and the mean."""
    if not values:
        return {}
    ordered = sorted(values)
    return {
        "mean": sum(ordered) / len(ordered),
        "p50": rank(ordered, 0.5),
        "p99": rank(ordered, 0.99),
        "max": ordered[-1],
    }


# --- volley ---


def read_volley(run):
    try:
        document = json.loads(run.stdout)
    except ValueError:
        return Claim(notes=[f"no document, status {run.status}: {run.stderr.strip()[-200:]}"])
    results, local = document["results"], document["local"]
    total = {
        key: sum(result[key] for result in results)
        for key in ("sent", "answered", "lost", "not_sent", "in_flight", "stale_half_open", "duplicates", "late")
    }
    rtt = results[0]["rtt_ns"] if len(results) == 1 else {}
    notes = [f"{key} {total[key]}" for key in ("not_sent", "in_flight", "stale_half_open", "duplicates") if total[key]]
    if local["capture_drops"]:
        notes.append(f"capture_drops {local['capture_drops']}")
    return Claim(
        sent=total["sent"],
        answered=total["answered"],
        lost=total["lost"],
        rtt_ns={key: rtt[key] for key in ("mean", "p50", "p99", "max") if rtt.get(key) is not None},
        notes=notes,
        document=document,
    )


def volley_command(program, *options, target=f"{FAR}:{PORT}"):
    def command(seconds, rate):
        pace = "max" if rate is None else f"{rate:g}"
        return [program, "probe", "--json", "--progress", "never", "-r", pace, "-d", f"{seconds:g}", *options, target]

    return command


def volley(program, *options, name="volley", protocol="tcp", **more):
    command = volley_command(program, *options, **more)
    return Tool(name, protocol, command, read_volley, "captured", stops_itself=True)


# --- the reference loops ---


def read_reference(run):
    try:
        seen = json.loads(run.stdout)
    except ValueError:
        return Claim(notes=[f"no answer: {run.stderr.strip()[-200:]}"])
    notes = [f"capture_drops {seen['dropped']}"] if seen["dropped"] else []
    return Claim(sent=seen["sent"], answered=seen["replies"], notes=notes)


def reference(program, name, *options):
    addresses = ["--source", NEAR, "--target", FAR, "--source-mac", NEAR_MAC, "--target-mac", FAR_MAC]

    def command(seconds, _):
        return [program, "--interface", "veth0", *addresses, "--port", str(PORT), "--seconds", f"{seconds:g}", *options]

    captured = "captured" if "--departures" in options else "not captured"
    return Tool(name, "tcp", command, read_reference, captured, stops_itself=True)


# --- the peers ---


def read_hping3(run):
    sent = number(r"(\d+) packets transmitted", run.stderr)
    answered = number(r"(\d+) packets received", run.stderr)
    if sent is None:
        return Claim(notes=[run.stderr.strip()[-100:]])
    each = [float(value) * 1e6 for value in re.findall(r" rtt=([\d.]+) ms", run.stdout)]
    rtt = quantiles(each) or {"mean": number(r"min/avg/max = [\d.]+/([\d.]+)/", run.stderr, 0) * 1e6}
    return Claim(int(sent), int(answered), max(0, int(sent - answered)), rtt if answered else {})


def hping3_command(*options):
    def command(_, rate):
        pace = ["--flood"] if rate is None else ["-i", f"u{max(1, round(1e6 / rate))}"]
        return ["hping3", "-n", "-S", "-p", str(PORT), *(options or pace), FAR]

    return command


def read_nping(run):
    sent = number(r"Raw packets sent: (\d+)", run.stdout)
    if sent is None:
        return Claim(notes=[run.stderr.strip()[-100:]])
    answered = number(r"Rcvd: (\d+)", run.stdout)
    mean = number(r"Avg rtt: ([\d.]+)ms", run.stdout)
    rtt = {} if mean is None else {"mean": mean * 1e6}
    return Claim(int(sent), int(answered), int(number(r"Lost: (\d+)", run.stdout)), rtt)


def nping_command(_, rate):
    pace = f"{1000000 if rate is None else round(rate)}"
    return ["nping", "--tcp", "--flags", "syn", "-p", str(PORT), "--rate", pace, "-c", "0", "-q", FAR]


def read_fping(run):
    found = re.search(r"xmt/rcv/%loss = (\d+)/(\d+)/", run.stderr)
    if not found:
        return Claim(notes=[run.stderr.strip()[-100:]])
    sent, answered = (int(value) for value in found.groups())
    each = [float(value) * 1e6 for value in re.findall(r"bytes, ([\d.]+) ms", run.stdout)]
    rtt = quantiles(each) or {"mean": number(r"min/avg/max = [\d.]+/([\d.]+)/", run.stderr, 0) * 1e6}
    return Claim(sent, answered, sent - answered, rtt if answered else {})


def fping_command(*options):
    def command(_, rate):
        period = 0.001 if rate is None else 1e3 / rate
        # Its default timeout is the period; more than 65,535 probes it does not send.
        return ["fping", "-i0", f"-p{period:g}", "-t1000", "-c65535", *options, FAR]

    return command


def read_masscan(run):
    found = re.findall(r"found=(\d+)", run.stderr)
    if not found:
        return Claim(notes=[run.stderr.strip()[-100:]])
    sent = run.wire["probes"]
    return Claim(sent, int(found[-1]), max(0, sent - int(found[-1])), notes=["sent taken from the wire"])


def masscan_command(seconds, rate):
    # One probe an address and port: as many ports of 1,000 addresses as the time may need.
    pace = 10_000_000 if rate is None else round(rate)
    ports = max(1, min(60000, round((rate or 200_000) * seconds / 1000)))
    targets = f"{target_address(0)}-{target_address(999)}"
    options = ["--interface", "veth0", "--router-mac", FAR_MAC, "--wait", "1", "-oL", "/dev/null"]
    return ["masscan", targets, f"-p1-{ports}", "--rate", str(pace), *options]


def read_mtr(run):
    try:
        hub = json.loads(run.stdout)["report"]["hubs"][-1]
    except (ValueError, KeyError, IndexError):
        return Claim(notes=[(run.stderr.strip() or "no report")[-100:]])
    lost = round(hub["Snt"] * hub["Loss%"] / 100)
    return Claim(hub["Snt"], hub["Snt"] - lost, lost, {"mean": hub["Avg"] * 1e6})


def mtr_command(seconds, rate):
    pace = 165 if rate is None else rate  # what -i 0.001 reaches
    interval = 0.001 if rate is None else 1 / rate
    return ["mtr", "-r", "-j", "-n", "-G", "1", "-i", f"{interval:g}", "-c", str(max(1, round(pace * seconds))), FAR]


def peers():
    """Every peer; those that are not installed say so."""
    rows = [
        Tool("hping3 --flood", "tcp", hping3_command("--flood"), read_hping3),
        Tool("hping3 -i u10", "tcp", hping3_command("-i", "u10", "-q"), read_hping3),
        Tool("nping --tcp", "tcp", nping_command, read_nping),
        Tool("fping", "icmp", fping_command("-q"), read_fping),
        Tool("masscan", "tcp", masscan_command, read_masscan),
        Tool("mtr", "icmp", mtr_command, read_mtr, stops_itself=True),
    ]
    return [with_presence(row) for row in rows]


def timed_peers():
    """The peers that tell RTTs, each reply's where they can."""
    rows = [
        Tool("hping3", "tcp", hping3_command(), read_hping3),
        Tool("nping --tcp", "tcp", nping_command, read_nping),
        Tool("fping", "icmp", fping_command(), read_fping),
        Tool("mtr", "icmp", mtr_command, read_mtr, stops_itself=True),
    ]
    return [with_presence(row) for row in rows]


def with_presence(row):
    program = row.name.split()[0]
    if shutil.which(program) is None:
        row.missing = f"{program} is not installed"
    return row
