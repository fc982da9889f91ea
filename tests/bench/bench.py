"""Runs the bench and writes its tables: volley beside its peers, in one session.

Usage: bench.py [--build DIR] [--rounds N] [--seconds S] [--results FILE] [PART...]
Parts: flat_out sink kernel steady rtt lag scale micro (all, in this order).
As root; traffic stays in two namespaces of its own. Exit status 77: can't run here.
"""

import argparse
import datetime
import os
import platform
import signal
import subprocess
import sys
import time

from lab import Lab, LabError
from parts import PARTS, Bench, Table, run_part

HERE = os.path.dirname(os.path.abspath(__file__))
MICRO = "micro"


def micro(build):
    """The packet path's pieces, alone on one core."""
    result = subprocess.run([os.path.join(build, "bench", "micro")], stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    return [Table("Microbenchmarks (median of the batches)", rows[0], rows[1:])]


def first_line(*argv):
    try:
        text = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    except OSError:
        return "not installed"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else ""


def processor():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def heading(arguments, load):
    commit = first_line("git", "-C", HERE, "describe", "--always", "--dirty")
    now = datetime.datetime.now(datetime.timezone.utc)
    return [
        "# Results of `make bench`",
        "",
        f"{now:%Y-%m-%d %H:%M} UTC, commit {commit}: {os.cpu_count()} cores ({processor()}), "
        f"Linux {platform.release()}, {first_line('g++', '--version')}; load average before it {load:.2f}.",
        f"Medians of {arguments.rounds} rounds of {arguments.seconds:g} s, each tool in turn. The README beside this "
        "file says what the columns mean; compare ratios, since rates are this machine's.",
        "",
        "Peers: "
        + "; ".join(
            [
                first_line("hping3", "--version"),
                first_line("nping", "--version"),
                first_line("fping", "--version"),
                first_line("masscan", "--version"),
                first_line("mtr", "--version"),
            ]
        )
        + ".",
        "",
    ]


def markdown(table):
    lines = [f"## {table.title}", ""]
    lines.append("| " + " | ".join(table.columns) + " |")
    lines.append("|" + "---|" * len(table.columns))
    lines += ["| " + " | ".join(str(cell).replace("|", "/").replace("\n", " ") for cell in row) + " |" for row in table.rows]
    lines += ["", *table.notes] if table.notes else []
    return [*lines, ""]


def write(path, lines):
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write("\n".join(lines).rstrip() + "\n")
    os.replace(temporary, path)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--results", default=os.path.join(HERE, "RESULTS.md"))
    parser.add_argument("parts", nargs="*", metavar="PART")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    arguments.parts = arguments.parts or [*PARTS, MICRO]
    for part in arguments.parts:
        if part not in PARTS and part != MICRO:
            parser.error(f"no such part: {part}")
    return arguments


def main():
    arguments = parse()
    if os.geteuid() != 0:
        print("bench: needs root for its network namespaces", file=sys.stderr)
        return 77
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("bench: interrupted"))
    begin = time.monotonic()
    lines = heading(arguments, os.getloadavg()[0])

    def log(text):
        print(f"  {time.monotonic() - begin:6.1f}  {text}", file=sys.stderr, flush=True)

    tables = []
    try:
        with Lab(arguments.build) as lab:
            if not lab.has_reflector():
                log(f"no reflector: {lab.no_reflector}")
            bench = Bench(lab, arguments.build, arguments.rounds, arguments.seconds, log)
            for part in arguments.parts:
                if part != MICRO:
                    tables += run_part(part, bench)
    except LabError as error:
        print(f"bench: no lab: {error}", file=sys.stderr)
        return 77
    if MICRO in arguments.parts:
        log("microbenchmarks")
        tables += micro(arguments.build)
    for table in tables:
        lines += markdown(table)
    write(arguments.results, lines)
    print("\n".join(lines))
    print(f"written to {arguments.results} after {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
