// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/files/file_lock.h"

namespace gpufeed::ui {

/// What the window remembers from one start to the next.
struct Remembered {
  bool dark = true;
  float scale = 1;
  std::vector<std::string> recent;  ///< files, the last one first
  bool operator==(const Remembered&) const = default;
};

/// Puts a file first, once; the oldest of many are forgotten.
void note_recent(Remembered& remembered, const std::string& file);

/// Edits that a window left behind that was not closed: it crashed, or was killed.
struct LeftBehind {
  std::filesystem::path copy;
  std::string name;  ///< of the file that was edited
  std::string text;
};

/// Files of the window's own in one folder, which is made when there is something to write. Nothing
/// here throws: what cannot be written is not remembered.
class Keeping {
 public:
  /// \param folder  empty: nothing is read or written
  explicit Keeping(std::filesystem::path folder = {});

  /// What was remembered; as at first where nothing was, or the file is damaged: then it is set
  /// aside, and `message` says so.
  Remembered load(std::string& message) const;
  void save(const Remembered& remembered) const;

  /// Keeps a copy of edits that are not saved yet, until `forget`. It is this window's as long as
  /// the lock of a file beside it is held.
  void note(const std::string& name, const std::string& text);
  void forget();
  /// The copy becomes one that was left behind. \return whether there was one
  bool set_aside();

  /// The copies that no window holds any more. Where a file system has no locks, any may be held:
  /// they stay, and are not offered.
  std::vector<LeftBehind> left_behind() const;
  static void discard(const LeftBehind& left);

 private:
  bool write(const std::filesystem::path& file, const std::string& text) const;

  std::filesystem::path folder_;
  std::filesystem::path own_copy_;  ///< empty: nothing is kept
  std::optional<FileLock> lock_;    ///< of the file beside it
};

}  // namespace gpufeed::ui
