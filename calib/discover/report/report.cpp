// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/report.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "calib/discover/report/parts_of_report.h"

namespace gpufeed {
namespace {

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
    read_pci(lines, facts);  // first: it refuses what is no one machine
    read_blocks(lines, frames, facts);
    read_processor(lines, facts);
    read_gpus(lines, facts);
    read_net(lines, facts);
    read_drives(lines, facts);
    read_slurm(lines, facts);
    std::ranges::move(unread_in_words(lines), std::back_inserter(facts.left_out));
    source += (source.empty() ? "" : ", ") + one.name.substr(one.name.rfind('/') + 1);
  }
  count_slurm(facts);
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
