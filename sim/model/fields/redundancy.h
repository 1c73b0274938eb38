// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/model/fields/enum_names.h"

namespace gpufeed {

/// How a store keeps its data when servers fail: each stripe is `data` chunks, and `spare` more of
/// which any stand for as many that are lost, all on servers of their own. Copies are stripes of
/// one chunk.
struct Redundancy {
  std::int64_t data = 1;   ///< k
  std::int64_t spare = 0;  ///< m: failed servers that it survives

  std::int64_t width() const { return data + spare; }
  /// Bytes kept for each byte saved: (k + m) / k.
  double overhead() const { return static_cast<double>(width()) / static_cast<double>(data); }

  bool operator==(const Redundancy&) const = default;
};

inline constexpr std::int64_t kWidestStripe = 256;

/// How many chunks of a stripe software wants to be left before it serves it. data: those that it
/// takes to make up for all others. spare: of a code one more where it has two spare ones or more,
/// of copies half, as Ceph's min_size. majority: more than half, and as many as data.
enum class LeastChunks { data, spare, majority };
template <>
struct EnumNames<LeastChunks> {
  static constexpr std::array<std::string_view, 3> names{"data", "spare", "majority"};
};
std::int64_t least_chunks(LeastChunks wanted, const Redundancy& of);

/// "8+2", "replica 3" or "none"; nothing of another form, of a code without spare chunks or of
/// stripes wider than `kWidestStripe`.
std::optional<Redundancy> parse_redundancy(std::string_view text);
std::string text(const Redundancy& redundancy);

}  // namespace gpufeed
