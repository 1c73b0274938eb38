// SPDX-License-Identifier: Apache-2.0
#include "sim/import/fio/fio_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

std::string trimmed_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") + 1 - first));
}

bool same(const std::string& name, const std::string& a, const std::string& b) {
  if (plain_fio_value(name, a) == plain_fio_value(name, b)) return true;
  const auto x = fio_size(a);
  const auto y = fio_size(b);
  return x && y && *x == *y;
}

/// What fio takes where an option is not given. \source  fio(1)
std::string default_of(const std::string& name) {
  if (name == "iodepth" || name == "numjobs" || name == "nrfiles") return "1";
  if (name == "direct") return "0";
  if (name == "rwmixread") return "50";
  if (name == "ioengine") return "psync";
  if (name == "bs") return "4096";
  return name == "rw" ? "read" : "";
}

/// An option that says the same by what it leaves over of a sum.
struct Opposite {
  std::string_view name;
  std::string_view opposite;
  double sum;
};
constexpr std::array kOpposites{Opposite{"rwmixread", "rwmixwrite", 100},
                                Opposite{"direct", "buffered", 1}};

std::string rest_of(const std::string& value, double sum) {
  const auto number = value.empty() ? std::optional(1.0) : fio_size(value);
  return number ? fmt::format("{:.0f}", sum - *number) : value;
}

/// What each file of a job has of its size.
std::string file_of_size(const std::string& size, const FioOption* files) {
  const auto all = fio_size(size);
  const auto count = files ? fio_size(files->value) : 1.0;
  return all && count && *count >= 1 ? fmt::format("{:.0f}", *all / *count) : size;
}

/// The last one of that name in a section counts; null where there is none.
FioOption* find_option(FioSection& section, const std::string& name) {
  const auto found =
      std::find_if(section.options.rbegin(), section.options.rend(),
                   [&](const FioOption& one) { return plain_fio_name(one.name) == name; });
  return found == section.options.rend() ? nullptr : &*found;
}

[[noreturn]] void refuse_file(const std::string& name, int line, const std::string& why) {
  throw InputError({{{name, line, line > 0 ? 1 : 0}, why, ProblemCode::unusable_file}});
}

}  // namespace

/// \source  fio, options.c: aliases
std::string plain_fio_name(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kAliases{
      {{"readwrite", "rw"}, {"blocksize", "bs"}, {"iodepth_batch", "iodepth_batch_submit"}}};
  for (const auto& [alias, plain] : kAliases)
    if (name == alias) return std::string(plain);
  return name;
}

std::optional<double> fio_size(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  std::string unit(end, text.data() + text.size());
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
  if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
  if (unit.ends_with("b")) unit.resize(unit.size() - 1);
  if (unit.empty()) return value;
  const std::size_t power = std::string_view("kmgtp").find(unit);
  if (unit.size() != 1 || power == std::string_view::npos) return {};
  for (std::size_t i = 0; i <= power; ++i) value *= 1024;
  return value;
}

std::string plain_fio_value(const std::string& name, std::string value) {
  if (name != "rw") return value;
  const std::size_t at = value.find("readwrite");
  return at == std::string::npos ? value : value.replace(at, 9, "rw");
}

FioFile parse_fio_file(std::string_view text, const std::string& name) {
  FioFile file;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = trimmed_text(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      const std::size_t close = line.find(']');
      if (close == std::string::npos || close < 2)
        refuse_file(name, number,
                    fmt::format("a section of a job file of fio is a name in "
                                "brackets, [job]; found \"{}\"",
                                printable(line)));
      file.sections.push_back({line.substr(1, close - 1), {}});
      continue;
    }
    if (file.sections.empty())
      refuse_file(name, number,
                  fmt::format("a job file of fio begins with a section such as [global]; found "
                              "\"{}\"",
                              printable(line.substr(0, 60))));
    const std::size_t equal = line.find('=');
    FioOption option{trimmed_text(std::string_view(line).substr(0, equal)), {}, number};
    if (equal != std::string::npos)
      option.value = trimmed_text(std::string_view(line).substr(equal + 1));
    file.sections.back().options.push_back(std::move(option));
  }
  return file;
}

void fit(FioFile& file, const FioOptions& wanted, const std::string& name) {
  const auto is_job = [](const FioSection& section) { return section.name != "global"; };
  const auto jobs = std::ranges::count_if(file.sections, is_job);
  if (jobs != 1)
    refuse_file(name, 0,
                fmt::format("{} jobs are in it, and a scenario is one: name a job file with one "
                            "section beside [global]",
                            jobs));
  const auto job = std::ranges::find_if(file.sections, is_job);
  const auto in_file = [&](const std::string& option) {
    FioOption* own = find_option(*job, option);
    for (auto section = job; !own && section != file.sections.begin();)
      if (--section; !is_job(*section)) own = find_option(*section, option);
    return own;
  };
  for (const FioOption& option : wanted) {
    FioOption* const own = in_file(option.name);
    const auto other = std::ranges::find(kOpposites, option.name, &Opposite::name);
    FioOption* const opposite =
        own || other == kOpposites.end() ? nullptr : in_file(std::string(other->opposite));
    const FioOption* const all = option.name == "filesize" && !own ? in_file("size") : nullptr;
    const std::string now = all        ? file_of_size(all->value, in_file("nrfiles"))
                            : own      ? own->value
                            : opposite ? rest_of(opposite->value, other->sum)
                                       : default_of(option.name);
    if (same(option.name, now, option.value)) continue;
    if (own)
      own->value = option.value;
    else if (opposite)
      opposite->value = rest_of(option.value, other->sum);
    else
      job->options.push_back(option);
  }
}

std::string text_of(const FioFile& file) {
  std::string out;
  for (const FioSection& section : file.sections) {
    out += fmt::format("[{}]\n", section.name);
    for (const FioOption& option : section.options)
      out += option.value.empty() ? option.name + "\n"
                                  : fmt::format("{}={}\n", option.name, option.value);
  }
  return out;
}

}  // namespace gpufeed
