// SPDX-License-Identifier: Apache-2.0
#include "ui/model/keep/examples.h"

#include <algorithm>
#include <sstream>

#include "sim/base/files/read_file.h"

namespace gpufeed::ui {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  Diagnostics without;
  return read_text_file(file, kMaxTextSize, without, ReadAs::own).value_or("");
}

/// What stands between the quotes of a line `title = "..."`.
std::string title_in(const fs::path& file) {
  std::istringstream in(text_of(file));
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("title")) continue;
    const std::size_t first = line.find('"');
    const std::size_t last = line.rfind('"');
    if (first < last && last != std::string::npos) return line.substr(first + 1, last - first - 1);
  }
  return "";
}

/// The heading of the README in a folder; else "local or shared" of "01_local_or_shared".
std::string question_in(const fs::path& folder) {
  std::istringstream in(text_of(folder / "README.md"));
  std::string line;
  if (std::getline(in, line) && line.starts_with("# ")) return line.substr(2);
  std::string words = folder.filename().string();
  words.erase(0, words.find('_') + 1);
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// Of what serves a model, or is shared, the first.
fs::path file_in(const fs::path& folder) {
  std::error_code missing;
  std::vector<fs::path> served;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const fs::path& file = entry.path();
    const std::string name = file.filename().string();
    if ((name.starts_with("serving") || name.starts_with("cluster")) && file.extension() == ".toml")
      served.push_back(file);
  }
  if (served.empty()) return folder / "scenario.toml";
  return *std::ranges::min_element(served);
}

}  // namespace

std::vector<Example> examples_in(const fs::path& folder) {
  std::vector<Example> examples;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const fs::path file = file_in(entry.path());
    if (!fs::is_regular_file(file, missing)) continue;
    const std::string name = entry.path().filename().string();
    const std::string title = title_in(file);
    examples.push_back({name, question_in(entry.path()), title.empty() ? name : title, file});
  }
  std::ranges::sort(examples, {}, &Example::folder);
  return examples;
}

}  // namespace gpufeed::ui
