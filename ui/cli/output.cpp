// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/output.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "reports/writers/colors.h"
#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"

namespace gpufeed::cli {
namespace {

constexpr const char* kExists = "exists already, and is never overwritten";

namespace fs = std::filesystem;

[[noreturn]] void fail_at(const std::string& place, const std::string& message) {
  throw InputError({{{place, 0, 0}, message}});
}

std::string reason(int error) { return std::generic_category().message(error); }

/// What a new file may be, as the user's umask says.
mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

}  // namespace

std::optional<std::size_t> columns_of_output() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return {};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
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
  std::error_code unknown;
  // A link stays a link; what it points to is replaced.
  if (const auto target = fs::canonical(file_, unknown); !unknown) file_ = target;
  const auto status = fs::status(file_, unknown);
  if (fs::is_directory(status)) fail(EISDIR);
  special_ = fs::exists(status) && !fs::is_regular_file(status);
  if (fs::exists(status) && access(file_.c_str(), W_OK) != 0) fail(errno);
  if (special_) return;
  std::string name;
  close(open_temporary(name));
  unlink(name.c_str());
}

void OutputFile::write(std::string_view text) const {
  std::string name = file_.string();
  const int descriptor = special_ ? open(name.c_str(), O_WRONLY) : open_temporary(name);
  if (descriptor < 0) fail(errno);
  int error = write_all(descriptor, text);
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (special_ && error == EPIPE) throw ReaderGone{};
  if (!special_ && error == 0 && rename(name.c_str(), file_.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!special_) unlink(name.c_str());
  fail(error);
}

int OutputFile::open_temporary(std::string& name) const {
  name = file_.string() + ".XXXXXX";  // beside it, because a rename cannot leave a file system
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) fail(errno);
  struct stat old {};
  fchmod(descriptor, stat(file_.c_str(), &old) == 0 ? old.st_mode & 0777U : usual_mode());
  return descriptor;
}

void OutputFile::fail(int error) const { fail_at(option_, "cannot be written: " + reason(error)); }

std::optional<OutputFile> output_for(const std::string& option,
                                     const std::optional<std::string>& file, CommandFiles& files) {
  if (!file || *file == "-") return {};
  files.output(option + " " + *file, *file);
  return OutputFile(option + " " + *file, *file);
}

void check_new(const fs::path& file) {
  std::error_code error;
  if (fs::exists(file, error)) fail_at(file.string(), kExists);
  const fs::path folder = fs::absolute(file).parent_path();
  if (!fs::is_directory(folder, error))
    fail_at(file.string(), "cannot be written: there is no folder " + folder.string());
  if (access(folder.c_str(), W_OK) != 0)
    fail_at(file.string(), "cannot be written: " + reason(errno));
}

void write_new(const fs::path& file, std::string_view text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (descriptor < 0 && errno == EEXIST) fail_at(file.string(), kExists);
  int error = descriptor < 0 ? errno : write_all(descriptor, text);
  if (descriptor >= 0 && close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return;
  if (descriptor >= 0) unlink(file.c_str());
  fail_at(file.string(), "cannot be written: " + reason(error));
}

}  // namespace gpufeed::cli
