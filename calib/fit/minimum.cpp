// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/minimum.h"

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

namespace gpufeed {
namespace {

/// The residuals as Eigen's solver calls them.
struct Functor {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const Residuals* residuals;
  Eigen::Index coordinates;
  Eigen::Index count;

  int inputs() const { return static_cast<int>(coordinates); }
  int values() const { return static_cast<int>(count); }
  int operator()(const InputType& place, ValueType& out) const {
    const auto found = (*residuals)({place.data(), static_cast<std::size_t>(place.size())});
    out = Eigen::Map<const Eigen::VectorXd>(found.data(), count);
    return 0;
  }
};

using Differentiated = Eigen::NumericalDiff<Functor, Eigen::Central>;

}  // namespace

Minimum least_squares(const Residuals& residuals, std::vector<double> start) {
  Eigen::VectorXd place =
      Eigen::Map<Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size()));
  const auto count = static_cast<Eigen::Index>(residuals(start).size());
  const Functor functor{&residuals, place.size(), count};
  Differentiated differentiated(functor);
  Eigen::LevenbergMarquardt<Differentiated> solver(differentiated);
  solver.parameters.maxfev = 400;
  if (place.size() > 0) solver.minimize(place);

  Eigen::VectorXd at(count);
  functor(place, at);
  Eigen::MatrixXd slopes(count, place.size());
  if (place.size() > 0) differentiated.df(place, slopes);
  Minimum found{{place.data(), place.data() + place.size()}, at.squaredNorm(), {}};
  const Eigen::FullPivLU<Eigen::MatrixXd> normal(slopes.transpose() * slopes);
  const bool invertible = place.size() > 0 && normal.isInvertible();
  const Eigen::MatrixXd covariance = invertible ? normal.inverse() : Eigen::MatrixXd();
  for (Eigen::Index i = 0; i < place.size(); ++i)
    found.deviation.push_back(invertible ? std::sqrt(covariance(i, i))
                                         : std::numeric_limits<double>::infinity());
  return found;
}

}  // namespace gpufeed
