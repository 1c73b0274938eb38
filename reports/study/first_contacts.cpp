// SPDX-License-Identifier: Apache-2.0
#include "reports/study/first_contacts.h"

#include <fmt/format.h>

#include "reports/writers/csv_line.h"
#include "sim/base/files/read_file.h"
#include "sim/load/study/first_contacts.h"

namespace gpufeed {
namespace {

constexpr int kDigits = 6;  ///< significant ones

std::string number(double value) { return fmt::format("{:.{}g}", value, kDigits); }

std::string steps_in_ledger(const Steps& steps) {
  std::string out;
  for (const Step step : steps) out += (out.empty() ? "" : " ") + std::string(name_of(step));
  return out;
}

}  // namespace

std::vector<FirstContact> first_contacts_of(const ValidationReport& report, const Predicted& by) {
  std::vector<FirstContact> out;
  for (const ValidationRow& row : report.rows) {
    const double predicted = row.left_out.value_or(row.predicted);
    if (!row.predicted_by || !(row.measured > 0) || !(predicted > 0)) continue;
    FirstContact one;
    one.source = row.source;
    one.system = row.system;
    one.mechanism = *row.predicted_by;
    one.steps = row.steps;
    one.measured = row.measured;
    one.predicted = predicted;
    one.parameters = row.parameters;
    one.version = by.version;
    one.date = by.date;
    out.push_back(std::move(one));
  }
  return out;
}

std::string to_csv(const std::vector<FirstContact>& contacts) {
  std::string out;
  for (const FirstContact& one : contacts)
    out += csv_line({csv_text(one.source), csv_text(one.system),
                     std::string(name_of(one.mechanism)), steps_in_ledger(one.steps),
                     number(one.measured), number(one.predicted), one.version, one.date,
                     number(one.counts), number(one.parameters), csv_text(one.notes)});
  return out;
}

std::vector<FirstContact> load_first_contacts(const std::filesystem::path& file) {
  Diagnostics out;
  std::vector<FirstContact> contacts;
  if (const auto text = read_text_file(file, kMaxTextSize, out))
    contacts = parse_first_contacts(*text, file.lexically_normal().string(), out);
  out.throw_if_any();
  return contacts;
}

}  // namespace gpufeed
