// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/child.h"

#include <poll.h>

#include <exception>
#include <utility>

#include "reports/writers/problems_json.h"
#include "ui/model/work/problems.h"
#include "ui/processes/child_process.h"

namespace gpufeed::ui {
namespace {

constexpr int kAskEvery_ms = 5;
constexpr int kGood = 0;
constexpr int kRefused = 2;
constexpr int kKilled = 3;

gpufeed::ChildEnd end_of(const std::function<std::string()>& work) {
  try {
    return {kGood, work()};
  } catch (const std::exception& error) {
    return {kRefused, to_json(problems_of(error))};
  }
}

WorkEnd work_end(gpufeed::ChildEnd end) {
  if (end.status == kGood) return {true, std::move(end.text), {}};
  if (end.status == kRefused) return {false, "", problems_from_json(end.text)};
  if (end.text.ends_with('\n')) end.text.pop_back();
  return {false, "", {{{}, std::move(end.text)}}};
}

#ifdef __SANITIZE_ADDRESS__
// Its allocator, unlike glibc's, does not let go of its locks in a process that was forked beside
// other threads: the child could wait for ever.
constexpr bool kForks = false;
#else
constexpr bool kForks = true;
#endif

std::optional<WorkEnd> run_here(const std::function<std::string()>& work,
                                const std::function<bool()>& stop) {
  if (stop()) return {};
  gpufeed::ChildEnd end = end_of(work);
  if (stop()) return {};
  return work_end(std::move(end));
}

}  // namespace

std::optional<WorkEnd> run_in_child(const std::function<std::string()>& work,
                                    const std::function<bool()>& stop) {
  if (!kForks) return run_here(work, stop);
  ChildProcess child([&] { return end_of(work); }, kKilled);
  while (!stop()) {
    pollfd ready{child.reading_end(), POLLIN, 0};
    if (poll(&ready, 1, kAskEvery_ms) > 0 && child.receive()) return work_end(child.end());
  }
  return {};
}

}  // namespace gpufeed::ui
