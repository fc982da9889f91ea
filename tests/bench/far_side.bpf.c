// The far side of the bench's lab, in XDP: answers or drops every probe, and
// counts what passes each end of the veth pair.
//
// So cheap that the tools under test are the limit, not their target. A SYN
// gets a SYN-ACK (its options come back as they were), an echo request its
// reply, a datagram itself; resets are counted and dropped. Everything else
// goes to the kernel. One copy runs on each receive queue; the counters are per
// CPU. Loaded by far_side.cc.
#include "far_side.h"

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>

// The kernel's own header of ICMP draws in the C library's, which has none for
// this machine. Both families' echoes have one layout (RFC 792, RFC 4443).
struct echo_header {
  __u8 type;
  __u8 code;
  __sum16 checksum;
  __be16 identifier;
  __be16 sequence;
};

enum echo_type {
  ECHO_REPLY_V4 = 0,
  ECHO_REQUEST_V4 = 8,
  ECHO_REQUEST_V6 = 128,
  ECHO_REPLY_V6 = 129,
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
} mode SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, SIDE_COUNT* KIND_COUNT);
  __type(key, __u32);
  __type(value, __u64);
} counters SEC(".maps");

struct frame {
  struct ethhdr* ethernet;
  void* transport;  // inside the frame for as many bytes as its kind says
  int is_v6;
};

static __always_inline void count(__u32 side, __u32 kind) {
  __u32 key = side * KIND_COUNT + kind;
  __u64* counter = bpf_map_lookup_elem(&counters, &key);
  if (counter) ++*counter;
}

static __always_inline __u32 kind_of_tcp(const struct tcphdr* tcp) {
  if (tcp->rst) return KIND_RESET;
  if (tcp->syn) return tcp->ack ? KIND_SYN_ACK : KIND_SYN;
  return KIND_OTHER_TCP;
}

static __always_inline __u32 classify(struct xdp_md* context, struct frame* frame) {
  void* const end = (void*)(long)context->data_end;
  struct ethhdr* ethernet = (void*)(long)context->data;
  if ((void*)(ethernet + 1) > end) return KIND_OTHER;
  __u8 protocol;
  frame->ethernet = ethernet;
  frame->is_v6 = 0;
  if (ethernet->h_proto == bpf_htons(ETH_P_IP)) {
    struct iphdr* ip = (void*)(ethernet + 1);
    if ((void*)(ip + 1) > end || ip->ihl != 5) return KIND_OTHER;
    frame->transport = ip + 1;
    protocol = ip->protocol;
  } else if (ethernet->h_proto == bpf_htons(ETH_P_IPV6)) {
    struct ipv6hdr* ip = (void*)(ethernet + 1);
    if ((void*)(ip + 1) > end) return KIND_OTHER;
    frame->is_v6 = 1;
    frame->transport = ip + 1;
    protocol = ip->nexthdr;
  } else {
    return KIND_OTHER;
  }
  if (protocol == IPPROTO_TCP) {
    struct tcphdr* tcp = frame->transport;
    return (void*)(tcp + 1) > end ? KIND_OTHER : kind_of_tcp(tcp);
  }
  if (protocol == IPPROTO_UDP) {
    struct udphdr* udp = frame->transport;
    return (void*)(udp + 1) > end ? KIND_OTHER : KIND_UDP;
  }
  struct echo_header* echo = frame->transport;
  if ((void*)(echo + 1) > end) return KIND_OTHER;
  if (protocol == IPPROTO_ICMP && echo->type == ECHO_REQUEST_V4) return KIND_ECHO_REQUEST;
  if (protocol == IPPROTO_ICMP && echo->type == ECHO_REPLY_V4) return KIND_ECHO_REPLY;
  if (protocol == IPPROTO_ICMPV6 && echo->type == ECHO_REQUEST_V6) return KIND_ECHO_REQUEST;
  if (protocol == IPPROTO_ICMPV6 && echo->type == ECHO_REPLY_V6) return KIND_ECHO_REPLY;
  return KIND_OTHER;
}

