// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "reports/writers/phrase_book.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

/// As a shell takes it.
std::string option(const KeyPath& key, const std::string& value) {
  const std::string assignment = fmt::format("{}={}", text(key), value);
  const bool plain = assignment.find_first_of(" \"'") == std::string::npos;
  return plain ? "--set " + assignment : fmt::format("--set '{}'", assignment);
}

}  // namespace

std::vector<std::string> in_words(const std::vector<DefaultValue>& defaults) {
  std::vector<std::string> out;
  out.reserve(defaults.size());
  for (const auto& [key, value] : defaults) out.push_back(fmt::format("{} = {}", text(key), value));
  return out;
}

std::string effect_in_words(const DecidingDefault& one) {
  return fmt::format("with {} the job is {} % {} ({})", one.alternative,
                     text_number(100 * std::abs(one.effect), 2),
                     one.effect > 0 ? "faster" : "slower", option(one.key, one.alternative));
}

std::string sentence(const DecidingDefault& one) {
  return fmt::format("{} = {}, which nobody gave: {}", text(one.key), one.value,
                     effect_in_words(one));
}

}  // namespace gpufeed
