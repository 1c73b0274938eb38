// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/run_files.h"

#include <pthread.h>
#include <sys/stat.h>

#include <map>
#include <mutex>

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

struct Output {
  std::string option;
  fs::path file;
};

/// Paths are absolute, with the name to call them by.
struct RunFiles {
  std::mutex mutex;
  std::map<fs::path, std::string> read;
  std::map<fs::path, std::string> folders;  ///< of entries
  std::optional<std::pair<fs::path, std::string>> edited;
  std::vector<Output> outputs;
};

RunFiles& run_files() {
  static RunFiles& files = *[] {
    static RunFiles made;
    // or a child that is forked while another thread holds it would wait for ever
    pthread_atfork([] { run_files().mutex.lock(); }, [] { run_files().mutex.unlock(); },
                   [] { run_files().mutex.unlock(); });
    return &made;
  }();
  return files;
}

fs::path absolute_of(const fs::path& file) {
  std::error_code failed;
  return fs::absolute(file, failed);
}

std::optional<struct stat> status_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return {};
  return status;
}

bool is(const struct stat& one, const fs::path& other) {
  const auto status = status_of(other);
  return status && status->st_dev == one.st_dev && status->st_ino == one.st_ino;
}

/// Never of pipes and devices, which many may write.
bool are_same(const fs::path& one, const fs::path& other) {
  const auto status = status_of(one);
  if (!status) return !status_of(other) && place_of(one) == place_of(other);
  return S_ISREG(status->st_mode) && is(*status, other);
}

/// The name of the input that `file` is.
std::optional<std::string> input_at(const RunFiles& files, const fs::path& file, Writer writer) {
  const auto status = status_of(file);
  if (!status || !S_ISREG(status->st_mode)) return {};
  for (const auto& [path, name] : files.read)
    if (is(*status, path)) return name;
  if (files.edited && writer != Writer::editor && is(*status, files.edited->first))
    return files.edited->second;
  for (const auto& [folder, name] : files.folders) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
      if (entry.path().extension() == ".toml" && is(*status, entry.path()))
        return (fs::path(name) / entry.path().filename()).string();
  }
  return {};
}

Problem is_read(const std::string& option, const std::string& input) {
  return {{option, 0, 0},
          fmt::format("this is the file {}, which is read; name another one", input)};
}

std::optional<Problem> problem_of_read(const RunFiles& files, const fs::path& file) {
  for (const Output& output : files.outputs)
    if (are_same(output.file, file)) return is_read(output.option, file.string());
  return {};
}

}  // namespace

fs::path place_of(fs::path file) {
  constexpr int kMostLinks = 40;
  std::error_code failed;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(file, failed)); ++i)
    file = file.parent_path() / fs::read_symlink(file, failed);
  const fs::path folder = fs::weakly_canonical(absolute_of(file).parent_path(), failed);
  return folder / file.filename();
}

std::optional<Problem> note_read(const fs::path& file) {
  RunFiles& files = run_files();
  const std::scoped_lock lock(files.mutex);
  files.read.try_emplace(absolute_of(file), file.string());
  return problem_of_read(files, file);
}

void note_read_entries(const fs::path& folder) {
  RunFiles& files = run_files();
  const std::scoped_lock lock(files.mutex);
  files.folders.try_emplace(absolute_of(folder), folder.string());
}

void note_edited(const fs::path& file) {
  RunFiles& files = run_files();
  const std::scoped_lock lock(files.mutex);
  files.edited = {absolute_of(file), file.string()};
}

std::set<fs::path> files_read() {
  RunFiles& files = run_files();
  const std::scoped_lock lock(files.mutex);
  std::set<fs::path> all;
  for (const auto& [path, name] : files.read) all.insert(path);
  return all;
}

void note_output(const std::string& option, const fs::path& file) {
  RunFiles& files = run_files();
  const std::scoped_lock lock(files.mutex);
  if (const auto input = input_at(files, file, Writer::any))
    throw InputError({is_read(option, *input)});
  for (const Output& other : files.outputs)
    if (are_same(other.file, file))
      throw InputError(
          {{{option, 0, 0},
            fmt::format("this is the file of {} too; name another one", other.option)}});
  files.outputs.push_back({option, absolute_of(file)});
}

void refuse_read(const std::string& place, const fs::path& file, Writer writer) {
  RunFiles& files = run_files();
  const std::scoped_lock lock(files.mutex);
  if (const auto input = input_at(files, file, writer)) throw InputError({is_read(place, *input)});
}

void forget_files() {
  RunFiles& files = run_files();
  const std::scoped_lock lock(files.mutex);
  files.read.clear();
  files.folders.clear();
  files.edited.reset();
  files.outputs.clear();
}

}  // namespace gpufeed
