// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/load/read/catalog.h"

namespace gpufeed::cli {

/// Files that verbs other than simulate read, or that the program writes.
enum class KnownFile {
  machine,       ///< XML, nvidia-smi, lscpu, ...
  dlio,          ///< a workload of DLIO
  fio,           ///< fio's JSON
  fio_job,       ///< fio's job file
  result,        ///< what --json of simulate wrote
  written,       ///< what else the program wrote: tables, reports, answers of other verbs
  bars,          ///< what mechanisms of a validation must reach
  raw,           ///< what calibrate measured, before anything is fitted
  model_config,  ///< config.json of a language model
  prices,        ///< a list of quotes
  access_log,
  results,      ///< of elbencho, IOR, nvbandwidth, nccl-tests, darshan-parser
  request_log,  ///< of a language model that is served
  job_log,      ///< of finished jobs, from which requests are learned
  parameters,   ///< what calibrate wrote
  system,       ///< a machine, as discover writes it
  entry         ///< of the catalog
};

/// What a file is, by what is in it; nothing of what is none of these, such as a scenario.
std::optional<KnownFile> known_file(std::string_view text, const std::string& name);

/// "the JSON of fio, which gpufeed calibrate FILE reads".
std::string file_in_words(KnownFile kind);

/// Reads the file as the verb would that takes it. \return what it holds, in a few words
/// \throws InputError  with every problem found
std::string checked_file(KnownFile kind, const std::string& text, const std::string& file,
                         const Catalog& catalog);

/// A line for each file of `problems` that the command line names, that `verb` cannot read, and
/// another verb could; empty where there is none.
std::string right_verbs(const std::vector<Problem>& problems,
                        const std::vector<std::string>& arguments);

}  // namespace gpufeed::cli
