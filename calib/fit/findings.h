// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "calib/fit/drive_fit.h"
#include "calib/fit/raw_fit.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {

/// A value for the parameter file.
struct FoundValue {
  std::string path;
  std::string value;
  double deviation = 0;    ///< as its share
  double residual = 0;     ///< how far the law departs from a measurement, median
  std::size_t points = 0;  ///< measurements
  std::string law;
  std::string limit = {};  ///< told instead of the deviation: of what range it lies at the end
};

/// "5.3 %".
std::string percent_of(double part);

/// What raw measurements tell so far.
class Findings {
 public:
  /// \param source  of all: when, on what, with which tools
  explicit Findings(std::string source) : source_(std::move(source)) {}

  void take(FoundValue value);
  void tell(std::string line) { out_.told.push_back(std::move(line)); }
  void refuse(const std::string& what, const std::string& why);
  void add_entry(const std::string& name, std::string toml) {
    out_.entries[name] = std::move(toml);
  }
  /// The middle of repeated values in SI units, with the deviation of a mean. \return whether there
  /// are enough
  template <class Q>
  bool take_repeated(const std::string& path, const std::vector<double>& values,
                     const std::string& law) {
    return take_middle(path, values, text(Q{median(values)}, 4), law);
  }

  const std::string& source() const { return source_; }
  std::vector<std::string>& refused() { return out_.refused; }
  /// With the parameter file.
  /// \param catalog  the folder of the entries, as it names it; empty: they are not written
  Calibration finish(const std::string& title, const std::string& catalog);

 private:
  bool take_middle(const std::string& path, const std::vector<double>& values, std::string middle,
                   const std::string& law);

  std::string source_;
  std::vector<FoundValue> values_;
  Calibration out_;
};

}  // namespace gpufeed
