// SPDX-License-Identifier: Apache-2.0
// The laws by which prices are estimated, fitted anew to those that documents tell.
#include "sim/model/purchase/price_rule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/purchase/price_laws.h"
#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

/// A product whose price a document tells.
struct Known {
  std::string name;
  double price = 0;
  PriceTerms terms;
};

template <class T>
const PriceLaw& law_of() {
  static const PriceLaws laws = [] {
    Diagnostics none;
    auto all = price_laws_in(own_catalog(), none);
    CHECK(none.count() == 0);
    return all;
  }();
  return *laws.at(std::string(T::kKind));
}

template <class T>
std::optional<PriceTerms> terms_of(const T& product) {
  return price_terms(product, law_of<T>());
}

template <class T>
std::vector<std::pair<std::string, std::shared_ptr<const T>>> all_of() {
  std::vector<std::pair<std::string, std::shared_ptr<const T>>> all;
  Diagnostics none;
  Reader reader(own_catalog(), "", none);
  for (const auto& name : own_catalog().names(T::kKind))
    all.emplace_back(name, reader.entry_of<T>(*own_catalog().find(T::kKind, name)));
  CHECK(none.count() == 0);
  return all;
}

template <class T>
bool is_documented(const T& product) {
  return product.price && product.price->value > 0 && product.not_sold.empty() &&
         product.provenance_of("price").basis != Basis::estimate;
}

template <class T>
std::vector<Known> documented() {
  std::vector<Known> known;
  for (const auto& [name, product] : all_of<T>())
    if (const auto terms = terms_of(*product); terms && is_documented(*product))
      known.push_back({name, product->price->value, *terms});
  return known;
}

/// The least squares of ln(price / unit) over the terms; 0 for a term that none has.
std::vector<double> fitted(const std::vector<Known>& known) {
  const std::size_t n = known.front().terms.terms.size();
  std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1, 0));
  for (const Known& one : known)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rows[i][j] += one.terms.terms[i] * one.terms.terms[j];
      rows[i][n] += one.terms.terms[i] * std::log(one.price / one.terms.unit);
    }
  for (std::size_t i = 0; i < n; ++i) {
    if (std::abs(rows[i][i]) < 1e-12) continue;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = rows[k][i] / rows[i][i];
      for (std::size_t j = 0; j <= n; ++j) rows[k][j] -= factor * rows[i][j];
    }
  }
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < n; ++i)
    coefficients.push_back(std::abs(rows[i][i]) < 1e-12 ? 0 : rows[i][n] / rows[i][i]);
  return coefficients;
}

double price_of(const Known& one, const std::vector<double>& coefficients) {
  double exponent = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    exponent += coefficients[i] * one.terms.terms[i];
  return one.terms.unit * std::exp(exponent);
}

/// By which factor each is off that is left out of the fit, sorted; those whose class has no other
/// cannot be predicted.
std::vector<double> factors_left_out(const std::vector<Known>& known) {
  std::vector<double> factors;
  for (std::size_t i = 0; i < known.size(); ++i) {
    std::vector<Known> others = known;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const auto lacks = [&](std::size_t term) {
      return known[i].terms.terms[term] != 0 && std::ranges::none_of(others, [&](const Known& one) {
               return one.terms.terms[term] != 0;
             });
    };
    bool predictable = true;
    for (std::size_t term = 0; term < known[i].terms.terms.size(); ++term)
      if (lacks(term)) predictable = false;
    if (!predictable) continue;
    factors.push_back(
        std::exp(std::abs(std::log(known[i].price / price_of(known[i], fitted(others))))));
  }
  std::ranges::sort(factors);
  return factors;
}

