// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/log_pieces.h"

#include <algorithm>

#include "sim/plan/reading.h"
#include "sim/plan/striping.h"

namespace gpufeed {
namespace {

/// Adds what goes to column `column` of a volume whose columns have `mirrors` drives each.
void add(std::vector<Piece>& out, std::size_t column, std::size_t mirrors, double bytes, bool write,
         std::size_t turn) {
  if (!write) {
    out.push_back({column * mirrors + turn % mirrors, bytes});
    return;
  }
  for (std::size_t i = 0; i < mirrors; ++i) out.push_back({column * mirrors + i, bytes});
}

}  // namespace

void split_over_drives(const Volume* volume, std::size_t drives, std::int64_t offset,
                       std::int64_t bytes, std::int32_t file, bool write, std::size_t turn,
                       std::vector<Piece>& out) {
  out.clear();
  const auto all = static_cast<double>(bytes);
  const auto number = static_cast<std::size_t>(file);
  if (!volume || !is_striped(*volume)) {
    const bool mirrored = volume && volume->layout == Layout::raid1;
    add(out, mirrored ? 0 : number % drives, mirrored ? drives : 1, all, write, turn);
    return;
  }
  const auto mirrors = static_cast<std::size_t>(copies(volume));
  const std::size_t columns = drives / mirrors;
  const double parity =
      write ? static_cast<double>(columns) /
                  static_cast<double>(columns - static_cast<std::size_t>(parities(volume)))
            : 1;
  const auto unit = std::max<std::int64_t>(1, static_cast<std::int64_t>(volume->stripe_unit.value));
  const std::int64_t first = offset / unit;
  const std::int64_t last = (offset + bytes - 1) / unit;
  if (last - first >= static_cast<std::int64_t>(columns)) {
    for (std::size_t c = 0; c < columns; ++c)
      add(out, c, mirrors, all / static_cast<double>(columns) * parity, write, turn);
    return;
  }
  for (std::int64_t u = first; u <= last; ++u) {
    const std::int64_t from = std::max(offset, u * unit);
    const std::int64_t to = std::min(offset + bytes, (u + 1) * unit);
    add(out, (static_cast<std::size_t>(u) + number) % columns, mirrors,
        static_cast<double>(to - from) * parity, write, turn);
  }
}

}  // namespace gpufeed
