// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/requests_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

const RequestOutcome* find(const ClockReport& clock, std::string_view name) {
  const auto it = std::ranges::find(clock.requests, name, &RequestOutcome::name);
  return it == clock.requests.end() ? nullptr : &*it;
}

std::string waste(double value) { return text_number(value, 3); }

std::string over_the_log(const RequestOutcome& poll, const RequestOutcome& largest,
                         const RequestOutcome* users) {
  const bool same = users && users->jobs == poll.jobs;
  if (same && users->waste < std::min(poll.waste, largest.waste))
    return fmt::format(
        "the users' own requests win: they waste {} of what is used, the poll {}, "
        "\"largest so far x 1.1\" {}",
        waste(users->waste), waste(poll.waste), waste(largest.waste));
  if (waste(largest.waste) == waste(poll.waste))
    return fmt::format(
        "the poll is no better than \"largest so far x 1.1\": both waste {} of what "
        "is used",
        waste(poll.waste));
  if (largest.waste < poll.waste)
    return fmt::format("\"largest so far x 1.1\" wins: it wastes {} of what is used, the poll {}",
                       waste(largest.waste), waste(poll.waste));
  return fmt::format("the poll wins: it wastes {} of what is used, \"largest so far x 1.1\" {}",
                     waste(poll.waste), waste(largest.waste));
}

/// Its end, where names differ that begin with what they belong to.
std::string end_of(const std::string& command) {
  constexpr std::size_t kMost = 40;
  if (command.size() <= kMost) return command;
  return "..." + command.substr(command.size() - kMost);
}

std::string simpler_words(const std::vector<SimplerWins>& simpler) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> parts;
  for (const SimplerWins& one : simpler) {
    if (parts.size() == kMost) {
      parts.push_back(fmt::format("{} more", simpler.size() - kMost));
      break;
    }
    const bool user = one.user_waste && *one.user_waste < one.largest_waste;
    parts.push_back(fmt::format("{} ({} job{}: {} {}, the poll {})", end_of(one.command), one.jobs,
                                one.jobs == 1 ? "" : "s", user ? "the user's" : "largest x 1.1",
                                waste(user ? *one.user_waste : one.largest_waste),
                                waste(one.poll_waste)));
  }
  return fmt::format("a simpler request is cheaper for {}", fmt::join(parts, "; "));
}

}  // namespace

std::string_view name_of(Need need) {
  constexpr std::array<std::string_view, kNeeds> kNames{"memory", "time", "GPUs"};
  return kNames[static_cast<std::size_t>(need)];
}

std::string_view key_of(Need need) {
  constexpr std::array<std::string_view, kNeeds> kKeys{"memory_B", "time_s", "gpus"};
  return kKeys[static_cast<std::size_t>(need)];
}

std::string_view name_of(Clock clock) {
  return clock == Clock::rows ? "by earlier rows" : "by what had ended";
}

std::string_view key_of(Clock clock) {
  return clock == Clock::rows ? "earlier_rows" : "ended_at_submission";
}

std::string_view name_of(RequestPolicy policy) {
  return policy == RequestPolicy::few_too_small ? "under 1 % too small" : "least waste";
}

std::string_view key_of(RequestPolicy policy) {
  return policy == RequestPolicy::few_too_small ? "few-too-small" : "least-waste";
}

std::string_view key_of(Level level) {
  return level == Level::command ? "command" : level == Level::program ? "program" : "all";
}

std::string amount_text(Need need, double value) {
  constexpr double kMiB = 1024.0 * 1024.0, kKi = 1024;
  if (need == Need::time) return time_text(value);
  if (need == Need::gpus) return fmt::format("{:.0f} GPU{}", value, value == 1 ? "" : "s");
  const double mebibytes = value / kMiB;
  return mebibytes < 10 * kKi ? text_number(mebibytes, 4) + " MiB"
                              : text_number(mebibytes / kKi, 4) + " GiB";
}

std::string learned_from(const NewJobNeed& job) {
  if (job.learned_from == 0) return "nothing: no job is known";
  const char* const many = job.learned_from == 1 ? "" : "s";
  if (job.level == Level::command)
    return fmt::format("{} job{} of this command", job.learned_from, many);
  return fmt::format("{} other command{}{}; no job of this one is known", job.learned_from, many,
                     job.level == Level::program ? " of this program" : "");
}

std::string class_words(Need need) {
  constexpr std::array<std::string_view, kNeeds> kFirst{"128 MiB", "a minute", "one GPU"};
  return fmt::format("up to {}, and twice as much each", kFirst[static_cast<std::size_t>(need)]);
}

std::vector<std::string> verdict_on(const NeedReport& need, const ClockReport& clock,
                                    RequestPolicy policy) {
  const RequestOutcome* const poll = find(clock, "poll of the cheapest");
  const RequestOutcome* const largest = find(clock, "largest so far x 1.1");
  if (!poll || !largest) return {"nothing was known of any job before it ran"};
  const RequestOutcome* const users = find(clock, "the users' own");
  std::vector<std::string> out{over_the_log(*poll, *largest, users)};
  constexpr double kAskedFor = 0.01;
  if (policy == RequestPolicy::few_too_small && poll->too_small > kAskedFor)
    out.push_back(fmt::format(
        "{} of jobs are too small by the poll, more than the 1 % asked for ({} by \"largest so far "
        "x 1.1\")",
        percent(poll->too_small), percent(largest->too_small)));
  if (!clock.simpler.empty()) out.push_back(simpler_words(clock.simpler));
  if (poll->held_s && users && users->held_s && users->jobs == poll->jobs) {
    constexpr double kHour = 3600;
    const double saved = (*users->held_s - *poll->held_s) / kHour;
    const std::string amount =
        need.need == Need::gpus
            ? fmt::format("{} GPU h", text_number(std::abs(saved), 3))
            : fmt::format("{} GiB h", text_number(std::abs(saved) / 1073741824, 3));
    out.push_back(fmt::format(
        "against the users' own it {} {}: {} times as many of these jobs fit "
        "beside one another",
        saved < 0 ? "costs" : "saves", amount, text_number(*users->held_s / *poll->held_s, 3)));
  }
  return out;
}

std::vector<Ground> ground_of(const RequestReport& report) {
  std::vector<Ground> out;
  out.push_back({"Learned from",
                 report.known.empty()
                     ? std::string("the command and the request")
                     : fmt::format("the command, the request, {}", fmt::join(report.known, ", "))});
  if (!report.measured.empty())
    out.push_back({"Not learned from",
                   fmt::format("{}: known only afterwards", fmt::join(report.measured, ", "))});
  if (!report.own_clocks.empty())
    out.push_back({"Times", fmt::format("begin anew with each {}", report.own_clocks)});
  if (!report.timed)
    out.push_back({"Times",
                   "the log does not say of each job when it was submitted, or how long "
                   "any ran: what had ended by then cannot be told, and requests will "
                   "do worse than by earlier rows where jobs come in bursts"});
  return out;
}

}  // namespace gpufeed
