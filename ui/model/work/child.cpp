// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/child.h"

#include <poll.h>

#include <exception>
#include <utility>

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
    return {kRefused, error.what()};
  }
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
  return WorkEnd{end.status == kGood, std::move(end.text)};
}

}  // namespace

std::optional<WorkEnd> run_in_child(const std::function<std::string()>& work,
                                    const std::function<bool()>& stop) {
  if (!kForks) return run_here(work, stop);
  ChildProcess child([&] { return end_of(work); }, kKilled);
  while (!stop()) {
    pollfd ready{child.reading_end(), POLLIN, 0};
    if (poll(&ready, 1, kAskEvery_ms) > 0 && child.receive())
      return WorkEnd{child.end().status == kGood, child.end().text};
  }
  return {};
}

}  // namespace gpufeed::ui
