"""One queue that loses or is slow is named, and the others are left alone."""

from harness import Lab, check, main, near, only


def lossy_queue_is_named():
    with Lab("--to-target", "queue=3 match=syn loss=5%") as lab:
        text = lab.volley("probe", "--rss", lab.rss, "-d", "8", f"{lab.address}:80")
        check(text.status == 0, f"status {text.status}")
        check("FINDING queue 3 loses packets" in text.stdout, "the finding names queue 3:\n" + text.stdout)
        document = lab.probe("--rss", lab.rss, "-d", "8", f"{lab.address}:80")
        result = only(document)
        for queue in result["remote_queues"]["queues"]:
            if queue["queue"] == 3:
                near(queue["loss_ratio"], 0.05, 0.03, "loss of queue 3")
            else:
                check(queue["lost"] == 0, f"queue {queue['queue']} lost {queue['lost']}")
        kinds = [finding["kind"] for finding in document["findings"]]
        check("queue_loss" in kinds, f"findings: {kinds}")


def median_of_slow_queue(lab, *argv):
    result = only(lab.probe("--rss", lab.rss, "-r", "2000", "-d", "4", *argv))
    queues = {queue["queue"]: queue["rtt_ns"]["p50"] for queue in result["remote_queues"]["queues"]}
    check(result["lost"] == 0, f"{argv}: {result['lost']} lost")
    others = sorted(median for queue, median in queues.items() if queue != 5)
    middle = others[len(others) // 2]
    near(queues[5] - middle, 3_000_000, 200_000, f"{argv}: p50 of queue 5 above the others'")
    check(others[-1] - others[0] < 100_000, f"{argv}: the other queues agree: {others}")


def slow_queue_by_tcp_udp_and_ipv6():
    with Lab("--to-target", "queue=5 delay=3ms") as lab:
        median_of_slow_queue(lab, f"{lab.address}:80")
        median_of_slow_queue(lab, f"[{lab.address6}]:80")
        median_of_slow_queue(lab, "--udp", "--udp-payload", "echo", f"{lab.address}:7")
        median_of_slow_queue(lab, "--udp", "--udp-payload", "echo", f"[{lab.address6}]:7")


def icmp_is_one_queue_and_says_why():
    with Lab() as lab:
        result = only(lab.probe("--icmp", "--rss", lab.rss, "-c", "500", lab.address))
        used = [queue for queue in result["remote_queues"]["queues"] if queue["sent"] > 0]
        check(len(used) == 1 and used[0]["sent"] == 500, f"one queue gets all echoes: {used}")
        check(result["replies"]["echo_reply"] == 500, "all echoes came back")
        text = lab.volley("probe", "--icmp", "--rss", lab.rss, "-c", "100", lab.address).stdout
        check("addresses" in text and "queue" in text, "the report says why:\n" + text)


main(lossy_queue_is_named, slow_queue_by_tcp_udp_and_ipv6, icmp_is_one_queue_and_says_why)
