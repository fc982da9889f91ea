"""The parts of the bench: each runs its tools in turn, several rounds, and gives tables.

A part is a function of a Bench that gives a list of Tables; PARTS names them in
the order in which they run.
"""

import dataclasses
import os
import statistics

import tools
from capture import Capture, truth
from lab import FAR, TCP_PORTS, LabError, target_address
from measure import run_tool

NONE = "-"


@dataclasses.dataclass
class Table:
    title: str
    columns: list
    rows: list
    notes: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Bench:
    lab: object
    build: str
    rounds: int
    seconds: float
    log: object  # is called with a line of progress

    def program(self, *names):
        return os.path.join(self.build, *names)

    def volley(self, *options, **more):
        return tools.volley(self.program("volley"), *options, **more)

    def references(self):
        """What raw speed is here, with and without seeing the probes leave."""
        program = self.program("bench", "reference")
        return [
            tools.reference(program, "AF_PACKET loop", "--receive"),
            tools.reference(program, "AF_PACKET loop with departures", "--receive", "--departures"),
            tools.reference(program, "raw socket loop with departures", "--receive", "--departures", "--raw"),
        ]


class Row:
    """All rounds of one tool under one condition."""

    def __init__(self, tool):
        self.tool = tool
        self.runs = []

    def add(self, run, claim, seen=None):
        self.runs.append((run, claim, seen))

    def median(self, value):
        """Median over the rounds of value(run, claim, seen), None where no round has one."""
        values = [value(*each) for each in self.runs]
        values = [each for each in values if each is not None]
        return statistics.median(values) if values else None

    def notes(self):
        found = [note for _, claim, _ in self.runs for note in claim.notes]
        return "; ".join(sorted(set(found)))[:160]


def true_loss(run):
    return max(0, run.wire["probes"] - run.wire["replies"])


def false_loss(run, claim, _=None):
    """The share of the probes that the tool calls lost though their answers came."""
    if claim.lost is None or not claim.sent:
        return None
    return max(0, claim.lost - true_loss(run)) / claim.sent


def accounted_pps(run, claim, _=None):
    if claim.answered is None or not run.wire["probes"]:
        return None
    return run.rate_pps * claim.answered / run.wire["probes"]


def cpu_per_million(run, claim, _=None):
    return run.cpu_seconds / claim.answered * 1e6 if claim.answered else None


def machine_cpu_per_million(run, claim, _=None):
    return run.machine_cpu_seconds / claim.answered * 1e6 if claim.answered else None


def rounds_of(bench, mode, rows, rate=None, seconds=None):
    """Every tool in turn, then all again."""
    bench.lab.become(mode)
    duration = seconds or bench.seconds
    present = [row for row in rows if row.tool.missing is None]
    for number in range(bench.rounds):
        for row in present:
            bench.log(f"{mode}: {row.tool.name}, round {number + 1} of {bench.rounds}")
            run = run_tool(bench.lab, row.tool.command(duration, rate), None if row.tool.stops_itself else duration)
            row.add(run, row.tool.read(run))


# --- how numbers look ---


def thousands(value):
    return NONE if value is None else f"{value:,.0f}"


def percent(value):
    if value is None:
        return NONE
    return "0 %" if value == 0 else f"{value * 100:.3g} %"


def ratio(value, base):
    return NONE if not value or not base else f"{value / base:.2f}"


def figure(value, form="{:.1f}"):
    return NONE if value is None else form.format(value)


def us(value_ns):
    return NONE if value_ns is None else f"{value_ns / 1000:.1f}"


RATE_COLUMNS = [
    "tool",
    "protocol",
    "departures",
    "probes/s on the wire",
    "replies/s on the wire",
    "accounted/s",
    "of volley's",
    "false loss",
    "CPU s per million",
    "of volley's",
    "machine CPU s per million",
    "peak MB",
    "notes",
]


def replies_pps(run, *_):
    return run.rate_pps * run.wire["replies"] / run.wire["probes"] if run.wire["probes"] else None


def rate_row(row, base):
    if row.tool.missing:
        return [row.tool.name, row.tool.protocol, *[NONE] * 10, f"skipped: {row.tool.missing}"]
    accounted = row.median(accounted_pps)
    cpu = row.median(cpu_per_million)
    return [
        row.tool.name,
        row.tool.protocol,
        row.tool.departures,
        thousands(row.median(lambda run, *_: run.rate_pps)),
        thousands(row.median(replies_pps)),
        thousands(accounted),
        ratio(accounted, base.median(accounted_pps)),
        percent(row.median(false_loss)),
        figure(cpu),
        ratio(cpu, base.median(cpu_per_million)),
        figure(row.median(machine_cpu_per_million)),
        figure(row.median(lambda run, *_: run.peak_kb / 1024)),
        row.notes(),
    ]


def rate_table(title, rows, *notes):
    return Table(title, RATE_COLUMNS, [rate_row(row, rows[0]) for row in rows], list(notes))


# --- the parts ---


