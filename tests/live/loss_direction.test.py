"""Whether probes or replies are lost, from what the target sends again."""

from harness import Lab, check, main, only


def shares(result):
    lost = max(result["lost"], 1)
    return {way: count / lost for way, count in result["loss_direction"].items()}


def replies_lost():
    with Lab("--to-client", "match=synack loss=10%") as lab:
        for rate in ("1000", "2000"):
            document = lab.probe("-r", rate, "-d", "8", "--source-port-count", "1024", f"{lab.address}:80")
            result = only(document)
            check(0.08 <= result["loss_ratio"] <= 0.12, f"at {rate}/s: loss ratio {result['loss_ratio']}")
            check(shares(result)["reverse"] >= 0.85, f"at {rate}/s: directions {result['loss_direction']}")


def requests_lost():
    with Lab("--to-target", "match=syn loss=10%") as lab:
        result = only(lab.probe("-d", "6", f"{lab.address}:80"))
        check(0.08 <= result["loss_ratio"] <= 0.12, f"loss ratio {result['loss_ratio']}")
        check(result["loss_direction"]["reverse"] == 0, f"directions {result['loss_direction']}")


def cookies_tell_nothing():
    with Lab("--syncookies", "2", "--to-client", "match=synack loss=10%") as lab:
        result = only(lab.probe("-d", "5", f"{lab.address}:80"))
        check(result["lost"] > 0, "replies were lost")
        check(result["loss_direction"]["unknown"] == result["lost"], f"directions {result['loss_direction']}")


def both_ways():
    with Lab("--to-target", "match=syn loss=5%", "--to-client", "match=synack loss=5%") as lab:
        result = only(lab.probe("-d", "8", f"{lab.address}:80"))
        truth = lab.truth()
        forward = truth["to_target"]["total"]["kinds"]["syn"]["dropped"]
        direction = result["loss_direction"]
        # The truth counts each SYN-ACK lost, the resent ones too: compare the forward ones.
        slack = 4 * (forward**0.5) + 10
        check(abs(direction["forward"] - forward) <= slack, f"{forward} lost forward, reported {direction}")
        check(direction["reverse"] >= 0.8 * (result["lost"] - forward), f"reverse: {direction} of {result['lost']}")


main(replies_lost, requests_lost, cookies_tell_nothing, both_ways)
