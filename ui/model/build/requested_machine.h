// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/load/read/catalog.h"

namespace gpufeed::ui {

/// So many parts of one product.
struct RequestedPart {
  std::int64_t count = 1;
  std::string product;
  bool operator==(const RequestedPart&) const = default;
};

/// What `[system]` says of one kind of parts.
struct RequestedParts {
  std::string key;   ///< "cpu", "gpu", "drives" or "nics"
  std::string kind;  ///< of catalog entry: "cpu", "gpu", "drive" or "nic"
  std::vector<RequestedPart> parts;
  std::int64_t usual = 1;  ///< how many to begin with: CPUs one a socket
  bool standard = false;   ///< the scenario leaves it to the chassis, which comes with these
};

/// A machine made of a chassis, as a scenario's text asks for it, whether or not it can be built.
struct RequestedMachine {
  std::string chassis;
  std::string memory;
  bool standard_memory = false;       ///< as `RequestedParts::standard`
  std::vector<RequestedParts> parts;  ///< of all kinds
};

/// Nothing where the machine of `text` is none of a chassis with parts, or the text is no TOML.
std::optional<RequestedMachine> requested_machine_of(const std::string& text,
                                                     const Catalog& catalog);

/// `text` with these parts in place of those of their key.
/// \throws InputError  where the text cannot take it
std::string with_parts(const std::string& text, const RequestedParts& parts);

/// `text` with so much memory, such as "1 TB" or "16 x 64 GB".
/// \throws InputError  where the text cannot take it
std::string with_memory(const std::string& text, const std::string& memory);

}  // namespace gpufeed::ui
