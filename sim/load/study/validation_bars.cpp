// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sim/load/read/front_door.h"
#include "sim/load/read/reader.h"
#include "sim/load/study/validation.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

void check(const Bar& bar, Diagnostics& out) {
  struct Height {
    std::string_view key;
    const std::optional<double>& value;
  };
  const std::array<Height, 5> heights{{{"mean", bar.mean},
                                       {"p95", bar.p95},
                                       {"median", bar.median},
                                       {"median_percent", bar.median_percent},
                                       {"hits", bar.hits}}};
  for (const auto& [key, value] : heights)
    if (value && !(*value >= 0))
      out.error(ProblemCode::out_of_range, bar.where, "{}: {} must not be below 0; found {}",
                bar.mechanism, key, text_number(*value));
  if (bar.hits && *bar.hits > 100)
    out.error(ProblemCode::out_of_range, bar.where,
              "{}: hits is a share in percent, at most 100; found {}", bar.mechanism,
              text_number(*bar.hits));
  if (std::ranges::none_of(heights, [](const Height& one) { return one.value.has_value(); }))
    out.error(ProblemCode::missing_key, bar.where,
              "{}: the bar says nothing; give one of mean, p95, median, median_percent "
              "and hits",
              bar.mechanism);
}

void check(const FittedLaw& law, Diagnostics& out) {
  if (law.constants.empty() || law.constants.size() > 2)
    out.error(ProblemCode::wrong_type, law.where,
              "{}: a law has one or two fitted constants; found {}", law.name,
              law.constants.size());
  for (const FittedConstant& constant : law.constants)
    if (constant.values.size() < 2)
      out.error(ProblemCode::unknown_part, constant.where,
                "{}: there is nothing to choose from for {}", law.name, text(constant.path));
}

void check(const Bars& bars, Diagnostics& out) {
  for (const FittedLaw& law : bars.laws) check(law, out);
  std::set<std::string> seen;
  for (const Bar& bar : bars.bars) {
    if (!bar.mechanism.empty() && !seen.insert(bar.mechanism).second)
      out.error(ProblemCode::conflict, bar.where, "{}: there are two bars for this mechanism",
                bar.mechanism);
    check(bar, out);
  }
}

auto bars_builder(const Catalog& catalog) {
  return [&catalog](const toml::table& table, const std::string& name, Diagnostics& out) {
    Bars bars;
    Reader(catalog, name, out).read_table(table, "", bars);
    if (out.empty()) check(bars, out);
    return bars;
  };
}

using Scores = std::map<std::string, ErrorScore>;

/// How each mechanism counts errors; reports those that do not know.
Scores scores_of(const std::vector<Validation>& files, Diagnostics& out) {
  Scores scores;
  for (const Validation& file : files)
    for (const ValidationCase& one : file.cases)
      for (const MeasuredRow& row : one.measured) {
        const ErrorScore score = row.score.value_or(ErrorScore::relative);
        const auto [known, is_first] = scores.emplace(row.mechanism, score);
        if (known->second != score)
          out.error(row.where, "{}: the mechanism \"{}\" counts errors as {} elsewhere, as {} here",
                    one.title, row.mechanism, name_of(known->second), name_of(score));
      }
  return scores;
}

void report_unknown(const std::string& mechanism, const Location& where, const Scores& scores,
                    Diagnostics& out) {
  Names known;
  for (const auto& [name, ignored] : scores) known.push_back(name);
  out.error(ProblemCode::unknown_part, where, "no row is of the mechanism \"{}\"; {}", mechanism,
            suggestion(mechanism, known));
}

void check_bar(const Bar& bar, const Scores& scores, Diagnostics& out) {
  const auto score = scores.find(bar.mechanism);
  if (score == scores.end()) {
    report_unknown(bar.mechanism, bar.where, scores, out);
  } else if ((bar.hits || bar.median_percent) && score->second != ErrorScore::count) {
    out.error(bar.where, "{}: hits and median_percent are for counts; its errors are {}",
              bar.mechanism, name_of(score->second));
  }
}

}  // namespace

Bars parse_bars(std::string_view text, const std::string& name, const Catalog& catalog) {
  return built_from_text(text, name, bars_builder(catalog));
}

Bars load_bars(const fs::path& file, const Catalog& catalog) {
  return built_from_file(file, bars_builder(catalog));
}

void check_mechanisms(const std::vector<Validation>& files, const Bars& bars) {
  Diagnostics out;
  const Scores scores = scores_of(files, out);
  for (const Bar& bar : bars.bars) check_bar(bar, scores, out);
  for (const FittedLaw& law : bars.laws)
    for (const std::string& mechanism : law.mechanisms)
      if (!scores.contains(mechanism)) report_unknown(mechanism, law.where, scores, out);
  out.throw_if_any();
}

}  // namespace gpufeed
