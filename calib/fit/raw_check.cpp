// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastRate = 1e5, kMostRate = 1e15;  ///< B/s
constexpr double kClock = 1.1;  ///< times the clock, what a core took: both are counted apart

/// What a probe of GPUs counts and times: more than nothing of each.
constexpr std::array<std::string_view, 20> kOfGpus{
    "s",   "host_s", "batch",    "bytes",    "times",      "forward_s", "backward_s",
    "m",   "n",      "k",        "layers",   "hidden",     "heads",     "kv_heads",
    "ffn", "tokens", "head_dim", "sequence", "vocabulary", "parameters"};

class Checker {
 public:
  Checker(const std::string& name, Diagnostics& out) : name_(name), out_(out) {}

  /// Of the parts that GPUs measured: rates of theirs may be 0, not told.
  void walk_gpus(const Json& node, const std::string& place) {
    if (node.is_object()) {
      for (const auto& [inner, value] : node.items()) {
        const std::string at = fmt::format("{}.{}", place, inner);
        if (std::ranges::find(kOfGpus, inner) != kOfGpus.end() &&
            !(value.is_number() && value.get<double>() > 0))
          error("{} must be a number above 0; found {}", at, value.dump());
        walk_gpus(value, at);
      }
    } else if (node.is_array()) {
      std::size_t number = 0;
      for (const Json& value : node) walk_gpus(value, fmt::format("{}[{}]", place, number++));
    }
  }

  void walk(const Json& node, const std::string& place, std::string_view key, bool decoding) {
    if (node.is_object()) {
      if (decoding) check_clock(node, place);
      for (const auto& [inner, value] : node.items())
        walk(value, place.empty() ? inner : fmt::format("{}.{}", place, inner), inner, decoding);
    } else if (node.is_array()) {
      std::size_t number = 0;
      for (const Json& value : node)
        walk(value, fmt::format("{}[{}]", place, number++), key, decoding);
    } else if (node.is_number()) {
      check(node.get<double>(), place, key, decoding);
    }
  }

 private:
  void check(double value, const std::string& place, std::string_view key, bool decoding) {
    if (key.ends_with("_Bps")) {
      if (!(value >= kLeastRate && value <= kMostRate))
        error("{} must be from 100 kB/s to 1 PB/s, in bytes a second; found {}", place, value);
    } else if (decoding && !(value >= 0 && value < kMostRate)) {
      error("{} must be 0 at least; found {}", place, value);
    }
  }

  void check_clock(const Json& row, const std::string& place) {
    const auto core = row.find("sample_s"), clock = row.find("sample_wall_s");
    if (core == row.end() || clock == row.end() || !core->is_number() || !clock->is_number())
      return;
    if (core->get<double>() > kClock * clock->get<double>())
      error("{}: a core took {} s for a sample, and the clock {} s; it cannot take longer", place,
            core->get<double>(), clock->get<double>());
  }

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    out_.error({name_, 0, 0}, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  const std::string& name_;
  Diagnostics& out_;
};

}  // namespace

void check_raw(const Json& raw, const std::string& name) {
  Diagnostics out;
  Checker checker(name, out);
  for (const auto& [part, node] : raw.items())
    if (part == "gpu" || part == "training" || part == "transformer")
      checker.walk_gpus(node, part);
    else if (part != "fio")
      checker.walk(node, part, part, part == "decode" || part == "pytorch");
  out.throw_if_any();
}

}  // namespace gpufeed
