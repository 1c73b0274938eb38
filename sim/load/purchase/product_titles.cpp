// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/product_titles.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "sim/model/catalog/chassis.h"
#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// By kind and name: a machine may be called as its chassis is.
using Titles = std::map<std::pair<std::string, std::string>, std::string>;

/// Goes through all that a scenario names, each entry once.
class TitleWalk {
 public:
  Titles titles;

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

Titles titles_of(const Scenario& scenario) {
  TitleWalk walk;
  walk.keys_of(scenario);
  if (scenario.as_sold) walk.keys_of(*scenario.as_sold);
  if (scenario.usual_switch) walk.visit(*scenario.usual_switch);
  if (scenario.usual_cable) walk.visit(*scenario.usual_cable);
  return std::move(walk.titles);
}

/// A list of products, or what a parameter is of, each word that is a product's name by its title.
std::string with_titles(const std::string& text, const Titles& titles) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const bool is_name = word.find_first_of("-.") != std::string::npos;
    const auto known = std::ranges::find_if(
        titles, [&](const auto& title) { return is_name && title.first.second == word; });
    out += known == titles.end() ? word : known->second;
    if (end < text.size()) out += ' ';
    at = end + 1;
  }
  return out;
}

/// The kinds of entries that an argument of a fact may name.
std::vector<std::string> kinds_of(std::string_view argument) {
  if (argument == "store") return {std::string(Array::kKind)};
  if (argument == "product") return {"cpu", "dataset", "decoder"};
  return {std::string(argument)};
}

void call_missing_by_title(Result& result, const Titles& titles) {
  for (std::string* const text :
       {&result.without_price, &result.without_power, &result.removed_power})
    *text = with_titles(*text, titles);
}

template <FactCode Code>
void call_by_title(Fact<Code>& fact, const Titles& titles) {
  const Arguments& arguments = form_of(fact.code).arguments;
  for (std::size_t i = 0; i < fact.arguments.size(); ++i)
    if (auto* const value = std::get_if<std::string>(&fact.arguments[i]))
      for (const std::string& kind : kinds_of(arguments[i].name))
        if (const auto known = titles.find({kind, *value}); known != titles.end()) {
          *value = known->second;
          break;
        }
}

}  // namespace

std::vector<BillLine> called_by_title(std::vector<BillLine> bill, const Scenario& scenario) {
  const Titles titles = titles_of(scenario);
  for (BillLine& line : bill)
    if (const auto known = titles.find({line.kind, line.name}); known != titles.end())
      line.name = known->second;
  return bill;
}

Result missing_by_title(Result result, const Scenario& scenario) {
  call_missing_by_title(result, titles_of(scenario));
  return result;
}

Result called_by_title(Result result, const Scenario& scenario) {
  result.bill = called_by_title(std::move(result.bill), scenario);
  const Titles titles = titles_of(scenario);
  call_missing_by_title(result, titles);
  if (result.range)
    for (RangeCause& cause : result.range->causes) {
      cause.parameter = with_titles(cause.parameter, titles);
      const auto known = titles.find({cause.kind, cause.owner});
      cause.owner = known != titles.end() ? known->second : with_titles(cause.owner, titles);
    }
  for (Warning& warning : result.warnings) call_by_title(warning, titles);
  for (Evidence& evidence : result.bottleneck.evidence) call_by_title(evidence.shows, titles);
  if (const auto* reads = scenario.workload.find<ReadsDataset>(); reads && reads->dataset)
    if (const std::string name = "(" + reads->dataset.name + ")";
        result.workload.find(name) != std::string::npos)
      result.workload.replace(result.workload.find(name), name.size(),
                              "(" + reads->dataset->title + ")");
  return result;
}

}  // namespace gpufeed
