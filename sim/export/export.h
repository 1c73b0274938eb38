// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/model/fields/enum_names.h"

namespace gpufeed {

struct Scenario;

/// Benchmarks and loaders that a scenario can be handed to.
enum class ExportTool { fio, dlio, elbencho, ior, nccl_tests, pytorch };
template <>
struct EnumNames<ExportTool> {
  static constexpr std::array<std::string_view, 6> names{"fio", "dlio",       "elbencho",
                                                         "ior", "nccl-tests", "pytorch"};
};

/// What every key of the scenario's text says, by its path, as TOML writes it.
using GivenKeys = std::map<std::string, std::string>;

/// A scenario in another tool's words.
struct Exported {
  std::string text;   ///< the file, or the command lines, with what follows in comments
  Names left_out;     ///< what of the scenario the tool cannot say
  Names chosen = {};  ///< what the tool must be told and no scenario says
};

/// What an export starts from.
struct ExportSource {
  const Scenario& scenario;
  const GivenKeys& given;
  std::string name;  ///< of the scenario's file, without folders and ending
};

/// A file of the tool's own, whose values stay where the scenario says nothing else.
struct ExportPattern {
  std::string text;
  std::string name;  ///< for messages
};

/// Writes it as fio's job file, DLIO's YAML, command lines of elbencho, IOR (by mpirun) and
/// nccl-tests, or a call of PyTorch's DataLoader. Every key that was given is in it, or in
/// `left_out` with its value; the machine is named as a whole, for tools run on the one there is.
/// - Reads of a training, loader or emulated job: every loader worker of every GPU is a reader that
///   asks for one sample after the other (io: as the job says). Sizes do not vary there.
/// - nccl-tests: the sizes of a job's gradient exchange, or those of the collective.
/// - DLIO's time for a step is the GPU's for its batch, exchange left out.
/// \param pattern  of DLIO and fio alone
/// \throws InputError  where the tool has nothing for this kind of workload, which is named, or the
///                     pattern is wrong
Exported export_scenario(ExportTool tool, const ExportSource& source,
                         const std::optional<ExportPattern>& pattern = {});

}  // namespace gpufeed
