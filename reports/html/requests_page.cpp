// SPDX-License-Identifier: Apache-2.0
#include "reports/html/requests_page.h"

#include <fmt/format.h>

#include "reports/html/chart.h"
#include "reports/html/markup.h"
#include "reports/writers/layout.h"
#include "reports/writers/requests_words.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

/// The poll, the modes, the learners' average as lines; each learner as points of one color.
std::string accuracy_chart(const ClockReport& clock) {
  Chart chart{fmt::format("Jobs whose class was right, {}", name_of(clock.clock)),
              "part of the log",
              "right class, %",
              {},
              {},
              true};
  for (std::size_t s = 0; s < kSegments; ++s) chart.categories.push_back(std::to_string(s + 1));
  Series learners{"one learner", {}, false};
  for (const ClassAccuracy& one : clock.classes) {
    const bool joint = one.name.find(' ') != std::string::npos || one.name == "poll";
    Series series{one.name, {}, true};
    for (std::size_t s = 0; s < kSegments; ++s)
      (joint ? series : learners)
          .points.push_back({static_cast<double>(s), 100 * one.right[s],
                             fmt::format("{}: {:.1f} %", one.name, 100 * one.right[s]),
                             one.name == "poll"});
    if (joint) chart.series.push_back(std::move(series));
  }
  chart.series.push_back(std::move(learners));
  return chart.markup();
}

Table accuracy_table(const ClockReport& clock) {
  Table table{"Share of right classes", {"by", "part 1", "2", "3", "4", "5"}, {}, 1};
  for (const ClassAccuracy& one : clock.classes) {
    table.rows.push_back({one.name});
    for (const double right : one.right)
      table.rows.back().push_back(fmt::format("{:.1f} %", 100 * right));
  }
  return table;
}

Table cost_table(const ClockReport& clock) {
  Table table{"What requests would have cost", {"request", "jobs", "waste", "too small"}, {}, 1};
  for (const RequestOutcome& one : clock.requests)
    table.rows.push_back(
        {one.name, std::to_string(one.jobs), text_number(one.waste, 3), percent(one.too_small)});
  return table;
}

std::string new_jobs(const RequestReport& report) {
  Table table{"New jobs",
              {"job", "need", "learned from", "request", "expected", "90 % of such jobs"},
              {},
              3};
  for (const NewJobNeed& one : report.new_jobs) {
    const bool known = one.learned_from > 0;
    const auto amount = [&](double value) { return amount_text(one.need, value); };
    table.rows.push_back({one.command, std::string(name_of(one.need)), learned_from(one),
                          one.request ? amount(*one.request) : "none",
                          known ? amount(one.middle) : "not known",
                          known ? amount(one.low) + " to " + amount(one.high) : "not known"});
  }
  return table.markup();
}

std::string need_section(const RequestReport& report, const NeedReport& need) {
  std::string body = element(
      "p", fmt::format("{} jobs; waste is (allocated, repeats included - used) / used; policy: {}.",
                       need.jobs, name_of(report.policy)));
  for (const ClockReport& clock : need.clocks) {
    body += element("h3", name_of(clock.clock));
    for (const std::string& sentence : verdict_on(need, clock, report.policy)) {
      std::string words = sentence + ".";
      if (words.front() >= 'a' && words.front() <= 'z')
        words.front() = static_cast<char>(words.front() - 'a' + 'A');
      body += element("p", words);
    }
    body += cost_table(clock).markup();
    body += element("p", "Classes: " + class_words(need.need) + ".") + accuracy_chart(clock) +
            folded("The numbers", accuracy_table(clock).markup());
  }
  return section(key_of(need.need), fmt::format("What jobs need: {}", name_of(need.need)), body);
}

}  // namespace

std::string to_html(const RequestReport& report, const PageHead& head) {
  std::string ground;
  for (const Ground& one : ground_of(report))
    ground += element("p", one.label + ": " + one.text + ".");
  std::string body;
  if (!report.new_jobs.empty()) body += section("new", "New jobs", new_jobs(report));
  for (const NeedReport& need : report.needs) body += need_section(report, need);
  return page(head, body + section("ground", "What it rests on", ground));
}

}  // namespace gpufeed::html