def flat_out(bench):
    """As fast as each goes, to a far side that answers every probe."""
    echo = tools.volley(bench.program("volley"), "--icmp", name="volley --icmp", target=FAR, protocol="icmp")
    rows = [Row(tool) for tool in [bench.volley(), echo, *bench.references(), *tools.peers()]]
    rounds_of(bench, "reflect", rows)
    note = "An echo costs both sides less than a SYN, whose answer this host's kernel resets: compare like with like."
    return [rate_table("As fast as it goes, every probe answered (reflector in XDP)", rows, note)]


def kernel(bench):
    """The same to a kernel's own TCP, which is slower than the fastest tools."""
    peers = [tool for tool in tools.peers() if tool.name.split()[0] in ("hping3", "nping", "fping")]
    rows = [Row(tool) for tool in [bench.volley(), *peers]]
    rounds_of(bench, "kernel", rows)
    note = "Above what the kernel answers its backlog overflows: that is real loss."
    return [rate_table("As fast as it goes, to the kernel's own TCP", rows, note)]


def sink(bench):
    """Nothing comes back: the senders alone."""
    peers = [tool for tool in tools.peers() if tool.name in ("hping3 --flood", "masscan")]
    rows = [Row(tool) for tool in [bench.volley(), *bench.references(), *peers]]
    rounds_of(bench, "sink", rows)
    base = rows[0].median(lambda run, *_: run.rate_pps)
    columns = ["tool", "departures", "probes/s on the wire", "of volley's", "CPU s per million sent", "peak MB", "notes"]
    table = Table("As fast as it goes, to a sink in XDP", columns, [])
    for row in rows:
        if row.tool.missing:
            table.rows.append([row.tool.name, *[NONE] * 5, f"skipped: {row.tool.missing}"])
            continue
        rate = row.median(lambda run, *_: run.rate_pps)
        cpu = row.median(lambda run, *_: run.cpu_seconds / run.wire["probes"] * 1e6 if run.wire["probes"] else None)
        cells = [thousands(rate), ratio(rate, base), figure(cpu), figure(row.median(lambda run, *_: run.peak_kb / 1024))]
        table.rows.append([row.tool.name, row.tool.departures, *cells, row.notes()])
    return [table]


def steady(bench):
    """Rates that must be held for ten seconds without a false loss; the peers at 50,000/s."""
    tables = []
    columns = ["tool", "far side", "asked/s", "on the wire/s", "sent", "true loss", "false loss", "capture drops", "notes"]
    table = Table("Held rates", columns, [])
    cases = [("kernel", 60_000, bench.volley(), 10.0), ("reflect", 150_000, bench.volley(), 10.0)]
    cases += [("reflect", 50_000, tool, bench.seconds) for tool in [bench.volley(), *tools.timed_peers()[:3]]]
    for mode, rate, tool, seconds in cases:
        if tool.missing:
            table.rows.append([tool.name, mode, *[NONE] * 6, f"skipped: {tool.missing}"])
            continue
        bench.lab.become(mode)
        bench.log(f"{mode}: {tool.name} at {rate}/s")
        run = run_tool(bench.lab, tool.command(seconds, rate), None if tool.stops_itself else seconds)
        claim = tool.read(run)
        drops = claim.document["local"]["capture_drops"] if claim.document else None
        cells = [thousands(rate), thousands(run.rate_pps), thousands(claim.sent), thousands(true_loss(run))]
        cells += [percent(false_loss(run, claim)), thousands(drops), "; ".join(claim.notes)]
        table.rows.append([tool.name, mode, *cells])
    tables.append(table)
    return tables


def rtt_row(bench, tool, rate, rounds):
    row = Row(tool)
    for number in range(rounds):
        bench.log(f"RTT: {tool.name} at {rate}/s, round {number + 1} of {rounds}")
        with Capture(bench.lab) as capture:
            run = run_tool(bench.lab, tool.command(2.0, rate), None if tool.stops_itself else 2.0)
        row.add(run, tool.read(run), truth(capture))

    def error(name):
        return row.median(
            lambda _, claim, seen: abs(claim.rtt_ns[name] - seen[name])
            if name in claim.rtt_ns and name in seen
            else None
        )

    seen_p50 = row.median(lambda _, __, seen: seen.get("p50"))
    seen_p99 = row.median(lambda _, __, seen: seen.get("p99"))
    lost = row.median(lambda _, __, seen: seen["dropped"])
    cells = [thousands(rate), thousands(row.median(lambda run, *_: run.rate_pps)), us(seen_p50), us(seen_p99)]
    cells += [us(error("mean")), us(error("p50")), us(error("p99")), thousands(lost), row.notes()]
    return [tool.name, tool.protocol, *cells]


