"""RTTs are those of the wire: against a capture of the same run, and the NIC's own stamps."""

import os
import tempfile

from harness import Lab, check, end, interrupt, main, near, only, quantile, read_tcp, run, start, wait_for

SYN, ACK = 0x02, 0x10


def rtts_of(segments, port):
    """Departure of each SYN to the arrival of its answer, by sequence number."""
    departures = {}
    rtts = []
    for segment in segments:
        if segment.destination_port == port and segment.flags & (SYN | ACK) == SYN:
            departures[(segment.source_port, (segment.sequence + 1) & 0xFFFFFFFF)] = segment.time_ns
        elif segment.source_port == port and segment.flags & SYN:
            sent = departures.pop((segment.destination_port, segment.ack), None)
            if sent is not None:
                rtts.append(segment.time_ns - sent)
    return rtts


def against_tcpdump(lab, rate, count):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "run.pcap")
        capture = start(
            lab.inside(
                "client", "tcpdump", "-i", "eth0", "-w", file, "-B", "65536", "-s", "96", "--immediate-mode",
                "--time-stamp-precision=nano", "-U", "-Z", "root", "tcp", "port", "80",
            )
        )  # fmt: skip
        wait_for(lambda: os.path.exists(file) and os.path.getsize(file) >= 24, "tcpdump captures")
        result = only(lab.probe("-r", str(rate), "-c", str(count), f"{lab.address}:80"))
        interrupt(capture)
        end(capture)
        rtts = rtts_of(read_tcp(file), 80)
    check(len(rtts) >= 0.99 * count, f"tcpdump saw {len(rtts)} of {count} exchanges")
    check(result["lost"] == 0, f"at {rate}/s: {result['lost']} lost")
    for name, q, tolerance in (("p50", 0.5, 2_000), ("p99", 0.99, 10_000)):
        truth = quantile(rtts, q)
        # On a busy machine RTTs grow, and with them the histogram's 0.1 %.
        near(result["rtt_ns"][name], truth, max(tolerance, 0.001 * truth), f"{name} at {rate}/s against the capture")


def capture_of_the_same_run():
    with Lab() as lab:
        against_tcpdump(lab, 1000, 5000)
        against_tcpdump(lab, 20000, 60000)


def stamps_of_the_nic():
    with Lab("--pcap") as lab:
        result = only(lab.probe("-r", "1000", "-c", "4000", f"{lab.address}:80"))
        lab.truth()
        prefix = os.path.join(lab.facts["state"], "nic")
        outside = read_tcp(prefix + ".to-target.read.pcap") + read_tcp(prefix + ".to-client.written.pcap")
        rtts = rtts_of(sorted(outside), 80)
        check(len(rtts) >= 3990, f"the NIC saw {len(rtts)} exchanges")
        # Between the two lie the TAP device's queue, the wake-up of the NIC's
        # process and the client's own receive path: never negative, and small.
        gap = result["rtt_ns"]["p50"] - quantile(rtts, 0.5)
        check(0 <= gap < 300_000, f"median {result['rtt_ns']['p50']} against the NIC's {quantile(rtts, 0.5)}")


def file_gives_the_same_numbers():
    with Lab("--to-target", "match=syn loss=2%") as lab, tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "run.pcap")
        live = only(lab.probe("--write", file, "-r", "1000", "-c", "4000", f"{lab.address}:80"))
        read = run([os.environ["VOLLEY"], "read", "--json", file])
        check(read.status == 0, f"volley read: status {read.status}: {read.stderr}")
        again = only(read.json())
        for key in ("sent", "answered", "lost", "duplicates", "rtt_ns", "jitter_ns", "replies", "reply_ttl"):
            check(live[key] == again[key], f"{key}: live {live[key]}, from the file {again[key]}")


main(capture_of_the_same_run, stamps_of_the_nic, file_gives_the_same_numbers)
