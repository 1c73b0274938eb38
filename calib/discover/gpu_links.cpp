// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/gpu_links.h"

#include <fmt/format.h>

#include <algorithm>

#include "calib/discover/recognize.h"
#include "sim/load/entry_toml.h"

namespace gpufeed {
namespace {

/// NVIDIA H100, H200 and B200 data sheets: 18 links, more than any GPU had before.
constexpr std::int64_t kMostLinks = 18;

const EntryLine* nvlink_of(const WrittenGpu& gpu) {
  return gpu.product ? known_line(*gpu.product, "nvlink") : nullptr;
}

class LinkWriter {
 public:
  LinkWriter(const FoundMachine& machine, const std::map<std::size_t, WrittenGpu>& gpus)
      : machine_(machine), gpus_(gpus) {}

  GpuLinks write() {
    const std::int64_t through = through_switches();
    if (machine_.nvswitches > 0 || through > 0)
      write_switch(through > 0 ? through : machine_.links_to_nvswitches);
    else
      for (const FoundNvlink& link : machine_.nvlinks) write_link(link);
    if (machine_.nvswitches > 0 && through == 0)
      for (const FoundNvlink& link : machine_.nvlinks) write_link(link);
    if (out_.toml.empty()) ask_untold();
    return std::move(out_);
  }

 private:
  /// Links of each GPU to switches, where it is told more links to others than it has; else 0.
  std::int64_t through_switches() const {
    std::map<std::size_t, std::int64_t> sum;
    std::map<std::size_t, std::int64_t> others;
    std::int64_t most = 0;
    for (const FoundNvlink& link : machine_.nvlinks) {
      for (const std::size_t end : {link.from, link.to}) {
        sum[end] += link.count;
        ++others[end];
      }
      most = std::max(most, link.count);
    }
    const bool too_many = std::ranges::any_of(sum, [&](const auto& each) {
      return others[each.first] > 1 && each.second > links_of(each.first);
    });
    return too_many ? most : 0;
  }

  std::int64_t links_of(std::size_t device) const {
    const auto gpu = gpus_.find(device);
    const auto own = gpu != gpus_.end() && gpu->second.product
                         ? static_cast<std::int64_t>(value_of(*gpu->second.product, "nvlinks"))
                         : 0;
    return own > 0 ? own : kMostLinks;
  }

  void write_link(const FoundNvlink& link) {
    const auto a = gpus_.find(std::min(link.from, link.to));
    const auto b = gpus_.find(std::max(link.from, link.to));
    if (a == gpus_.end() || b == gpus_.end()) return;
    const EntryLine* const kind = nvlink_of(a->second);
    const bool complete = a->second.in_system && b->second.in_system && kind;
    const std::string text =
        fmt::format("[[nvlink]]\nbetween = [\"{}\", \"{}\"]\nlink = \"{}\"\ncount = {}\n",
                    a->second.id, b->second.id, kind ? kind->value : "...", link.count);
    out_.toml += "\n" + (complete ? text : commented(text));
    const std::string id = fmt::format("{}-{}", a->second.id, b->second.id);
    tell(id,
         fmt::format("{} link{}{}{}", link.count, link.count == 1 ? "" : "s",
                     kind ? " of " + kind->value : "", complete ? "" : " (left out)"),
         complete);
    if (!complete)
      out_.questions.push_back(
          {"of which kind are the direct links {} between GPUs? They are left out until it is "
           "named",
           id});
  }

  void write_switch(std::int64_t told) {
    const EntryLine* kind = nullptr;
    std::int64_t own = 0;
    bool complete = true;
    for (const auto& [number, gpu] : gpus_) {
      complete = complete && gpu.in_system;
      if (const EntryLine* const one = nvlink_of(gpu)) {
        kind = one;
        own = static_cast<std::int64_t>(value_of(*gpu.product, "nvlinks"));
      }
    }
    const std::int64_t count = told > 0 ? told : own;
    complete = complete && kind && count > 0;
    const std::string text = fmt::format(
        "[[nvswitch]]\nid = \"nvswitch\"\ngpus = [\"gpu*\"]\nlink = \"{}\"\ncount = {}\n",
        kind ? kind->value : "...", count > 0 ? fmt::format("{}", count) : "...");
    out_.toml += "\n" + (complete ? text : commented(text));
    tell("nvswitch",
         fmt::format("{}{} from each GPU{}", count > 0 ? fmt::format("{} links", count) : "links",
                     kind ? " of " + kind->value : "", complete ? "" : " (left out)"),
         complete);
    if (!complete)
      out_.questions.push_back(
          {fmt::format("by which links are the GPUs joined to NVSwitches? {}They are left out "
                       "until the GPUs are named",
                       count > 0 ? fmt::format("Each has {}. ", count) : ""),
           {}});
  }

  void ask_untold() {
    if (gpus_.size() < 2) return;
    for (const auto& [number, gpu] : gpus_)
      if (gpu.in_system && nvlink_of(gpu))
        out_.questions.push_back(
            {"how does NVLink join {}? It was not told, and none is taken", gpu.id});
  }

  void tell(const std::string& id, const std::string& what, bool complete) {
    out_.parts.push_back({id, what, complete ? PartState::in_system : PartState::asked});
  }

  const FoundMachine& machine_;
  const std::map<std::size_t, WrittenGpu>& gpus_;
  GpuLinks out_;
};

}  // namespace

std::string commented(const std::string& text) {
  std::string out;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    out += "# " + text.substr(from, end - from) + "\n";
    from = end + 1;
  }
  return out;
}

GpuLinks gpu_links(const FoundMachine& machine, const std::map<std::size_t, WrittenGpu>& gpus) {
  return LinkWriter(machine, gpus).write();
}

}  // namespace gpufeed
