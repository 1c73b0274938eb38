// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed {

/// How often a job fails and what it takes to go on, in seconds. Failures come at random, one every
/// `between` on the mean, also while it restarts.
struct FailureTimes {
  double between = 0;
  double restart = 0;     ///< from a failure until it works again
  double checkpoint = 0;  ///< how much longer one makes the work
};

/// Seconds on the mean until a stretch is through that a failure throws back to its beginning:
/// M e^(R/M) (e^(length/M) - 1). Infinite where that is no number.
/// \source  J. T. Daly, A higher order estimate of the optimum checkpoint interval for restart
///          dumps, Future Generation Computer Systems 22, 2006
double time_through(double length, const FailureTimes& times);

/// Work with its checkpoints, in stretches each of which a failure throws back to its beginning.
struct Stretches {
  double count = 0;
  double length = 0;
  double last = 0;  ///< of one more, 0: there is none
};

double time_through(const Stretches& work, const FailureTimes& times);

/// Work over time, where a checkpoint follows every `interval` seconds of work.
double goodput(double interval, const FailureTimes& times);

/// Work between checkpoints of which the goodput is highest: where (1 - t/M) e^((t+d)/M) = 1, of
/// which Young's sqrt(2 d M) and Daly's formula are the first terms. 0 where they cost nothing.
double best_interval(const FailureTimes& times);

}  // namespace gpufeed
