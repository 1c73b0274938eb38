// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/model/study/first_contact.h"
#include "sim/model/study/validation_report.h"

namespace gpufeed {

/// When, and by which program, something was predicted.
struct Predicted {
  std::string version;
  std::string date;
};

/// The rows that have an interval, as lines of a ledger of first contacts. Where fitted constants
/// were left out, the prediction is that without them.
std::vector<FirstContact> first_contacts_of(const ValidationReport& report, const Predicted& by);

/// As CSV, without the line that names the columns.
std::string to_csv(const std::vector<FirstContact>& contacts);

/// Reads a ledger. \throws InputError
std::vector<FirstContact> load_first_contacts(const std::filesystem::path& file);

}  // namespace gpufeed
