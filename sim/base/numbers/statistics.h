// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gpufeed {

/// The value below which a share of a sample lies, as NumPy, PyTorch and R have it by default
/// (Hyndman and Fan, The American Statistician 50, 1996: type 7): of n values in order it is the
/// one at place share x (n - 1), counted from 0, and between two places in proportion.
/// \param values  in any order; 0 of none
/// \param share   from 0, the least, to 1, the greatest
double quantile(std::vector<double> values, double share);

/// The least value of a sample that at least this share of it does not exceed, as fio reports
/// percentiles of latencies: always one that was seen. \param values  in any order; 0 of none
double seen_quantile(std::vector<double> values, double share);

/// The quantile of one half.
double median(std::vector<double> values);

/// The number that a standard normal variable exceeds with a probability of 1 - `share`.
/// \param share  between 0 and 1, and neither
double normal_quantile(double share);

/// The chance that Student's t with four degrees of freedom is below z, in closed form.
double student4_below(double z);

/// 97.5 % quantile of Student's t with n degrees of freedom: Cornish-Fisher about the normal one,
/// within 1 % from n = 3.
double t_quantile(double n);

/// The same of any share above one half: within 1 % from n = 4 to the 99 % quantile, from n = 10 to
/// the 99.99 %.
double t_quantile(double n, double share);

}  // namespace gpufeed
