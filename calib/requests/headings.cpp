// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/headings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

struct KnownName {
  std::string_view name;
  ColumnRole role;
  Need need = Need::memory;
};

using enum ColumnRole;

// As Slurm (sacct), Nextflow (trace), GNU time and published logs call them.
constexpr std::array kNames{
    KnownName{"command", command}, KnownName{"cmd", command}, KnownName{"process", command},
    KnownName{"executable", command}, KnownName{"script", command}, KnownName{"job_name", command},
    KnownName{"jobname", command}, KnownName{"name", command},
    // used
    KnownName{"peak_rss", used}, KnownName{"max_rss", used}, KnownName{"maxrss", used},
    KnownName{"memory_used", used}, KnownName{"used_memory", used}, KnownName{"mem_used", used},
    KnownName{"peak_memory", used}, KnownName{"memory_peak", used},
    KnownName{"realtime", used, Need::time}, KnownName{"elapsed", used, Need::time},
    KnownName{"run_time", used, Need::time}, KnownName{"runtime", used, Need::time},
    KnownName{"duration", used, Need::time}, KnownName{"wall_time", used, Need::time},
    KnownName{"walltime", used, Need::time}, KnownName{"time_used", used, Need::time},
    KnownName{"gpus_used", used, Need::gpus}, KnownName{"used_gpus", used, Need::gpus},
    KnownName{"peak_gpus", used, Need::gpus},
    // asked
    KnownName{"memory_asked", asked}, KnownName{"asked_memory", asked}, KnownName{"reqmem", asked},
    KnownName{"req_mem", asked}, KnownName{"memory_requested", asked},
    KnownName{"requested_memory", asked}, KnownName{"memory_request", asked},
    KnownName{"mem_asked", asked}, KnownName{"memory", asked}, KnownName{"mem", asked},
    KnownName{"time_asked", asked, Need::time}, KnownName{"timelimit", asked, Need::time},
    KnownName{"time_limit", asked, Need::time}, KnownName{"time_requested", asked, Need::time},
    KnownName{"requested_time", asked, Need::time}, KnownName{"estimate", asked, Need::time},
    KnownName{"gpus_asked", asked, Need::gpus}, KnownName{"gpus", asked, Need::gpus},
    KnownName{"gpu", asked, Need::gpus}, KnownName{"num_gpus", asked, Need::gpus},
    KnownName{"req_gpus", asked, Need::gpus}, KnownName{"gpus_requested", asked, Need::gpus},
    // when
    KnownName{"submitted", submitted}, KnownName{"submit", submitted},
    KnownName{"submit_time", submitted}, KnownName{"submitted_at", submitted},
    KnownName{"arrival", submitted}, KnownName{"arrived", submitted}, KnownName{"ended", ended},
    KnownName{"end", ended}, KnownName{"end_time", ended}, KnownName{"finished", ended},
    KnownName{"complete", ended}, KnownName{"completed", ended},
    // known only afterwards
    KnownName{"started", measured}, KnownName{"start", measured}, KnownName{"start_time", measured},
    KnownName{"rchar", measured}, KnownName{"wchar", measured}, KnownName{"read", measured},
    KnownName{"written", measured}, KnownName{"write", measured}, KnownName{"read_bytes", measured},
    KnownName{"write_bytes", measured}, KnownName{"syscr", measured}, KnownName{"syscw", measured},
    KnownName{"vmem", measured}, KnownName{"rss", measured}, KnownName{"peak_vmem", measured},
    KnownName{"cpu_percent", measured}, KnownName{"%cpu", measured}, KnownName{"%mem", measured},
    KnownName{"pcpu", measured}, KnownName{"cpu_time", measured}, KnownName{"cputime", measured},
    KnownName{"totalcpu", measured}, KnownName{"user_time", measured},
    KnownName{"system_time", measured}, KnownName{"averss", measured},
    KnownName{"maxvmsize", measured}, KnownName{"maxdiskread", measured},
    KnownName{"maxdiskwrite", measured}, KnownName{"consumedenergy", measured},
    KnownName{"vol_ctxt", measured}, KnownName{"inv_ctxt", measured}, KnownName{"exit", measured},
    KnownName{"exit_code", measured}, KnownName{"exitcode", measured},
    KnownName{"status", measured}, KnownName{"state", measured}, KnownName{"node", measured},
    KnownName{"nodelist", measured}, KnownName{"host", measured}, KnownName{"hostname", measured},
    KnownName{"waited", measured}, KnownName{"wait", measured}, KnownName{"reserved", measured},
    KnownName{"planned", measured},
    // names
    KnownName{"id", number_of_job}, KnownName{"job_id", number_of_job},
    KnownName{"jobid", number_of_job}, KnownName{"task_id", number_of_job},
    KnownName{"native_id", number_of_job}, KnownName{"hash", number_of_job}};

/// A unit at the end of a name.
struct Ending {
  std::string_view name = {};
  double factor = 0;
  bool is_size = false;
};
constexpr double kKi = 1024;
constexpr std::array kEndings{Ending{"_B", 1, true},
                              Ending{"_kB", 1e3, true},
                              Ending{"_MB", 1e6, true},
                              Ending{"_GB", 1e9, true},
                              Ending{"_KiB", kKi, true},
                              Ending{"_MiB", kKi* kKi, true},
                              Ending{"_GiB", kKi* kKi* kKi, true},
                              Ending{"_ms", 1e-3},
                              Ending{"_s", 1},
                              Ending{"_min", 60},
                              Ending{"_h", 3600}};