// Exchanges of addresses and ports leave every checksum as it was.
static __always_inline void turn_round(struct frame* frame) {
  __u8 hardware[ETH_ALEN];
  __builtin_memcpy(hardware, frame->ethernet->h_dest, ETH_ALEN);
  __builtin_memcpy(frame->ethernet->h_dest, frame->ethernet->h_source, ETH_ALEN);
  __builtin_memcpy(frame->ethernet->h_source, hardware, ETH_ALEN);
  void* const network = frame->ethernet + 1;
  if (frame->is_v6) {
    struct ipv6hdr* ip = network;
    const struct in6_addr address = ip->daddr;
    ip->daddr = ip->saddr;
    ip->saddr = address;
  } else {
    struct iphdr* ip = network;
    const __be32 address = ip->daddr;
    ip->daddr = ip->saddr;
    ip->saddr = address;
  }
}

// RFC 1624, in the byte order of the wire: a checksum does not mind.
static __always_inline __u16 checksum_after(__u16 checksum, __s64 difference) {
  __u64 sum = (__u16)~checksum + (__u64)difference;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return (__u16)~sum;
}

static __always_inline void answer_syn(struct tcphdr* tcp) {
  // Sequence and acknowledgement number, then the word with the flags.
  enum { WORDS = 3 };
  __be32 before[WORDS], after[WORDS];
  __be32* words = &tcp->seq;
  __builtin_memcpy(before, words, sizeof before);
  const __be32 sequence = tcp->seq;
  // Any number does; an answer of its own for each probe shows up mix-ups.
  tcp->seq = ~sequence;
  tcp->ack_seq = bpf_htonl(bpf_ntohl(sequence) + 1);
  tcp->ack = 1;
  __builtin_memcpy(after, words, sizeof after);
  const __s64 difference = bpf_csum_diff(before, sizeof before, after, sizeof after, 0);
  tcp->check = checksum_after(tcp->check, difference);
  const __be16 port = tcp->dest;
  tcp->dest = tcp->source;
  tcp->source = port;
}

static __always_inline void answer_echo(struct echo_header* echo, int is_v6) {
  const __be16 before = bpf_htons((__u16)(echo->type << 8));
  echo->type = is_v6 ? ECHO_REPLY_V6 : ECHO_REPLY_V4;
  const __be16 after = bpf_htons((__u16)(echo->type << 8));
  echo->checksum = checksum_after(echo->checksum, (__s64)(__u16)~before + after);
}

static __always_inline int answer(struct frame* frame, __u32 kind) {
  if (kind == KIND_SYN) {
    answer_syn(frame->transport);
  } else if (kind == KIND_ECHO_REQUEST) {
    answer_echo(frame->transport, frame->is_v6);
  } else {
    struct udphdr* udp = frame->transport;
    const __be16 port = udp->dest;
    udp->dest = udp->source;
    udp->source = port;
  }
  turn_round(frame);
  return XDP_TX;
}

SEC("xdp")
int far_end(struct xdp_md* context) {
  struct frame frame;
  const __u32 kind = classify(context, &frame);
  count(SIDE_FAR, kind);
  if (kind == KIND_OTHER) return XDP_PASS;  // ARP and neighbour discovery among them
  if (kind != KIND_SYN && kind != KIND_ECHO_REQUEST && kind != KIND_UDP) return XDP_DROP;
  const __u32 key = 0;
  const __u32* chosen = bpf_map_lookup_elem(&mode, &key);
  if (!chosen || *chosen == FAR_SIDE_SINK) return XDP_DROP;
  return answer(&frame, kind);
}

// The peer of a veth that transmits from XDP needs a program too.
SEC("xdp")
int near_end(struct xdp_md* context) {
  struct frame frame;
  count(SIDE_NEAR, classify(context, &frame));
  return XDP_PASS;
}

// Only helpers that any licence may call are used.
char licence[] SEC("license") = "MIT";
