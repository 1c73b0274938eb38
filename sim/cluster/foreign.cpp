// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed::cluster {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw InputError({{{"the scheduler", 0, 0}, what}});
}

/// The numbers of {"start":[4,5]}; nothing where it is no such line.
std::optional<std::vector<int>> started_by(std::string_view line) {
  std::string plain;
  for (const char c : line)
    if (c != ' ' && c != '\t' && c != '\r') plain += c;
  constexpr std::string_view kHead = "{\"start\":[";
  constexpr std::string_view kFoot = "]}";
  if (!plain.starts_with(kHead) || !plain.ends_with(kFoot)) return {};
  const char* at = plain.data() + kHead.size();
  const char* const end = plain.data() + plain.size() - kFoot.size();
  std::vector<int> out;
  while (at < end) {
    int number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || (rest != end && (*rest != ',' || rest + 1 == end))) return {};
    out.push_back(number);
    at = rest == end ? end : rest + 1;
  }
  return out;
}

class Foreign {
 public:
  Foreign(const Case& of, Talk talk) : of_(of), talk_(std::move(talk)) {
    std::string nodes;
    for (const Node& node : of.nodes)
      nodes += fmt::format("{}{{\"gpus\":{},\"pool\":{}}}", nodes.empty() ? "" : ",", node.gpus,
                           node.pool);
    talk_(fmt::format("{{\"event\":\"begin\",\"nodes\":[{}]}}", nodes), false);
  }

  void pass(Board& board) {
    board.decisions.clear();
    tell_changes(board);
    const std::string question =
        fmt::format("{{\"event\":\"schedule\",\"at\":{},\"free_gpus\":{}}}", board.now,
                    static_cast<double>(board.room.machines.free_milli()) / kMilli);
    const std::string answer = talk_(question, true);
    const auto started = started_by(answer);
    if (!started)
      refuse(fmt::format("must answer by a line such as {{\"start\":[4,5]}}; it said: {}",
                         answer.substr(0, 60)));
    for (const int job : *started) start(board, job);
  }

 private:
  void tell_changes(const Board& board) {
    for (auto it = runs_.begin(); it != runs_.end();)
      if (board.find(*it)) {
        ++it;
      } else {
        talk_(fmt::format("{{\"event\":\"end\",\"job\":{},\"at\":{}}}", *it, board.now), false);
        it = runs_.erase(it);
      }
    std::set<int> waits;
    for (const auto& queue : board.queues) waits.insert(queue.begin(), queue.end());
    for (const int number : waits)
      if (!waits_.contains(number)) tell_arrival(number, board.now);
    waits_ = std::move(waits);
  }

  void tell_arrival(int number, double now) {
    const Job& job = of_.jobs[at(number)];
    talk_(fmt::format("{{\"event\":\"arrive\",\"job\":{},\"at\":{},\"gpus\":{},\"milli\":{},"
                      "\"cpu_milli\":{},\"memory\":{},\"estimate\":{},\"priority\":{},\"user\":{},"
                      "\"pool\":{}}}",
                      number, now, job.gpus, job.milli, job.cpu_milli, job.memory, job.estimate,
                      job.priority, job.user, job.pool),
          false);
  }

  void start(Board& board, int number) {
    if (!waits_.contains(number)) refuse(fmt::format("starts job {}, which does not wait", number));
    const Job& job = board.job(number);
    auto placement = board.room.machines.place(job);
    if (!placement) refuse(fmt::format("starts job {}, for which there is no room", number));
    auto& queue = board.queues[at(job.pool)];
    queue.erase(std::ranges::find(queue, number));
    board.start(number, std::move(*placement));
    waits_.erase(number);
    runs_.insert(number);
  }

  const Case& of_;
  Talk talk_;
  std::set<int> waits_, runs_;  ///< as it was told
};

}  // namespace

std::function<void(Board&)> foreign_scheduler(const Case& of, Talk talk) {
  const auto foreign = std::make_shared<Foreign>(of, std::move(talk));
  return [foreign](Board& board) { foreign->pass(board); };
}

}  // namespace gpufeed::cluster
