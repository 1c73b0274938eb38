// SPDX-License-Identifier: Apache-2.0
#include "ui/model/keep/keeping.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>
#include <utility>

#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"

namespace gpufeed::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSettings = "window";
constexpr const char* kFirstLine = "gpufeed-ui 1";
constexpr std::string_view kCopy = "unsaved-copy-";
constexpr std::string_view kOldCopy = "unsaved-";  ///< then the number of the window's process
constexpr const char* kLock = ".lock";
constexpr std::string_view kCopyLine = "# not saved: ";
constexpr std::size_t kMostRecent = 8;

std::optional<std::string> content(const fs::path& file) {
  Diagnostics not_remembered;
  return read_text_file(file, 2 * kMaxTextSize, not_remembered, ReadAs::own);
}

bool read_line(const std::string& line, Remembered& out) {
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string key = line.substr(0, space);
  const std::string value = line.substr(std::min(space + 1, line.size()));
  if (key == "theme") {
    out.dark = value == "dark";
    return value == "dark" || value == "light";
  }
  if (key == "recent") {
    out.recent.push_back(value);
    return !value.empty();
  }
  const char* const end = value.data() + value.size();
  return key == "scale" && std::from_chars(value.data(), end, out.scale).ptr == end &&
         out.scale >= 0.5F && out.scale <= 4;
}

/// Nothing where a line is not as `save` writes it.
std::optional<Remembered> parse(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  if (!std::getline(in, line) || line != kFirstLine) return {};
  Remembered out;
  while (std::getline(in, line))
    if (!read_line(line, out)) return {};
  return out;
}

fs::path lock_of(const fs::path& copy) { return fs::path(copy).replace_extension(kLock); }

/// Of the process whose copy the file is, as long as copies were named so; 0 where it is none.
pid_t owner_of(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(kOldCopy)) return 0;
  pid_t pid = 0;
  std::from_chars(name.data() + kOldCopy.size(), name.data() + name.size(), pid);
  return pid;
}

/// A window of this machine, of a version that locks nothing: any other process may have its
/// number.
bool may_run(pid_t pid) {
  return pid != getpid() && content(fmt::format("/proc/{}/comm", pid)) == "gpufeed-ui\n";
}

std::optional<LeftBehind> read_copy(const fs::path& copy) {
  const auto text = content(copy);
  if (!text || !text->starts_with(kCopyLine)) return {};
  const std::size_t end = std::min(text->find('\n'), text->size());
  return LeftBehind{copy, text->substr(kCopyLine.size(), end - kCopyLine.size()),
                    text->substr(std::min(end + 1, text->size()))};
}

}  // namespace

void note_recent(Remembered& remembered, const std::string& file) {
  auto& recent = remembered.recent;
  recent.erase(std::remove(recent.begin(), recent.end(), file), recent.end());
  recent.insert(recent.begin(), file);
  recent.resize(std::min(recent.size(), kMostRecent));
}

Keeping::Keeping(fs::path folder) : folder_(std::move(folder)) {}

bool Keeping::write(const fs::path& file, const std::string& text) const {
  if (folder_.empty()) return false;
  std::error_code refused;
  fs::create_directories(folder_, refused);
  try {
    write_whole(file.string(), file, text);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Remembered Keeping::load(std::string& message) const {
  if (folder_.empty()) return {};
  const fs::path file = folder_ / kSettings;
  const auto text = content(file);
  if (!text) return {};
  if (auto known = parse(*text)) return *known;
  const fs::path aside = file.string() + ".damaged";
  std::error_code refused;
  fs::rename(file, aside, refused);
  message = fmt::format("The window's settings could not be read and begin anew; the old ones: {}",
                        aside.string());
  return {};
}

void Keeping::save(const Remembered& remembered) const {
  std::string text = fmt::format("{}\ntheme {}\nscale {}\n", kFirstLine,
                                 remembered.dark ? "dark" : "light", remembered.scale);
  for (const auto& file : remembered.recent)
    if (file.find('\n') == std::string::npos) text += "recent " + file + "\n";
  write(folder_ / kSettings, text);
}

void Keeping::note(const std::string& name, const std::string& text) {
  if (folder_.empty()) return;
  try {
    std::error_code unknown;
    fs::create_directories(folder_, unknown);
    if (own_copy_.empty()) own_copy_ = folder_ / fmt::format("{}{}.toml", kCopy, name_of_its_own());
    const fs::path lock = lock_of(own_copy_);
    if (!lock_ || !fs::exists(lock, unknown)) lock_ = FileLock::make(lock);
  } catch (const std::system_error&) {
    return;
  }
  write(own_copy_, fmt::format("{}{}\n{}", kCopyLine, name, text));
}

void Keeping::forget() {
  if (own_copy_.empty()) return;
  std::error_code missing;
  fs::remove(own_copy_, missing);
  fs::remove(lock_of(own_copy_), missing);
  lock_.reset();
  own_copy_.clear();
}

bool Keeping::set_aside() {
  std::error_code unknown;
  if (own_copy_.empty() || !fs::exists(own_copy_, unknown)) return false;
  lock_.reset();
  own_copy_.clear();
  return true;
}

std::vector<LeftBehind> Keeping::left_behind() const {
  std::vector<LeftBehind> found;
  std::error_code missing;
  if (folder_.empty()) return found;
  for (const auto& entry : fs::directory_iterator(folder_, missing)) {
    fs::path copy = entry.path();
    std::optional<FileLock> lock;
    if (copy.filename().string().starts_with(kCopy)) {
      if (copy.extension() != kLock || !(lock = FileLock::take(copy))) continue;
      copy.replace_extension(".toml");
      if (!fs::exists(copy, missing)) fs::remove(entry.path(), missing);
    } else if (const pid_t owner = owner_of(copy); owner <= 0 || may_run(owner)) {
      continue;
    }
    if (auto left = read_copy(copy)) found.push_back(std::move(*left));
  }
  std::ranges::sort(found, {}, &LeftBehind::copy);
  return found;
}

void Keeping::discard(const LeftBehind& left) {
  std::error_code missing;
  std::optional<FileLock> lock;
  const bool locked = owner_of(left.copy) == 0;
  if (locked && !(lock = FileLock::take(lock_of(left.copy)))) return;
  fs::remove(left.copy, missing);
  if (locked) fs::remove(lock_of(left.copy), missing);
}

}  // namespace gpufeed::ui
