// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/limits.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <new>

#include "sim/base/units.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

volatile sig_atomic_t received = 0;

// Made beforehand: a signal handler, or one for the lack of memory, may make nothing.
std::string time_is_up;
std::string memory_is_full;

void start_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::fmod(seconds, 1) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

void end_now(int) {
  if (received == 0 || received == SIGALRM) {
    write_all(STDERR_FILENO, time_is_up);
    _exit(kWrongInput);
  }
  write_all(STDERR_FILENO, "interrupted; the same command goes on\n");
  signal(received, SIG_DFL);
  raise(received);
}

void note(int number) {
  constexpr double kPatience_s = 0.8;
  received = number;
  handle(SIGALRM, end_now, 0);
  start_timer(kPatience_s);
}

template <class Unit>
double amount(const Options& options, const char* option, const std::string& text, double least,
              double most) {
  const auto value = parse_quantity<Unit>(text);
  if (value && value->value >= least && value->value <= most) return value->value;
  throw options.error(fmt::format("{} must be text with a unit from \"{}\" to \"{}\"; found \"{}\"",
                                  option, gpufeed::text(Quantity<Unit>{least}),
                                  gpufeed::text(Quantity<Unit>{most}), text));
}

}  // namespace

void Limits::add_to(Options& options) {
  options
      .value("--limit-time", "TIME", time,
             "end with status 2 when this time has passed, such as 10min")
      .seldom();
  options
      .value("--limit-memory", "SIZE", memory,
             "end with status 2 when a process of it needs more memory, such as 2GiB")
      .seldom();
}

void Limits::set(const Options& options) const {
  if (time) {
    const double seconds = amount<SecondsUnit>(options, "--limit-time", *time, 1e-3, 30 * 86400);
    time_is_up = fmt::format("--limit-time {}: error: the time is up\n", *time);
    handle(SIGALRM, end_now, 0);
    start_timer(seconds);
  }
  if (memory) {
    const double bytes = amount<BytesUnit>(options, "--limit-memory", *memory, 1e6, 1e15);
    memory_is_full = fmt::format("--limit-memory {}: error: more memory is needed\n", *memory);
    // Data, not addresses: threads reserve many more of these than they use.
    const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    setrlimit(RLIMIT_DATA, &limit);
    std::set_new_handler([] {
      write_all(STDERR_FILENO, memory_is_full);
      _exit(kWrongInput);
    });
  }
}

void end_in_good_order() {
  const auto once = static_cast<int>(SA_RESETHAND);
  handle(SIGINT, note, once);
  handle(SIGTERM, note, once);
  if (!time_is_up.empty()) handle(SIGALRM, note, once);
}

bool asked_to_end() { return received != 0; }

void end_as_asked() {
  start_timer(0);
  if (received == SIGALRM) {
    complain(time_is_up);
    std::exit(kWrongInput);
  }
  signal(received, SIG_DFL);
  raise(received);
  std::abort();
}

}  // namespace gpufeed::cli
