// Tests of diagnosis/exact_tail against sums of whole numbers. One thread.
#include "volley/diagnosis/exact_tail.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace volley::diagnosis;

namespace {

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t value = 1;
  for (std::uint64_t i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

TEST_CASE("log factorials are exact where they can be, and continuous where the series begins") {
  double sum = 0.0;
  for (std::uint64_t n = 1; n <= 3000; ++n) {
    sum += std::log(static_cast<double>(n));
    REQUIRE(log_factorial(n) == Approx(sum).epsilon(1e-13));
  }
  CHECK(log_factorial(0) == 0.0);
  CHECK(log_factorial(1'000'000'000) == Approx(19723265858.25).epsilon(1e-8));
  CHECK(log_gamma(0.5 + 3.0) == Approx(std::log(15.0 / 8.0 * std::sqrt(3.14159265358979))).epsilon(1e-9));
  CHECK(log_gamma(12.0) == Approx(log_factorial(11)).epsilon(1e-12));
  CHECK(std::exp(log_choose(30, 13)) == Approx(119759850.0).epsilon(1e-11));
  CHECK(log_choose(3, 4) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("the hypergeometric tail is the exact ratio of whole numbers") {
  for (std::uint64_t population = 1; population <= 24; ++population) {
    for (std::uint64_t marked = 0; marked <= population; ++marked) {
      for (std::uint64_t drawn = 0; drawn <= population; ++drawn) {
        std::uint64_t above = 0;
        const Draw draw{population, marked, drawn};
        for (std::uint64_t hits = drawn + 1; hits-- > 0;) {
          above += choose(marked, hits) * choose(population - marked, drawn - hits);
          const double exact = static_cast<double>(above) / static_cast<double>(choose(population, drawn));
          const double tail = std::exp(log_hypergeometric_upper(draw, hits));
          REQUIRE(tail == Approx(exact).epsilon(1e-11).margin(1e-14));
          REQUIRE(std::exp(log_hypergeometric_upper_bound(draw, hits)) >= exact * (1.0 - 1e-11));
        }
      }
    }
  }
}

TEST_CASE("the geometric bound is close to the tail where the tail is small") {
  const Draw draw{10000, 63, 1250};
  CHECK(log_hypergeometric_upper(draw, 63) == Approx(-132.0).margin(1.0));
  for (std::uint64_t hits = 20; hits <= 63; ++hits) {
    const double exact = log_hypergeometric_upper(draw, hits);
    const double bound = log_hypergeometric_upper_bound(draw, hits);
    CHECK(bound >= exact - 1e-9);
    CHECK(bound < exact + 0.2);
  }
  CHECK(log_hypergeometric_upper(draw, 64) == -std::numeric_limits<double>::infinity());
  CHECK(log_hypergeometric_upper(draw, 0) == 0.0);
}

TEST_CASE("binomial tails are exact and add up to one") {
  for (std::uint64_t trials = 0; trials <= 30; ++trials) {
    for (const double p : {0.25, 0.5, 0.9}) {
      double above = 0.0;
      for (std::uint64_t hits = trials + 1; hits-- > 0;) {
        const double below = 1.0 - above;  // P(X <= hits)
        above += static_cast<double>(choose(trials, hits)) * std::pow(p, static_cast<double>(hits)) *
                 std::pow(1.0 - p, static_cast<double>(trials - hits));
        REQUIRE(std::exp(log_binomial_upper(trials, p, hits)) == Approx(above).epsilon(1e-10).margin(1e-13));
        REQUIRE(std::exp(log_binomial_lower(trials, p, hits)) == Approx(below).epsilon(1e-10).margin(1e-13));
      }
    }
  }
  CHECK(log_binomial_upper(1'000'000, 0.5, 500'000) == Approx(std::log(0.5004)).margin(1e-4));
  CHECK(log_binomial_upper(100, 0.0, 1) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("the beta tail agrees with its integral") {
  for (const std::uint64_t a : {0U, 1U, 5U, 20U}) {
    for (const std::uint64_t b : {0U, 3U, 12U}) {
      for (const double c : {0.1, 0.5, 0.8}) {
        const double scale = std::exp(log_factorial(a + b + 1) - log_factorial(a) - log_factorial(b));
        constexpr int kSteps = 20000;
        const double width = (1.0 - c) / kSteps;
        double area = 0.0;
        for (int i = 0; i < kSteps; ++i) {
          const double x = c + (i + 0.5) * width;
          area += std::pow(x, static_cast<double>(a)) * std::pow(1.0 - x, static_cast<double>(b)) * width;
        }
        CHECK(std::exp(log_beta_upper(a, b, c)) == Approx(scale * area).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("the Poisson tail agrees with the sum of its terms") {
  for (const double mean : {0.3, 4.0, 18.0}) {
    double below = 0.0;
    double term = std::exp(-mean);
    for (std::uint64_t hits = 0; hits < 40; ++hits) {
      CHECK(std::exp(log_poisson_upper(mean, hits)) == Approx(1.0 - below).epsilon(1e-9).margin(1e-12));
      below += term;
      term *= mean / static_cast<double>(hits + 1);
    }
  }
}

TEST_CASE("Clopper and Pearson's interval has its published values") {
  // 0 of 10: upper end 1 - 0.025^(1/10); 10 of 10 mirrors it.
  CHECK(clopper_pearson(0, 10).low == 0.0);
  CHECK(clopper_pearson(0, 10).high == Approx(1.0 - std::pow(0.025, 0.1)).epsilon(1e-9));
  CHECK(clopper_pearson(10, 10).low == Approx(std::pow(0.025, 0.1)).epsilon(1e-9));
  CHECK(clopper_pearson(10, 10).high == 1.0);
  const Interval half = clopper_pearson(5, 10);
  CHECK(half.low == Approx(0.187086).epsilon(1e-5));
  CHECK(half.high == Approx(0.812914).epsilon(1e-5));
  CHECK(clopper_pearson(0, 0).high == 1.0);
}
