// SPDX-License-Identifier: Apache-2.0
#include "sim/import/sacct_line.h"

#include <algorithm>
#include <utility>

namespace gpufeed {
namespace {

std::string_view trimmed(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

SacctLine::SacctLine(const std::vector<std::string_view>& names,
                     std::vector<std::string_view> fields, Location where, Diagnostics& out)
    : names_(names), fields_(std::move(fields)), where_(std::move(where)), out_(out) {}

std::string_view SacctLine::at(std::string_view field) const {
  const auto found = std::ranges::find(names_, field);
  return found == names_.end() ? std::string_view()
                               : fields_[static_cast<std::size_t>(found - names_.begin())];
}

std::optional<double> SacctLine::date(std::string_view field) const {
  const auto value = log_date(at(field));
  if (!value)
    out_.error(ProblemCode::wrong_type, where_,
               "{} must be a date such as 2024-05-01T12:00:00; found \"{}\"", field, at(field));
  return value;
}

bool SacctLine::is_known(std::string_view field) const {
  return at(field) != "Unknown" && at(field) != "None";
}

std::optional<double> SacctLine::cores() const {
  const auto given = log_number(allocated("cpu"));
  return given ? given : log_number(at("NCPUS"));
}

double SacctLine::nodes() const { return log_number(at("NNodes")).value_or(1); }

std::optional<double> SacctLine::requested_memory_B() const {
  std::string_view text = at("ReqMem");
  double times = 1;
  if (text.ends_with('n')) times = nodes();
  if (text.ends_with('c')) times = log_number(at("NCPUS")).value_or(1);
  if (text.ends_with('n') || text.ends_with('c')) text.remove_suffix(1);
  const auto bytes = log_bytes(text);
  return bytes ? std::optional(*bytes * times) : std::nullopt;
}

std::string_view SacctLine::allocated(std::string_view resource) const {
  for (const auto one : log_fields(at("AllocTRES"), ','))
    if (const auto equals = one.find('='); one.substr(0, equals) == resource)
      return equals == one.npos ? "" : one.substr(equals + 1);
  return {};
}

double SacctLine::gpus() const {
  if (const auto all = log_number(allocated("gres/gpu"))) return *all;
  double typed = 0;
  for (const auto one : log_fields(at("AllocTRES"), ','))
    if (one.starts_with("gres/gpu:"))
      typed += log_number(one.substr(std::min(one.find('='), one.size() - 1) + 1)).value_or(0);
  return typed;
}

void read_sacct(std::string_view text, const std::string& name, const SacctForm& form,
                Diagnostics& out, const std::function<void(const SacctLine&)>& read) {
  const auto lines = log_fields(text, '\n');
  const auto names = log_fields(trimmed(lines.front()), '|');
  bool whole = true;
  for (const auto needed : form.needed)
    if (std::ranges::count(names, needed) == 0) {
      out.error(ProblemCode::missing_key, {name, 1, 1},
                "field {} is missing; take sacct --parsable2 --format={}", needed, form.format);
      whole = false;
    }
  if (!whole) return;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto line = trimmed(lines[i]);
    if (line.empty()) continue;
    const Location where{name, static_cast<int>(i + 1), 1};
    auto fields = log_fields(line, '|');
    if (fields.size() != names.size())
      out.error(where, "the line has {} fields, the first line {}", fields.size(), names.size());
    else
      read({names, std::move(fields), where, out});
  }
}

}  // namespace gpufeed
