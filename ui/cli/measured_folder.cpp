// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/measured_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/base/numbers/random.h"
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

constexpr std::size_t kLookedInto = 256;   ///< files that are decoded, at most
constexpr double kMostLookedInto = 100e6;  ///< bytes of one

/// Endings of what lies beside samples.
constexpr std::array<std::string_view, 26> kBeside{
    ".txt", ".md",   ".rst", ".json", ".jsonl", ".csv", ".tsv", ".xml",    ".yaml",
    ".yml", ".toml", ".ini", ".cfg",  ".log",   ".lst", ".idx", ".index",  ".html",
    ".htm", ".pdf",  ".py",  ".sh",   ".ipynb", ".md5", ".sum", ".sha256",
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// ".jpg 1,281,167, .txt 2": the most frequent first.
std::string endings_text(const CountedFiles& files) {
  std::vector<std::pair<std::string, std::int64_t>> all(files.endings.begin(), files.endings.end());
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

/// A reservoir: of files in any order each is as likely to be among some.
void add(const fs::path& path, double size, Random& random, CountedFiles& files) {
  ++files.count;
  files.bytes += size;
  files.squares += size * size;
  ++files.endings[path.extension().string()];
  if (size > kMostLookedInto) return;
  if (files.some.size() < kLookedInto) {
    files.some.push_back(path);
    return;
  }
  const auto place = static_cast<std::size_t>(random.integer(0, files.count - 1));
  if (place < kLookedInto) files.some[place] = path;
}

/// "# Skipped, for they are no samples: .txt 2; 1 empty".
std::string skipped_text(const MeasuredFolder& found) {
  std::vector<std::string> parts;
  if (found.beside.count > 0) parts.push_back(endings_text(found.beside));
  for (const auto& [count, what] :
       {std::pair{found.empty, "empty"}, std::pair{found.hidden, "hidden"},
        std::pair{found.links, "links"}})
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  if (parts.empty()) return "";
  return fmt::format("# Skipped, for they are no samples: {}.\n", fmt::join(parts, "; "));
}

std::string size_text(double bytes) { return fmt::format("\"{} B\"", std::llround(bytes)); }

/// What cores take for a sample: as given, as measured, or a line that asks for it.
std::string decoding_lines(const MeasuredFolder& found, std::int64_t per_file,
                           const std::optional<std::string>& decode_time) {
  if (decode_time)
    return fmt::format(
        "decode_time = {{ value = {}, source = \"given by the user\", basis = \"estimate\" }}\n",
        toml_string(*decode_time));
  std::string out = found.not_decoded.empty() ? "" : "# " + found.not_decoded + "\n";
  if (found.decoding && per_file == 1) {
    const MeasuredDecoding& decoding = *found.decoding;
    if (decoding.jpeg) out += "codec = \"jpeg\"\n";
    return out + fmt::format(
                     "decode_time = {{ value = {}, source = {}, basis = \"measured\" }}\n"
                     "decode_load = \"{:.3g} %\"\n",
                     toml_string(text(decoding.of_sample, 3)), toml_string(decoding.source),
                     100 * decoding.load);
  }
  return out +
         "# Still missing, because sizes do not tell it: the time of one core to decode and "
         "augment\n"
         "# one sample.\n# decode_time = { value = \"3 ms\", source = \"...\", basis = "
         "\"measured\" "
         "}\n";
}

}  // namespace

MeasuredFolder measure_folder(const std::string& folder) {
  std::error_code error;
  const auto options = fs::directory_options::none;
  fs::recursive_directory_iterator walk(folder, options, error);
  if (error) refuse(folder, "cannot be read: " + error.message());
  MeasuredFolder found;
  Random random(1);
  for (; walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (error) refuse(folder, "cannot be read: " + error.message());
    const fs::path& path = walk->path();
    const bool hidden = path.filename().string().starts_with('.');
    if (hidden && walk->is_directory(error)) walk.disable_recursion_pending();
    const bool link = walk->is_symlink(error);
    if (hidden) ++found.hidden;
    if (link && !hidden) ++found.links;
    if (hidden || link || !walk->is_regular_file(error)) continue;
    const auto size = static_cast<double>(walk->file_size(error));
    if (error) refuse(path.string(), "cannot be read: " + error.message());
    if (size == 0) {
      ++found.empty;
      continue;
    }
    const bool beside = std::ranges::count(kBeside, lower(path.extension().string())) > 0;
    add(path, size, random, beside ? found.beside : found.samples);
  }
  if (error) refuse(folder, "cannot be read: " + error.message());
  if (found.beside.bytes > found.samples.bytes) std::swap(found.beside, found.samples);
  if (found.samples.count == 0)
    refuse(folder, found.empty > 0 ? "holds only empty files" : "holds no files");
  const fs::path path = fs::path(folder).lexically_normal();
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  found.name = name.empty() ? "data" : printable(name.string());
  return found;
}

std::string dataset_entry(const MeasuredFolder& found, std::int64_t per_file,
                          const std::optional<std::string>& decode_time) {
  const CountedFiles& all = found.samples;
  if (all.bytes < static_cast<double>(all.count) * static_cast<double>(per_file))
    refuse(found.name,
           fmt::format("{} samples a file would leave less than a byte for each", per_file));
  const auto files = static_cast<double>(all.count);
  const auto samples = files * static_cast<double>(per_file);
  const double mean_file = all.bytes / files;
  const double variance = std::max(0.0, all.squares / files - mean_file * mean_file);
  std::string out = fmt::format(
      "# Files by ending: {}.\n{}"
      "title = {}\nsource = \"sizes of its {} files, measured by gpufeed dataset\"\n"
      "basis = \"measured\"\nsamples = {}\nsample_size = {}\n",
      endings_text(all), skipped_text(found), toml_string(found.name), text_number(files, 15),
      std::llround(samples), size_text(all.bytes / samples));
  if (per_file == 1)
    out += fmt::format("sample_size_deviation = {}\n", size_text(std::sqrt(variance)));
  else
    out += "# The deviation of samples within a file cannot be seen from outside.\n";
  return out + decoding_lines(found, per_file, decode_time);
}

std::string dataset_table(const MeasuredFolder& found,
                          const std::optional<std::string>& decode_time) {
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
