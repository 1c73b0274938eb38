// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sim/base/diagnostics.h"
#include "sim/base/numbers/random.h"
#include "sim/serving/make_case.h"

namespace gpufeed::serving {
namespace {

constexpr std::int64_t kUsualCount = 2000;
constexpr std::int64_t kMostNames = 100000000;  // 1.2 GB a replica

/// Lengths about a mean: a lognormal of which 95 % are at most p95.
class Lengths {
 public:
  Lengths(std::int64_t mean, const std::optional<std::int64_t>& p95)
      : mean_(static_cast<double>(mean)) {
    constexpr double kZ95 = 1.6449;
    if (!p95) return;
    const double ratio = std::log(static_cast<double>(*p95) / mean_);
    deviation_ = kZ95 - std::sqrt(std::max(0.0, kZ95 * kZ95 - 2 * ratio));
  }
  /// At least a token.
  std::int64_t draw(Random& random) const {
    const double value =
        mean_ * random.lognormal(deviation_) * std::exp(-deviation_ * deviation_ / 2);
    return static_cast<std::int64_t>(std::max(std::round(value), 1.0));
  }

 private:
  double mean_;
  double deviation_ = 0;
};

class Drawn {
 public:
  Drawn(Case& out, const Document& document)
      : out_(out),
        asked_(document.serving.requests),
        random_(static_cast<std::uint64_t>(asked_.seed)),
        prompts_(*asked_.prompt, asked_.prompt_p95),
        answers_(*asked_.answer, asked_.answer_p95),
        names_wanted_(document.serving.prefix_cache) {
    // What never comes again need no name where no tier is written.
    names_unique_ = names_wanted_ && !out.tiers.empty();
  }

  void add() {
    if (names_wanted_) shared_ = run(asked_.shared / kBlock);
    for (std::int64_t i = 0; i < *asked_.prompts; ++i) {
      lengths_.push_back(tokens(fresh_prompt(), "a prompt"));
      own_.push_back(names_wanted_ ? run(lengths_.back() / kBlock - shared_.count) : NameRun{});
    }
    const std::int64_t count = asked_.count.value_or(kUsualCount);
    out_.requests.reserve(static_cast<std::size_t>(count));
    double at = 0;
    for (std::int64_t done = 0, number = 0; done < count; ++number) {
      const std::int64_t turns = std::min(asked_.turns, count - done);
      add_conversation(at, number, turns);
      done += turns;
      if (asked_.rate) at += gap(static_cast<double>(asked_.turns) / asked_.rate->value);
    }
  }

 private:
  std::int64_t fresh_prompt() { return std::max(prompts_.draw(random_), asked_.shared); }

  /// A length as the engine has it.
  std::int32_t tokens(std::int64_t length, const char* what) const {
    if (length > kMostTokens)
      throw InputError(
          {{asked_.where, fmt::format("serving.requests: {} of {} tokens comes out; at most {} are "
                                      "simulated; lower prompt, answer, their p95, or turns",
                                      what, length, kMostTokens)}});
    return static_cast<std::int32_t>(length);
  }

  double gap(double mean) {
    if (asked_.arrivals == Arrivals::constant) return mean;
    return -mean * std::log(1 - random_.uniform(0, 1));
  }

  NameRun run(std::int64_t blocks) {
    blocks = std::max<std::int64_t>(blocks, 0);
    if (out_.names + blocks > kMostNames)
      throw InputError(
          {{asked_.where, fmt::format("serving.requests: prompts that may be found again have more "
                                      "than {} blocks in all; lower count, prompts or prompt",
                                      kMostNames)}});
    const NameRun made{out_.names, static_cast<std::int32_t>(blocks)};
    out_.names += made.count;
    return made;
  }

