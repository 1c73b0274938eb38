// SPDX-License-Identifier: Apache-2.0
// What shows nothing, or orders text anew, reaches no form of an answer as it is.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/html/result_page.h"
#include "reports/html/sweep_page.h"
#include "reports/writers/csv_line.h"
#include "reports/writers/dot.h"
#include "reports/writers/json.h"
#include "reports/writers/result_csv.h"
#include "reports/writers/text.h"
#include "reports/writers/trace.h"
#include "sim/base/printable.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

/// U+202E, U+2066, U+061C, U+200B, U+FEFF, U+2028, a tag, and C1.
const std::string kUnseen[] = {"\u202e", "\u2066", "\u061c",     "\u200b",
                               "\ufeff", "\u2028", "\U000e0041", "\xc2\x9b"};

bool shows_unseen(const std::string& text) {
  return std::ranges::any_of(kUnseen,
                             [&](const auto& one) { return text.find(one) != std::string::npos; });
}

/// What programs compare, and no user chooses.
bool is_word_of_ours(std::string_view key) {
  constexpr std::string_view kOurs[] = {"kind",     "basis",   "unit", "engine",    "algorithm",
                                        "protocol", "staging", "mode", "operation", "version"};
  return std::ranges::count(kOurs, key) > 0;
}

std::string nasty(const std::string& text) {
  std::string out = text;
  for (const auto& one : kUnseen) out += one + "x";
  return out;
}

/// Puts them into every text of a result.
template <class T>
void spoil(T& value) {
  if constexpr (std::same_as<T, std::string>) {
    value = nasty(value);
  } else if constexpr (HasFields<T>) {
    for_each_member(value, [](const auto& rule, auto& member) {
      if (!is_word_of_ours(rule.name)) spoil(member);
    });
  } else if constexpr (requires { value.has_value(); }) {
    if (value) spoil(*value);
  } else if constexpr (requires { value.push_back(value.front()); }) {
    for (auto& one : value)
      if constexpr (!std::same_as<T, std::vector<bool>>) spoil(one);
  }
}

/// A job on a machine with a store; every text of its answer is spoiled.
html::PicturedResult spoiled() {
  Scenario scenario = parse_scenario(
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\n[run]\nmax_steps = 5\n",
      "t.toml", own_catalog());
  scenario.run.timeline = true;
  html::PicturedResult out{simulate(scenario), {}};
  out.result.scenario = to_toml(scenario);
  spoil(out.result);
  out.picture = picture_of(out.result, *scenario.system);
  return out;
}

}  // namespace

TEST_CASE("no form of an answer holds text that is not seen") {
  const html::PicturedResult one = spoiled();
  REQUIRE(shows_unseen(one.result.title));
  REQUIRE(shows_unseen(one.result.resources.front().id));
  CHECK(!shows_unseen(to_json(one.result)));
  CHECK(!shows_unseen(to_csv({one.result})));
  CHECK(!shows_unseen(to_dot({one.result})));
  CHECK(!shows_unseen(to_trace({one.result})));
  CHECK(!shows_unseen(html::to_html({one}, {nasty("t"), nasty("gpufeed"), "1"})));
  CHECK(!shows_unseen(html::to_html({one, one}, {nasty("t"), nasty("gpufeed"), "1"})));
  // A terminal gets all through this.
  CHECK(!shows_unseen(printable_lines(to_text(one.result))));
  CHECK(printable_lines(to_text(one.result)).find("<U+202E>") != std::string::npos);
  CHECK(html::to_html({one}, {"t", "c", "1"}).find("&lt;U+202E&gt;") != std::string::npos);
}

TEST_CASE("JSON still says the very text") {
  const html::PicturedResult one = spoiled();
  const auto json = nlohmann::json::parse(to_json(one.result));
  CHECK(json.at("title").get<std::string>() == one.result.title);
  CHECK(json.at("resources").at(0).at("id").get<std::string>() == one.result.resources.front().id);
  CHECK(to_json(one.result).find("\\u202e") != std::string::npos);
  CHECK(to_json(one.result).find("\\udb40\\udc41") != std::string::npos);
}

TEST_CASE("TOML still says the very text") {
  Scenario scenario = parse_scenario(
      "system = \"nvidia-dgx1-p100\"\ntitle = \"a\\u202eb \\\"c\\\\ "
      "\\U000e0041\"\n[workload]\nmodel "
      "= \"resnet-50\"\ndataset = \"imagenet-1k\"\n",
      "t.toml", own_catalog());
  REQUIRE(shows_unseen(scenario.title));
  const std::string toml = to_toml(scenario);
  CHECK(!shows_unseen(toml));
  CHECK(parse_scenario(toml, "t.toml", own_catalog()).title == scenario.title);
}

TEST_CASE("a page of a sweep shows them as escapes, too") {
  html::SweptPoint point;
  point.values = {nasty("4")};
  point.samples_per_s = 7;
  point.bottleneck = nasty("a");
  const std::string page =
      html::to_html(html::SweptPoints{{nasty("axis")}, {point, point}, 0, {nasty("a < 1")}},
                    {nasty("t"), nasty("c"), "1"});
  CHECK(!shows_unseen(page));
  CHECK(page.find("&lt;U+202E&gt;") != std::string::npos);
}

TEST_CASE("a field of CSV begins no formula, however wide its sign") {
  for (const char* begin : {"=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "−",
                            " =", "\u00a0=", "\u3000＝"})
    CHECK(csv_text(begin + std::string("1+1")) == "'" + std::string(begin) + "1+1");
  CHECK(csv_text("a=1") == "a=1");
  CHECK(csv_text("\u200b=1") == "<U+200B>=1");
  CHECK(csv_text("=a,b") == "\"'=a,b\"");
}
