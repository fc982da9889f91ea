"""The bench's lab: two namespaces and a veth pair with several queues between them.

The near namespace is where the tools run. The far one is one of: a reflector in
XDP that answers every probe, a sink in XDP, or the kernel's own services. All
has a name of its own and goes when the `with` block ends.
"""

import json
import os
import subprocess
import time

QUEUES = 8
NEAR_MAC, FAR_MAC = "02:00:00:00:79:01", "02:00:00:00:79:02"
NEAR, FAR = "10.79.0.1", "10.79.0.2"
NEAR6, FAR6 = "fd79::1", "fd79::2"
# Addresses that the far side answers for as well: many targets, one machine.
TARGETS = "10.80.0.0/16"
TCP_PORTS = list(range(8001, 8065))  # 64 of them
MODES = ("reflect", "sink", "kernel")


class LabError(Exception):
    """The lab can't be had here; the text says why."""


def execute(*argv):
    result = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise LabError(f"{' '.join(argv)}: {result.stdout.strip()}")
    return result.stdout


def target_address(number):
    """Address of the many targets, from 0."""
    return f"10.80.{number // 250}.{number % 250 + 1}"


class Lab:
    """`with Lab(build) as lab`: lab.near and lab.far are the namespaces' names."""

    def __init__(self, build):
        self.build = build
        self.near = f"vb-{os.getpid()}-near"
        self.far = f"vb-{os.getpid()}-far"
        self.mode = None
        self.far_side = None
        self.services = None
        self.no_reflector = None  # why there is none

    def __enter__(self):
        try:
            self.make_namespaces()
            self.make_link()
            self.start_far_side()
            self.start_services()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error):
        for process in (self.far_side, self.services):
            if process is not None:
                process.stdin.close()
                process.terminate()
                process.wait()
        for name in (self.near, self.far):
            if os.path.exists(f"/run/netns/{name}"):
                execute("ip", "netns", "delete", name)

    def make_namespaces(self):
        for name in (self.near, self.far):
            execute("ip", "netns", "add", name)
            execute("ip", "-n", name, "link", "set", "lo", "up")
            self.sysctl(
                name,
                "net.ipv4.conf.all.rp_filter=0",
                "net.ipv4.conf.default.rp_filter=0",
                "net.ipv6.conf.default.accept_dad=0",
                "net.ipv6.conf.default.router_solicitations=0",
                # An echo reply a probe: the peers of ICMP are measured, not the limit.
                "net.ipv4.icmp_ratemask=0",
                "net.ipv4.icmp_msgs_per_sec=1000000",
            )
        self.sysctl(self.far, "net.ipv4.tcp_max_syn_backlog=65536", "net.core.somaxconn=65535")

    def sysctl(self, namespace, *settings):
        execute("ip", "netns", "exec", namespace, "sysctl", "-qw", *settings)

    def make_link(self):
        queues = ["numtxqueues", str(QUEUES), "numrxqueues", str(QUEUES)]
        execute(
            *["ip", "-n", self.near, "link", "add", "veth0", "address", NEAR_MAC, *queues, "type", "veth"],
            *["peer", "name", "veth0", "netns", self.far, "address", FAR_MAC, *queues],
        )
        ends = ((self.near, NEAR, NEAR6, FAR, FAR6, FAR_MAC), (self.far, FAR, FAR6, NEAR, NEAR6, NEAR_MAC))
        for name, own, own6, other, other6, mac in ends:
            execute("ip", "-n", name, "link", "set", "veth0", "up")
            execute("ip", "-n", name, "address", "add", f"{own}/24", "dev", "veth0")
            execute("ip", "-n", name, "address", "add", f"{own6}/64", "dev", "veth0", "nodad")
            for address in (other, other6):
                execute(
                    *["ip", "-n", name, "neighbour", "replace", address, "lladdr", mac],
                    *["dev", "veth0", "nud", "permanent"],
                )
        execute("ip", "-n", self.near, "route", "add", TARGETS, "via", FAR)
        execute("ip", "-n", self.far, "route", "add", "local", TARGETS, "dev", "lo")

    def start_far_side(self):
        programs = os.path.join(self.build, "bench")
        argv = [os.path.join(programs, "far_side"), os.path.join(programs, "far_side.bpf.o")]
        argv += [self.far, "veth0", self.near, "veth0"]
        try:
            self.far_side = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        except OSError as error:
            self.no_reflector = str(error)
            return
        if self.far_side.stdout.readline().strip() != "ready":
            self.no_reflector = self.far_side.stderr.read().strip() or "far_side did not start"
            self.far_side.wait()
            self.far_side = None

    def start_services(self):
        ready = os.path.join(self.build, "bench", f"labd.{os.getpid()}.ready")
        labd = os.path.join(self.build, "lab", "labd")
        ports = ",".join(str(port) for port in [80, *TCP_PORTS])
        argv = ["ip", "netns", "exec", self.far, labd, "--tcp", ports, "--udp", "7", "--ready-file", ready]
        # It goes with us, however we go; the far side does with its input's end.
        argv = ["setpriv", "--pdeathsig", "TERM", *argv]
        self.services = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.exists(ready) and os.path.getsize(ready) > 0:
                os.unlink(ready)
                return
            time.sleep(0.02)
        raise LabError("labd did not come up")

    def order(self, command):
        self.far_side.stdin.write(command + "\n")
        self.far_side.stdin.flush()
        answer = self.far_side.stdout.readline().strip()
        if command == "counters":
            return json.loads(answer)
        if answer != "ok":
            raise LabError(f"far side: {command}: {answer or self.far_side.stderr.read().strip()}")
        return None

    def become(self, mode):
        """Chooses the far side: one of MODES."""
        if mode == self.mode:
            return
        if self.far_side is None and mode != "kernel":
            raise LabError(f"no XDP here: {self.no_reflector}")
        if self.far_side is not None:
            self.order("off" if mode == "kernel" else mode)
        self.mode = mode

    def has_reflector(self):
        return self.far_side is not None

    def inside(self, *argv):
        return ["ip", "netns", "exec", self.near, *argv]

    def counters(self):
        """Probes, resets and replies that passed the wire so far."""
        if self.mode == "kernel":
            return self.kernel_counters()
        passed = self.order("counters")
        far, near = passed["far"], passed["near"]
        return {
            "probes": far["syn"] + far["udp"] + far["echo_request"],
            "resets": far["reset"],
            "replies": near["syn_ack"] + near["echo_reply"] + near["udp"],
        }

    def kernel_counters(self):
        """From the stack's and the interfaces' own counters, which cost the measured path nothing."""
        resets = self.resets_sent()
        return {
            "probes": self.received(self.far) - resets,
            "resets": resets,
            "replies": self.received(self.near),
        }

    def received(self, namespace):
        links = json.loads(execute("ip", "-n", namespace, "-j", "-s", "link", "show", "veth0"))
        return links[0]["stats64"]["rx"]["packets"]

    def resets_sent(self):
        lines = execute("ip", "netns", "exec", self.near, "cat", "/proc/net/snmp").splitlines()
        names, values = (line.split() for line in lines if line.startswith("Tcp:"))
        return int(values[names.index("OutRsts")])
