// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/limits.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <new>

#include "sim/base/units.h"
#include "ui/cli/options.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

volatile sig_atomic_t received = 0;
std::atomic<std::int64_t> finished_so_far = 0;
std::atomic<std::int64_t> all_of_them = 0;  ///< 0: nothing that could be counted has begun

// Made beforehand: a signal handler, or one for the lack of memory, may make nothing.
std::string time_is_up;
std::string memory_is_full;

/// \param then  in which it rings again and again
void start_timer(double seconds, time_t then = 0) {
  itimerval timer{};
  timer.it_interval.tv_sec = then;
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::fmod(seconds, 1) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

/// The message, and how far it came: without making anything.
[[noreturn]] void end_with(std::string_view message) {
  std::array<char, 80> line{};
  const auto [end, size] =
      all_of_them == 0 ? fmt::format_to_n(line.data(), line.size(), "\n")
                       : fmt::format_to_n(line.data(), line.size(), "; it came to {} of {}\n",
                                          finished_so_far.load(), all_of_them.load());
  remove_part_files();
  write_all(STDERR_FILENO, message);
  write_all(STDERR_FILENO, {line.data(), std::min(size, line.size())});
  _exit(kWrongInput);
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

void end_now(int) {
  if (received == 0 || received == SIGALRM) end_with(time_is_up);
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

void set_limits(const Limits& limits, const Options& options) {
  if (limits.time) {
    const double seconds =
        amount<SecondsUnit>(options, "--limit-time", *limits.time, 1e-3, 30 * 86400);
    time_is_up = fmt::format("--limit-time {}: error: the time is up", *limits.time);
    handle(SIGALRM, end_now, 0);
    start_timer(seconds, 1);  // the first may only ask to tidy up
  }
  if (limits.memory) {
    const double bytes = amount<BytesUnit>(options, "--limit-memory", *limits.memory, 1e6, 1e15);
    memory_is_full = fmt::format("--limit-memory {}: error: more memory is needed", *limits.memory);
    // Data, not addresses: threads reserve many more of these than they use.
    const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    setrlimit(RLIMIT_DATA, &limit);
    std::set_new_handler([] { end_with(memory_is_full); });
    // of libraries that start threads: where one finds no memory for its stack
    std::set_terminate([] { end_with(memory_is_full); });
  }
}

void end_where_time_is_up() { end_with(time_is_up); }

void end_where_memory_is_limited() {
  if (!memory_is_full.empty()) end_with(memory_is_full);
}

void note_progress(std::int64_t finished, std::int64_t of) {
  finished_so_far = finished;
  all_of_them = of;
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
  if (received == SIGALRM) end_with(time_is_up);
  signal(received, SIG_DFL);
  raise(received);
  std::abort();
}

}  // namespace gpufeed::cli
