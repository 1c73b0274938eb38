// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>

#include "ui/cli/measured_folder.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {

int dataset_verb(const Arguments& arguments) {
  Options options("dataset",
                  "Measures a folder: how many samples, of what size, and what the cores of this "
                  "machine take to decode one, of JPEG and PNG. Writes them as a data set entry, "
                  "which a scenario may name. Never overwrites a file.",
                  "gpufeed dataset ~/imagenet/train imagenet.toml");
  std::string folder;
  std::string file;
  std::optional<std::string> decode_time;
  std::optional<std::string> per_file;
  options.operand("DIR", folder,
                  "the folder; what describes samples, hidden files and links are left out");
  options.optional_operand("FILE", file, "the file to write; - or none prints it");
  options.value(
      "--decode-time", "TIME", decode_time,
      "instead of measuring it: time of one core to decode and augment one sample, such as "
      "\"3 ms\"");
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
  MeasuredFolder found = measure_folder(folder);
  if (!decode_time && samples_per_file == 1) measure_decoding(found);
  const std::string text = dataset_entry(found, samples_per_file, decode_time);
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  print(fmt::format("{0}: written. {1}\n", file,
                    decode_time || found.decoding
                        ? "Next: name it in a scenario, as workload.dataset = \"" + file + "\""
                        : "Next: add the decode_time that it asks for"));
  return kGood;
}

}  // namespace gpufeed::cli
