// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/requests_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/requests_words.h"
#include "sim/base/printable.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kName = 26, kCell = 12, kPart = 7;

std::string new_job_rows(const NewJobNeed& one) {
  const std::string label = fmt::format("{} request", name_of(one.need));
  if (!one.request) return item(label, "none: no earlier job says what this one needs");
  std::string text = amount_text(one.need, *one.request);
  if (one.learned_from > 0)
    text += fmt::format("; expected {} (90 % of such jobs: {} to {})",
                        amount_text(one.need, one.middle), amount_text(one.need, one.low),
                        amount_text(one.need, one.high));
  return item(label, fmt::format("{}; from {}", text, learned_from(one)));
}

std::string new_jobs(const RequestReport& report) {
  std::string out;
  // a job's needs stand far apart in the list, which goes by need
  const std::size_t needs = report.needs.empty() ? 1 : report.needs.size();
  const std::size_t jobs = report.new_jobs.size() / needs;
  for (std::size_t j = 0; j < jobs; ++j) {
    out += "\n" + item("New job", report.new_jobs[j].command.empty() ? std::to_string(j + 1)
                                                                     : report.new_jobs[j].command);
    for (std::size_t n = 0; n < needs; ++n) out += new_job_rows(report.new_jobs[n * jobs + j]);
  }
  return out;
}

std::string request_table(const NeedReport& need) {
  std::string out = fmt::format("{:<{}}", "Request", kName);
  for (const ClockReport& clock : need.clocks)
    out += fmt::format("{:>{}}", name_of(clock.clock), 2 * kCell);
  out += fmt::format("\n{:<{}}", "", kName);
  for (std::size_t c = 0; c < need.clocks.size(); ++c)
    out += fmt::format("{:>{}}{:>{}}", "waste", kCell, "too small", kCell);
  out += "\n";
  for (std::size_t row = 0; row < need.clocks.front().requests.size(); ++row) {
    out += fmt::format("  {:<{}}", need.clocks.front().requests[row].name, kName - 2);
    for (const ClockReport& clock : need.clocks)
      if (row < clock.requests.size())
        out += fmt::format("{:>{}}{:>{}}", text_number(clock.requests[row].waste, 3), kCell,
                           percent(clock.requests[row].too_small), kCell);
    out += "\n";
  }
  return out;
}

std::string class_table(const NeedReport& need) {
  std::string out = fmt::format("{:<{}}", "Right, %, parts 1 to 5", kName);
  for (const ClockReport& clock : need.clocks)
    out += fmt::format("{:>{}}", name_of(clock.clock), kSegments * kPart);
  out += "\n";
  for (std::size_t row = 0; row < need.clocks.front().classes.size(); ++row) {
    out += fmt::format("  {:<{}}", need.clocks.front().classes[row].name, kName - 2);
    for (const ClockReport& clock : need.clocks)
      for (const double right : clock.classes[row].right)
        out += fmt::format("{:>{}}", fmt::format("{:.1f}", 100 * right), kPart);
    out += "\n";
  }
  return out;
}

std::string need_rows(const RequestReport& report, const NeedReport& need) {
  std::string name(name_of(need.need));
  name.front() = name.front() == 'G' ? 'G' : static_cast<char>(name.front() - 'a' + 'A');
  std::string out =
      "\n" +
      item(name, fmt::format("{} jobs; waste is (allocated, repeats included - used) / used; "
                             "policy: {}",
                             need.jobs, name_of(report.policy)));
  out += request_table(need);
  for (const ClockReport& clock : need.clocks) {
    std::string label(name_of(clock.clock));
    label.front() = 'B';
    for (const std::string& sentence : verdict_on(need, clock, report.policy)) {
      out += item(label, sentence);
      label.clear();
    }
  }
  out += item("Classes", class_words(need.need));
  return out + class_table(need);
}

Json json_of(const ClockReport& clock) {
  Json out{{"clock", key_of(clock.clock)}, {"requested_jobs", clock.requested}};
  Json requests = Json::array(), simpler = Json::array(), classes = Json::array();
  for (const RequestOutcome& one : clock.requests)
    requests.push_back({{"name", one.name},
                        {"jobs", one.jobs},
                        {"waste", one.waste},
                        {"too_small", one.too_small},
                        {"held_s", one.held_s ? Json(*one.held_s) : Json()}});
  for (const SimplerWins& one : clock.simpler)
    simpler.push_back({{"command", one.command},
                       {"jobs", one.jobs},
                       {"poll_waste", one.poll_waste},
                       {"largest_waste", one.largest_waste},
                       {"user_waste", one.user_waste ? Json(*one.user_waste) : Json()}});
  for (const ClassAccuracy& one : clock.classes)
    classes.push_back({{"name", one.name}, {"right", one.right}});
  out["requests"] = requests;
  out["simpler_is_cheaper"] = simpler;
  out["classed_jobs"] = clock.classed;
  out["classes"] = classes;
  return out;
}

Json json_of(const NewJobNeed& one) {
  Json out{{"command", one.command}, {"need", key_of(one.need)}};
  out["request"] = one.request ? Json(*one.request) : Json();
  const bool known = one.learned_from > 0;
  out["low"] = known ? Json(one.low) : Json();
  out["expected"] = known ? Json(one.middle) : Json();
  out["high"] = known ? Json(one.high) : Json();
  out["learned_from"] = key_of(one.level);
  out["learned_from_count"] = one.learned_from;
  return out;
}

}  // namespace

std::string to_text(const RequestReport& report) {
  std::string out = wrapped(
      fmt::format(
          "{}: {} jobs of {} command{}{}", report.log, report.jobs, report.commands,
          report.commands == 1 ? "" : "s",
          report.history > 0 ? fmt::format(", after {} of older logs", report.history) : ""),
      0);
  out += "\n";
  for (const Ground& one : ground_of(report)) out += item(one.label, one.text);
  out += new_jobs(report);
  for (const NeedReport& need : report.needs) out += need_rows(report, need);
  return printable_lines(out);
}

std::string to_json(const RequestReport& report) {
  Json out{{"log", report.log},
           {"jobs", report.jobs},
           {"older_jobs", report.history},
           {"commands", report.commands},
           {"policy", key_of(report.policy)},
           {"learned_from", report.known},
           {"measured", report.measured},
           {"own_clocks", report.own_clocks.empty() ? Json() : Json(report.own_clocks)},
           {"timed", report.timed}};
  out["new_jobs"] = Json::array();
  for (const NewJobNeed& one : report.new_jobs) out["new_jobs"].push_back(json_of(one));
  out["needs"] = Json::array();
  for (const NeedReport& need : report.needs) {
    Json one{{"need", key_of(need.need)}, {"jobs", need.jobs}, {"clocks", Json::array()}};
    for (const ClockReport& clock : need.clocks) one["clocks"].push_back(json_of(clock));
    out["needs"].push_back(one);
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpufeed
