// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/pool_option.h"

#include <fmt/format.h>

#include "sim/base/units.h"
#include "ui/cli/limits.h"
#include "ui/cli/output.h"
#include "ui/cli/quantity_option.h"

namespace gpufeed::cli {

void PoolOption::add_to(Options& options, std::string_view things, std::string_view rest) {
  options.value("--pool", "DIR", folder_,
                fmt::format("take {} from a folder that others who say the same share, on any "
                            "machines; they may come, go and die{}",
                            things, rest));
  options
      .value("--lease", "TIME", lease_,
             "of --pool: when one of whom nothing is heard counts as gone; default: 60s")
      .seldom();
}

void PoolOption::check(const Options& options) const {
  if (lease_ && !folder_) throw options.error("--lease is for --pool");
  if (folder_ && folder_->empty()) throw options.error("--pool names no folder");
  rules(options);
}

PoolRules PoolOption::rules(const Options& options) const {
  PoolRules rules;
  rules.lease_s = quantity_of(lease_, Seconds{rules.lease_s}, "--lease", options).value;
  return rules;
}

std::optional<StudyPool> PoolOption::open(const Options& options) const {
  if (!folder_) return {};
  end_in_good_order();
  return StudyPool(*folder_, PROJECT_VERSION, rules(options), asked_to_end);
}

void end_in_pool() {
  complain("interrupted; the same command goes on\n");
  end_as_asked();
}

}  // namespace gpufeed::cli
