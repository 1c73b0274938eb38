// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_decoders.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "calib/fit/decode_fit.h"
#include "calib/fit/findings.h"
#include "sim/base/numbers/statistics.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

class DecoderFitter {
 public:
  DecoderFitter(const Json& points, const std::string& prefix, const std::string& where,
                const std::string& name, Findings& findings)
      : points_(points), prefix_(prefix), where_(where), name_(name), findings_(findings) {}

  void fit_codec(const std::string& codec) {
    // arrays have no pixels of their own: their bytes would tell the same
    const bool pictures = codec != "bytes" && codec != "npz";
    std::vector<DecodeTime> times;
    double workers_at_most = 1;
    read_apart_ = true;
    for (const Json& point : points_) {
      if (point.at("codec") != codec) continue;
      const double workers = point.at("workers");
      if (workers > 1) workers_at_most = std::max(workers_at_most, workers);
      if (workers > 1) continue;
      const double pixels = point.at("width").get<double>() * point.at("height").get<double>();
      // core_copy_bandwidth counts copying out of the page cache
      read_apart_ = read_apart_ && point.value("sample_read_s", 0.0) > 0;
      const double own = point.at("sample_s").get<double>() - point.value("sample_read_s", 0.0);
      if (own > 0) times.push_back({pictures ? pixels : 0, {point.at("stored_B")}, {own}});
    }
    if (times.empty()) return;
    smt_speedup_ = gain_by_smt(codec);
    crowd_ = loss_in_crowd(codec);
    try {
      write_decoder(codec, fit_decoding(times, name_ + ", " + prefix_ + codec), times.size());
    } catch (const InputError& error) {
      findings_.refuse("decoding " + prefix_ + codec, sentence(error.problems().front()));
    }
    tell_crowding(codec, workers_at_most);
    tell_taking(codec);
  }

 private:
  /// What all cores at work leave of one's speed, where it was measured with one of them at work.
  struct Crowd {
    Ratio load;
    Ratio all_core_speed;
  };

  /// Of a sample in one of so many workers, all of which decode alike ones; nothing where not seen.
  const Json* among(const std::string& codec, double workers, const Json& alike) const {
    for (const Json& point : points_)
      if (point.at("codec") == codec && point.at("workers") == workers &&
          point.at("width") == alike.at("width") &&
          point.value("detail", 0.0) == alike.value("detail", 0.0))
        return &point;
    return nullptr;
  }

  const Json* most_crowded(const std::string& codec) const {
    const Json* most = nullptr;
    for (const Json& point : points_)
      if (point.at("codec") == codec && (!most || point.at("workers") > most->at("workers")))
        most = &point;
    return most;
  }

  static double threads_of_core(const Json& point) { return point.value("threads_per_core", 1.0); }

  /// With a worker on each hardware thread, over one on each core. Nothing where cores have one.
  std::optional<Ratio> gain_by_smt(const std::string& codec) const {
    const Json* const most = most_crowded(codec);
    const double each = most ? threads_of_core(*most) : 1;
    if (each <= 1) return {};
    const Json* const alone = among(codec, most->at("workers").get<double>() / each, *most);
    if (!alone) return {};
    return Ratio{std::max(
        1.0, each * alone->at("sample_s").get<double>() / most->at("sample_s").get<double>())};
  }

  /// How many times as long a sample takes where so many workers do the like as in one alone: the
  /// median of all kinds of samples that were seen in both, for a virtual machine's neighbors come
  /// and go. Nothing where none was, or where reading is most of what a worker does.
  /// \param time_of  of a point
  template <class TimeOf>
  std::optional<double> longer_among(const std::string& codec, double workers,
                                     const TimeOf& time_of) const {
    std::vector<double> longer;
    for (const Json& many : points_) {
      if (many.at("codec") != codec || many.at("workers") != workers) continue;
      const Json* const one = among(codec, 1, many);
      if (one && 2 * own_of(*one) >= one->at("sample_s").get<double>())
        longer.push_back(time_of(many) / time_of(*one));
    }
    if (longer.empty()) return {};
    return median(longer);
  }

  static double whole_of(const Json& point) { return point.at("sample_s"); }
  static double own_of(const Json& point) {
    return whole_of(point) - point.value("sample_read_s", 0.0);
  }

