// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "reports/picture/picture.h"
#include "sim/model/cluster/answer.h"
#include "sim/model/result/result.h"
#include "sim/model/serving/answer.h"
#include "sim/model/study/whatif.h"
#include "ui/model/show/command_line.h"

namespace gpufeed::ui {

/// The answer as a page of its own, as `gpufeed simulate --html` writes it.
/// \param saved  whether the scenario's file says what was answered
/// \param file   that, and `sources`: for the command line that the page names
/// \param changes  that help, where they are known
std::string report_page(const Result& result, const Picture& picture,
                        std::vector<WhatIfRow> changes, bool saved,
                        const std::filesystem::path& file, const Sources& sources);

/// The same of an engine that serves a language model.
std::string report_page(const serving::Answer& answer, bool saved,
                        const std::filesystem::path& file, const Sources& sources);

/// The same of a cluster that jobs share.
std::string report_page(const cluster::Answer& answer, bool saved,
                        const std::filesystem::path& file, const Sources& sources);

}  // namespace gpufeed::ui
