"""Probes to this host itself: each frame is seen once on lo, over both families and all protocols.

Needs root, but no lab: also the live part of the thread sanitizer's run.
"""

import json
import os
import socket
import subprocess
import sys
import threading

VOLLEY = os.environ["VOLLEY"]
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("NOT SO: " + what)


def probe(*argv):
    done = subprocess.run([VOLLEY, "probe", "--json", *argv], capture_output=True, text=True, timeout=120)
    if "ThreadSanitizer" in done.stderr or "AddressSanitizer" in done.stderr or not done.stdout:
        print(done.stderr)
        sys.exit(1)
    return done.returncode, json.loads(done.stdout)["results"][0]


def listener(family):
    server = socket.socket(family, socket.SOCK_STREAM)
    server.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
    server.listen(4096)
    return server, server.getsockname()[1]


def echo_server(family):
    server = socket.socket(family, socket.SOCK_DGRAM)
    server.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))

    def serve():
        while True:
            try:
                data, peer = server.recvfrom(2048)
            except OSError:
                return
            if data == b"stop":
                return
            server.sendto(data, peer)

    threading.Thread(target=serve, daemon=True).start()
    return server, server.getsockname()[1]


def expect(result, status, kind, count, what):
    check(status == 0, f"{what}: status {status}")
    check(result["sent"] == count and result["answered"] == count, f"{what}: {result['answered']} of {result['sent']}")
    check(result["lost"] == 0 and result["duplicates"] == 0, f"{what}: lost {result['lost']}, twice {result['duplicates']}")
    check(result["replies"][kind] == count, f"{what}: {result['replies']}")
    check(result["rtt_ns"]["count"] == count and result["rtt_ns"]["min"] > 0, f"{what}: RTT {result['rtt_ns']}")


if os.geteuid() != 0:
    print("needs root")
    sys.exit(77)
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "[::1]")):
    if family == socket.AF_INET6 and not os.path.exists("/proc/net/if_inet6"):
        continue
    server, port = listener(family)
    status, result = probe("-c", "500", f"{host}:{port}")
    expect(result, status, "syn_ack", 500, f"open port at {host}")
    server.close()
    status, result = probe("-c", "500", f"{host}:{port}")
    expect(result, status, "rst", 500, f"closed port at {host}")
    status, result = probe("--icmp", "-c", "300", host.strip("[]"))
    expect(result, status, "echo_reply", 300, f"echo at {host}")
    echo, port = echo_server(family)
    status, result = probe("--udp", "--udp-payload", "echo", "-r", "500", "-c", "300", f"{host}:{port}")
    expect(result, status, "udp_reply", 300, f"UDP echo at {host}")
    echo.close()
sys.exit(1 if failures else 0)
