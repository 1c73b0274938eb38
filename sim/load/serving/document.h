// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/serving/document.h"

namespace gpufeed {

/// Reads an engine that serves a language model, with its log of requests, and checks that it holds
/// together.
/// \throws InputError  with every problem found, those of the log by their lines
serving::Document load_serving(const std::filesystem::path& file, const Catalog& catalog,
                               const std::vector<Override>& overrides = {});
/// The same from text; `name` stands for the file in messages, and paths are relative to it.
serving::Document parse_serving(std::string_view text, const std::string& name,
                                const Catalog& catalog,
                                const std::vector<Override>& overrides = {});

/// Reports keys and overrides that cannot be read; whether they hold together is not looked at, nor
/// is the log.
void read_serving_keys(std::string_view text, const std::string& name, const Catalog& catalog,
                       const std::vector<Override>& overrides, Diagnostics& out);

}  // namespace gpufeed
