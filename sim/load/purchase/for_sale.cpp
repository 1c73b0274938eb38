// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/for_sale.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/labels/label_text.h"
#include "sim/load/chassis/advice.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

double apart(double a, double b) { return std::abs(std::log(a / b)); }

// How far one product is from another that it may stand for; nothing where it cannot.
std::optional<double> distance(const Drive& a, const Drive& b) {
  if (a.form && b.form && a.form != b.form) return {};
  return apart(a.read_bandwidth.value, b.read_bandwidth.value) +
         apart(a.capacity.value, b.capacity.value);
}
std::optional<double> distance(const Nic& a, const Nic& b) {
  if (a.form != b.form) return {};
  return apart(a.payload_bandwidth().value * static_cast<double>(a.ports),
               b.payload_bandwidth().value * static_cast<double>(b.ports));
}
std::optional<double> distance(const Cpu& a, const Cpu& b) {
  if (a.socket != b.socket) return {};
  return apart(static_cast<double>(a.cores), static_cast<double>(b.cores));
}
std::optional<double> distance(const Gpu& a, const Gpu& b) {
  if (a.form != b.form || a.board != b.board) return {};
  return apart(a.memory.value, b.memory.value);
}

class ForSale {
 public:
  ForSale(const Scenario& scenario, const Catalog& catalog, Diagnostics& out)
      : scenario_(scenario), catalog_(catalog), out_(out) {}

  void check() {
    const System& system = *scenario_.system;
    const bool rented = scenario_.cost.rent_per_hour || system.rent_per_hour;
    if (rented || !(system.chassis || scenario_.as_sold)) return;
    const System none;
    const System& sold = scenario_.as_sold ? *scenario_.as_sold : none;
    check_parts("socket", system.sockets, sold.sockets);
    check_parts("gpu", system.gpus, sold.gpus);
    check_parts("nic", system.nics, sold.nics);
    check_parts("drive", system.drives, sold.drives);
  }

 private:
  /// Why a product cannot be bought; empty where it can.
  std::string refusal(const Purchase& product) const {
    if (product.quoted) return "";
    if (!product.not_sold.empty()) return "it is " + product.not_sold;
    const auto& year = scenario_.cost.year;
    if (year && product.last_sold && *product.last_sold < *year)
      return fmt::format("it was last sold in {}, before cost.year = {}", *product.last_sold,
                         *year);
    return "";
  }

  template <class P>
  void check_parts(const char* kind, const std::vector<P>& parts, const std::vector<P>& sold) {
    std::set<std::string> told;
    for (const auto& part : parts) {
      if (!part.model || refusal(*part.model).empty()) continue;
      const auto same = [&](const P& other) { return other.model.name == part.model.name; };
      if (std::ranges::any_of(sold, same) || !told.insert(part.model.name).second) continue;
      refuse((KeyPath("system") / kind)[text_of(part.id)] / "model", part.model);
    }
  }

  template <class T>
  void refuse(const KeyPath& path, const Ref<T>& product) {
    const Names instead = nearest_entries<T>(catalog_, [&](const T& other) {
      return refusal(other).empty() && other.price ? distance(other, *product)
                                                   : std::optional<double>();
    });
    Problem& problem = out_.refuse(path, product.where, ": {} cannot be bought: {}; take another{}",
                                   product.name, refusal(*product), such_as(instead));
    problem.code = ProblemCode::unfit_part;
    problem.found = product.name;
    problem.known = instead;
  }

  const Scenario& scenario_;
  const Catalog& catalog_;
  Diagnostics& out_;
};

}  // namespace

void check_for_sale(const Scenario& scenario, const Catalog& catalog, Diagnostics& out) {
  ForSale(scenario, catalog, out).check();
}

}  // namespace gpufeed
