// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "calib/discover/live.h"
#include "calib/discover/report/report.h"
#include "calib/discover/report/script.h"
#include "calib/discover/system_toml.h"
#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "ui/cli/instance.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

constexpr std::uintmax_t kLargestFile = 64 << 20;

FoundMachine machine_of(const std::vector<std::string>& files) {
  if (files.empty()) return this_machine();
  Diagnostics problems;
  std::vector<NamedText> texts;
  for (const std::string& file : files)
    if (auto text = read_text_file(file, kLargestFile, problems))
      texts.push_back({file, std::move(*text)});
  problems.throw_if_any();
  return machine_of_report(texts);
}

/// What a person knows and the files do not tell.
struct Answers {
  std::optional<std::string> gpu;
  std::optional<std::string> nic;
  std::optional<std::string> cpu;
};

/// Names the products that nothing told. \throws UsageError  where the catalog has none so called
void take_answers(FoundMachine& machine, const Answers& answers, const Recognizer& recognizer,
                  const Options& options) {
  const auto name = [&](const char* option, const char* kind, const std::string& product) {
    const Names known = recognizer.names(kind);
    if (!std::ranges::count(known, product))
      throw options.error(fmt::format("{}: the catalog has no {} called \"{}\"; {}", option,
                                      std::string_view(kind), product, suggestion(product, known)));
    return product;
  };
  for (FoundDevice& device : machine.devices) {
    if (answers.gpu && device.kind == FoundKind::gpu)
      device.named = name("--gpu", "gpu", *answers.gpu);
    if (answers.nic && device.kind == FoundKind::nic)
      device.named = name("--nic", "nic", *answers.nic);
  }
  for (FoundSocket& socket : machine.sockets)
    if (answers.cpu) socket.named = name("--cpu", "cpu", *answers.cpu);
}

std::string on_screen(const SystemText& system) {
  std::string out;
  for (const auto& part : system.parts) out += labeled("  " + part.id, part.what, 14);
  if (!system.left_out.empty()) out += "\nRead, and no part of the system:\n";
  for (const auto& one : system.left_out) out += labeled("  - ", one, 4);
  if (system.questions.empty()) return out;
  out += "\nNot told, and to be answered in the file:\n";
  for (std::size_t i = 0; i < system.questions.size(); ++i)
    out += labeled(fmt::format("  {}. ", i + 1), system.questions[i], 6);
  return out;
}

}  // namespace

int discover_verb(const Arguments& arguments) {
  Options options(
      "discover",
      "Describes a machine as a system of a scenario: this one, or the one that files tell of. "
      "What "
      "the catalog knows goes by its name; each GPU, card, drive, link and switch of the files is "
      "in the system, a question, or named as left out. Never overwrites a file.",
      "gpufeed discover --output my-machine.toml\n"
      "  gpufeed discover --script > collect.sh   # sh collect.sh > report.txt, on the machine\n"
      "  gpufeed discover --from report.txt --output other.toml\n"
      "  gpufeed discover --from topo.txt lscpu.txt --gpu nvidia-h100-sxm5-80gb --output a.toml");
  std::vector<std::string> files;
  std::vector<std::string> more;
  std::optional<std::string> output;
  std::vector<std::string> folders;
  Answers answers;
  bool script = false;
  std::optional<std::string> instance;
  options.repeatable(
      "--from,--xml", "FILE", files,
      "of another machine, any number of files, each with what one or several programs printed: "
      "lstopo --of xml, NCCL_TOPO_DUMP_FILE, nvidia-smi topo -m, topo -p2p, -L or -q, rocm-smi "
      "--showtopo, amd-smi topology, lspci -vvnn, lscpu, numactl -H, dmidecode, ip link, ethtool, "
      "nvme list, lsblk, /proc/mdstat, mount");
  options.operands("FILE", more, "further files, as --from");
  options.flag(
      "--script", script,
      "print a script of POSIX shell that collects all of it on a machine without gpufeed");
  options.value("--instance", "NAME", instance,
                "instead: the machine that a cloud rents under this name, such as p5.48xlarge, "
                "Standard_ND96isr_H100_v5 or a3-highgpu-8g, from the catalog");
  options.value("--gpu", "NAME", answers.gpu,
                "the product of all GPUs, by its name in the catalog");
  options.value("--nic", "NAME", answers.nic, "the product of all network cards");
  options.value("--cpu", "NAME", answers.cpu, "the processor of all sockets");
  options.value("-o,--output", "FILE", output, "write the system; - prints it and nothing else");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (script) {
    print(collecting_script());
    return kGood;
  }
  files.insert(files.end(), more.begin(), more.end());
  if (instance && !files.empty())
    throw options.error(
        fmt::format("--instance and {} name two machines; give one", files.front()));
  if (instance && (answers.gpu || answers.nic || answers.cpu))
    throw options.error(
        "--gpu, --nic and --cpu name what files leave open; an --instance is known");
  if (instance) {
    show_instance(*instance, output, catalog_with(folders), options);
    return kGood;
  }
  const Recognizer recognizer(catalog_with(folders));
  FoundMachine machine = machine_of(files);
  take_answers(machine, answers, recognizer, options);
  const SystemText system = system_of(machine, recognizer);
  if (output == "-") {
    print(system.toml);
    return kGood;
  }
  print(on_screen(system));
  if (!output) return kGood;
  write_new(*output, system.toml);
  print(fmt::format(
      "{0}: written; system = \"{0}\" names it in a scenario, which gpufeed new job.toml "
      "--system {0} --dataset FOLDER makes\n",
      *output));
  return kGood;
}

}  // namespace gpufeed::cli