Ending ending_of(std::string_view name) {
  for (const Ending& one : kEndings)
    if (name.ends_with(one.name) && name.size() > one.name.size()) return one;
  return {};
}

std::string plain_name(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '-') c = '_';
  }
  return out;
}

const KnownName* find(std::string_view name) {
  const std::string plain = plain_name(name);
  const auto it = std::ranges::find(kNames, plain, &KnownName::name);
  return it == kNames.end() ? nullptr : &*it;
}

bool is_time(const Heading& heading) {
  return heading.role == submitted || heading.role == ended ||
         ((heading.role == used || heading.role == asked) && heading.need == Need::time);
}

bool is_size(const Heading& heading) {
  return (heading.role == used || heading.role == asked) && heading.need == Need::memory;
}

/// The numbers of `text` between other characters; nothing where one is none.
std::optional<std::vector<double>> numbers_in(std::string_view text, std::string_view apart) {
  std::vector<double> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(apart, at), text.size());
    double value = 0;
    const auto [rest, fault] = std::from_chars(text.data() + at, text.data() + end, value);
    if (fault != std::errc{} || rest != text.data() + end || !std::isfinite(value) || value < 0)
      return {};
    out.push_back(value);
    at = end + 1;
  }
  return out;
}

std::optional<double> date_in(std::string_view text) {
  constexpr std::size_t kParts = 6;  // 2026-11-28T08:00:00
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto parts = numbers_in(text, "-T: ");
  if (!parts || parts->size() != kParts) return {};
  const auto whole = [&](std::size_t i) { return static_cast<int>((*parts)[i]); };
  const std::chrono::year_month_day day{std::chrono::year{whole(0)},
                                        std::chrono::month{static_cast<unsigned>(whole(1))},
                                        std::chrono::day{static_cast<unsigned>(whole(2))}};
  if (!day.ok()) return {};
  const auto days = std::chrono::sys_days{day}.time_since_epoch().count();
  return static_cast<double>(days) * 86400 + (*parts)[3] * 3600 + (*parts)[4] * 60 + (*parts)[5];
}

/// Slurm's: [days-]hours:minutes:seconds.
std::optional<double> span_in(std::string_view text) {
  double days = 0;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto before = numbers_in(text.substr(0, dash), "-");
    if (!before) return {};
    days = before->front();
    text.remove_prefix(dash + 1);
  }
  const auto parts = numbers_in(text, ":");
  if (!parts || parts->size() < 2 || parts->size() > 3) return {};
  double seconds = 0;
  for (const double part : *parts) seconds = seconds * 60 + part;
  return days * 86400 + seconds;
}

/// "4 GB", and "4G", "4000M", "12K" as Slurm writes them, in powers of 1024.
std::optional<double> size_in(std::string_view text) {
  if (const auto size = parse_quantity<BytesUnit>(text)) return size->value;
  if (text.empty()) return {};
  constexpr std::string_view kLetters = "KMGT";
  const auto power = kLetters.find(text.back());
  if (power == std::string_view::npos) return {};
  const auto number = numbers_in(text.substr(0, text.size() - 1), " ");
  if (!number || number->size() != 1) return {};
  return number->front() * std::pow(kKi, static_cast<double>(power + 1));
}

}  // namespace

Heading heading_of(std::string_view name) {
  Heading out{std::string(name)};
  const KnownName* known = find(name);
  const Ending ending = known ? Ending{} : ending_of(name);
  if (!known) known = find(name.substr(0, name.size() - ending.name.size()));
  if (!known) return out;
  out.role = known->role;
  out.need = known->need;
  if (!is_time(out) && !is_size(out)) return out;
  const bool fits = ending.is_size == is_size(out);  // "peak_rss_s" is neither
  out.unit = ending.factor > 0 && fits ? ColumnUnit::scaled : ColumnUnit::with_unit;
  if (out.unit == ColumnUnit::scaled) out.factor = ending.factor;
  return out;
}

std::optional<std::string> nearest_usage(std::string_view name) {
  Names known;
  for (const KnownName& one : kNames)
    if (one.role == ColumnRole::used) known.emplace_back(one.name);
  const std::string_view ending = ending_of(name).name;
  name.remove_suffix(ending.size());
  const auto near = nearest(plain_name(name), known);
  return near ? std::optional(*near + std::string(ending)) : std::nullopt;
}

std::optional<double> value_in(const Heading& heading, std::string_view text) {
  if (heading.unit == ColumnUnit::with_unit) {
    if (is_size(heading)) return size_in(text);
    if (const auto date = date_in(text)) return date;
    if (const auto span = span_in(text)) return span;
    const auto time = parse_quantity<SecondsUnit>(text);
    return time ? std::optional(time->value) : std::nullopt;
  }
  if (heading.unit == ColumnUnit::scaled && is_time(heading))
    if (const auto date = date_in(text)) return date;
  double value = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || rest != text.data() + text.size() || !std::isfinite(value)) return {};
  return value * heading.factor;
}

bool is_date(std::string_view text) { return date_in(text).has_value(); }

std::string form_of(const Heading& heading) {
  if (heading.unit == ColumnUnit::with_unit)
    return is_size(heading) ? "a size such as 4 GB (or name the column " + heading.name +
                                  "_B, _MiB, _GB ... for plain numbers)"
                            : "a time such as 90 s, 01:30:00 or 2026-11-28T08:00:00 (or name the "
                              "column " +
                                  heading.name + "_s, _ms, _min or _h for plain numbers)";
  const bool whole = heading.need == Need::gpus;  // no other column has this need
  return whole ? "a whole number" : "a number";
}

}  // namespace gpufeed
