// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/study/choices.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/problems_json.h"
#include "sim/base/files/read_file.h"
#include "sim/check_ways.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/cluster/document.h"
#include "sim/load/key_help.h"
#include "sim/load/serving/document.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/observed.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
#include "sim/serving/make_case.h"
#include "sim/simulate.h"
#include "ui/cli/basic_keys.h"
#include "ui/cli/known_files.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

/// What the key of `path` means for a kind of workload; empty where nobody says.
std::string help_of(const KeyPath& path, WorkloadKind kind, const std::vector<KeyHelp>& keys) {
  for (const auto& key : keys)
    if (!path.empty() && key.key == path.steps.back().key && key.table.is_at(path.parent(), kind))
      return key.help;
  return "";
}

/// Those that change something where they are otherwise come first, the largest effect ahead.
std::string defaults_text(const Scenario& scenario) {
  constexpr double kHardly = 0.0005;
  struct Line {
    DefaultValue what;
    std::string effect;
  };
  std::vector<Line> all;
  for (const DecidingDefault& one : effects_of_defaults(scenario))
    if (std::abs(one.effect) >= kHardly)
      all.push_back({{one.key, one.value}, effect_in_words(one) + "; "});
  const std::size_t effects = all.size();
  for (const DefaultValue& one : scenario.defaults) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(effects);
    const auto known =
        std::find_if(all.begin(), end, [&](const Line& line) { return line.what.key == one.key; });
    if (known == end)
      all.push_back({one, ""});
    else
      known->what.value = one.value;  // as TOML writes it
  }
  const auto keys = all_keys();
  const auto words = [](const Line& line) { return in_words({line.what}).front(); };
  std::size_t width = 0;
  for (const Line& line : all) width = std::max(width, words(line).size());
  width = std::min<std::size_t>(width + 4, 40);
  std::string out;
  for (const Line& line : all) {
    const std::string label = words(line);
    const std::string help = help_of(line.what.key, scenario.workload.kind(), keys);
    out +=
        labeled("  " + label + (label.size() + 4 > width ? "  " : ""), line.effect + help, width);
  }
  return out;
}

constexpr std::string_view kBasicWord = "basic";

/// The basic keys, for that word. Else those whose table's heading contains `word`; where there is
/// none, those whose name does.
std::vector<KeyHelp> keys_about(const std::string& word, const Options& options) {
  const auto all = basic_first(all_keys());
  std::vector<KeyHelp> found;
  if (word == kBasicWord) {
    std::ranges::copy_if(all, std::back_inserter(found), is_basic);
    return found;
  }
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const KeyHelp& key) { return contains(text(key.table), word); });
  if (!found.empty()) return found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const KeyHelp& key) { return contains(key.key, word); });
  if (!found.empty()) return found;
  Names known;
  for (const auto& key : all) {
    known.push_back(key.key);
    known.push_back(path_text(key.table));
  }
  const auto near = nearest(word, known);
  throw options.error(fmt::format(
      "no key and no kind of table is called \"{}\"{}", word,
      near ? fmt::format("; did you mean \"{}\"?", *near) : "; leave it out to see all keys"));
}

std::string keys_text(const std::vector<KeyHelp>& keys) {
  constexpr std::size_t kIndent = 28;
  std::string out;
  const KeyTable* table = nullptr;
  bool basic = false;
  for (const auto& key : keys) {
    if (!table || key.table != *table)
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", text(key.table));
    else if (basic && !is_basic(key))
      out += "  -- advanced:\n";
    table = &key.table;
    basic = is_basic(key);
    std::string form = key.form;
    if (key.standard == "required")
      form += "; required";
    else if (!key.standard.empty())
      form += "; default: " + key.standard;
    out += labeled("  " + key.key + " ", key.help, kIndent) + labeled("", form, kIndent);
  }
  return out;
}

bool is_study(FileKind kind) {
  return kind == FileKind::goal || kind == FileKind::sweep || kind == FileKind::observations ||
         kind == FileKind::cluster || kind == FileKind::serving || kind == FileKind::measurements;
}

/// Cases of a validation, with their scenarios. \throws InputError
std::string cases_text(const std::string& file, const Catalog& catalog) {
  const Validation cases = load_validation(file, catalog);
  Diagnostics problems;
  for (const ValidationCase& one : cases.cases) try {
      scenario_of(cases, one, catalog).load(overrides_of(one));
    } catch (const InputError& error) {
      add(problems, error);
    }
  problems.throw_if_any();
  return fmt::format("{}: good, {} measured cases, which gpufeed validate {} takes\n", file,
                     cases.cases.size(), file);
}

