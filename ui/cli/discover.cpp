// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "calib/discover/discover.h"
#include "calib/discover/live.h"
#include "calib/discover/system_toml.h"
#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

constexpr std::uintmax_t kLargestFile = 64 << 20;

FoundMachine machine_of(const std::optional<std::string>& file) {
  if (!file) return this_machine();
  Diagnostics problems;
  const auto text = read_text_file(*file, kLargestFile, problems);
  problems.throw_if_any();
  return machine_in(*text, *file);
}

std::string on_screen(const SystemText& system) {
  std::string out;
  for (const auto& part : system.parts) out += labeled("  " + part.id, part.what, 14);
  if (system.questions.empty()) return out;
  out += "\nNot told, and to be answered in the file:\n";
  for (std::size_t i = 0; i < system.questions.size(); ++i)
    out += labeled(fmt::format("  {}. ", i + 1), system.questions[i], 6);
  return out;
}

}  // namespace

int discover_verb(const Arguments& arguments) {
  Options options("discover",
                  "Describes a machine as a system of a scenario: this one, or the one that a file "
                  "tells of. What the catalog knows goes by its name; what could not be told is "
                  "listed as questions. Never overwrites a file.",
                  "gpufeed discover --output my-machine.toml\n"
                  "  gpufeed discover --xml lstopo.xml --output other.toml");
  std::optional<std::string> file;
  std::optional<std::string> output;
  std::vector<std::string> folders;
  options.value("--xml", "FILE", file,
                "of another machine: XML of lstopo or of NCCL_TOPO_DUMP_FILE, or the text of "
                "nvidia-smi topo -m");
  options.value("-o,--output", "FILE", output, "write the system; - prints it and nothing else");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  const Recognizer recognizer(catalog_with(folders));
  const SystemText system = system_of(machine_of(file), recognizer);
  if (output == "-") {
    print(system.toml);
    return kGood;
  }
  print(on_screen(system));
  if (!output) return kGood;
  write_new(*output, system.toml);
  print(fmt::format("{}: written; system = \"{}\" names it in a scenario\n", *output, *output));
  return kGood;
}

}  // namespace gpufeed::cli
