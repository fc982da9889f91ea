"""Runs one tool in the lab and measures it from outside: what passed the wire,
how fast, at what cost. What the tool says of itself is parsed in tools.py.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time

SAMPLE_SECONDS = 0.05
GRACE_SECONDS = 1.0  # for a tool that was told to stop, before it is told again


class Sampler(threading.Thread):
    """Reads the wire's counters while a tool runs, for the rate while it sends, and its threads' CPU time."""

    def __init__(self, lab):
        super().__init__(daemon=True)
        self.lab = lab
        self.samples = [(time.monotonic(), lab.counters())]
        self.is_over = threading.Event()
        self.parent = None  # of the tool's process, once it is there
        self.thread_seconds = {}  # by thread id, in the order of their creation

    def run(self):
        while not self.is_over.wait(SAMPLE_SECONDS):
            self.samples.append((time.monotonic(), self.lab.counters()))
            if self.parent is not None:
                for child in children_of(self.parent):
                    self.thread_seconds.update(cpu_of_threads(child))

    def end(self):
        self.is_over.set()
        self.join()
        self.samples.append((time.monotonic(), self.lab.counters()))

    def passed(self):
        first, last = self.samples[0][1], self.samples[-1][1]
        return {key: last[key] - first[key] for key in first}

    def rate(self, key):
        """Per second, over the samples between which it grew, without the first and the last step."""
        growing = [
            index
            for index in range(1, len(self.samples))
            if self.samples[index][1][key] > self.samples[index - 1][1][key]
        ]
        if not growing:
            return 0.0
        first, last = growing[0], growing[-1]
        if last - first > 4:
            first, last = first + 1, last - 1
        begin, end = self.samples[first - 1], self.samples[last]
        return (end[1][key] - begin[1][key]) / (end[0] - begin[0])


class Run:
    """What one run of a tool showed; None where there is nothing to show."""

    def __init__(self):
        self.status = None
        self.stdout = ""
        self.stderr = ""
        self.wire = {}
        self.rate_pps = 0.0  # of probes on the wire
        self.seconds = 0.0
        self.cpu_seconds = None
        self.machine_cpu_seconds = None
        self.thread_seconds = []  # CPU of each thread, the busiest first, up to the last sample
        self.peak_kb = None
        self.is_killed = False


def machine_cpu_seconds():
    """CPU time that all of the machine has spent on anything, interrupts included."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, *_ = (int(value) for value in file.readline().split()[1:])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def cpu_of_threads(pid):
    seconds = {}
    try:
        for thread in sorted(os.listdir(f"/proc/{pid}/task"), key=int):
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                seconds[thread] = int(file.read().split()[0]) / 1e9
    except OSError:
        pass  # it has just ended
    return seconds


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def stop(process):
    """Interrupts the tool below `time`, and insists where that is not enough."""
    for number in (signal.SIGINT, signal.SIGINT, signal.SIGKILL):
        for child in children_of(process.pid):
            os.kill(child, number)
        try:
            process.wait(GRACE_SECONDS)
            return number == signal.SIGKILL
        except subprocess.TimeoutExpired:
            continue
    process.wait()
    return True


def run_tool(lab, argv, seconds):
    """Lets a command run in the near namespace; interrupts it after `seconds`, unless it is None."""
    run = Run()
    with tempfile.TemporaryDirectory(prefix="vb-") as folder:
        cost = os.path.join(folder, "cost")
        # `time` is small: the peak memory that is inherited over fork and exec stays below the tool's.
        measured = lab.inside("time", "-q", "-o", cost, "-f", "%U %S %M", *argv)
        with open(os.path.join(folder, "out"), "w+", encoding="utf-8", errors="replace") as out, open(
            os.path.join(folder, "err"), "w+", encoding="utf-8", errors="replace"
        ) as err:
            sampler = Sampler(lab)
            sampler.start()
            machine_before = machine_cpu_seconds()
            begin = time.monotonic()
            process = subprocess.Popen(measured, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder)
            sampler.parent = process.pid
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                run.is_killed = stop(process)
            run.seconds = time.monotonic() - begin
            run.machine_cpu_seconds = machine_cpu_seconds() - machine_before
            sampler.end()
            out.seek(0)
            err.seek(0)
            run.stdout, run.stderr = out.read(), err.read()
        with open(cost, encoding="ascii") as file:
            user, system, peak = file.read().split()[-3:]
        run.cpu_seconds = float(user) + float(system)
        run.peak_kb = int(peak)
    run.status = process.returncode
    run.wire = sampler.passed()
    run.thread_seconds = sorted(sampler.thread_seconds.values(), reverse=True)
    run.rate_pps = sampler.rate("probes")
    return run
