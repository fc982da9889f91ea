// Golden files of the report's tests, beside this header in goldens/.
//
// With UPDATE_GOLDEN=1 in the environment they are written anew, to be read in
// review; else a text must equal its file byte for byte.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace golden {

inline std::filesystem::path path_of(std::string_view name) {
  return std::filesystem::path(__FILE__).parent_path() / "goldens" / name;
}

inline void check(std::string_view name, const std::string& text) {
  const std::filesystem::path path = path_of(name);
  if (const char* update = std::getenv("UPDATE_GOLDEN"); update != nullptr && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::ifstream file(path, std::ios::binary);
  INFO("golden file " << path.string());
  REQUIRE(file.good());
  std::ostringstream expected;
  expected << file.rdbuf();
  CHECK(text == expected.str());
}

}  // namespace golden
