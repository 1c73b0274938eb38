// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/writers/activities.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& event) {
  return event.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// Names a process or a thread.
Json name_event(const char* what, std::int64_t process, std::int64_t thread,
                const std::string& name) {
  return {
      {"name", what}, {"ph", "M"}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

Json bar_event(const Interval& bar, std::int64_t process, std::int64_t thread) {
  constexpr double kMicroseconds = 1e6;
  const auto text = std::ranges::find(kActivityTexts, bar.kind, &ActivityText::key);
  return {{"name", std::string(text->whole)},
          {"cat", bar.kind},
          {"ph", "X"},
          {"ts", bar.start_s * kMicroseconds},
          {"dur", (bar.end_s - bar.start_s) * kMicroseconds},
          {"pid", process},
          {"tid", thread},
          {"args", {{"step", bar.step}}}};
}

}  // namespace

std::string to_trace(const std::vector<Result>& results) {
  std::string events;
  const auto add = [&](const Json& event) {
    events += (events.empty() ? "" : ",\n") + line(event);
  };
  std::int64_t process = 0;
  for (const Result& result : results)
    for (const TimelineStretch& stretch : result.timeline) {
      ++process;
      const std::string name =
          (results.size() > 1 ? result.title + ": " : std::string()) + stretch.name;
      add(name_event("process_name", process, 0, name));
      std::int64_t thread = 0;
      for (const TimelineGpu& gpu : stretch.gpus) {
        ++thread;
        add(name_event(
            "thread_name", process, thread,
            gpu.count > 1 ? fmt::format("{} (one of {} alike)", gpu.gpu, gpu.count) : gpu.gpu));
        for (const Interval& bar : gpu.intervals) add(bar_event(bar, process, thread));
      }
    }
  return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + events + "\n]}\n";
}

}  // namespace gpufeed