  /// A worker on each core over one alone: speed(l) = 1 - l (1 - a) at the load l, so that a time r
  /// as long at l = 1 as at 1/C tells a = (1 - 1/C) / (r - 1/C). Nothing where the difference may
  /// be chance.
  std::optional<Crowd> loss_in_crowd(const std::string& codec) const {
    constexpr double kChance = 1.01;
    const Json* const most = most_crowded(codec);
    if (!most) return {};
    const double cores = most->at("workers").get<double>() / threads_of_core(*most);
    if (cores < 2) return {};
    const std::optional<double> longer = longer_among(codec, cores, own_of);
    if (!longer || *longer < kChance) return {};
    const double load = 1 / cores;
    return Crowd{{load}, {(1 - load) / (*longer - load)}};
  }

  void write_decoder(const std::string& codec, const DecodeFit& fit, std::size_t points) {
    for (const auto& term : fit.left_out)
      findings_.refuse("decoding " + prefix_ + codec, "the " + term + " is too small to be told");
    std::string terms = fmt::format("per_sample = {}\n", toml_string(text(fit.per_sample, 4)));
    if (fit.byte_rate)
      terms += fmt::format("byte_rate = {}\n", toml_string(text(*fit.byte_rate, 4)));
    if (fit.pixel_rate)
      terms += fmt::format("pixel_rate = {}\n", toml_string(text(*fit.pixel_rate, 4)));
    if (crowd_)
      terms += fmt::format("load = {}\nall_core_speed = {}\n", toml_string(text(crowd_->load, 4)),
                           toml_string(text(crowd_->all_core_speed, 4)));
    if (smt_speedup_)
      terms += fmt::format("smt_speedup = {}\n", toml_string(text(*smt_speedup_, 3)));
    const std::string source = findings_.source();
    const std::string entry = "calibrated-" + prefix_ + codec;
    std::string toml = fmt::format(
        "title = \"Decoding {} {}\"\nsource = {}\nbasis = \"calibrated\"\n\n"
        "# Inside a worker process, {}; the law departs by {} (median of {}).\n[[cost]]\n{}source "
        "= "
        "{}\nbasis = \"calibrated\"\n",
        codec, where_, toml_string(source),
        read_apart_ ? "opening and placing in the batch included, but not read calls, which "
                      "core_copy_bandwidth counts"
                    : "reading from the page cache and placing in the batch included",
        percent_of(fit.residual), points, terms, toml_string(source));
    findings_.add_entry("decoder/" + entry, std::move(toml));
    std::string words = text(fit.per_sample, 3) + " a sample";
    if (fit.byte_rate) words += ", " + text(*fit.byte_rate, 3) + " of stored bytes";
    if (fit.pixel_rate)
      words += fmt::format(", {} million pixels/s", text_number(fit.pixel_rate->value / 1e6, 3));
    if (crowd_)
      words += fmt::format(", at {} of that speed where all cores do it",
                           text(crowd_->all_core_speed, 3));
    if (smt_speedup_)
      words += fmt::format(", {} of it with all threads of a core", text(*smt_speedup_, 3));
    findings_.tell(
        fmt::format("decoder {}: {} (+- {}; {} kinds of samples, departing "
                    "by {})",
                    entry, words, percent_of(fit.deviation), points, percent_of(fit.residual)));
  }

  void tell_crowding(const std::string& codec, double workers) {
    if (workers < 2) return;
    if (const auto longer = longer_among(codec, workers, whole_of))
      findings_.tell(
          fmt::format("{}: with {:g} workers at once a sample takes {:.2f} times as long in each",
                      prefix_ + codec, workers, *longer));
  }

  void tell_taking(const std::string& codec) {
    std::vector<double> rates;
    for (const Json& point : points_)
      if (point.at("codec") == codec && point.at("workers") == 1)
        rates.push_back(point.at("decoded_batch_B").get<double>() /
                        point.at("batch_taken_s").get<double>());
    findings_.tell(fmt::format("{}: the process that takes batches over copies them at {}",
                               prefix_ + codec, text(Bandwidth{median(rates)}, 3)));
  }

  std::optional<Ratio> smt_speedup_;  ///< of the codec at hand
  std::optional<Crowd> crowd_;        ///< likewise
  bool read_apart_ = false;           ///< what read calls took is known, and not part of the times
  const Json& points_;
  const std::string& prefix_;
  const std::string& where_;
  const std::string& name_;
  Findings& findings_;
};

}  // namespace

void fit_decoders(const Json& points, const std::string& prefix, const std::string& where,
                  const std::string& name, Findings& findings) {
  DecoderFitter fitter(points, prefix, where, name, findings);
  for (const char* codec : {"jpeg", "png", "npz", "bytes"}) fitter.fit_codec(codec);
}

}  // namespace gpufeed