template <class T>
void check_law(std::size_t least_documents, double most_median) {
  const std::vector<Known> known = documented<T>();
  CAPTURE(T::kKind);
  REQUIRE(known.size() >= least_documents);
  const auto& stated = law_of<T>().coefficients;
  const auto fit = fitted(known);
  REQUIRE(stated.size() == fit.size());
  for (std::size_t i = 0; i < fit.size(); ++i)
    CHECK(std::abs(stated[i].coefficient - fit[i]) < 0.005);

  const std::vector<double> factors = factors_left_out(known);
  const double median = factors[factors.size() / 2];
  const double range = law_of<T>().within;
  const auto held = std::ranges::count_if(factors, [&](double one) { return one <= range; });
  MESSAGE(T::kKind << ": " << factors.size() << " left out, median factor " << median << ", "
                   << held << " within " << range);
  CHECK(median < most_median);
  CHECK(10 * held >= 8 * std::ssize(factors));
}

/// That estimates of what was sold from 2022 on are the law's.
template <class T>
void check_estimates(std::int64_t last) {
  for (const auto& [name, product] : all_of<T>()) {
    const bool is_of_law = product->price && product->not_sold.empty() && product->released &&
                           *product->released >= 2022 && *product->released <= last &&
                           product->provenance_of("price").basis == Basis::estimate;
    if (!is_of_law) continue;
    const std::string& entry = name;  // a binding cannot be captured
    CAPTURE(entry);
    const auto terms = terms_of(*product);
    REQUIRE(terms);
    CHECK(product->price->value == about(price_by_rule(*terms, law_of<T>()).value));
  }
}

}  // namespace

TEST_CASE("prices by rule are fitted to documents, and their range holds those left out") {
  check_law<Cpu>(150, 1.3);
  check_law<Gpu>(27, 1.5);
  check_law<Drive>(79, 1.25);
  check_law<Nic>(10, 1.7);
}

TEST_CASE("what was sold from 2022 on has a price of a document or of the rule") {
  check_estimates<Cpu>(2026);
  check_estimates<Gpu>(2026);
  check_estimates<Nic>(2026);
  check_estimates<Drive>(2026);
}

TEST_CASE("an empty chassis costs what its rule says, whose range holds those of documents") {
  std::size_t documents = 0;
  for (const auto& [name, chassis] : all_of<Chassis>()) {
    const std::string& entry = name;  // a binding cannot be captured
    CAPTURE(entry);
    REQUIRE(chassis->price);
    const double by_rule = price_by_rule(*chassis, law_of<Chassis>())->value;
    if (chassis->provenance_of("price").basis == Basis::estimate) {
      CHECK(chassis->price->value == about(by_rule));
      continue;
    }
    ++documents;
    CHECK(std::abs(std::log(chassis->price->value / by_rule)) < std::log(law_of<Chassis>().within));
  }
  CHECK(documents >= 3);
}

TEST_CASE("with its chassis by rule, a machine's parts come near the price that a document tells") {
  int tried = 0;
  for (const auto& [name, machine] : all_of<System>()) {
    if (!machine->price || !machine->chassis) continue;
    const std::string& entry = name;  // a binding cannot be captured
    CAPTURE(entry);
    double sum = price_by_rule(**machine->chassis, law_of<Chassis>())->value;
    const auto add = [&](const auto& product, double count) {
      if (product->price) sum += product->price->value * count;
    };
    for (const auto& socket : machine->sockets) {
      add(socket.model, 1);
      if (socket.model->memory)
        add(*socket.model->memory, socket.memory / (*socket.model->memory)->priced_module);
    }
    for (const auto& gpu : machine->gpus) add(gpu.model, 1);
    for (const auto& nic : machine->nics) add(nic.model, 1);
    for (const auto& drive : machine->drives) add(drive.model, 1);
    const double factor = machine->price->value / sum;
    MESSAGE(name << ": " << machine->price->value << " USD, of chassis and parts " << sum);
    // Makers' margins and support are in the machine's, and memory costs today more than then.
    CHECK(factor < 2);
    CHECK(factor > 0.5);
    ++tried;
  }
  CHECK(tried >= 5);
}
