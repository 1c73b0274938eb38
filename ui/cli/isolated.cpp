// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/isolated.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/base/diagnostics.h"
#include "ui/cli/verbs.h"
#include "ui/processes/child_process.h"

namespace gpufeed::cli {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

ChildEnd end_of(const Job& job) {
  try {
    return {kGood, job()};
  } catch (const InputError& error) {
    return {kWrongInput, error.what()};
  } catch (const std::exception& error) {
    return {kOurFault, fmt::format("internal error: {}\n", error.what())};
  }
}

struct Running {
  ChildProcess child;
  Outcome* outcome;
};

/// \return whether it has ended
bool receive(Running& one) {
  if (!one.child.receive()) return false;
  *one.outcome = {one.child.end().status, one.child.end().text};
  return true;
}

void receive_from(std::vector<Running>& children) {
  std::vector<pollfd> ready;
  ready.reserve(children.size());
  for (const Running& one : children) ready.push_back({one.child.reading_end(), POLLIN, 0});
  if (poll(ready.data(), ready.size(), -1) < 0) {
    if (errno == EINTR) return;
    fail("poll");
  }
  std::vector<Running> left;
  for (std::size_t i = 0; i < ready.size(); ++i)
    if (ready[i].revents == 0 || !receive(children[i])) left.push_back(std::move(children[i]));
  children.swap(left);
}

}  // namespace

std::vector<Outcome> run_isolated(const std::vector<Job>& jobs) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Outcome> outcomes(jobs.size());
  std::vector<Running> children;
  for (std::size_t next = 0; next < jobs.size() || !children.empty();) {
    if (next < jobs.size() && children.size() < cores) {
      const Job& job = jobs[next];
      children.push_back({ChildProcess([&] { return end_of(job); }, kOurFault), &outcomes[next]});
      ++next;
    } else {
      receive_from(children);
    }
  }
  return outcomes;
}

}  // namespace gpufeed::cli
