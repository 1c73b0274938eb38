// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/measured_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"
#include "sim/base/units.h"
#include "sim/load/read/toml_text.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw InputError({{{place, 0, 0}, why}});
}

/// ".jpg 1,281,167, .txt 2": the most frequent first.
std::string endings_text(const MeasuredFolder& found) {
  std::vector<std::pair<std::string, std::int64_t>> all(found.endings.begin(), found.endings.end());
  std::ranges::stable_sort(all, std::greater{}, [](const auto& one) { return one.second; });
  std::string out;
  constexpr std::size_t kShown = 6;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    out += fmt::format("{}{} {}", i == 0 ? "" : ", ",
                       all[i].first.empty() ? "no ending" : printable(all[i].first),
                       text_number(static_cast<double>(all[i].second), 15));
  if (all.size() > kShown) out += fmt::format(", {} other endings", all.size() - kShown);
  return out;
}

std::string size_text(double bytes) { return fmt::format("\"{} B\"", std::llround(bytes)); }

}  // namespace

MeasuredFolder measure_folder(const std::string& folder) {
  std::error_code error;
  const auto options = fs::directory_options::none;
  fs::recursive_directory_iterator walk(folder, options, error);
  if (error) refuse(folder, "cannot be read: " + error.message());
  MeasuredFolder found;
  for (; walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (error) refuse(folder, "cannot be read: " + error.message());
    const fs::path& path = walk->path();
    const bool hidden = path.filename().string().starts_with('.');
    if (hidden && walk->is_directory(error)) walk.disable_recursion_pending();
    if (hidden || walk->is_symlink(error) || !walk->is_regular_file(error)) continue;
    const auto size = static_cast<double>(walk->file_size(error));
    if (error) refuse(path.string(), "cannot be read: " + error.message());
    ++found.files;
    if (size == 0) ++found.empty;
    found.bytes += size;
    found.squares += size * size;
    ++found.endings[path.extension().string()];
  }
  if (error) refuse(folder, "cannot be read: " + error.message());
  if (found.files == 0) refuse(folder, "holds no files");
  if (found.bytes == 0) refuse(folder, "holds only empty files");
  const fs::path path = fs::path(folder).lexically_normal();
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  found.name = name.empty() ? "data" : printable(name.string());
  return found;
}

std::string dataset_entry(const MeasuredFolder& found, std::int64_t per_file,
                          const std::optional<std::string>& decode_time) {
  if (found.bytes < static_cast<double>(found.files) * static_cast<double>(per_file))
    refuse(found.name,
           fmt::format("{} samples a file would leave less than a byte for each", per_file));
  const auto files = static_cast<double>(found.files);
  const auto samples = files * static_cast<double>(per_file);
  const double mean_file = found.bytes / files;
  const double variance = std::max(0.0, found.squares / files - mean_file * mean_file);
  std::string out = fmt::format(
      "# Files by ending: {}.\n"
      "title = {}\nsource = \"sizes of its {} files, measured by gpufeed dataset\"\n"
      "basis = \"measured\"\nsamples = {}\nsample_size = {}\n",
      endings_text(found), toml_string(found.name), text_number(files, 15), std::llround(samples),
      size_text(found.bytes / samples));
  if (found.empty > 0) out = fmt::format("# Empty files among them: {}.\n", found.empty) + out;
  if (per_file == 1)
    out += fmt::format("sample_size_deviation = {}\n", size_text(std::sqrt(variance)));
  else
    out += "# The deviation of samples within a file cannot be seen from outside.\n";
  if (decode_time)
    out += fmt::format(
        "decode_time = {{ value = {}, source = \"given by the user\", basis = \"estimate\" }}\n",
        toml_string(*decode_time));
  else
    out +=
        "# Still missing, because sizes do not tell it: the time of one core to decode and "
        "augment\n"
        "# one sample.\n# decode_time = { value = \"3 ms\", source = \"...\", basis = \"measured\" "
        "}\n";
  return out;
}

std::string dataset_table(const MeasuredFolder& found, const std::string& decode_time) {
  Names keys;
  std::istringstream lines(dataset_entry(found, 1, decode_time));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with('#')) keys.push_back(line);
  return fmt::format("{{ {} }}", fmt::join(keys, ", "));
}

// A data set takes no other (Dataset::decode_time).
void check_decode_time(const std::string& text, const Options& options) {
  constexpr Seconds kMost{3600};
  const auto time = parse_quantity<SecondsUnit>(text);
  if (time && time->value >= 0 && *time <= kMost) return;
  throw options.error(
      fmt::format("--decode-time must be text with a unit, such as \"3 ms\", 1 h at most; found "
                  "\"{}\"",
                  text));
}

}  // namespace gpufeed::cli
