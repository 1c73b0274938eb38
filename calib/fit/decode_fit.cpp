// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/decode_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "calib/fit/drive_fit.h"
#include "calib/fit/minimum.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/fields/enum_names.h"

namespace gpufeed {
namespace {

enum Term : std::size_t { kSample, kByte, kPixel, kTerms };
constexpr Words<kTerms> kNames = words_of<Term>({{kSample, "time of each sample"},
                                                 {kByte, "time of each stored byte"},
                                                 {kPixel, "time of each pixel"}});

/// Seconds of each term that are too few to tell: no memory gives a byte, or takes a pixel, faster.
constexpr std::array<double, kTerms> kLeast{0, 1e-12, 1e-13};

/// A departure's root of what it counts: as it is up to 10 %, then slower (Huber).
double counted(double departure) {
  constexpr double kUsual = 0.1;
  const double size = std::abs(departure);
  if (size <= kUsual) return departure;
  return std::copysign(std::sqrt(2 * kUsual * size - kUsual * kUsual), departure);
}

class DecodeSearch {
 public:
  explicit DecodeSearch(const std::vector<DecodeTime>& times) : times_(times) {}

  double count_of(Term term, const DecodeTime& time) const {
    return term == kSample ? 1 : term == kByte ? time.stored.value : time.pixels;
  }

  double law(const std::vector<Term>& terms, std::span<const double> place,
             const DecodeTime& time) const {
    double sum = 0;
    for (std::size_t i = 0; i < terms.size(); ++i)
      sum += std::exp(place[i]) * count_of(terms[i], time);
    return sum;
  }

  Minimum best(const std::vector<Term>& terms) const {
    std::vector<double> start;
    for (const Term term : terms) {  // each an equal part of the mean
      double rate = 0;
      for (const auto& time : times_) rate += time.of_sample.value / count_of(term, time);
      start.push_back(std::log(rate / static_cast<double>(times_.size() * terms.size())));
    }
    return least_squares(
        [&](std::span<const double> place) {
          std::vector<double> out;
          for (const auto& time : times_)
            out.push_back(counted(std::log(law(terms, place, time) / time.of_sample.value)));
          return out;
        },
        start);
  }

 private:
  const std::vector<DecodeTime>& times_;
};

/// Deviation of a term's logarithm, which is that of the term over the term.
double deviation_of(const Minimum& found, std::size_t term, std::size_t points) {
  const double freedom =
      std::max(1.0, static_cast<double>(points) - static_cast<double>(found.place.size()));
  constexpr double kSmallest = 1e-4;  // data without noise still do not tell what moves nothing
  return found.deviation[term] * std::max(kSmallest, std::sqrt(found.cost / freedom));
}

}  // namespace

DecodeFit fit_decoding(const std::vector<DecodeTime>& times, const std::string& name) {
  if (times.empty()) throw InputError({{{name, 0, 0}, "nothing was measured of it"}});
  const auto [least, most] =
      std::ranges::minmax(times, {}, [](const DecodeTime& time) { return time.stored.value; });
  if (times.size() < 3 || most.stored.value < 2 * least.stored.value)
    throw InputError({{{name, 0, 0},
                       fmt::format("{} kinds of samples of {} to {} do not tell how decoding grows "
                                   "with them",
                                   times.size(), text(least.stored, 3), text(most.stored, 3))}});
  const DecodeSearch search(times);
  std::vector<Term> terms{kSample, kByte};
  if (std::ranges::any_of(times, [](const DecodeTime& time) { return time.pixels > 0; }))
    terms.push_back(kPixel);
  DecodeFit fit;
  constexpr double kHalf = 0.5;
  Minimum found;
  while (true) {
    found = search.best(terms);
    std::size_t worst = 0;
    for (std::size_t i = 1; i < terms.size(); ++i)
      if (deviation_of(found, i, times.size()) > deviation_of(found, worst, times.size()))
        worst = i;
    fit.deviation = deviation_of(found, worst, times.size());
    if (terms.size() == 1) break;
    if (fit.deviation <= kHalf) {
      const auto beyond = std::ranges::find_if(terms, [&](const Term& term) {
        return std::exp(found.place[static_cast<std::size_t>(&term - terms.data())]) < kLeast[term];
      });
      if (beyond == terms.end()) break;
      worst = static_cast<std::size_t>(beyond - terms.begin());
    }
    fit.left_out.emplace_back(kNames[terms[worst]]);
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(worst));
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double value = std::exp(found.place[i]);
    if (terms[i] == kSample) fit.per_sample = {value};
    if (terms[i] == kByte) fit.byte_rate = Bandwidth{1 / value};
    if (terms[i] == kPixel) fit.pixel_rate = Rate{1 / value};
  }
  std::vector<double> departures;
  departures.reserve(times.size());
  for (const auto& time : times)
    departures.push_back(std::abs(search.law(terms, found.place, time) / time.of_sample.value - 1));
  fit.residual = median(departures);
  return fit;
}

}  // namespace gpufeed
