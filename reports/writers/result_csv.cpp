// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/result_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "reports/writers/csv_line.h"
#include "reports/writers/phrase_book.h"
#include "sim/model/workload.h"

namespace gpufeed {
namespace {

class Tables {
 public:
  explicit Tables(const Result& result) : title_(csv_text(result.title)) {
    for_each_field<Result>([&]<class F>(const F& field) {
      if (field.name == "topology" || field.name == "timeline" || field.name == "scenario") return;
      if constexpr (kIsTold<F>)
        at(field.name, in_words(result.*field.member));
      else
        at(field.name, result.*field.member);
    });
  }

  std::string take() { return std::move(out_); }

 private:
  /// A member of the Result: a value, or a table of its own.
  template <class M>
  void at(std::string_view name, const M& value) {
    if constexpr (IsTable<M>)
      table(std::string(name), value);
    else
      add("result", 0, std::string(name), value);
  }

  template <class M>
  struct IsListOf : std::false_type {};
  template <class M>
  struct IsListOf<std::vector<M>> : std::true_type {};
  template <class M>
  struct IsOptional : std::false_type {};
  template <class M>
  struct IsOptional<std::optional<M>> : std::bool_constant<HasFields<M>> {};
  template <class M>
  static constexpr bool IsTable = HasFields<M> || IsListOf<M>::value || IsOptional<M>::value;

  template <class M>
  void table(const std::string& name, const std::vector<M>& rows) {
    std::int64_t number = 0;
    for (const M& row : rows) add(name, ++number, "", row);
  }
  template <class M>
  void table(const std::string& name, const std::optional<M>& value) {
    if (value) table(name, *value);
  }
  template <HasFields M>
  void table(const std::string& name, const M& value) {
    add(name, 0, "", value);
  }

  template <HasFields M>
  void add(const std::string& table, std::int64_t row, const std::string& prefix, const M& value) {
    for_each_field<M>([&]<class F>(const F& field) {
      const std::string column = prefix + (prefix.empty() ? "" : ".") + std::string(field.name);
      if constexpr (kIsTold<F>)
        add(table, row, column, in_words(value.*field.member));
      else
        add(table, row, column, value.*field.member);
    });
  }
  template <class M>
  void add(const std::string& table, std::int64_t row, const std::string& column,
           const std::optional<M>& value) {
    if (value)
      add(table, row, column, *value);
    else
      line(table, row, column, "");
  }
  /// A list within a row.
  template <class M>
  void add(const std::string& table, std::int64_t row, const std::string& column,
           const std::vector<M>& list) {
    std::size_t number = 0;
    for (const M& item : list) add(table, row, fmt::format("{}[{}]", column, number++), item);
  }
  void add(const std::string& table, std::int64_t row, const std::string& column,
           const std::string& value) {
    line(table, row, column, csv_text(value));
  }
  void add(const std::string& table, std::int64_t row, const std::string& column,
           const KeyPath& value) {
    add(table, row, column, text(value));
  }
  template <NamedEnum E>
  void add(const std::string& table, std::int64_t row, const std::string& column, E value) {
    line(table, row, column, std::string(name_of(value)));
  }
  void add(const std::string& table, std::int64_t row, const std::string& column,
           const FactQuantity& quantity) {
    add(table, row, column, quantity.value);
  }
  template <FactCode Code>
  void add(const std::string& table, std::int64_t row, const std::string& column,
           const Fact<Code>& fact) {
    const auto& form = form_of(fact.code);
    const std::string prefix = column.empty() ? "" : column + ".";
    line(table, row, prefix + "code", std::string(form.name));
    for (std::size_t i = 0; i < count_of(form.arguments); ++i)
      std::visit(
          [&](const auto& value) {
            add(table, row, prefix + std::string(form.arguments[i].name), value);
          },
          fact.arguments.at(i));
  }
  void add(const std::string& table, std::int64_t row, const std::string& column,
           const Evidence& evidence) {
    add(table, row, column, evidence.shows);
    if (evidence.of) add(table, row, column.empty() ? "of" : column + ".of", *evidence.of);
  }
  void add(const std::string& table, std::int64_t row, const std::string& column, double value) {
    line(table, row, column, std::isfinite(value) ? fmt::format("{}", value) : "");
  }
  void add(const std::string& table, std::int64_t row, const std::string& column,
           std::int64_t value) {
    line(table, row, column, fmt::format("{}", value));
  }
  void add(const std::string& table, std::int64_t row, const std::string& column, bool value) {
    line(table, row, column, value ? "true" : "false");
  }

  void line(const std::string& table, std::int64_t row, const std::string& column,
            const std::string& value) {
    // What has no name of its own is the value of the row.
    out_ +=
        csv_line({title_, table, fmt::format("{}", row), column.empty() ? "value" : column, value});
  }

  std::string title_;
  std::string out_;
};

}  // namespace

std::string to_csv(const std::vector<Result>& results) {
  std::string out = csv_line({"scenario", "table", "row", "column", "value"});
  for (const Result& result : results) out += Tables(result).take();
  return out;
}

}  // namespace gpufeed
