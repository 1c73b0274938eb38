// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sim/base/files/run_files.h"

namespace gpufeed {
namespace {

constexpr const char* kNone = "there is no such file";
constexpr const char* kNotRegular = "not a regular file";
constexpr const char* kUnreadable = "the file cannot be read";

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

bool is_regular(const struct stat& status) { return S_ISREG(status.st_mode); }

/// \return whether all was read; `text` holds more than `most` bytes where the file does
bool read_all(int descriptor, std::size_t most, std::string& text) {
  constexpr std::size_t kAtOnce = 1u << 16;
  while (text.size() <= most) {
    const std::size_t before = text.size();
    const std::size_t room = text.capacity() > before ? text.capacity() : before + kAtOnce;
    text.resize(std::min(most + 1, room));
    const ssize_t count = read(descriptor, text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return true;
    if (count < 0 && errno != EINTR) return false;
  }
  return true;
}

/// Why it cannot be had; null where `text` is the file's, or larger than `most`.
const char* obstacle(const std::filesystem::path& file, std::size_t most, std::string& text) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return errno == EACCES ? kUnreadable : kNone;
  if (!is_regular(status)) return kNotRegular;
  // it may be another one by now: a pipe is not waited for
  const Descriptor open_file(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (open_file.number() < 0 || fstat(open_file.number(), &status) != 0) return kUnreadable;
  if (!is_regular(status)) return kNotRegular;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > most) {
    text.resize(most + 1);
    return nullptr;
  }
  text.reserve(size + 1);
  return read_all(open_file.number(), most, text) ? nullptr : kUnreadable;
}

}  // namespace

std::optional<std::string> read_text_file(const std::filesystem::path& file, std::size_t most,
                                          Diagnostics& out, ReadAs use) {
  const Location where{file.lexically_normal().string(), 0, 0};
  std::string text;
  if (const char* why = obstacle(file, most, text)) {
    out.error(ProblemCode::unusable_file, where, "{}", why);
    return {};
  }
  if (use == ReadAs::edited) note_edited(file);
  if (use == ReadAs::input)
    if (const auto problem = note_read(file)) {
      out.error(ProblemCode::unusable_file, problem->where, "{}", problem->message);
      return {};
    }
  if (text.size() > most) {
    out.error(ProblemCode::unusable_file, where, "the file is larger than {} MiB", most >> 20);
    return {};
  }
  return text;
}

}  // namespace gpufeed