  void add_conversation(double at, std::int64_t number, std::int64_t turns) {
    const bool repeats = !lengths_.empty();
    const std::size_t which = repeats ? static_cast<std::size_t>(number % std::ssize(lengths_)) : 0;
    std::vector<Request> all;
    std::int64_t before = 0;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      Request one;
      one.arrival = at;
      const std::int64_t fresh = turn == 0 && repeats ? lengths_[which]
                                 : turn == 0          ? fresh_prompt()
                                                      : prompts_.draw(random_);
      one.prompt = tokens(before + fresh, turns == 1 ? "a prompt" : "a prompt with its history");
      one.answer = tokens(answers_.draw(random_), "an answer");
      before = std::int64_t{one.prompt} + one.answer;
      all.push_back(one);
    }
    const std::int32_t first = all.front().prompt;
    const NameRun begin = repeats ? own_[which] : NameRun{};
    const std::int64_t named = shared_.count + begin.count;
    const bool goes_on = turns > 1 && names_wanted_;
    const std::int64_t rest = goes_on         ? (before - 1) / kBlock - named
                              : names_unique_ ? first / kBlock - named
                                              : 0;
    const NameRun own = rest > 0 ? run(rest) : NameRun{};
    for (std::size_t turn = 0; turn < all.size(); ++turn) {
      Request& one = all[turn];
      one.first_run = static_cast<std::uint32_t>(out_.runs.size());
      // The last turn's answer is asked for by nobody.
      const std::int64_t last = turn + 1 < all.size() ? one.prompt + one.answer - 1 : one.prompt;
      std::int64_t left = last / kBlock;
      for (NameRun names : {shared_, begin, own}) {
        names.count = static_cast<std::int32_t>(std::min<std::int64_t>(names.count, left));
        if (names.count <= 0) continue;
        out_.runs.push_back(names);
        left -= names.count;
      }
      one.run_count = static_cast<std::uint32_t>(out_.runs.size()) - one.first_run;
      if (turn > 0) one.after = static_cast<std::int32_t>(out_.requests.size()) - 1;
      out_.requests.push_back(one);
    }
  }

  Case& out_;
  const Requests& asked_;
  Random random_;
  Lengths prompts_, answers_;
  bool names_wanted_;
  bool names_unique_ = false;
  NameRun shared_;
  std::vector<std::int32_t> lengths_;
  std::vector<NameRun> own_;
};

void add_log(Case& out, const Document& document) {
  const Requests& asked = document.serving.requests;
  const std::int64_t blocks = asked.log_block / kBlock;
  std::unordered_map<std::int64_t, std::int32_t> numbers;
  for (const LoggedRequest& line : document.log) {
    Request one;
    one.arrival = line.at * asked.stretch;
    one.prompt = static_cast<std::int32_t>(line.prompt);
    one.answer = static_cast<std::int32_t>(line.answer);
    one.first_run = static_cast<std::uint32_t>(out.runs.size());
    std::int64_t left = document.serving.prefix_cache ? line.prompt / kBlock : 0;
    for (const std::int64_t id : line.blocks) {
      const auto number =
          numbers.try_emplace(id, static_cast<std::int32_t>(numbers.size())).first->second;
      const std::int64_t count = std::min(left, blocks);
      if (count <= 0) continue;
      left -= count;
      const auto first = static_cast<std::int32_t>(number * blocks);
      const bool is_next =
          out.runs.size() > one.first_run && out.runs.back().first + out.runs.back().count == first;
      if (is_next)
        out.runs.back().count += static_cast<std::int32_t>(count);
      else
        out.runs.push_back({first, static_cast<std::int32_t>(count)});
    }
    one.run_count = static_cast<std::uint32_t>(out.runs.size()) - one.first_run;
    out.requests.push_back(one);
  }
  const std::int64_t names = std::ssize(numbers) * blocks;
  if (names > kMostNames)
    throw InputError({{asked.where, fmt::format("serving.requests.log names {} blocks; at most {} "
                                                "are simulated",
                                                std::ssize(numbers), kMostNames / blocks)}});
  out.names = static_cast<std::int32_t>(names);
}

}  // namespace

void add_requests(Case& out, const Document& document) {
  const Requests& asked = document.serving.requests;
  out.pause = asked.pause.value;
  out.clients = asked.concurrency.value_or(0);
  if (asked.log)
    add_log(out, document);
  else
    Drawn(out, document).add();
}

}  // namespace gpufeed::serving
