"""What this host does itself is never called loss: queueing, firewalls, other runs, memory."""

import json
import re

from harness import VOLLEY, Lab, check, end, main, only


def syns_that_came(lab):
    return lab.truth()["to_target"]["total"]["kinds"].get("syn", {"in": 0})["in"]


def full_queueing_discipline():
    with Lab() as lab:
        lab.client("tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", "200kbit", "burst", "2kb", "limit", "4kb")
        before = syns_that_came(lab)
        result = only(lab.probe("-r", "2000", "-d", "3", f"{lab.address}:80"))
        reached = syns_that_came(lab) - before
        check(result["not_sent"] > 1000, f"{result['not_sent']} not sent")
        check(result["lost"] <= 5, f"{result['lost']} lost: the path loses nothing")
        check(abs(result["sent"] - reached) <= 5, f"{result['sent']} sent, {reached} came")


def output_rule():
    with Lab() as lab:
        add_rule(lab, "output", "tcp dport 80 drop")
        run = lab.volley("probe", "--json", "-c", "300", f"{lab.address}:80")
        check(run.status == 3, f"status {run.status}")
        result = only(run.json())
        check(result["not_sent"] == 300 and result["sent"] == 0, f"sent {result['sent']}, not sent {result['not_sent']}")
        text = lab.volley("probe", "-c", "300", f"{lab.address}:80")
        check("EPERM" in text.stdout + text.stderr, f"EPERM is named:\n{text.stdout}{text.stderr}")


def add_rule(lab, hook, rule):
    lab.client("nft", "add", "table", "inet", "t")
    lab.client("nft", "add", "chain", "inet", "t", hook, f"{{ type filter hook {hook} priority 0; }}")
    result = lab.client("nft", "add", "rule", "inet", "t", hook, *rule.split())
    check(result.status == 0, f"nft: {result.stderr}")


def half_open(lab):
    text = lab.target("ss", "-Htn", "state", "syn-recv").stdout
    return len(text.strip().splitlines())


def input_rule_that_drops_invalid():
    with Lab() as lab:
        add_rule(lab, "input", "ct state invalid drop")
        run = lab.volley("probe", "-r", "2000", "-d", "4", f"{lab.address}:80")
        left = half_open(lab)
        check(left < 200, f"{left} half-open entries are left at the target")
        check(run.status == 0, f"status {run.status}: {run.stderr}")


def resets_that_do_not_leave():
    with Lab() as lab:
        add_rule(lab, "output", "tcp flags & rst == rst drop")
        run = lab.volley("probe", "-r", "1000", "-d", "4", f"{lab.address}:80")
        left = half_open(lab)
        said = run.stdout + run.stderr
        check("reset" in said, f"the report says that resets don't leave:\n{said}")
        check(left < 1000, f"{left} half-open entries are left at the target")


def two_runs_side_by_side():
    with Lab() as lab:
        for argv in (["-r", "1500", f"{lab.address}:80"], ["--icmp", "-r", "500", lab.address]):
            both = [lab.start_volley("probe", "--json", "-d", "4", *argv) for _ in range(2)]
            for process in both:
                document = json.loads(end(process).stdout)
                result = only(document)
                check(result["lost"] == 0, f"{argv}: {result['lost']} lost")
                check(result["duplicates"] == 0, f"{argv}: {result['duplicates']} duplicates")
                check(result["answered"] == result["sent"], f"{argv}: {result['answered']} of {result['sent']}")
                check(result["stale_half_open"] == 0, f"{argv}: {result['stale_half_open']} stale")


def peak_memory_mb(lab, *argv):
    run = lab.client("/usr/bin/time", "-v", VOLLEY, "probe", "--json", *argv, timeout=120)
    found = re.search(r"Maximum resident set size \(kbytes\): (\d+)", run.stderr)
    return int(found.group(1)) / 1024, run


def memory():
    with Lab() as lab:
        peak, run = peak_memory_mb(lab, "-r", "20000", "-c", "200000", f"{lab.address}:80")
        document = run.json()
        result = only(document)
        check(peak < 96, f"peak {peak:.1f} MB at 20,000/s")
        check(result["sent"] == 200000 and result["lost"] == 0, f"{result['sent']} sent, {result['lost']} lost")
        check(document["local"]["capture_drops"] == 0, f"capture drops {document['local']['capture_drops']}")
        peak, _ = peak_memory_mb(lab, "-d", "3", f"{lab.address}:80")
        check(peak < 24, f"peak {peak:.1f} MB at 1,000/s")


main(
    full_queueing_discipline,
    output_rule,
    input_rule_that_drops_invalid,
    resets_that_do_not_leave,
    two_runs_side_by_side,
    memory,
)
