// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/pipeline_text.h"

#include <fmt/format.h>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"

namespace gpufeed {
namespace {

std::string row(std::string_view name, std::string_view place, std::string_view read,
                std::string_view written, std::string_view time, std::string_view limit) {
  constexpr std::size_t kBefore = 76;
  std::string out =
      fmt::format("  {:<20}{:<24}{:>10}{:>10}{:>10}  {}", clipped(name, 19), clipped(place, 23),
                  read, written, time, clipped(limit, kScreenWidth - kBefore - 2));
  out.resize(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string size_text(double bytes) { return bytes > 0 ? text(Bytes{bytes}, 3) : "nothing"; }

std::string copy_text(const PipelineSummary& pipeline, double all_s) {
  if (pipeline.copy_s <= 0) return "none: every stage finds its data where they lie";
  return fmt::format("{} between places, {}: {} of the time", size_text(pipeline.copied_B),
                     time_text(pipeline.copy_s, all_s), percent(pipeline.copy_share));
}

}  // namespace

std::string first_stage_time(const Result& result) {
  if (result.time_to_first_result_s <= 0) return std::string(kAtOnce);
  return time_text(result.time_to_first_result_s, result.time_to_result_s);
}

std::string pipeline_rows(const Result& result) {
  if (!result.pipeline) return "";
  const PipelineSummary& pipeline = *result.pipeline;
  std::string out = fmt::format("{:<22}{:<24}{:>10}{:>10}{:>10}  {}\n", "Step", "at", "reads",
                                "writes", "time", "limited by");
  for (const auto& step : pipeline.steps)
    out += row(step.name, step.place, size_text(step.read_B), size_text(step.written_B),
               time_text(step.time_s, result.time_to_result_s), in_words(step.limit));
  return out + "\n" +
         item("Time to first result",
              fmt::format("{}: then {} begins", first_stage_time(result), pipeline.first_result)) +
         item("Time to result", total_time(result)) +
         item("Copies", copy_text(pipeline, result.time_to_result_s));
}

}  // namespace gpufeed
