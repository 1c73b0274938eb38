// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/work_pool.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>

#include "sim/base/diagnostics.h"
#include "sim/base/files/file_lock.h"
#include "sim/base/files/write_whole.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr double kLate = 2;  ///< times what a task takes this worker: then its holder is slow
constexpr std::string_view kGone = "gone";
constexpr const char* kIdentity = "pool.txt";

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw InputError({{{file.string(), 0, 0}, why}});
}

[[noreturn]] void fail(const fs::path& file, int error) {
  refuse(file, "cannot be written: " + std::generic_category().message(error));
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || rest != text.data() + text.size() || number < 0) return {};
  return number;
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

WorkPool::WorkPool(const fs::path& folder, const std::string& identity, std::int64_t tasks,
                   PoolRules rules)
    : folder_(folder),
      rules_(std::move(rules)),
      id_(name_of_its_own()),
      own_(folder / (id_ + ".worker")),
      tasks_(static_cast<std::size_t>(tasks) + 1) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) fail(folder_, failed.value());
  check_identity(identity);
  beat();
  looked_s_ = rules_.now() - rules_.glance_s;
  look();
  // Each begins elsewhere, so that they seldom want the same.
  std::size_t place = 0;
  for (const char c : id_) place = place * 31 + static_cast<unsigned char>(c);
  next_ = place % static_cast<std::size_t>(std::max<std::int64_t>(tasks, 1));
}

WorkPool::~WorkPool() { std::ofstream(own_, std::ios::binary | std::ios::trunc) << kGone; }

fs::path WorkPool::file(std::int64_t task, const std::string& what) const {
  return folder_ / fmt::format("{}.{}", task, what);
}

/// The first one says what the folder is of, whole or not at all.
void WorkPool::check_identity(const std::string& identity) const {
  const fs::path file = folder_ / kIdentity;
  if (std::error_code unknown; !fs::exists(file, unknown)) try {
      PartFile part(file);
      part.write(identity);
      part.take_new_place();
    } catch (const std::system_error& error) {
      if (error.code() != std::errc::file_exists) fail(file, error.code().value());
    }
  std::istringstream found(text_of(file)), mine(identity);
  for (std::string one, other; true;) {
    const bool more = static_cast<bool>(std::getline(mine, one));
    if (more != static_cast<bool>(std::getline(found, other)) || (more && one != other))
      refuse(file, fmt::format("the pool is of something else: {} differs; name another folder",
                               (more ? one : other).substr(0, (more ? one : other).find('\t'))));
    if (!more) return;
  }
}

void WorkPool::beat() {
  const int descriptor = open(own_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const std::string count = fmt::format("{}\n", ++beats_);
  // Opened and closed each time: NFS shows others what was written when a file is closed.
  const bool written = descriptor >= 0 && pwrite(descriptor, count.data(), count.size(), 0) ==
                                              static_cast<ssize_t>(count.size());
  const int error = errno;
  if ((descriptor >= 0 && close(descriptor) != 0) || !written) fail(own_, error);
}

/// "12.0.held", "12.0123456789abcdef.done"; other files are not the pool's.
void WorkPool::note(std::string_view name) {
  const std::size_t first = name.find('.');
  const std::size_t last = name.rfind('.');
  if (first == std::string_view::npos || first == last) return;
  const auto number = number_in(name.substr(0, first));
  if (!number || static_cast<std::size_t>(*number) >= tasks_.size()) return;
  const std::string_view middle = name.substr(first + 1, last - first - 1);
  Task& task = tasks_[static_cast<std::size_t>(*number)];
  if (name.substr(last) == ".done") {
    contributors_.emplace(middle);
    if (!task.done && static_cast<std::size_t>(*number) + 1 < tasks_.size()) ++finished_;
    task.done = true;
  } else if (const auto holder = number_in(middle); holder && name.substr(last) == ".held") {
    if (*holder < task.holders) return;
    task = {task.done, *holder + 1, task.mine, rules_.now(), task.began_s, "", {}};
  }
}

void WorkPool::look() {
  if (rules_.now() - looked_s_ < rules_.glance_s) return;
  // Thousands of names, several times a second: a path of each would take longer than reading them.
  struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
  };
  const std::unique_ptr<DIR, Close> folder(opendir(folder_.c_str()));
  while (folder) {
    errno = 0;
    const dirent* const entry = readdir(folder.get());
    if (!entry) break;
    note(entry->d_name);
  }
  if (errno != 0) refuse(folder_, "cannot be read: " + std::generic_category().message(errno));
  looked_s_ = rules_.now();
}

/// One alone gets this name.
bool WorkPool::hold(std::int64_t number) {
  Task& task = tasks_[static_cast<std::size_t>(number)];
  const fs::path held = file(number, fmt::format("{}.held", task.holders));
  const bool made = link(own_.c_str(), held.c_str()) == 0;
  const int error = errno;
  struct stat mine {
  }, its{};
  // Of a request that a network repeats, the second answer says that the name is there.
  const bool own = made || (error == EEXIST && stat(own_.c_str(), &mine) == 0 &&
                            stat(held.c_str(), &its) == 0 && mine.st_ino == its.st_ino);
  if (!own && error != EEXIST) fail(held, error);
  task = {false, task.holders + 1, own, rules_.now(), rules_.now(), "", {}};
  return own;
}

bool WorkPool::waits_for_others(std::int64_t number) const {
  const auto tasks = static_cast<std::int64_t>(tasks_.size()) - 1;
  return number == tasks && finished_ < tasks;
}

bool WorkPool::may_be_taken_over(std::int64_t number) {
  Task& task = tasks_[static_cast<std::size_t>(number)];
  const double now = rules_.now();
  const std::string beat = text_of(file(number, fmt::format("{}.held", task.holders - 1)));
  if (!task.moved_s || beat != task.beat) {
    task.beat = beat;
    task.moved_s = now;
  }
  if (beat == kGone || now - *task.moved_s > rules_.lease_s) return true;
  // The one that joins takes as long as no other does.
  const bool joins = number + 1 == static_cast<std::int64_t>(tasks_.size());
  return !joins && spent_on_ > 0 &&
         now - task.seen_s >
             std::max(rules_.glance_s, kLate * spent_s_ / static_cast<double>(spent_on_));
}

std::optional<std::int64_t> WorkPool::take() {
  look();
  for (std::size_t tried = 0; tried < tasks_.size(); ++tried, ++next_) {
    const auto number = static_cast<std::int64_t>(next_ % tasks_.size());
    const Task& task = tasks_[static_cast<std::size_t>(number)];
    if (!task.done && task.holders == 0 && !waits_for_others(number) && hold(number)) return number;
  }
  std::optional<std::int64_t> longest;
  for (std::int64_t number = 0; number < static_cast<std::int64_t>(tasks_.size()); ++number) {
    const Task& task = tasks_[static_cast<std::size_t>(number)];
    if (task.done || task.mine || task.holders == 0 || waits_for_others(number)) continue;
    if (may_be_taken_over(number) &&
        (!longest || task.seen_s < tasks_[static_cast<std::size_t>(*longest)].seen_s))
      longest = number;
  }
  if (longest && hold(*longest)) return longest;
  return {};
}

void WorkPool::finish(std::int64_t number) {
  const std::string name = fmt::format("{}.{}.done", number, id_);
  if (link(own_.c_str(), (folder_ / name).c_str()) != 0 && errno != EEXIST)
    fail(folder_ / name, errno);
  const Task& task = tasks_[static_cast<std::size_t>(number)];
  spent_s_ += rules_.now() - task.began_s;
  ++spent_on_;
  note(name);
}

}  // namespace gpufeed