def rtt(bench):
    """What the tools say of RTTs, against the stamps of a tcpdump of the same run."""
    bench.lab.become("reflect")
    columns = ["tool", "protocol", "asked/s", "on the wire/s", "true p50 us", "true p99 us"]
    columns += ["error of mean us", "of p50", "of p99", "tcpdump drops", "notes"]
    table = Table("RTT against the capture of the same run", columns, [])
    for rate in (1_000, 20_000, 100_000):
        table.rows.append(rtt_row(bench, bench.volley(), rate, bench.rounds))
    for tool in tools.timed_peers():
        if tool.missing:
            table.rows.append([tool.name, tool.protocol, *[NONE] * 8, f"skipped: {tool.missing}"])
            continue
        for rate in (100,) if tool.name == "mtr" else (1_000, 20_000):
            table.rows.append(rtt_row(bench, tool, rate, 1))
    return [table]


def lag(bench):
    """How well the schedule is kept, from once a second to 100,000 times."""
    bench.lab.become("reflect")
    columns = ["rate asked/s", "waiting", "achieved/s", "off by", "lag p50 us", "lag p99 us", "lag max us", "CPU of a core"]
    columns += ["of its threads"]
    table = Table("Schedule: sender_lag_ns and achieved rate", columns, [])
    cases = [(1, 5, ()), (10, 3, ()), (100, 3, ()), (1_000, 5, ()), (1_000, 5, ("--spin",))]
    cases += [(10_000, 3, ()), (100_000, 3, ())]
    for rate, seconds, options in cases:
        bench.log(f"schedule: {rate}/s {' '.join(options)}")
        tool = bench.volley(*options)
        run = run_tool(bench.lab, tool.command(seconds, rate), None)
        claim = tool.read(run)
        if claim.document is None:
            table.rows.append([thousands(rate), " ".join(options) or "asleep", *[NONE] * 6, "; ".join(claim.notes)])
            continue
        local = claim.document["local"]
        achieved, spread = local["rate_pps"]["achieved"], local["sender_lag_ns"]
        cells = [figure(achieved, "{:,.2f}"), percent(abs(achieved / rate - 1)) if achieved else NONE]
        cells += [us(spread[key]) for key in ("p50", "p99", "max")]
        cells.append(percent(run.cpu_seconds / seconds))
        cells.append(", ".join(percent(spent / seconds) for spent in run.thread_seconds if spent >= 0.0005 * seconds))
        table.rows.append([thousands(rate), " ".join(options) or "asleep", *cells])
    return [table]


SCALE_COLUMNS = [
    "case",
    "probes",
    "seconds",
    "us per probe",
    "CPU us per probe",
    "on the wire/s",
    "true loss",
    "false loss",
    "peak MB",
    "notes",
]


def scale_row(bench, name, options, rate, targets):
    bench.log(f"scale: {name}")
    pace = "max" if rate is None else str(rate)
    argv = [bench.program("volley"), "probe", "--json", "--progress", "never", "-r", pace, *options, *targets]
    run = run_tool(bench.lab, argv, None)
    claim = tools.read_volley(run)
    sent = claim.sent or 0
    each = run.seconds / sent * 1e6 if sent else None
    cpu = run.cpu_seconds / sent * 1e6 if sent else None
    cells = [thousands(sent), figure(run.seconds), figure(each, "{:.2f}"), figure(cpu, "{:.2f}"), thousands(run.rate_pps)]
    cells += [thousands(true_loss(run)), percent(false_loss(run, claim)), figure(run.peak_kb / 1024)]
    return [name, *cells, "; ".join(claim.notes)]


def scale(bench):
    """Each thing that can be many, taken to its limit; then all together; then long runs."""
    bench.lab.become("reflect")
    one = [f"{FAR}:80"]
    all_ports = ["--source-ports", "1024-65535", "--source-port-count", "64512"]
    many = [target_address(number) for number in range(1000)]
    rss = ["--rss-key", "microsoft", "--rss-queues"]
    ports = ",".join(str(port) for port in TCP_PORTS)
    table = Table("Scale", SCALE_COLUMNS, [])
    cases = [
        ("64,512 source ports", ["-c", "200000", *all_ports, "--per-port"], 50_000, one),
        ("256 queues", ["-c", "200000", *rss, "256"], 50_000, one),
        ("64 destination ports", ["-c", "3000"], 50_000, [f"{FAR}:{ports}"]),
        ("1,000 targets", ["-c", "200"], 50_000, [f"{target}:80" for target in many]),
        ("1,000 targets x 8 ports x 8 queues", ["-c", "25", *rss, "8"], 50_000, [f"{many_target(t)}" for t in many]),
    ]
    for count in (100_000, 1_000_000, 10_000_000):
        cases.append((f"{count:,} probes, 65,536 ports", ["-c", str(count), *all_ports, "--per-port"], None, one))
    for name, options, rate, targets in cases:
        table.rows.append(scale_row(bench, name, options, rate, targets))
    return [table]


def many_target(address):
    return f"{address}:{','.join(str(port) for port in TCP_PORTS[:8])}"


PARTS = {
    "flat_out": flat_out,
    "sink": sink,
    "kernel": kernel,
    "steady": steady,
    "rtt": rtt,
    "lag": lag,
    "scale": scale,
}


def run_part(name, bench):
    try:
        return PARTS[name](bench)
    except LabError as error:
        return [Table(f"{name}: skipped", ["why"], [[str(error)]])]
