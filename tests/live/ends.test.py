"""How runs end: exit statuses, one line that helps, complete documents after an interrupt."""

import json
import os
import signal
import time

from harness import VOLLEY, Lab, check, end, main, only


def one_line(result, status, *words):
    check(result.status == status, f"status {result.status}, wanted {status}: {result.stderr}")
    lines = result.stderr.strip().splitlines()
    check(len(lines) == 1 and lines[0].startswith("volley: "), f"one line, got {result.stderr!r}")
    for word in words:
        check(word in result.stderr, f"'{word}' in {result.stderr!r}")


def statuses(lab):
    closed = lab.volley("probe", "--json", "-c", "200", f"{lab.address}:81")
    check(closed.status == 0, f"closed port: status {closed.status}")
    result = only(closed.json())
    check(result["answered"] == 200 and result["replies"]["rst"] == 200, f"closed port: {result['replies']}")

    dead = lab.volley("probe", "--json", "-c", "50", "-W", "500ms", f"10.78.{lab.net}.9:80")
    check(dead.status == 1, f"dead address: status {dead.status}")
    result = only(dead.json())
    check(result["answered"] == 0 and result["lost"] == 50, f"dead address: {result}")
    check(result["rtt_ns"]["count"] == 0 and result["rtt_ns"]["p50"] is None, f"nothing invented: {result['rtt_ns']}")

    for neighbour in (f"10.77.{lab.net}.99", f"[fd77:{lab.net}::99]"):
        absent = lab.volley("probe", "--json", "-c", "50", "-W", "500ms", f"{neighbour}:80")
        check(absent.status == 1, f"{neighbour}, which nobody has: status {absent.status}")
        result = only(absent.json())
        check(result["lost"] == 50 and result["answered"] == 0, f"{neighbour}, which nobody has: {result}")

    one_line(lab.volley("probe", "no-such-host.invalid"), 3, "no-such-host.invalid")
    one_line(lab.volley("probe", "--frobnicate", lab.address), 2, "--frobnicate")
    one_line(lab.volley("probe", "-I", "eth99", lab.address), 3, "eth99")
    one_line(lab.volley("probe", "-S", "192.0.2.1", lab.address), 3, "192.0.2.1")
    denied = lab.client(
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
        VOLLEY, "probe", lab.address,
    )  # fmt: skip
    one_line(denied, 3, "CAP_NET_RAW", "setcap")


def documents_after_a_signal(lab):
    for which in (signal.SIGINT, signal.SIGTERM):
        process = lab.start_volley("probe", "--json", "-d", "30", "-r", "500", f"{lab.address}:80")
        time.sleep(1.5)  # some of the run, however slow the machine is
        process.send_signal(which)
        result = end(process, 10)
        document = json.loads(result.stdout)
        check(document["interrupted"] is True, f"{which}: interrupted is {document['interrupted']}")
        measured = only(document)
        check(measured["answered"] > 0, f"{which}: {measured['answered']} answered")
        check(measured["lost"] == 0, f"{which}: in flight is not lost: {measured['lost']}")
        check(result.status == 0, f"{which}: status {result.status}")


def summary_on_quit(lab):
    process = lab.start_volley("probe", "-d", "4", f"{lab.address}:80")
    time.sleep(1.5)
    process.send_signal(signal.SIGQUIT)
    result = end(process, 20)
    check(result.status == 0, f"status {result.status}")
    check(result.stdout.count("probes ") >= 2, f"a summary and a report:\n{result.stdout}")


def broken_pipe(lab):
    process = lab.start_volley("probe", "-v", "-d", "20", f"{lab.address}:80")
    process.stdout.readline()
    process.stdout.close()
    status = process.wait(timeout=30)
    stderr = process.stderr.read()
    check(status in (0, 1, 3) and "rror" not in stderr, f"status {status}, {stderr!r}")
    check(not os.path.exists("core"), "no core")


def all_of_it():
    with Lab() as lab:
        statuses(lab)
        documents_after_a_signal(lab)
        summary_on_quit(lab)
        broken_pipe(lab)


main(all_of_it)
