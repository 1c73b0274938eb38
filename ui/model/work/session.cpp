// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/session.h"

#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "sim/load/text/patch.h"
#include "ui/model/build/edits.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

namespace fs = std::filesystem;

}  // namespace

Session::Session(const Catalog& catalog, std::function<void()> wake)
    : runner_(catalog, std::move(wake)) {}

void Session::forget(std::string text, const fs::path& file, bool is_saved) {
  saved_ = is_saved ? text : "";
  begun_ = text;
  ++begun_count_;
  history_ = History(std::move(text));
  file_ = file;
  open_ = true;
  scenario_.reset();
  result_.reset();
  served_.reset();
  shared_.reset();
  kind_ = FileKind::scenario;
  answered_.reset();
  result_number_ = 0;
}

void Session::begin(std::string text, const fs::path& file, bool is_saved) {
  forget(std::move(text), file, is_saved);
  submit();
}

void Session::open(const fs::path& file) {
  Diagnostics out;
  if (auto text = read_text_file(file, kMaxTextSize, out, ReadAs::edited))
    return begin(std::move(*text), file, true);
  forget("", file, true);
  next_question();
  runner_.cancel();
  problems_ = out.problems();
}

void Session::start(std::string text, const std::string& name) {
  begin(std::move(text), name, false);
}

void Session::recover(std::string text, const std::string& name) {
  start(std::move(text), name);
  begun_.clear();
}

/// Answers to earlier ones no longer count.
void Session::next_question() {
  ++number_;
  ++version_;
  whole_ = false;
  problems_.clear();
  repairs_.clear();
  refusal_.clear();
}

/// While the text is no TOML it is what it was. An answer of another kind is none.
void Session::find_kind() {
  auto kind = kind_of_text(history_.now());
  if (!kind) return;
  if (kind != FileKind::serving && kind != FileKind::cluster) kind = FileKind::scenario;
  if (*kind == kind_) return;
  kind_ = *kind;
  scenario_.reset();
  result_.reset();
  served_.reset();
  shared_.reset();
  answered_.reset();
}

void Session::submit() {
  next_question();
  find_kind();
  asked_ = std::chrono::steady_clock::now();
  runner_.submit({number_, history_.now(), file_.lexically_normal().string()});
}

void Session::submit_edit() {
  ++edits_;
  submit();
}

void Session::apply(const std::function<std::string(const std::string&)>& patch) {
  if (!open_) return;
  try {
    std::string text = patch(history_.now());
    if (text == history_.now()) return;
    history_.push(std::move(text));
    submit_edit();
  } catch (const InputError& error) {
    refusal_ = shown_lines(error.problems());
    ++version_;
  }
}

void Session::edit(const KeyPath& path, const std::string& value) {
  apply([&](const std::string& text) { return with_value(text, path, value); });
}

void Session::edit_words(const KeyPath& path, const std::string& words) {
  apply([&](const std::string& text) { return with_words(text, path, words); });
}

void Session::reset(const KeyPath& path) {
  apply([&](const std::string& text) { return without_value(text, path); });
}

void Session::replace(const PartGroup& parts, const std::string& product) {
  apply([&](const std::string& text) { return with_product(text, parts, product); });
}

void Session::change_to(std::string text) {
  apply([&](const std::string& /*now*/) { return std::move(text); });
}

void Session::undo() {
  if (history_.undo()) submit_edit();
}

void Session::redo() {
  if (history_.redo()) submit_edit();
}

bool Session::would_destroy(const fs::path& file) const {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return false;
  Diagnostics unreadable;
  const auto there = read_text_file(file, kMaxTextSize, unreadable, ReadAs::own);
  return there != saved_ && there != history_.now();
}

void Session::save(const fs::path& file) {
  write_whole(file.string(), file, history_.now(), Writer::editor);
  note_edited(file);
  const bool moved = file != file_;
  saved_ = history_.now();
  file_ = file;
  if (moved) submit();  // paths in it are relative to the new place
}

bool Session::poll() {
  bool any = false;
  for (News& news : runner_.take()) {
    if (news.number != number_) continue;
    take(news);
    any = true;
  }
  return any;
}

void Session::take(News& news) {
  ++version_;
  if (news.scenario) scenario_ = news.scenario;
  problems_ = std::move(news.problems);
  repairs_ = std::move(news.repairs);
  whole_ = news.whole;
  if (news.served || news.shared) {
    served_ = std::move(news.served);
    shared_ = std::move(news.shared);
    result_number_ = number_;
    seconds_ = news.seconds;
  }
  if (!news.result) return;
  result_ = std::move(news.result);
  answered_ = scenario_;
  result_number_ = number_;
  seconds_ = news.seconds;
}

void Session::finish() {
  runner_.wait_until_idle();
  poll();
}

Standing Session::standing() const {
  if (!open_) return Standing::empty;
  if (!problems_.empty()) return Standing::wrong;
  if (!result_ && !served_ && !shared_) return Standing::loading;
  return result_number_ == number_ ? Standing::current : Standing::updating;
}

}  // namespace gpufeed::ui
