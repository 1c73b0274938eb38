// SPDX-License-Identifier: Apache-2.0
// Real files, damaged at random: each is accepted or refused, and the program lives on.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "sim/base/numbers/random.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

/// Cuts, overwrites, inserts or repeats a piece.
void damage(std::string& text, Random& random) {
  constexpr std::string_view kSigns = "[]{}=\"'\\.,#\n0-_";
  const auto any = [&](std::size_t size) {
    return static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(size)));
  };
  const std::size_t at = any(text.size());
  switch (random.integer(0, 4)) {
    case 0:
      text.resize(at);
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(random.integer(0, 255));
      break;
    case 2:
      for (std::size_t i = any(20); i > 0; --i) text.insert(at, 1, kSigns[any(kSigns.size() - 1)]);
      break;
    case 3:
      text.insert(at, text.substr(any(text.size()), any(200)));
      break;
    default:
      text.erase(at, any(30));
  }
}

}  // namespace

TEST_CASE("no damage to a file does more than have it refused") {
  const std::string source = GPUFEED_SOURCE_DIR;
  const std::string originals[] = {
      content_of(source + "/examples/01_local_or_shared/scenario.toml"),
      content_of(source + "/examples/02_one_root_or_two/scenario_frames_remote.toml"),
      content_of(source + "/examples/03_data_density/scenario_video_nvme.toml"),
      "[system]\n" + content_of(source + "/hw_catalog/system/supermicro-4028gr-tr.toml")};
  int accepted = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Random random(seed);
    std::string text = originals[seed % 4];
    for (std::int64_t wounds = random.integer(1, 5); wounds > 0; --wounds) damage(text, random);
    CAPTURE(seed);
    try {
      parse_scenario(text, "damaged.toml", own_catalog());
      ++accepted;
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find("error: ") != std::string::npos);
    }
  }
  CHECK(accepted < 300);
}
