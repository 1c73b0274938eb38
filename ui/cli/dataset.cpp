// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"
#include "sim/base/units.h"
#include "sim/load/read/toml_text.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// What a walk over a folder found.
struct Measured {
  std::int64_t files = 0;
  std::int64_t empty = 0;
  double bytes = 0;
  double squares = 0;
  std::map<std::string, std::int64_t> endings;
};

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw InputError({{{place, 0, 0}, why}});
}

/// Regular files below `folder`, hidden ones and links left out.
Measured measure(const std::string& folder) {
  std::error_code error;
  const auto options = fs::directory_options::none;
  fs::recursive_directory_iterator walk(folder, options, error);
  if (error) refuse(folder, "cannot be read: " + error.message());
  Measured found;
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
  return found;
}

/// ".jpg 1,281,167, .txt 2": the most frequent first.
std::string endings_text(const Measured& found) {
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

/// The entry as a file of the catalog; what a folder cannot tell stays open or comes from outside.
std::string entry_text(const std::string& name, const Measured& found, std::int64_t per_file,
                       const std::optional<std::string>& decode_time) {
  const auto files = static_cast<double>(found.files);
  const auto samples = files * static_cast<double>(per_file);
  const double mean_file = found.bytes / files;
  const double variance = std::max(0.0, found.squares / files - mean_file * mean_file);
  std::string out = fmt::format(
      "# Files by ending: {}.\n"
      "title = {}\nsource = \"sizes of its {} files, measured by gpufeed dataset\"\n"
      "basis = \"measured\"\nsamples = {}\nsample_size = {}\n",
      endings_text(found), toml_string(name), text_number(files, 15), std::llround(samples),
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

/// An entry takes no other (Dataset::decode_time).
void check_decode_time(const std::string& text, const Options& options) {
  constexpr Seconds kMost{3600};
  const auto time = parse_quantity<SecondsUnit>(text);
  if (time && time->value >= 0 && *time <= kMost) return;
  throw options.error(
      fmt::format("--decode-time must be text with a unit, such as \"3 ms\", 1 h at most; found "
                  "\"{}\"",
                  text));
}

}  // namespace

int dataset_verb(const Arguments& arguments) {
  Options options("dataset",
                  "Measures a folder: how many samples, of what size. Writes them as a data set "
                  "entry, which a scenario may name. Never overwrites a file.",
                  "gpufeed dataset ~/imagenet/train --decode-time '3 ms' imagenet.toml");
  std::string folder;
  std::string file;
  std::optional<std::string> decode_time;
  std::optional<std::string> per_file;
  options.operand("DIR", folder, "the folder; hidden files and links are left out");
  options.optional_operand("FILE", file, "the file to write; - or none prints it");
  options.value("--decode-time", "TIME", decode_time,
                "time of one core to decode and augment one sample, such as \"3 ms\"");
  options.value("--samples-per-file", "N", per_file,
                "samples in each file, where the files are records of many; default: 1");
  if (!options.parse(arguments)) return kGood;
  if (folder.empty()) throw options.error("name the folder to measure");
  if (decode_time) check_decode_time(*decode_time, options);
  std::int64_t samples_per_file = 1;
  if (per_file) {
    const char* end = per_file->data() + per_file->size();
    const auto [rest, error] = std::from_chars(per_file->data(), end, samples_per_file);
    if (error != std::errc{} || rest != end || samples_per_file < 1)
      throw options.error(
          fmt::format("--samples-per-file must be a whole number from 1; found \"{}\"", *per_file));
  }
  const fs::path path = fs::path(folder).lexically_normal();
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  const Measured found = measure(folder);
  if (found.bytes < static_cast<double>(found.files) * static_cast<double>(samples_per_file))
    refuse(folder, fmt::format("{} samples a file would leave less than a byte for each",
                               samples_per_file));
  const std::string text = entry_text(name.empty() ? "data" : printable(name.string()), found,
                                      samples_per_file, decode_time);
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  print(fmt::format("{0}: written. {1}\n", file,
                    decode_time
                        ? "Next: name it in a scenario, as workload.dataset = \"" + file + "\""
                        : "Next: add the decode_time that it asks for"));
  return kGood;
}

}  // namespace gpufeed::cli
