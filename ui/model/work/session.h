// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/load/check/file_kind.h"
#include "ui/model/build/parts.h"
#include "ui/model/keep/history.h"
#include "ui/model/work/runner.h"

namespace gpufeed::ui {

/// What is shown, and how it stands to the scenario as it is now.
enum class Standing {
  empty,     ///< no scenario is open
  loading,   ///< the first answer is on its way
  current,   ///< the answer is that of the scenario as it is
  updating,  ///< the answer is that of an earlier one; the new one is on its way
  wrong      ///< the scenario as it is has problems; the answer, if any, is of an earlier one
};

/// One open scenario: its text, the edits it went through, and the last good answer. All edits are
/// patches of the text, so that comments survive and what is saved is what was simulated.
class Session {
 public:
  /// \param wake  called from another thread when `poll` has something to do
  explicit Session(const Catalog& catalog, std::function<void()> wake = {});

  /// Opens a file and simulates it. Where it cannot be read, that is the problem shown.
  void open(const std::filesystem::path& file);
  /// Opens a text that has no file yet; `name` stands for it in messages.
  void start(std::string text, const std::string& name);
  /// The same of changes that were left behind: they are still not saved.
  void recover(std::string text, const std::string& name);

  /// Sets one key, such as loader.workers_per_gpu; the value as TOML writes it. Where the text
  /// cannot take it, nothing changes but `refusal`.
  void edit(const KeyPath& path, const std::string& value);
  /// The same of a value as it is typed in: what TOML does not read is text.
  void edit_words(const KeyPath& path, const std::string& words);
  /// Takes a key out of the text, so that its default stands, likewise.
  void reset(const KeyPath& path);
  /// Swaps the product of parts.
  void replace(const PartGroup& parts, const std::string& product);
  /// Makes of the text what `patch` returns, likewise where that throws InputError.
  void apply(const std::function<std::string(const std::string&)>& patch);
  /// Another text in the place of all of it, as one edit.
  void change_to(std::string text);
  void undo();
  void redo();
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }

  /// Writes the text; the file is whole or as it was before. \throws InputError
  void save(const std::filesystem::path& file);
  bool saved() const { return saved_ == history_.now(); }
  /// Whether something would be lost with the text: it is not saved, nor as it was begun.
  bool has_changes() const { return open_ && !saved() && history_.now() != begun_; }
  /// Whether a file holds what this session neither opened nor saved, nor would write.
  bool would_destroy(const std::filesystem::path& file) const;
  /// How many scenarios were opened or started so far.
  std::uint64_t begun() const { return begun_count_; }

  /// Takes in what was found out meanwhile. \return whether anything changed
  bool poll();
  /// Waits for the answer.
  void finish();

  Standing standing() const;
  /// Of which an entry is read once.
  const Catalog& catalog() const { return runner_.catalog(); }
  const std::string& text() const { return history_.now(); }
  const std::filesystem::path& file() const { return file_; }
  /// The scenario as it is now, or else the last good one; null before there is one.
  const std::shared_ptr<const Scenario>& scenario() const { return scenario_; }
  /// The last good answer; null before there is one.
  const std::shared_ptr<const Result>& result() const { return result_; }
  /// Whether the text serves a language model: it has `served` instead of scenario and result.
  bool serves() const { return kind_ == FileKind::serving; }
  /// The last good answer of such a text; null before there is one.
  const std::shared_ptr<const serving::Answer>& served() const { return served_; }
  /// Whether the text is a cluster that jobs share: it has `shared` instead.
  bool is_shared() const { return kind_ == FileKind::cluster; }
  const std::shared_ptr<const cluster::Answer>& shared() const { return shared_; }
  /// Whether it is neither.
  bool is_scenario() const { return !serves() && !is_shared(); }
  /// The scenario that `result` is of; null before there is one.
  const std::shared_ptr<const Scenario>& answered() const { return answered_; }
  /// Of the scenario as it is now.
  const std::vector<Problem>& problems() const { return problems_; }
  /// What would solve some of the problems, each to `apply`.
  const std::vector<Repair>& repairs() const { return repairs_; }
  /// Why the last edit was not taken; empty where it was.
  const std::string& refusal() const { return refusal_; }
  /// Whether nothing more is on its way, such as the answer's range.
  bool is_whole() const { return whole_; }
  double answer_seconds() const { return seconds_; }
  /// How many changes, undo and redo included, there were since the start.
  std::uint64_t edits() const { return edits_; }
  /// When the answer that is shown, or awaited, was asked for.
  std::chrono::steady_clock::time_point asked() const { return asked_; }
  /// Raised whenever the scenario, or what is known of it, changes.
  std::uint64_t version() const { return version_; }

 private:
  void begin(std::string text, const std::filesystem::path& file, bool is_saved);
  void forget(std::string text, const std::filesystem::path& file, bool is_saved);
  void next_question();
  void find_kind();
  void submit();
  void submit_edit();
  void take(News& news);

  Runner runner_;
  History history_;
  std::filesystem::path file_;
  std::string saved_;
  std::string begun_;  ///< the text as it was opened or started
  std::uint64_t begun_count_ = 0;
  bool open_ = false;
  std::uint64_t number_ = 0;         ///< of the scenario as it is now
  std::uint64_t result_number_ = 0;  ///< of the one that `result_` is of
  std::shared_ptr<const Scenario> scenario_;
  std::shared_ptr<const Result> result_;
  FileKind kind_ = FileKind::scenario;  ///< serving, cluster, or any other
  std::shared_ptr<const serving::Answer> served_;
  std::shared_ptr<const cluster::Answer> shared_;
  std::shared_ptr<const Scenario> answered_;
  std::vector<Problem> problems_;
  std::vector<Repair> repairs_;
  std::string refusal_;
  double seconds_ = 0;
  bool whole_ = false;
  std::uint64_t edits_ = 0;
  std::chrono::steady_clock::time_point asked_;
  std::uint64_t version_ = 0;
};

}  // namespace gpufeed::ui
