// Golden frames: real bytes, each below the line that tcpdump (-nn -t -v, -e with tags or cooked headers) prints of it.
//
// Invariant: the checksums are right wherever the header is. Constant data: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "volley/wire/decode_status.h"
#include "volley/wire/link_type.h"

namespace volley::wire::golden {

struct Frame {
  std::string_view name;
  LinkType link_type = LinkType::ethernet;
  DecodeStatus status = DecodeStatus::ok;
  std::size_t header_bytes = 0;  // the shortest prefix that holds every header; 0 if the whole frame is not ok
  std::string_view hex;

  std::vector<std::uint8_t> bytes() const;
};

inline unsigned hex_value(char digit) {
  return static_cast<unsigned>(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
}

inline std::vector<std::uint8_t> Frame::bytes() const {
  std::vector<std::uint8_t> result;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    result.push_back(static_cast<std::uint8_t>(hex_value(hex[i]) * 16 + hex_value(hex[i + 1])));
  }
  return result;
}

inline constexpr Frame kFrames[] = {
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto TCP (6), length 60) 10.0.3.9.40211 > 10.0.3.7.443:
    // Flags [S], cksum 0xb22d (correct), seq 3735928559, win 64240, options [mss 1460,sackOK,TS val 287454020 ecr
    // 0,nop,wscale 7], length 0
    {"eth_syn", LinkType::ethernet, DecodeStatus::ok, 74,
     "02000000000702000000000908004500003c1234400040060e790a0003090a0003079d1301bbdeadbeef00000000a002faf0b22d"
     "0000020405b40402080a112233440000000001030307"},
    // 02:00:00:00:00:09 > 02:00:00:00:00:07, ethertype 802.1Q (0x8100), length 78: vlan 42, p 3, ethertype IPv4
    // (0x0800), (tos 0x0, ttl 64, id 0, offset 0, flags [DF], proto TCP (6), length 60) 10.0.3.7.443 >
    // 10.0.3.9.40211: Flags [S.], cksum 0xdd8d (correct), seq 16909060, ack 3735928560, win 65160, options [mss
    // 1460,sackOK,TS val 1432778632 ecr 287454020,nop,wscale 9], length 0
    {"eth_vlan_syn_ack", LinkType::ethernet, DecodeStatus::ok, 78,
     "0200000000070200000000098100602a08004500003c00004000400620ad0a0003070a00030901bb9d1301020304deadbef0a012"
     "fe88dd8d0000020405b40402080a556677881122334401030309"},
    // 02:00:00:00:00:09 > 02:00:00:00:00:07, ethertype 802.1Q-QinQ (0x88a8), length 64: vlan 100, p 0, ethertype
    // 802.1Q (0x8100), vlan 7, p 0, ethertype IPv4 (0x0800), (tos 0x0, ttl 64, id 0, offset 0, flags [DF], proto
    // TCP (6), length 40) 10.0.3.7.443 > 10.0.3.9.40211: Flags [R.], cksum 0x5954 (correct), seq 0, ack
    // 3735928560, win 0, length 0
    {"eth_qinq_rst_padded", LinkType::ethernet, DecodeStatus::ok, 62,
     "02000000000702000000000988a800648100000708004500002800004000400620c10a0003070a00030901bb9d1300000000dead"
     "bef05014000059540000a5a5"},
    // IP (tos 0x0, ttl 64, id 17185, offset 0, flags [DF], proto TCP (6), length 52) 10.0.3.7.443 >
    // 10.0.3.9.40211: Flags [.], cksum 0xeb68 (correct), ack 3405705229, win 509, options [nop,nop,TS val
    // 1432778649 ecr 287454020], length 0
    {"eth_challenge_ack", LinkType::ethernet, DecodeStatus::ok, 66,
     "020000000007020000000009080045000034432140004006dd930a0003070a00030901bb9d1301020305cafef00d801001fdeb68"
     "00000101080a5566779911223344"},
    // IP bad-len 0
    {"eth_tso_total_length_zero", LinkType::ethernet, DecodeStatus::ok, 54,
     "0200000000070200000000090800450000001234400040060eb50a0003090a0003079d1301bb0000000100000002501801f56d4f"
     "00007878787878787878787878787878787878787878787878787878787878787878"},
    // IP (tos 0xb8, ttl 64, id 4660, offset 0, flags [DF], proto UDP (17), length 30) 10.0.3.9.33017 > 10.0.3.7.7:
    // UDP, length 2
    {"eth_udp_padded", LinkType::ethernet, DecodeStatus::ok, 42,
     "020000000007020000000009080045b8001e1234400040110dd40a0003090a00030780f90007000afc6068690000000000000000"
     "0000000000000000"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto UDP (17), length 38, options (RA)) 10.0.3.9.33017
    // > 10.0.3.7.7: UDP, length 6
    {"eth_ipv4_options_udp", LinkType::ethernet, DecodeStatus::ok, 46,
     "020000000007020000000009080046000026123440004011797f0a0003090a0003079404000080f90007000e1c6d766f6c6c6579"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [+], proto UDP (17), length 52) 10.0.3.9.33017 > 10.0.3.7.7:
    // UDP, length 2000
    {"eth_first_fragment_udp", LinkType::ethernet, DecodeStatus::ok, 42,
     "0200000000070200000000090800450000341234200040112e760a0003090a00030780f9000707d8901966666666666666666666"
     "6666666666666666666666666666"},
    // Out 02:00:00:00:00:09 ethertype IPv4 (0x0800), length 50: (tos 0x0, ttl 64, id 4660, offset 0, flags [DF],
    // proto UDP (17), length 34) 10.0.3.9.33017 > 10.0.3.7.33434: UDP, length 6
    {"sll1_outgoing_udp", LinkType::linux_cooked_v1, DecodeStatus::ok, 44,
     "00040001000602000000000900000800450000221234400040110e880a0003090a00030780f9829a000e99d9766f6c6c6579"},
    // In 02:00:00:00:00:09 ethertype 802.1Q (0x8100), length 80: vlan 5, p 0, ethertype IPv4, (tos 0x0, ttl 64, id
    // 4660, offset 0, flags [DF], proto TCP (6), length 60) 10.0.3.9.40211 > 10.0.3.7.443: Flags [S], cksum 0xb22d
    // (correct), seq 3735928559, win 64240, options [mss 1460,sackOK,TS val 287454020 ecr 0,nop,wscale 7], length
    // 0
    {"sll1_vlan_incoming_syn", LinkType::linux_cooked_v1, DecodeStatus::ok, 80,
     "00000001000602000000000900008100000508004500003c1234400040060e790a0003090a0003079d1301bbdeadbeef00000000"
     "a002faf0b22d0000020405b40402080a112233440000000001030307"},
    // ifb1 In ifindex 3 02:00:00:00:00:07 ethertype IPv6 (0x86dd), length 74: (class 0x28, flowlabel 0xbeef5, hlim
    // 64, next-header UDP (17) payload length: 14) 2001:db8::7.7 > 2001:db8::9.33017: [udp sum ok] UDP, length 6
    {"sll2_incoming_udp6", LinkType::linux_cooked_v2, DecodeStatus::ok, 68,
     "86dd000000000003000100060200000000070000628beef5000e114020010db800000000000000000000000720010db800000000"
     "0000000000000009000780f9000edafa766f6c6c6579"},
    // ? Out ifindex 70000 02:00:00:00:00:07 ethertype IPv6 (0x86dd), length 100: (hlim 64, next-header TCP (6)
    // payload length: 40) 2001:db8::9.40211 > 2001:db8::7.443: Flags [S], cksum 0x70bb (correct), seq 3735928559,
    // win 64240, options [mss 1460,sackOK,TS val 287454020 ecr 0,nop,wscale 7], length 0
    {"sll2_outgoing_syn6", LinkType::linux_cooked_v2, DecodeStatus::ok, 100,
     "86dd000000011170000104060200000000070000600000000028064020010db800000000000000000000000920010db800000000"
     "00000000000000079d1301bbdeadbeef00000000a002faf070bb0000020405b40402080a112233440000000001030307"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto ICMP (1), length 42) 10.0.3.9 > 10.0.3.7: ICMP
    // echo request, id 7, seq 258, length 22
    {"raw_echo_request", LinkType::raw_ip, DecodeStatus::ok, 28,
     "4500002a1234400040010e900a0003090a000307080051e400070102766f6c6c65792d7061796c6f6164"},
    // IP6 (hlim 64, next-header ICMPv6 (58) payload length: 22) 2001:db8::7 > 2001:db8::9: [icmp6 sum ok] ICMP6,
    // echo reply, id 7, seq 258
    {"raw_echo_reply6", LinkType::raw_ip, DecodeStatus::ok, 48,
     "6000000000163a4020010db800000000000000000000000720010db800000000000000000000000981007d1100070102766f6c6c"
     "65792d7061796c6f6164"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto TCP (6), length 60) 10.0.3.9.40211 > 10.0.3.7.443:
    // Flags [S], cksum 0xb22d (correct), seq 3735928559, win 64240, options [mss 1460,sackOK,TS val 287454020 ecr
    // 0,nop,wscale 7], length 0
    {"null_little_endian_syn", LinkType::null_loopback, DecodeStatus::ok, 64,
     "020000004500003c1234400040060e790a0003090a0003079d1301bbdeadbeef00000000a002faf0b22d0000020405b40402080a"
     "112233440000000001030307"},
    // IP6 (hlim 64, next-header ICMPv6 (58) payload length: 9) 2001:db8::9 > 2001:db8::7: [icmp6 sum ok] ICMP6,
    // echo request, id 7, seq 258
    {"null_big_endian_darwin_echo6", LinkType::null_loopback, DecodeStatus::ok, 52,
     "0000001e6000000000093a4020010db800000000000000000000000920010db80000000000000000000000078000ab3000070102"
     "78"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto TCP (6), length 60) 10.0.3.9.40211 > 10.0.3.7.443:
    // Flags [S], cksum 0xb22d (correct), seq 3735928559, win 64240, options [mss 1460,sackOK,TS val 287454020 ecr
    // 0,nop,wscale 7], length 0
    {"loop_syn", LinkType::loop, DecodeStatus::ok, 64,
     "000000024500003c1234400040060e790a0003090a0003079d1301bbdeadbeef00000000a002faf0b22d0000020405b40402080a"
     "112233440000000001030307"},
    // IP6 (hlim 64, next-header Options (0) payload length: 112) 2001:db8::9 > 2001:db8::7: HBH (rtalert: 0x0000)
    // (padn) DSTOPT (padn) RT6 (len=2, type=4, segleft=0, last-entry=0, flags=0x0, tag=0, [0]2001:db8::5)
    // AH(length=4(24-bytes),spi=0x00001000,seq=0x1,icv=0x000102030405060708090a0b): 40211 > 443: Flags [S], cksum
    // 0x70bb (incorrect -> 0x70bd), seq 3735928559, win 64240, options [mss 1460,sackOK,TS val 287454020 ecr
    // 0,nop,wscale 7], length 0
    {"eth_ipv6_extensions_syn", LinkType::ethernet, DecodeStatus::ok, 166,
     "02000000000702000000000986dd600000000070004020010db800000000000000000000000920010db800000000000000000000"
     "00073c000502000001002b01010c000000000000000000000000330204000000000020010db80000000000000000000000050604"
     "00000000100000000001000102030405060708090a0b9d1301bbdeadbeef00000000a002faf070bb0000020405b40402080a1122"
     "33440000000001030307"},
    // IP6 (hlim 64, next-header Fragment (44) payload length: 32) 2001:db8::9 > 2001:db8::7: frag
    // (0x0000cafe:0|24) 33017 > 33434: UDP, length 16
    {"eth_ipv6_first_fragment_udp", LinkType::ethernet, DecodeStatus::ok, 70,
     "02000000000702000000000986dd6000000000202c4020010db800000000000000000000000920010db800000000000000000000"
     "0007110000010000cafe80f9829a0018717130313233343536373839616263646566"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 56) 10.9.9.1 > 10.0.3.9: ICMP
    // time exceeded in-transit, length 36 IP (tos 0x0, ttl 1, id 4660, offset 0, flags [DF], proto TCP (6), length
    // 60) 10.0.3.9.40211 > 10.0.3.7.443: [|tcp]
    {"eth_ttl_exceeded_8_bytes", LinkType::ethernet, DecodeStatus::ok, 70,
     "02000000000702000000000908004500003812340000fa018e7e0a0909010a0003090b00b893000000004500003c123440000106"
     "4d790a0003090a0003079d1301bbdeadbeef"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 168) 10.9.9.1 > 10.0.3.9: ICMP
    // time exceeded in-transit, length 148 IP (tos 0x0, ttl 1, id 4660, offset 0, flags [DF], proto TCP (6),
    // length 60) 10.0.3.9.40211 > 10.0.3.7.443: tcp 40 [bad hdr length 0 - too short, < 20] ICMP Multi-Part
    // extension v2, checksum 0xca0d (correct), length 12 MPLS Stack Entry Object (1), Class-Type: 1, length 8
    // label 16001, tc 0, [S], ttl 1
    {"eth_ttl_exceeded_mpls", LinkType::ethernet, DecodeStatus::ok, 70,
     "0200000000070200000000090800450000a812340000fa018e0e0a0909010a0003090b00b873002000004500003c123440000106"
     "4d790a0003090a0003079d1301bbdeadbeef00000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000002000ca0d0008010103e81101"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 88) 10.9.9.1 > 10.0.3.9: ICMP
    // host 10.0.3.7 unreachable, length 68 IP (tos 0x0, ttl 60, id 4660, offset 0, flags [DF], proto TCP (6),
    // length 60) 10.0.3.9.40211 > 10.0.3.7.443: Flags [S], cksum 0xb22d (correct), seq 3735928559, win 64240,
    // options [mss 1460,sackOK,TS val 287454020 ecr 0,nop,wscale 7], length 0
    {"eth_host_unreachable_whole_syn", LinkType::ethernet, DecodeStatus::ok, 70,
     "02000000000702000000000908004500005812340000fa018e5e0a0909010a0003090301173d000000004500003c123440003c06"
     "12790a0003090a0003079d1301bbdeadbeef00000000a002faf0b22d0000020405b40402080a112233440000000001030307"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 62) 10.0.3.7 > 10.0.3.9: ICMP
    // 10.0.3.7 udp port 33434 unreachable, length 42 IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto UDP
    // (17), length 34) 10.0.3.9.33017 > 10.0.3.7.33434: UDP, length 6
    {"eth_port_unreachable_udp", LinkType::ethernet, DecodeStatus::ok, 70,
     "02000000000702000000000908004500003e12340000fa01947b0a0003070a0003090303172c0000000045000022123440004011"
     "0e880a0003090a00030780f9829a000e99d9766f6c6c6579"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 56) 10.9.9.1 > 10.0.3.9: ICMP
    // 10.0.3.7 unreachable - need to frag (mtu 1400), length 36 IP (tos 0x0, ttl 1, id 4660, offset 0, flags [DF],
    // proto TCP (6), length 60) 10.0.3.9.40211 > 10.0.3.7.443: [|tcp]
    {"eth_fragmentation_needed", LinkType::ethernet, DecodeStatus::ok, 70,
     "02000000000702000000000908004500003812340000fa018e7e0a0909010a0003090304bb17000005784500003c123440000106"
     "4d790a0003090a0003079d1301bbdeadbeef"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 62) 10.9.9.1 > 10.0.3.9: ICMP
    // host 10.0.3.7 unreachable - admin prohibited filter, length 42 IP (tos 0x0, ttl 64, id 4660, offset 0, flags
    // [DF], proto ICMP (1), length 34) 10.0.3.9 > 10.0.3.7: ICMP echo request, id 7, seq 258, length 14
    {"eth_admin_prohibited_echo", LinkType::ethernet, DecodeStatus::ok, 70,
     "02000000000702000000000908004500003e12340000fa018e780a0909010a000309030dfcf20000000045000022123440004001"
     "0e980a0003090a0003070800aea100070102766f6c6c6579"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 96) 10.9.9.1 > 10.0.3.9: ICMP
    // parameter problem - octet 20, length 76 IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto TCP (6),
    // length 68, options (RR 0.0.0.0 0.0.0.0 0.0.0.0 0.0.0.0 0.0.0.0 0.0.0.0 0.0.0.0 0.0.0.0 0.0.0.0,EOL))
    // 10.0.3.9.40211 > 10.0.3.7.443: [|tcp]
    {"eth_quote_ihl_15", LinkType::ethernet, DecodeStatus::ok, 110,
     "02000000000702000000000908004500006012340000fa018e560a0909010a0003090c00a393140000004f000044123440004006"
     "f9490a0003090a000307072704000000000000000000000000000000000000000000000000000000000000000000000000009d13"
     "01bbdeadbeef"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 56) 10.9.9.1 > 10.0.3.9: ICMP
    // host 10.0.3.7 unreachable, length 36 IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto TCP (6),
    // length 20, bad cksum e79 (->ea1)!) 10.0.3.9 > 10.0.3.7: [|tcp]
    {"eth_quote_length_altered", LinkType::ethernet, DecodeStatus::ok, 70,
     "02000000000702000000000908004500003812340000fa018e7e0a0909010a0003090301c0ba0000000045000014123440004006"
     "0e790a0003090a0003079d1301bbdeadbeef"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 60) 10.9.9.1 > 10.0.3.9: ICMP
    // ip reassembly time exceeded, length 40 IP (tos 0x0, ttl 64, id 4660, offset 1480, flags [none], proto UDP
    // (17), length 32) 10.0.3.9 > 10.0.3.7: ip-proto-17
    {"eth_quote_later_fragment", LinkType::ethernet, DecodeStatus::ok, 62,
     "02000000000702000000000908004500003c12340000fa018e7a0a0909010a0003090b0158170000000045000020123400b94011"
     "4dd10a0003090a0003076c6174657220627974657321"},
    // IP6 (hlim 250, next-header ICMPv6 (58) payload length: 72) 2001:db8::7 > 2001:db8::9: [icmp6 sum ok] ICMP6,
    // destination unreachable, unreachable port, 2001:db8::7 udp port 33434
    {"eth_port_unreachable_udp6", LinkType::ethernet, DecodeStatus::ok, 110,
     "02000000000702000000000986dd6000000000483afa20010db800000000000000000000000720010db800000000000000000000"
     "0009010431c800000000600000000018114020010db800000000000000000000000920010db800000000000000000000000780f9"
     "829a0018717130313233343536373839616263646566"},
    // IP6 (hlim 250, next-header ICMPv6 (58) payload length: 88) 2001:db8:ffff::1 > 2001:db8::9: [icmp6 sum ok]
    // ICMP6, packet too big, mtu 1280
    {"eth_packet_too_big_syn6", LinkType::ethernet, DecodeStatus::ok, 110,
     "02000000000702000000000986dd6000000000583afa20010db8ffff0000000000000000000120010db800000000000000000000"
     "0009020036b700000500600000000028064020010db800000000000000000000000920010db80000000000000000000000079d13"
     "01bbdeadbeef00000000a002faf070bb0000020405b40402080a112233440000000001030307"},
    // IP6 (hlim 250, next-header ICMPv6 (58) payload length: 88) 2001:db8:ffff::1 > 2001:db8::9: [icmp6 sum ok]
    // ICMP6, time exceeded in-transit for 2001:db8::7
    {"eth_ttl_exceeded6_extensions", LinkType::ethernet, DecodeStatus::ok, 126,
     "02000000000702000000000986dd6000000000583afa20010db8ffff0000000000000000000120010db800000000000000000000"
     "0009030032b000000000600000000028004020010db800000000000000000000000920010db80000000000000000000000072c00"
     "050200000100110000010000cafe80f9829a0018717130313233343536373839616263646566"},
    // ARP, Ethernet (len 6), IPv4 (len 4), Request who-has 10.0.3.7 tell 10.0.3.9, length 28
    {"eth_arp", LinkType::ethernet, DecodeStatus::not_ip, 0,
     "020000000007020000000009080600010800060400010200000000090a0003090000000000000a000307"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto GRE (47), length 52) 10.0.3.9 > 10.0.3.7: GREv0,
    // Flags [none], length 32 IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto UDP (17), length 28)
    // 10.0.3.9.1 > 10.0.3.7.2: UDP, length 0
    {"eth_gre", LinkType::ethernet, DecodeStatus::other_transport, 0,
     "02000000000702000000000908004500003412344000402f0e580a0003090a000307000008004500001c1234400040110e8e0a00"
     "03090a000307000100020008e5cb"},
    // IP (tos 0x0, ttl 64, id 4660, offset 1480, flags [none], proto UDP (17), length 32) 10.0.3.9 > 10.0.3.7:
    // ip-proto-17
    {"eth_later_fragment", LinkType::ethernet, DecodeStatus::later_fragment, 0,
     "020000000007020000000009080045000020123400b940114dd10a0003090a0003076c6174657220627974657321"},
    // IP6 (hlim 64, next-header Fragment (44) payload length: 20) 2001:db8::9 > 2001:db8::7: frag
    // (0x0000cafe:1480|12)
    {"eth_ipv6_later_fragment", LinkType::ethernet, DecodeStatus::later_fragment, 0,
     "02000000000702000000000986dd6000000000142c4020010db800000000000000000000000920010db800000000000000000000"
     "0007110005c80000cafe6c6174657220627974657321"},
    // IP6 (hlim 64, next-header Options (0) payload length: 8) 2001:db8::9 > 2001:db8::7: HBH (rtalert: 0x0000)
    // (padn) no next header
    {"eth_ipv6_no_next_header", LinkType::ethernet, DecodeStatus::other_transport, 0,
     "02000000000702000000000986dd600000000008004020010db800000000000000000000000920010db800000000000000000000"
     "00073b00050200000100"},
    // IP6, wrong link-layer encapsulation (invalid)
    {"eth_version_against_ethertype", LinkType::ethernet, DecodeStatus::bad_ip_header, 0,
     "0200000000070200000000090800600000000028064020010db800000000000000000000000920010db800000000000000000000"
     "00079d1301bbdeadbeef00000000a002faf070bb0000020405b40402080a112233440000000001030307"},
    // IP bad-hlen 16
    {"eth_ihl_4", LinkType::ethernet, DecodeStatus::bad_ip_header, 0,
     "02000000000702000000000908004400003c1234400040060e790a0003090a0003079d1301bbdeadbeef00000000a002faf0b22d"
     "0000020405b40402080a112233440000000001030307"},
    // IP bad-len 19
    {"eth_total_length_19", LinkType::ethernet, DecodeStatus::bad_ip_header, 0,
     "0200000000070200000000090800450000131234400040060ea20a0003090a0003079d1301bbdeadbeef00000000a002faf0b22d"
     "0000020405b40402080a112233440000000001030307"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto TCP (6), length 40) 10.0.3.9.40211 > 10.0.3.7.443:
    // tcp 4 [bad hdr length 16 - too short, < 20]
    {"eth_tcp_data_offset_4", LinkType::ethernet, DecodeStatus::bad_transport_header, 0,
     "0200000000070200000000090800450000281234400040060e8d0a0003090a0003079d1301bb00000001000000004002faf00c13"
     "0000"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto TCP (6), length 40) 10.0.3.9.40211 > 10.0.3.7.443:
    // Flags [S] [bad hdr length 60 - too long, > 20]
    {"eth_tcp_data_offset_15", LinkType::ethernet, DecodeStatus::bad_transport_header, 0,
     "0200000000070200000000090800450000281234400040060e8d0a0003090a0003079d1301bb0000000100000000f002faf05c12"
     "0000"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto UDP (17), length 34) 10.0.3.9.1 > 10.0.3.7.2:
    // truncated-udplength 7
    {"eth_udp_length_7", LinkType::ethernet, DecodeStatus::bad_transport_header, 0,
     "0200000000070200000000090800450000221234400040110e880a0003090a0003070001000200079d71766f6c6c6579"},
    // IP (tos 0x0, ttl 64, id 4660, offset 0, flags [DF], proto UDP (17), length 34) 10.0.3.9.1 > 10.0.3.7.2: UDP,
    // bad length 7 > 6
    {"eth_udp_length_overruns", LinkType::ethernet, DecodeStatus::bad_transport_header, 0,
     "0200000000070200000000090800450000221234400040110e880a0003090a00030700010002000f9d69766f6c6c6579"},
    // IP6 (hlim 64, next-header unknown (60) payload length: 64) 2001:db8::9 > 2001:db8::7: DSTOPT (padn) [The
    // Hop-by-Hop Options header don't follow the IPv6 header] (invalid)
    {"eth_ipv6_hop_by_hop_second", LinkType::ethernet, DecodeStatus::bad_extension_header, 0,
     "02000000000702000000000986dd6000000000403c4020010db800000000000000000000000920010db800000000000000000000"
     "00070001010c00000000000000000000000006000502000001009d1301bbdeadbeef00000000a002faf070bb0000020405b40402"
     "080a112233440000000001030307"},
    // IP6 (hlim 64, next-header unknown (60) payload length: 184) 2001:db8::9 > 2001:db8::7: DSTOPT (padn) DSTOPT
    // (padn) DSTOPT (padn) DSTOPT (padn) DSTOPT (padn) DSTOPT (padn) DSTOPT (padn) DSTOPT (padn) DSTOPT (padn)
    // 40211 > 443: Flags [S], cksum 0x70bb (correct), seq 3735928559, win 64240, options [mss 1460,sackOK,TS val
    // 287454020 ecr 0,nop,wscale 7], length 0
    {"eth_ipv6_nine_extensions", LinkType::ethernet, DecodeStatus::bad_extension_header, 0,
     "02000000000702000000000986dd6000000000b83c4020010db800000000000000000000000920010db800000000000000000000"
     "00073c01010c0000000000000000000000003c01010c0000000000000000000000003c01010c0000000000000000000000003c01"
     "010c0000000000000000000000003c01010c0000000000000000000000003c01010c0000000000000000000000003c01010c0000"
     "000000000000000000003c01010c0000000000000000000000000601010c0000000000000000000000009d1301bbdeadbeef0000"
     "0000a002faf070bb0000020405b40402080a112233440000000001030307"},
    // IP6 (hlim 64, next-header unknown (60) payload length: 32) 2001:db8::9 > 2001:db8::7: [|dstopt]
    {"eth_ipv6_extension_overruns", LinkType::ethernet, DecodeStatus::bad_extension_header, 0,
     "02000000000702000000000986dd6000000000203c4020010db800000000000000000000000920010db800000000000000000000"
     "000706c8000000000000000000000000000000000000000000000000000000000000"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 52) 10.9.9.1 > 10.0.3.9: ICMP
    // time exceeded in-transit, length 32 IP (tos 0x0, ttl 1, id 4660, offset 0, flags [DF], proto TCP (6), length
    // 60) 10.0.3.9.40211 > 10.0.3.7.443: [|tcp]
    {"eth_quote_cut_short", LinkType::ethernet, DecodeStatus::bad_quote, 0,
     "02000000000702000000000908004500003412340000fa018e820a0909010a0003090b005631000000004500003c123440000106"
     "4d790a0003090a0003079d1301bb"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 56) 10.9.9.1 > 10.0.3.9: ICMP
    // host 10.0.3.7 unreachable, length 36 IP (tos 0x0, ttl 1, id 4660, offset 0, flags [DF], proto TCP (6),
    // length 60, options (unknown 157 [truncated-option])) 10.0.3.9 > 10.0.3.7: [|ip]
    {"eth_quote_ihl_15_cut_short", LinkType::ethernet, DecodeStatus::bad_quote, 0,
     "02000000000702000000000908004500003812340000fa018e7e0a0909010a0003090301b692000000004f00003c123440000106"
     "4d790a0003090a0003079d1301bbdeadbeef"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 56) 10.9.9.1 > 10.0.3.9: ICMP
    // host 10.0.3.7 unreachable, length 36 IP0 (invalid)
    {"eth_quote_version_0", LinkType::ethernet, DecodeStatus::bad_quote, 0,
     "02000000000702000000000908004500003812340000fa018e7e0a0909010a00030903010093000000000500003c123440000106"
     "4d790a0003090a0003079d1301bbdeadbeef"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 28) 10.9.9.1 > 10.0.3.9:
    // [|icmp]
    {"eth_quote_empty", LinkType::ethernet, DecodeStatus::bad_quote, 0,
     "02000000000702000000000908004500001c12340000fa018e9a0a0909010a0003090b00f4ff00000000"},
    // IP (tos 0x0, ttl 250, id 4660, offset 0, flags [none], proto ICMP (1), length 156) 10.9.9.1 > 10.0.3.9: ICMP
    // time exceeded in-transit, length 136 IP (tos 0x0, ttl 1, id 4660, offset 0, flags [DF], proto TCP (6),
    // length 60) 10.0.3.9.40211 > 10.0.3.7.443: tcp 40 [bad hdr length 0 - too short, < 20]
    {"eth_quote_length_field_overruns", LinkType::ethernet, DecodeStatus::bad_quote, 0,
     "02000000000702000000000908004500009c12340000fa018e1a0a0909010a0003090b00b86b002800004500003c123440000106"
     "4d790a0003090a0003079d1301bbdeadbeef00000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000000000000000"},
};

// The frame of that name; every test that names one relies on it.
inline const Frame& frame(std::string_view name) {
  for (const Frame& one : kFrames) {
    if (one.name == name) {
      return one;
    }
  }
  throw std::invalid_argument("no golden frame of that name");
}

}  // namespace volley::wire::golden
