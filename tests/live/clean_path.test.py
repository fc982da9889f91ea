"""On a path without trouble every probe is answered, and every prediction is right."""

import os

from harness import VOLLEY, Lab, check, main, near, only, run


def clean_run_of_20000():
    with Lab("--log") as lab:
        document = lab.probe("--rss", lab.rss, "--per-port", "-r", "2000", "-c", "20000", f"{lab.address}:80")
        result = only(document)
        for key, wanted in {"sent": 20000, "answered": 20000, "lost": 0, "duplicates": 0, "not_sent": 0}.items():
            check(result[key] == wanted, f"{key} is {result[key]}, wanted {wanted}")
        check(document["local"]["capture_drops"] == 0, "no capture drops")
        check(result["rtt_ns"]["count"] == 20000, "each answer has its RTT")
        check(result["rtt_ns"]["min"] > 0, "no RTT of zero")
        shares = [queue["sent"] / 20000 for queue in result["remote_queues"]["queues"]]
        check(len(shares) == 8, f"eight queues, got {len(shares)}")
        for queue, share in enumerate(shares):
            near(share, 0.125, 0.01, f"share of queue {queue}")
        truth = lab.truth()["to_target"]["queues"]
        for queue in result["remote_queues"]["queues"]:
            seen = next(one for one in truth if one["queue"] == queue["queue"])["kinds"]["syn"]["in"]
            check(seen == queue["sent"], f"queue {queue['queue']}: {queue['sent']} predicted, {seen} came")
        compare_probe_for_probe(lab)
        check(lab.truth()["own_drops"] == 0, "the lab itself dropped nothing")


def compare_probe_for_probe(lab):
    """Each SYN that the NIC logged, against the queue that volley computes for its flow."""
    lab.truth()  # flushes the log
    syns = [line for line in lab.log() if line["direction"] == "to-target" and line["kind"] == "syn"]
    check(len(syns) == 20000, f"the NIC saw {len(syns)} SYNs")
    actual = {}
    for line in syns:
        flow = f"{line['source']}:{line['source_port']}>{line['destination']}:{line['destination_port']}"
        actual.setdefault(flow, set()).add(line["queue"])
    flows_file = os.path.join(lab.facts["state"], "flows")
    with open(flows_file, "w") as file:
        file.write("\n".join(actual) + "\n")
    answer = run([VOLLEY, "rss", "--rss", lab.rss, "--flows", flows_file, "--json"]).json()
    os.unlink(flows_file)
    predicted = {
        f"{one['source']}:{one['source_port']}>{one['destination']}:{one['destination_port']}": str(one["queue"])
        for one in answer["flows"]
    }
    wrong = [flow for flow, queues in actual.items() if queues != {predicted.get(flow)}]
    check(not wrong, f"{len(wrong)} of {len(actual)} flows on another queue than predicted: {wrong[:3]}")


main(clean_run_of_20000)
