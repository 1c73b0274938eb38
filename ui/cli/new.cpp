// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/files/read_file.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/sweep.h"
#include "sim/model/scenario.h"
#include "ui/cli/new_machine.h"
#include "ui/cli/output.h"
#include "ui/cli/shipped_examples.h"
#include "ui/cli/verbs.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// "01", "01_local_or_shared" or "01_local_or_shared/scenario_shared.toml" as a path below the
/// folder of the examples.
fs::path find_example(const std::string& name, const Options& options) {
  const std::size_t slash = name.find('/');
  const fs::path root = examples_folder();
  const fs::path folder = choose_example(name.substr(0, slash), options);
  const Names variants = names_in(root / folder, is_toml);
  if (variants.empty())
    throw options.error(
        fmt::format("{0} has no scenario; gpufeed examples {0} copies all of it", folder.string()));
  if (slash == std::string::npos || slash + 1 == name.size()) {
    if (std::ranges::count(variants, "scenario.toml")) return folder / "scenario.toml";
    throw options.error(fmt::format("{0} has several scenarios; take --from {0}/{1}",
                                    folder.string(), fmt::join(variants, " or ")));
  }
  return folder / choose(name.substr(slash + 1), variants, "file of " + folder.string(), options);
}

std::string content(const fs::path& file) {
  Diagnostics out;
  const auto text = read_text_file(file, kMaxTextSize, out);
  out.throw_if_any();
  return *text;
}

/// What to type next. A copy of a goal or a sweep needs the scenarios that it names beside it.
std::string next_steps(const std::string& file, const fs::path& example) {
  const auto kind = kind_of_file(file);
  if (kind == FileKind::observations)
    return fmt::format("Next: edit it, then\n  gpufeed simulate SCENARIO --observed {}\n", file);
  const bool is_goal = kind == FileKind::goal;
  if (!is_goal && kind != FileKind::sweep)
    return fmt::format("Next: edit it, then\n  gpufeed check {0}\n  gpufeed simulate {0}\n", file);
  const fs::path original = examples_folder() / example;
  const Catalog catalog = catalog_with({});
  const Names named = is_goal ? load_goal(original, catalog).scenarios
                              : Names{load_sweep(original, catalog).scenario.path};
  std::string steps = "Next: copy its scenario, edit both, then\n";
  for (const fs::path scenario : named)
    steps += fmt::format("  gpufeed new {} --from {}\n",
                         (fs::path(file).parent_path() / scenario.filename()).string(),
                         (example.parent_path() / scenario.filename()).string());
  return steps + fmt::format("  gpufeed {} {}\n", is_goal ? "recommend" : "sweep", file);
}

}  // namespace

int new_verb(const Arguments& arguments) {
  Options options(
      "new",
      "Writes a scenario to start from: every key of a typical one with its meaning, "
      "a copy of an example, or a job on a machine: one of the catalog or of gpufeed discover, or "
      "made of a chassis and parts that fit it. Never "
      "overwrites a file.",
      "gpufeed new mine.toml --chassis dell-r760xa --cpu \"2 x intel-xeon-gold-6548y-plus\" \\\n"
      "      --memory \"512 GB\" --gpu \"4 x nvidia-l40s\" --drives \"8 x kioxia-cm7-r-7.68tb\" "
      "\\\n"
      "      --nics \"1 x nvidia-connectx-7-ndr200-200g\"\n"
      "  gpufeed new mine.toml --system nvidia-dgx-h100 --model resnet-50");
  std::string file;
  std::optional<std::string> from;
  std::optional<std::string> output;
  MachineArguments machine;
  options.operand("FILE", file, "the file to write; - prints it");
  options.value("-o,--output", "FILE", output, "the same");
  options.value("--from", "EXAMPLE", from,
                "copy this example: the name of its folder or how it begins, and behind a / the "
                "file to take instead of scenario.toml, or how its name begins");
  machine.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (output && !file.empty())
    throw options.error(fmt::format("\"{}\" and --output name two files", file));
  if (output) file = *output;
  if (from && machine.chassis) throw options.error("--from and --chassis exclude each other");
  if (machine.system && (from || machine.chassis))
    throw options.error(
        fmt::format("--system and {} exclude each other", from ? "--from" : "--chassis"));
  if (const std::string option = machine.without_chassis(); !option.empty())
    throw options.error(option + " is for a machine made of a --chassis, which is missing");
  if (file.empty()) throw options.error("name the file to write, or - to print it");

  machine.measure_dataset(options);
  const fs::path example = from ? find_example(*from, options) : fs::path();
  const std::string title = file == "-" ? "" : fs::path(file).stem().string();
  const std::string text = machine.system    ? system_scenario(machine, file, title, options)
                           : machine.chassis ? machine_scenario(machine, file, title, options)
                           : from            ? content(examples_folder() / example)
                                             : scenario_template();
  if (file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  print(fmt::format("{}: written{}. {}", file, from ? ", a copy of " + example.string() : "",
                    next_steps(file, example)));
  return kGood;
}

}  // namespace gpufeed::cli
