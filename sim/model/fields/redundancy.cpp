// SPDX-License-Identifier: Apache-2.0
#include "sim/model/fields/redundancy.h"

#include <algorithm>
#include <charconv>

namespace gpufeed {
namespace {

constexpr std::string_view kCopies = "replica ";

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < 1 || number > kWidestStripe) return {};
  return number;
}

}  // namespace

std::int64_t least_chunks(LeastChunks wanted, const Redundancy& of) {
  if (wanted == LeastChunks::majority) return std::max(of.data, of.width() / 2 + 1);
  if (wanted == LeastChunks::data || of.spare < 2) return of.data;
  return of.data == 1 ? of.width() - of.width() / 2 : of.data + 1;
}

std::optional<Redundancy> parse_redundancy(std::string_view text) {
  if (text == "none") return Redundancy{};
  if (text.starts_with(kCopies)) {
    const auto copies = whole(text.substr(kCopies.size()));
    return copies ? std::optional<Redundancy>({1, *copies - 1}) : std::nullopt;
  }
  const std::size_t plus = text.find('+');
  if (plus == std::string_view::npos) return {};
  const auto data = whole(text.substr(0, plus));
  const auto spare = whole(text.substr(plus + 1));
  if (!data || !spare || *data + *spare > kWidestStripe) return {};
  return Redundancy{*data, *spare};
}

std::string text(const Redundancy& redundancy) {
  if (redundancy == Redundancy{}) return "none";
  if (redundancy.data == 1) return std::string(kCopies) + std::to_string(redundancy.width());
  return std::to_string(redundancy.data) + "+" + std::to_string(redundancy.spare);
}

}  // namespace gpufeed
