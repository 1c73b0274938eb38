// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/product_titles.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Goes through all that a scenario names, each entry once.
class TitleWalk {
 public:
  /// By kind and name: a machine may be called as its chassis is.
  std::map<std::pair<std::string, std::string>, std::string> titles;

  template <HasFields T>
  void keys_of(const T& value) {
    for_each_member(value, Visitor{*this});
  }

  template <class T>
  void visit(const Ref<T>& ref) {
    if (!ref.entry || !seen_.insert(ref.entry.get()).second) return;
    titles.emplace(std::pair(std::string(T::kKind), ref.name), ref.entry->title);
    keys_of(*ref.entry);
  }
  template <class M>
  void visit(const std::optional<M>& value) {
    if (value) visit(*value);
  }
  template <class M>
  void visit(const Defaulted<M>& value) {
    visit(value.value);
  }
  template <class M>
  void visit(const std::vector<M>& list) {
    for (const M& one : list) visit(one);
  }
  template <class M>
  void visit(const M& value) {
    if constexpr (HasKinds<M>)
      std::visit([this](const auto& kind) { this->visit(kind); }, value.of_kind);
    else if constexpr (HasFields<M>)
      keys_of(value);
    else if constexpr (requires { value.begin()->second; })
      for (const auto& [name, one] : value) visit(one);
  }

 private:
  // A class, not a lambda: it is compiled once for a type of value, not for each owner.
  struct Visitor {
    TitleWalk& walk;
    template <class M>
    void operator()(const Rule<M>& /*rule*/, const M& member) const {
      walk.visit(member);
    }
  };

  std::set<const void*> seen_;
};

}  // namespace

std::vector<BillLine> called_by_title(std::vector<BillLine> bill, const Scenario& scenario) {
  TitleWalk walk;
  walk.keys_of(scenario);
  if (scenario.as_sold) walk.keys_of(*scenario.as_sold);
  if (scenario.usual_switch) walk.visit(*scenario.usual_switch);
  if (scenario.usual_cable) walk.visit(*scenario.usual_cable);
  for (BillLine& line : bill)
    if (const auto known = walk.titles.find({line.kind, line.name}); known != walk.titles.end())
      line.name = known->second;
  return bill;
}

}  // namespace gpufeed
