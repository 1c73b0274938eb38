// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/read/catalog.h"

namespace gpufeed::ui {

/// What is to be trained.
enum class Trains { images, video, tuning, language, speech, recommendation };

/// What a choice is judged by.
enum class Counts { utilization, budget, deadline };

/// The job, as a buyer tells it before there is a machine. Every answer has a usual default.
struct JobForm {
  Trains trains = Trains::images;
  std::string model;    ///< in the catalog; empty: the usual one of its kind
  bool lora = true;     ///< of fine-tuning: small matrices; else all weights
  std::string dataset;  ///< in the catalog; empty: the usual one, of language models own tokens
  /// How much there is: "40 TB" like the data set's, "15" billion tokens of language models; empty:
  /// as the data set is, a billion tokens.
  std::string amount;
  std::string store;  ///< an array of the catalog; empty: drives in the server
  Counts counts = Counts::utilization;
  std::string most;  ///< USD of a budget, days of a deadline

  bool operator==(const JobForm&) const = default;
};

/// A kind of job, with what is usual for it, the most usual first.
struct JobKind {
  Trains trains;
  std::string label;
  std::vector<std::string> models;
  std::vector<std::string> datasets;  ///< none: own tokens
};
const std::vector<JobKind>& job_kinds();
const JobKind& kind_of(const JobForm& form);
/// The model that the form names, or the usual one.
std::string model_of(const JobForm& form);

/// A machine to start from, of each size one.
struct StartMachine {
  std::string name;  ///< "CHASSIS + GPU", see `scenario_of_chassis`
  std::string title;
};
const std::vector<StartMachine>& start_machines();

/// The scenario of the job on a machine, which gets the drives that hold the data.
/// \throws InputError  where the job does not fit it, or an amount cannot be read
std::string scenario_of_job(const JobForm& form, const std::string& machine,
                            const Catalog& catalog);

}  // namespace gpufeed::ui
