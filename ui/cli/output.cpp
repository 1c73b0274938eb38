// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "reports/writers/colors.h"
#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_at(const std::string& place, const std::string& message) {
  throw InputError({{{place, 0, 0}, message}});
}

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

std::optional<std::size_t> columns_of_output() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return {};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

namespace {

bool shows_colors() {
  const auto set = [](const char* name) {
    return std::getenv(name) ? std::string(std::getenv(name)) : "";
  };
  return isatty(STDOUT_FILENO) != 0 && set("NO_COLOR").empty() && set("TERM") != "dumb" &&
         !set("TERM").empty();
}

void send(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ReaderGone{};
  if (error != 0) fail_at("standard output", "cannot be written: " + reason(error));
}

}  // namespace

void print(std::string_view text) { send(printable_lines(text)); }

void print_screen(std::string_view text) {
  const std::string safe = printable_lines(text);
  send(shows_colors() ? colored(safe) : safe);
}

void complain(std::string_view text) { write_all(STDERR_FILENO, printable_lines(text)); }

OutputFile::OutputFile(std::string option, const fs::path& file)
    : option_(std::move(option)), file_(file) {
  note_output(option_, file_);
  std::error_code unknown;
  const auto status = fs::status(file_, unknown);
  if (fs::is_directory(status)) fail(std::make_error_code(std::errc::is_a_directory));
  special_ = fs::exists(status) && !fs::is_regular_file(status);
  if (fs::exists(status) && access(file_.c_str(), W_OK) != 0)
    fail({errno, std::generic_category()});
  if (!special_) try {
      const PartFile trial(file_);
    } catch (const std::system_error& error) {
      fail(error.code());
    }
}

void OutputFile::write(std::string_view text) const {
  refuse_read(option_, file_);
  try {
    put_whole(file_, text);
  } catch (const std::system_error& error) {
    if (special_ && error.code() == std::errc::broken_pipe) throw ReaderGone{};
    fail(error.code());
  }
}

void OutputFile::fail(const std::error_code& error) const {
  fail_at(option_, "cannot be written: " + error.message());
}

void check_new(const fs::path& file) {
  std::error_code error;
  if (fs::exists(file, error)) fail_at(file.string(), kExistsAlready);
  const fs::path folder = fs::absolute(file).parent_path();
  if (!fs::is_directory(folder, error))
    fail_at(file.string(), "cannot be written: there is no folder " + folder.string());
  if (access(folder.c_str(), W_OK) != 0)
    fail_at(file.string(), "cannot be written: " + reason(errno));
}

}  // namespace gpufeed::cli