/// What a good sweep or goal would go through, or what observations are for. \throws InputError
std::string study_text(const std::string& file, FileKind kind, const ScenarioArguments& given) {
  const Catalog catalog = catalog_of(given);
  const auto overrides = overrides_of(given);
  if (kind == FileKind::observations) {
    load_observed(file, catalog);
    return fmt::format("{}: good, what was observed of a run\n", file);
  }
  if (kind == FileKind::measurements) return cases_text(file, catalog);
  if (kind == FileKind::cluster) {
    const auto cluster = load_cluster(file, catalog, overrides).cluster;
    return fmt::format("{}: good, a cluster with {} jobs and {} streams of jobs\n", file,
                       cluster.jobs.size(), cluster.streams.size());
  }
  if (kind == FileKind::serving)
    return fmt::format("{}: good, a language model that is served, with {} requests\n", file,
                       serving::make_case(load_serving(file, catalog, overrides)).requests.size());
  if (kind == FileKind::sweep)
    return fmt::format(
        "{}: good, a sweep of {} points\n", file,
        text_number(static_cast<double>(
                        plan_sweep(file, catalog, overrides, PROJECT_VERSION).points.count()),
                    15));
  return fmt::format(
      "{}: good, a goal with {} choices\n", file,
      text_number(
          static_cast<double>(
              choices_of(load_goal(file, catalog), catalog, overrides, PROJECT_VERSION).count()),
          15));
}

using Say = std::function<void(std::string_view)>;

/// A file that is no scenario and no study, but that another verb reads. \return whether it is one
bool check_known_file(const std::string& file, const ScenarioArguments& given, const Say& say,
                      Diagnostics& problems) {
  constexpr std::uintmax_t kLargest = 1U << 30;  // logs are large
  Diagnostics unread;
  const auto text = read_text_file(file, kLargest, unread);
  const auto kind = text ? known_file(*text, file) : std::nullopt;
  if (!kind) return false;
  try {
    const std::string what = checked_file(*kind, *text, file, catalog_of(given));
    if (say) say(fmt::format("{}: good, {}\n", file, what));
  } catch (const InputError& error) {
    add(problems, error);
  }
  return true;
}

/// Says which sweeps, goals and observations are good, and takes them out of `given`.
void check_studies(ScenarioArguments& given, const Say& say, Diagnostics& problems) {
  std::vector<std::string> scenarios;
  for (const auto& file : given.files) {
    const auto kind = kind_of_file(file);
    if (!kind) {
      if (!check_known_file(file, given, say, problems)) scenarios.push_back(file);
    } else if (!is_study(*kind)) {
      scenarios.push_back(file);
    } else
      try {
        if (const std::string good = study_text(file, *kind, given); say) say(good);
      } catch (const InputError& error) {
        add(problems, error);
      }
  }
  given.files = std::move(scenarios);
}

std::string good_text(const std::string& file, const Scenario& scenario, bool defaults) {
  std::string out = file + ": good\n";
  for (const auto& doubt : scenario.system->doubts) out += labeled("  Warning: ", doubt, 11);
  return out + (defaults ? defaults_text(scenario) : "");
}

/// Whether it is as good for a simulation as it is by itself; else what is wrong is reported.
bool has_its_ways(const Scenario& scenario, Diagnostics& problems) {
  try {
    check_ways(scenario);
    return true;
  } catch (const InputError& error) {
    add(problems, error);
    return false;
  }
}

/// \throws InputError  with everything that is wrong
void check_all(ScenarioArguments& given, bool defaults, const Say& say) {
  Diagnostics problems;
  check_studies(given, say, problems);
  const Loaded loaded = load_all(given);
  for (std::size_t i = 0; i < given.files.size(); ++i)
    if (loaded.scenarios[i] && has_its_ways(*loaded.scenarios[i], problems) && say)
      say(good_text(given.files[i], *loaded.scenarios[i], defaults));
  problems.add(loaded.problems.problems());
  problems.throw_if_any();
}

}  // namespace

int check_verb(const Arguments& arguments) {
  Options options(
      "check",
      "Says whether scenarios, sweeps, goals and observations are good, without simulating "
      "them, and lists every problem of those that are not. So it does of every other file that a "
      "verb reads or writes: machines, catalog entries, parameters, prices, logs, workloads of "
      "DLIO, JSON of fio.",
      "gpufeed new mine.toml && gpufeed check --defaults mine.toml");
  ScenarioArguments scenarios;
  bool defaults = false;
  std::optional<std::string> keys;
  OutputOption json("--json");
  scenarios.add_to(options);
  options.flag(
      "--defaults", defaults,
      "list the keys that each scenario leaves at their default; those come first that change "
      "most where they are otherwise, which is simulated");
  options.optional_value("--keys", "WORD", keys,
                         "list every key that scenarios, systems and catalog entries may have, or "
                         "those of the tables called like WORD; --keys basic: the few that most "
                         "scenarios need");
  json.add_to(options, "write what is wrong as JSON, for programs");
  if (!options.parse(arguments)) return kGood;
  const bool screen_taken = take_standard_output(options, {&json});
  if (keys) print(keys_text(keys_about(*keys, options)));
  if (scenarios.files.empty() && !keys) throw options.error("name at least one scenario file");

  json.open();
  try {
    check_all(scenarios, defaults, screen_taken ? Say() : Say(print));
  } catch (const InputError& error) {
    if (json.asked_for()) json.write(to_json(error.problems()));
    throw;
  }
  if (json.asked_for()) json.write(to_json(std::vector<Problem>()));
  return kGood;
}

}  // namespace gpufeed::cli
