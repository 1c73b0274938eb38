// SPDX-License-Identifier: Apache-2.0
#include "sim/load/blame.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpufeed {
namespace {

/// What is wrong, wherever it is said.
struct Fault {
  ProblemCode code;
  KeyPath subject;
  std::string said;

  auto operator<=>(const Fault&) const = default;
};
using Faults = std::set<Fault>;

Fault fault_of(const Problem& problem) {
  return {problem.code, problem.subject, sentence(problem)};
}

Faults faults_in(const Diagnostics& found) {
  Faults out;
  for (const auto& problem : found.problems()) out.insert(fault_of(problem));
  return out;
}

class Blamer {
 public:
  Blamer(const FreshTable& fresh, const std::string& name, const std::vector<Override>& overrides,
         const Build& build, const Diagnostics& found)
      : fresh_(fresh), overrides_(overrides), build_(build), all_(faults_in(found)) {
    const toml::table table = fresh();
    for (const char* key : {"own", "replace"})
      if (const auto* changes = table.get_as<toml::array>(key))
        for (const auto& one : *changes) places_.push_back(location(one.source(), name));
    in_file_ = places_.size();
    for (const auto& override : overrides) places_.push_back({override.option, 0, 0});
  }

  /// Where the change stands that makes this wrong; `where` if none does.
  Location blame(const Problem& problem, bool in_scenario) {
    std::size_t without = in_scenario ? in_file_ : 0;
    std::size_t with = places_.size();
    const Fault fault = fault_of(problem);
    const auto& before = faults_with(without);
    // A scenario that lacks what an option gives is not looked at far enough to tell.
    const bool lacks_more = !std::ranges::includes(all_, before);
    if (without == with || before.contains(fault) || (in_scenario && lacks_more))
      return problem.where;
    while (with - without > 1) {
      const std::size_t middle = without + (with - without) / 2;
      (faults_with(middle).contains(fault) ? with : without) = middle;
    }
    return places_[with - 1];
  }

 private:
  /// What is wrong with the first so many changes.
  const Faults& faults_with(std::size_t count) {
    if (count == places_.size()) return all_;
    const auto [known, fresh] = known_.try_emplace(count);
    if (!fresh) return known->second;
    toml::table table = fresh_();
    std::size_t left = count;
    for (const char* key : {"own", "replace"}) {
      auto* changes = table.get_as<toml::array>(key);
      if (!changes) continue;
      const std::size_t kept = std::min(left, changes->size());
      left -= kept;
      changes->truncate(kept);
    }
    Diagnostics found;
    build_(std::move(table),
           {overrides_.begin(), overrides_.begin() + static_cast<std::ptrdiff_t>(left)}, found);
    return known->second = faults_in(found);
  }

  const FreshTable& fresh_;
  const std::vector<Override>& overrides_;
  const Build& build_;
  const Faults all_;
  std::vector<Location> places_;
  std::size_t in_file_ = 0;
  std::map<std::size_t, Faults> known_;
};

}  // namespace

void blame_changes(const FreshTable& fresh, const std::string& name,
                   const std::vector<Override>& overrides, const Build& build,
                   const Diagnostics& found, Diagnostics& out) {
  if (found.empty()) return;
  Blamer blamer(fresh, name, overrides, build, found);
  for (Problem problem : found.problems()) {
    problem.where = blamer.blame(problem, problem.where.file == name);
    out.add(std::move(problem));
  }
}

}  // namespace gpufeed
