// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/import/log_fields.h"

namespace gpufeed {

/// A line of `sacct --parsable2`: a job, or a step of the job before, whose id has a dot.
class SacctLine {
 public:
  /// \param names   of the fields, as the first line has them
  /// \param fields  as many
  SacctLine(const std::vector<std::string_view>& names, std::vector<std::string_view> fields,
            Location where, Diagnostics& out);

  /// Empty where there is no such field.
  std::string_view at(std::string_view field) const;
  /// Seconds since 1970; what is no date is reported.
  std::optional<double> date(std::string_view field) const;
  bool is_step() const { return at("JobID").find('.') != std::string_view::npos; }
  bool has_started() const { return is_known("Start"); }
  bool has_ended() const { return is_known("End"); }
  double nodes() const;  ///< 1 where none are told
  std::optional<double> cores() const;
  /// Of all its nodes: "4Gn" is of a node, "4Gc" of a core; newer Slurm writes what the whole job
  /// has.
  std::optional<double> requested_memory_B() const;
  /// Of those allocated, whatever their type.
  double gpus() const;
  std::optional<double> allocated_memory_B() const { return log_bytes(allocated("mem")); }

 private:
  std::string_view allocated(std::string_view resource) const;  ///< empty where none is
  bool is_known(std::string_view field) const;

  const std::vector<std::string_view>& names_;
  std::vector<std::string_view> fields_;
  Location where_;
  Diagnostics& out_;
};

/// What `sacct` has to be asked for, for a log to be of use.
struct SacctForm {
  std::vector<std::string_view> needed;
  std::string_view format;  ///< of the command that writes all that is used
};

/// Reads each line of the log, unless a field is missing.
void read_sacct(std::string_view text, const std::string& name, const SacctForm& form,
                Diagnostics& out, const std::function<void(const SacctLine&)>& read);

}  // namespace gpufeed
