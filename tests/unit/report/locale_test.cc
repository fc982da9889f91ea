// A German locale changes no number in any format.
#include <catch2/catch.hpp>
#include <clocale>
#include <locale>
#include <string>

#include "samples.h"
#include "volley/report/progress.h"

using namespace volley::report;

namespace {

// What de_DE does to numbers, without the locale being installed.
class GermanNumbers final : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

class GlobalLocale {
 public:
  explicit GlobalLocale(const std::locale& locale) : before_(std::locale::global(locale)) {}
  ~GlobalLocale() { std::locale::global(before_); }
  GlobalLocale(const GlobalLocale&) = delete;
  GlobalLocale& operator=(const GlobalLocale&) = delete;

 private:
  std::locale before_;
};

std::string everything() {
  std::string text;
  for (const auto& sample : {samples::bad_queue(), samples::interrupted(), samples::sixty_destinations()}) {
    const Document document = sample.document();
    text += to_text(document, {.per_port = true});
    text += to_json(document, {.per_port = true});
    text += to_csv(document, {});
    text += to_csv(document, {.per_port = true});
  }
  return text + progress_line({12345, 12000, 45, 0, 93'000, 210'300}, 4'000'000'000, 1'000'000);
}

}  // namespace

TEST_CASE("numbers are the same under every locale", "[report][locale]") {
  const std::string plain = everything();
  {
    const GlobalLocale german(std::locale(std::locale::classic(), new GermanNumbers));
    CHECK(everything() == plain);
  }
  // The C library's locale as well, where the system has one with a comma.
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr) {
    CHECK(everything() == plain);
  }
  std::setlocale(LC_ALL, before.c_str());
}
