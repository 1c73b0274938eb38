// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "ui/cli/limits.h"
#include "ui/cli/output.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

/// "0:07", "12:34", "3:04:05".
std::string clock_text(double seconds) {
  const auto all = static_cast<std::int64_t>(std::ceil(seconds));
  const std::int64_t hours = all / 3600;
  const std::int64_t minutes = all / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, all % 60);
  return fmt::format("{}:{:02}", minutes, all % 60);
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string progress_line(std::int64_t finished, std::int64_t of, std::int64_t begun,
                          std::chrono::duration<double> elapsed, std::size_t width) {
  std::string text = fmt::format(" {}/{}", with_commas(finished), with_commas(of));
  if (finished > begun && elapsed.count() > 0) {
    const double rate = static_cast<double>(finished - begun) / elapsed.count();
    text += fmt::format("  {}/s  {} left", text_number(rate, 3),
                        clock_text(static_cast<double>(of - finished) / rate));
  }
  constexpr std::size_t kLongest = 40;
  if (width < text.size() + 4) return text.substr(0, width);
  const std::size_t cells = std::min(kLongest, width - text.size() - 2);
  const auto done =
      static_cast<std::size_t>(static_cast<double>(cells) * static_cast<double>(finished) /
                               static_cast<double>(std::max<std::int64_t>(of, 1)));
  return fmt::format("[{:#<{}}{:.<{}}]{}", "", done, "", cells - done, text);
}

ProgressBar::ProgressBar() : on_terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(std::int64_t finished, std::int64_t of) {
  note_progress(finished, of);
  if (!on_terminal_) return;
  if (!begun_) {
    begun_ = finished;
    start_ = Clock::now();
  }
  // The last column stays free: some terminals go to the next line there.
  const std::string line =
      progress_line(finished, of, *begun_, Clock::now() - start_, terminal_width() - 1);
  write_all(STDERR_FILENO, "\r" + line + "\x1b[K");
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) write_all(STDERR_FILENO, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace gpufeed::cli
