// CSV by RFC 4180: every row has every field, whatever stands in it.
#include "volley/report/csv.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "golden.h"
#include "samples.h"

using namespace volley::report;

namespace {

// A strict reader of RFC 4180: records end in CRLF, quotes are doubled.
std::vector<std::vector<std::string>> parse(const std::string& text) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> record;
  std::string field;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_quoted) {
      if (text[i] != '"') {
        field += text[i];
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        is_quoted = false;
      }
    } else if (text[i] == '"') {
      REQUIRE(field.empty());
      is_quoted = true;
    } else if (text[i] == ',') {
      record.push_back(std::move(field));
      field.clear();
    } else if (text[i] == '\r') {
      REQUIRE(text.at(i + 1) == '\n');
      ++i;
      record.push_back(std::move(field));
      field.clear();
      records.push_back(std::move(record));
      record.clear();
    } else {
      REQUIRE(text[i] != '\n');
      field += text[i];
    }
  }
  REQUIRE(record.empty());
  REQUIRE(field.empty());
  return records;
}

std::string field_of(const std::vector<std::vector<std::string>>& records, std::size_t row, std::string_view name) {
  for (std::size_t i = 0; i < records.front().size(); ++i) {
    if (records.front()[i] == name) {
      return records.at(row + 1).at(i);
    }
  }
  FAIL("no column " << name);
  return {};
}

}  // namespace

TEST_CASE("CSV: golden files", "[report][csv][golden]") {
  golden::check("bad_queue.csv", to_csv(samples::bad_queue().document(), {}));
  golden::check("bad_queue_ports.csv", to_csv(samples::bad_queue().document(), {.per_port = true}));
  golden::check("several_ports.csv", to_csv(samples::several_ports().document(), {}));
  golden::check("icmp_one_queue.csv", to_csv(samples::icmp_one_queue().document(), {}));
}

TEST_CASE("CSV: a row for each destination, every field in it", "[report][csv]") {
  for (const auto& sample : {samples::no_destination(), samples::nothing_wrong(), samples::several_ports(),
                             samples::sixty_destinations(), samples::not_sent(), samples::icmp_one_queue()}) {
    const auto records = parse(to_csv(sample.document(), {}));
    REQUIRE(records.size() == sample.result.destinations.size() + 1);
    for (const auto& record : records) {
      CHECK(record.size() == records.front().size());
    }
  }
}

TEST_CASE("CSV: absent numbers are empty fields", "[report][csv]") {
  const auto records = parse(to_csv(samples::not_sent().document(), {}));
  CHECK(field_of(records, 0, "not_sent") == "10000");
  CHECK(field_of(records, 0, "sent") == "0");
  CHECK(field_of(records, 0, "loss_ratio").empty());
  CHECK(field_of(records, 0, "rtt_count") == "0");
  CHECK(field_of(records, 0, "rtt_p50_ns").empty());
  CHECK(field_of(parse(to_csv(samples::icmp_one_queue().document(), {})), 0, "port").empty());
}

TEST_CASE("CSV: commas, quotes and line ends in a name", "[report][csv]") {
  samples::Sample sample = samples::nothing_wrong();
  sample.result.destinations.front().target = "a,\"b\"\r\nc";
  const auto records = parse(to_csv(sample.document(), {}));
  CHECK(field_of(records, 0, "target") == "a,\"b\"\r\nc");
}

TEST_CASE("CSV: source ports carry the predicted queue where RSS is known", "[report][csv]") {
  const samples::Sample sample = samples::bad_queue();
  const auto records = parse(to_csv(sample.document(), {.per_port = true}));
  REQUIRE(records.size() == 5);
  CHECK(field_of(records, 0, "source_port") == "41017");
  CHECK(field_of(records, 0, "remote_queue") ==
        std::to_string(volley::probe::remote_queue(sample.plan, sample.plan.destinations.front(), 41017)));
  CHECK(field_of(parse(to_csv(samples::interrupted().document(), {.per_port = true})), 0, "remote_queue").empty());
}
