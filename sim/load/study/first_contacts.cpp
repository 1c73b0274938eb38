// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/first_contacts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

constexpr std::string_view kHeader =
    "source,system,mechanism,steps,measured,predicted,version,date,counts,parameters,notes";
enum Column : std::size_t {
  kSource,
  kSystem,
  kMechanism,
  kOfSteps,
  kMeasured,
  kPredicted,
  kVersion,
  kDate,
  kCounts,
  kParameters,
  kNotes,
  kColumns
};

template <NamedEnum E>
std::optional<E> word(std::string_view text) {
  const auto& names = EnumNames<E>::names;
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return {};
  return static_cast<E>(found - names.begin());
}

class LedgerParser {
 public:
  LedgerParser(std::string_view text, const std::string& file, Diagnostics& out)
      : lines_(text), file_(file), out_(out) {}

  std::vector<FirstContact> parse() {
    if (!next() || !is_header()) {
      out_.error(ProblemCode::syntax, {file_, 1, 1}, "the first line must be \"{}\"", kHeader);
      return {};
    }
    constexpr std::size_t kMostProblems = 20;
    const std::size_t before = out_.count();
    while (out_.count() < before + kMostProblems && next()) read();
    return std::move(contacts_);
  }

 private:
  bool next() {
    while (lines_.next())
      if (!lines_.fields().front().text.starts_with('#')) return true;
    return false;
  }

  bool is_header() const {
    std::string all;
    for (const CsvField& field : lines_.fields())
      all += (all.empty() ? "" : ",") + std::string(field.text);
    return all == kHeader;
  }

  void error(Column column, std::string_view must_be) {
    const CsvField& field = lines_.fields()[column];
    out_.error({file_, lines_.line(), static_cast<int>(field.column)}, "{}, found {}", must_be,
               shown_field(field.text));
  }

  double number(Column column, double least, std::string_view must_be) {
    const std::string_view text = lines_.fields()[column].text;
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc{} && end == text.data() + text.size();
    if (!whole || !std::isfinite(value) || value < least) error(column, must_be);
    return value;
  }

  Steps steps() {
    Steps out;
    std::string_view rest = lines_.fields()[kOfSteps].text;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      if (const auto step = word<Step>(name))
        out.push_back(*step);
      else
        error(kOfSteps, "must be steps with a blank between them");
    }
    std::ranges::sort(out);
    return out;
  }

  void read() {
    if (lines_.fields().size() != kColumns) {
      out_.error(ProblemCode::syntax, {file_, lines_.line(), 1}, "the line has {} fields, not {}",
                 lines_.fields().size(), std::size_t{kColumns});
      return;
    }
    const auto text = [&](Column column) { return std::string(lines_.fields()[column].text); };
    FirstContact out;
    out.source = text(kSource);
    out.system = text(kSystem);
    if (const auto mechanism = word<Mechanism>(text(kMechanism)))
      out.mechanism = *mechanism;
    else
      error(kMechanism, "must be a mechanism");
    out.steps = steps();
    constexpr double kAbove0 = 1e-300;
    out.measured = number(kMeasured, kAbove0, "must be a number above 0");
    out.predicted = number(kPredicted, kAbove0, "must be a number above 0");
    out.parameters = number(kParameters, 0, "must be a deviation, 0 or more");
    out.counts = number(kCounts, 1, "must be 1 or more");
    out.version = text(kVersion);
    out.date = text(kDate);
    out.notes = text(kNotes);
    contacts_.push_back(std::move(out));
  }

  CsvLines lines_;
  const std::string& file_;
  Diagnostics& out_;
  std::vector<FirstContact> contacts_;
};

}  // namespace

std::vector<FirstContact> parse_first_contacts(std::string_view text, const std::string& name,
                                               Diagnostics& out) {
  return LedgerParser(text, name, out).parse();
}

std::string_view first_contacts_header() { return kHeader; }

}  // namespace gpufeed
