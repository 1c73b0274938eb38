// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/study/first_contact.h"

namespace gpufeed {

/// Takes a ledger of first contacts: CSV whose first line names the columns source, system,
/// mechanism, steps (blanks between them), measured, predicted, version, date, counts, parameters
/// and notes in this order. Blank lines and those that begin with # are passed over. Every problem
/// goes to `out`.
std::vector<FirstContact> parse_first_contacts(std::string_view text, const std::string& name,
                                               Diagnostics& out);

/// The line that names the columns.
std::string_view first_contacts_header();

}  // namespace gpufeed
