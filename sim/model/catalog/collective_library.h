// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// How a library lets the ranks of a collective pass their parts on. nvls: the switches add up.
enum class CollectivePattern { ring, tree, nvls };
template <>
struct EnumNames<CollectivePattern> {
  static constexpr std::array<std::string_view, 3> names{"ring", "tree", "nvls"};
};

/// How it marks what has arrived: a flag with every 4 bytes, one with every 120, or a fence for a
/// whole piece. The first is the quickest and moves the least.
enum class CollectiveProtocol { ll, ll128, simple };
template <>
struct EnumNames<CollectiveProtocol> {
  static constexpr std::array<std::string_view, 3> names{"ll", "ll128", "simple"};
};

/// What one pattern with one protocol takes: start + steps x the time of a step on their way, and
/// the bytes at a share of what links carry.
struct CollectiveCost {
  CollectivePattern pattern = CollectivePattern::ring;
  CollectiveProtocol protocol = CollectiveProtocol::simple;
  Seconds start;
  Seconds nvlink_step;
  Seconds pcie_step;
  Seconds network_step;
  Ratio share{1.0};
  std::optional<Bandwidth> most;
  std::string source;
  Basis basis = Basis::estimate;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("pattern", &CollectiveCost::pattern, "how the ranks pass their parts on").needed());
    visit(key("protocol", &CollectiveCost::protocol, "how what has arrived is marked").needed());
    visit(key("start", &CollectiveCost::start, "before the first step").between(0_s, 1_s));
    visit(key("nvlink_step", &CollectiveCost::nvlink_step, "of each step over NVLink")
              .between(0_s, 1_s));
    visit(key("pcie_step", &CollectiveCost::pcie_step, "of each step over PCIe").between(0_s, 1_s));
    visit(key("network_step", &CollectiveCost::network_step,
              "of each step between nodes, whose network takes 2 us (fabric.latency) of it")
              .between(0_s, 1_s));
    visit(key("share", &CollectiveCost::share,
              "of what a ring's links carry; nvls: of what the links to the switches carry")
              .between(1_percent, 100_percent));
    visit(key("most", &CollectiveCost::most,
              "bus bandwidth of a GPU on one node that it does not exceed; default: any")
              .between(1_MBps, 100_TBps));
    visit(key("source", &CollectiveCost::source, "document, page or measurement").needed());
    visit(key("basis", &CollectiveCost::basis, "measured, calibrated, datasheet or estimate")
              .needed());
  }
};

/// A library of collectives (NCCL) as it behaves on one generation of GPUs.
struct CollectiveLibrary : Entry {
  static constexpr std::string_view kKind = "collectives";
  Ratio own_part{0.0};
  Ratio contention{0.0};
  std::optional<Frequency> clock;
  std::vector<CollectiveCost> cost;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("own_part", &CollectiveLibrary::own_part,
              "time of a rank's own part, which it copies or adds, over that of the same bytes on "
              "a ring's links")
              .between(0_percent, 1000_percent));
    visit(key("contention", &CollectiveLibrary::contention,
              "of the time that gradients travel over NVLink beside computing, what computing "
              "loses: sums are kernels on the same processors")
              .between(0_percent, 100_percent));
    visit(key("clock", &CollectiveLibrary::clock,
              "of the GPU on which starts and steps over NVLink take what the costs say; those of "
              "other clocks take cycles as many; default: any")
              .between(100_MHz, 10_GHz));
    visit(key("cost", &CollectiveLibrary::cost, "of a pattern with a protocol, one table each"));
  }
};

}  // namespace gpufeed
