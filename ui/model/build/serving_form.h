// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed::ui {

/// A key of a file that serves a language model.
struct ServingRow {
  std::string label;
  std::string path;
  std::string help;
  std::string value = {};  ///< as it would be typed in; empty: the text says nothing
};

/// Rows below a heading; of a tier, which.
struct ServingGroup {
  std::string heading;
  std::vector<ServingRow> rows = {};
  std::ptrdiff_t tier = -1;
};

/// What is asked, by what it is judged, the engine, and each tier in its order.
std::vector<ServingGroup> serving_groups(const std::string& text);

/// Where KV caches may go below the GPUs.
enum class TierChoice { memory, drive, store };

/// `text` with one more tier, with the drive or store that it needs.
/// \throws InputError  where the text cannot take it
std::string with_tier(const std::string& text, TierChoice choice);
/// `text` without the tier of that number. \throws InputError  likewise
std::string without_tier(const std::string& text, std::size_t tier);

/// A scenario to start from.
std::string usual_serving();

}  // namespace gpufeed::ui
