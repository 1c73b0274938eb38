// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/report.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "calib/discover/report/parts_of_report.h"
#include "sim/base/files/paste.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

/// What nobody read, by its lines and first words. Prompts and frames alone are nothing.
void tell_unread(const ReportLines& lines, ReportFacts& facts) {
  constexpr std::size_t kMostTold = 20;
  constexpr std::size_t kWords = 40;
  std::size_t told = 0;
  for (const auto& [from, to] : lines.unread()) {
    const std::string_view first = trimmed(lines[from - 1]);
    const bool heading = from == to && (first.starts_with("$ ") || first.starts_with("# ") ||
                                        first.starts_with("==>") || first.starts_with("```") ||
                                        is_prompt(first) || first.ends_with(':'));
    if (heading) continue;
    if (++told > kMostTold) {
      facts.left_out.push_back(fmt::format("{}: more lines that nothing here knows", lines.name()));
      return;
    }
    facts.left_out.push_back(fmt::format(
        "{}, {}: not known (\"{}\")", lines.name(),
        from == to ? fmt::format("line {}", from) : fmt::format("lines {} to {}", from, to),
        printable(std::string(first.substr(0, kWords)))));
  }
}

bool tells_something(const MachineFrames& frames, const ReportFacts& facts) {
  return frames.files || frames.hwloc || frames.nccl || frames.matrix || !facts.gpus.empty() ||
         !facts.pci.empty() || facts.processor.cores_per_socket > 0 || !facts.drives.empty();
}

}  // namespace

FoundMachine machine_of_report(const std::vector<NamedText>& texts) {
  MachineFrames frames;
  ReportFacts facts;
  std::string source;
  for (const NamedText& one : texts) {
    ReportLines lines(one.text, one.name);
    read_blocks(lines, frames, facts);
    read_processor(lines, facts);
    read_pci(lines, facts);
    read_gpus(lines, facts);
    read_net(lines, facts);
    read_drives(lines, facts);
    read_slurm(lines, facts);
    tell_unread(lines, facts);
    source += (source.empty() ? "" : ", ") + one.name.substr(one.name.rfind('/') + 1);
  }
  if (!tells_something(frames, facts) && facts.machines > 0)
    throw InputError(
        {{{texts.front().name, 1, 1},
          fmt::format("this tells how many machines there are, {}, and not what is in one: give "
                      "scontrol show node, or what programs print on one of them, beside it",
                      facts.machines)}});
  if (!tells_something(frames, facts))
    throw InputError(
        {{{texts.empty() ? "" : texts.front().name, 1, 1},
          "nothing of a machine is in it: XML of lstopo or NCCL, or what nvidia-smi, rocm-smi, "
          "amd-smi, lspci, lscpu, numactl, nvme or lsblk print; gpufeed discover --script prints "
          "a script that collects all of it"}});
  FoundMachine machine = combined(std::move(frames), std::move(facts));
  machine.source = source;
  return machine;
}

}  // namespace gpufeed
