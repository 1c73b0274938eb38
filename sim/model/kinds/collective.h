// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// The collectives that nccl-tests times.
enum class CollectiveOperation { all_reduce, all_gather, reduce_scatter, all_to_all };
template <>
struct EnumNames<CollectiveOperation> {
  static constexpr std::array<std::string_view, 4> names{"all-reduce", "all-gather",
                                                         "reduce-scatter", "all-to-all"};
};

namespace kind {

/// What nccl-tests does.
struct Collective {
  static constexpr std::string_view kName = "collective";
  static constexpr std::array<std::string_view, 7> kTakes{"nodes",
                                                          "fabric",
                                                          "exchange.path",
                                                          "exchange.rings",
                                                          "exchange.channels",
                                                          "exchange.sockets",
                                                          "exchange.socket_bandwidth"};
  static constexpr std::array<std::string_view, 0> kLeaves{};

  std::vector<CollectiveOperation> operations;
  std::optional<std::int64_t> gpus;
  Bytes from{8.0};
  Bytes to{134217728.0};
  std::int64_t factor = 2;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("operations", &Collective::operations, "one after the other; default: all-reduce"));
    visit(key("gpus", &Collective::gpus, "how many GPUs of each node take part; default: all")
              .between(1, 4096));
    visit(key("from", &Collective::from, "smallest size, of the whole buffer (nccl-tests: -b)")
              .between(1_B, 1_TB));
    visit(key("to", &Collective::to, "largest size (-e)").between(1_B, 1_TB));
    visit(key("factor", &Collective::factor, "from one size to the next (-f)").between(2, 1000000));
  }
};

}  // namespace kind
}  // namespace gpufeed
