// SPDX-License-Identifier: Apache-2.0
// Pages in Markdown: what they lead to is there, and those of a model say what such a page says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "sim/load/read/reader.h"
#include "sim/model/fields/discrepancy.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = GPUFEED_SOURCE_DIR;

/// Of models; each beside its code.
const std::vector<std::string> kOfModels{
    "sim/job/epochs/README.md", "sim/model/purchase/README.md",  "sim/model/storage/README.md",
    "sim/plan/cache/README.md", "sim/plan/checkpoint/README.md", "sim/range/README.md"};

std::string text_of_page(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> pages() {
  std::vector<fs::path> all;
  for (const auto& top : fs::directory_iterator(kRoot)) {
    const std::string name = top.path().filename().string();
    if (name.starts_with('.') || name == "build" || name == "shared") continue;
    if (top.is_regular_file() && top.path().extension() == ".md") all.push_back(top.path());
    if (!top.is_directory()) continue;
    for (const auto& inner : fs::recursive_directory_iterator(top.path()))
      if (inner.path().extension() == ".md") all.push_back(inner.path());
  }
  return all;
}

/// What the first group of `pattern` matches in `text`.
std::vector<std::string> found_in(const std::string& text, const char* pattern) {
  const std::regex all(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), all), end; it != end; ++it)
    found.push_back((*it)[1].str());
  return found;
}

}  // namespace

TEST_CASE("every link of a page leads to a file that is there") {
  const auto all = pages();
  CHECK(all.size() > 30);
  std::size_t links = 0;
  for (const auto& page : all) {
    CAPTURE(fs::relative(page, kRoot).string());
    for (const std::string& link : found_in(text_of_page(page), R"(\]\(([^)#: ]+)(?:#[^)]*)?\))")) {
      CAPTURE(link);
      CHECK(fs::exists(page.parent_path() / link));
      ++links;
    }
  }
  CHECK(links > 80);
}

TEST_CASE("every file that pages of models name is there") {
  std::size_t named = 0;
  for (const char* page :
       {"sim/README.md", "sim/physics.md", "sim/serving/README.md", "sim/job/epochs/README.md",
        "sim/model/purchase/README.md", "sim/model/storage/README.md", "sim/plan/cache/README.md",
        "sim/plan/checkpoint/README.md", "sim/range/README.md"}) {
    CAPTURE(page);
    for (const std::string& file :
         found_in(text_of_page(kRoot / page),
                  R"(`((?:sim|tests|reports|calib|ui|hw_catalog|workloads)/[^`*<> ]+)`)")) {
      CAPTURE(file);
      // code is named with or without its ending
      CHECK((fs::exists(kRoot / file) || fs::exists(kRoot / (file + ".cpp")) ||
             fs::exists(kRoot / (file + ".toml"))));
      ++named;
    }
  }
  CHECK(named > 150);
}

TEST_CASE("a model's page has law, parameters, evidence and where it fails, in two screens") {
  const std::string overview = text_of_page(kRoot / "sim/README.md");
  for (const std::string& page : kOfModels) {
    CAPTURE(page);
    const std::string text = text_of_page(kRoot / page);
    std::size_t before = 0;
    for (const char* heading :
         {"\n## Law\n", "\n## Parameters\n", "\n## Evidence\n", "\n## Where it fails\n"}) {
      CAPTURE(heading);
      const std::size_t at = text.find(heading);
      REQUIRE(at != std::string::npos);
      CHECK(at > before);
      before = at;
    }
    CHECK(std::ranges::count(text, '\n') <= 90);
    CHECK(overview.find("(" + page.substr(std::string("sim/").size()) + ")") != std::string::npos);
  }
}

TEST_CASE("the page of prediction intervals has the figures that the catalog has") {
  const std::string text = text_of_page(kRoot / "sim/range/README.md");
  std::size_t rows = 0;
  Diagnostics none;
  Reader reader(own_catalog(), "", none);
  for (const auto& name : own_catalog().names(Discrepancy::kKind)) {
    const auto learned =
        reader.entry_of<Discrepancy>(*own_catalog().find(Discrepancy::kKind, name));
    const std::string row = fmt::format("\n| {} | {} | {} | {:.2f} | {:.1f} | {:.1f} | {:.2f} |\n",
                                        name, learned->sources, learned->rows, learned->deviation,
                                        learned->lower, learned->upper, learned->shared);
    CAPTURE(row);
    CHECK(text.find(row) != std::string::npos);
    ++rows;
  }
  CHECK(rows == kMechanisms);
}
