// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "calib/fit/decode_fit.h"
#include "calib/fit/drive_entry.h"
#include "calib/fit/gpu_fit.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

struct Value {
  std::string path;
  std::string value;
  double deviation = 0;
  double residual = 0;
  std::size_t points = 0;
  std::string law;
};

std::string percent_text(double part) { return fmt::format("{:.2g} %", 100 * part); }

class RawFitter {
 public:
  RawFitter(const Json& raw, std::string name, std::string catalog)
      : raw_(raw), name_(std::move(name)), catalog_(std::move(catalog)) {}

  Calibration fit() {
    fit_drive_laws();
    for (const char* codec : {"jpeg", "png", "npz", "bytes"}) fit_codec(codec);
    fit_copies();
    fit_cached_reads();
    tell_pages();
    if (raw_.contains("gpu"))
      for (const auto& line : tell_gpus(raw_.at("gpu"), out_.refused)) out_.told.push_back(line);
    write();
    return std::move(out_);
  }

 private:
  void take(Value value) {
    out_.told.push_back(fmt::format("{} = {} +- {} ({}: {} measurements, departing by {})",
                                    value.path, value.value, percent_text(value.deviation),
                                    value.law, value.points, percent_text(value.residual)));
    values_.push_back(std::move(value));
  }
  void refuse(const std::string& what, const std::string& why) {
    out_.refused.push_back(fmt::format("{}: {}", what, why));
  }

  void fit_drive_laws() {
    std::vector<FioPoint> points;
    for (std::size_t i = 0; i < raw_.at("fio").size(); ++i)
      std::ranges::move(
          parse_fio(raw_.at("fio")[i].dump(), fmt::format("{}, run {}", name_, i + 1)),
          std::back_inserter(points));
    for (const bool writes : {false, true}) {
      const auto side = points_of(points, writes);
      if (side.empty()) continue;
      try {
        take_law(fit_side(side, name_), writes);
      } catch (const InputError& error) {
        refuse(writes ? "writes" : "reads", error.problems().front().message);
      }
    }
  }

  template <class Q>
  void take_roof(const DriveSide& side, bool writes, std::string_view known_as, const char* key,
                 Q value) {
    const Known* const known = side.fit.what_is_known_of(known_as);
    const std::string path = fmt::format("system.drive[{}].model.{}", drive(), key);
    if (!known || !known->told()) return refuse(path, "the measurements do not tell it");
    const std::string law = writes ? "drive, writes" : "drive, reads";
    // What never was the limit lies at least there: nearer to what is true than what is usual.
    constexpr double kUnknown = 0.25;
    if (known->open())
      return take({path, text(value, 4), kUnknown, side.fit.median, side.points.size(),
                   law + "; not the limit in these measurements"});
    constexpr double kTwoSided95 = 2 * 1.96;
    take({path, text(value, 4), (known->high - known->low) / kTwoSided95 / value.value,
          side.fit.median, side.points.size(), law});
  }

  void take_law(const DriveSide& side, bool writes) {
    const DriveLaw& law = side.fit.law;
    const auto roof = [&](std::string_view known_as, const char* read, const char* write,
                          auto value) {
      take_roof(side, writes, known_as, writes ? write : read, value);
    };
    roof("bandwidth", "read_bandwidth", "write_bandwidth", law.bandwidth);
    roof("request_rate", "read_rate", "write_rate", law.request_rate);
    roof("latency", "read_latency", "write_latency", law.latency);
    roof("request_bandwidth", "request_bandwidth", "write_request_bandwidth",
         law.request_bandwidth);
    if (side.fit.what_is_known_of("largest_request"))
      roof("largest_request", "largest_request", "write_largest_request", law.largest_request);
    if (const Known* const known = side.fit.what_is_known_of("sharpness"); known && known->told())
      take({fmt::format("system.drive[{}].model.{}", drive(),
                        writes ? "write_sharpness" : "sharpness"),
            fmt::format("{:.0f} %", law.sharpness * 100), 0, side.fit.median, side.points.size(),
            writes ? "drive, writes" : "drive, reads"});
  }

  std::string drive() const { return raw_.value("drive", ""); }

  void fit_codec(const std::string& codec) {
    std::vector<DecodeTime> times;
    double most_crowded = 1;
    for (const Json& point : raw_.at("decode")) {
      if (point.at("codec") != codec) continue;
      const double workers = point.at("workers");
      if (workers > 1) most_crowded = std::max(most_crowded, workers);
      if (workers > 1) continue;
      const double pixels = point.at("width").get<double>() * point.at("height").get<double>();
      // core_copy_bandwidth counts copying out of the page cache
      times.push_back({codec == "bytes" ? 0 : pixels,
                       {point.at("stored_B")},
                       {point.at("sample_s").get<double>() - point.value("sample_read_s", 0.0)}});
    }
    if (times.empty()) return;
    try {
      write_decoder(codec, fit_decoding(times, name_ + ", " + codec), times.size());
    } catch (const InputError& error) {
      refuse("decoding " + codec, error.problems().front().message);
    }
    tell_crowding(codec, most_crowded);
    tell_taking(codec);
  }

  void write_decoder(const std::string& codec, const DecodeFit& fit, std::size_t points) {
    for (const auto& term : fit.left_out)
      refuse("decoding " + codec, "the " + term + " is too small to be told");
    std::string terms = fmt::format("per_sample = {}\n", toml_string(text(fit.per_sample, 4)));
    if (fit.byte_rate)
      terms += fmt::format("byte_rate = {}\n", toml_string(text(*fit.byte_rate, 4)));
    if (fit.pixel_rate)
      terms += fmt::format("pixel_rate = {}\n", toml_string(text(*fit.pixel_rate, 4)));
    const std::string source = source_text();
    out_.entries["decoder/calibrated-" + codec] = fmt::format(
        "title = \"Decoding {} on this machine\"\nsource = {}\nbasis = \"calibrated\"\n\n"
        "# Inside a worker process, reading from the page cache and placing in the batch included; "
        "the law departs by {} (median of {}).\n[[cost]]\n{}source = {}\nbasis = \"calibrated\"\n",
        codec, toml_string(source), percent_text(fit.residual), points, terms, toml_string(source));
    std::string words = text(fit.per_sample, 3) + " a sample";
    if (fit.byte_rate) words += ", " + text(*fit.byte_rate, 3) + " of stored bytes";
    if (fit.pixel_rate)
      words += fmt::format(", {} million pixels/s", text_number(fit.pixel_rate->value / 1e6, 3));
    out_.told.push_back(
        fmt::format("decoder calibrated-{}: {} (+- {}; {} kinds of samples, departing "
                    "by {})",
                    codec, words, percent_text(fit.deviation), points, percent_text(fit.residual)));
  }

  /// How much longer a sample takes where many workers decode.
  void tell_crowding(const std::string& codec, double workers) {
    if (workers < 2) return;
    for (const Json& many : raw_.at("decode"))
      for (const Json& one : raw_.at("decode"))
        if (many.at("codec") == codec && many.at("workers") == workers &&
            one.at("codec") == codec && one.at("workers") == 1 &&
            one.at("width") == many.at("width") && one.at("detail") == many.at("detail"))
          out_.told.push_back(fmt::format(
              "{}: with {:g} workers at once a sample takes {:.2f} times as long in each", codec,
              workers, many.at("sample_s").get<double>() / one.at("sample_s").get<double>()));
  }

  void tell_taking(const std::string& codec) {
    std::vector<double> rates;
    for (const Json& point : raw_.at("decode"))
      if (point.at("codec") == codec && point.at("workers") == 1)
        rates.push_back(point.at("decoded_batch_B").get<double>() /
                        point.at("batch_taken_s").get<double>());
    out_.told.push_back(fmt::format("{}: the process that takes batches over copies them at {}",
                                    codec, text(Bandwidth{quantile(rates, 0.5)}, 3)));
  }

  /// The middle of repeated values, and their deviation as that of a mean.
  template <class Q>
  void take_repeated(const std::string& path, const std::vector<double>& values,
                     const std::string& law) {
    const double middle = quantile(values, 0.5);
    double squares = 0;
    std::vector<double> departures;
    departures.reserve(values.size());
    for (const double value : values) {
      squares += (value / middle - 1) * (value / middle - 1);
      departures.push_back(std::abs(value / middle - 1));
    }
    const double count = static_cast<double>(values.size());
    if (values.size() < 3) return refuse(path, "measured less than three times");
    take({path, text(Q{middle}, 4), std::sqrt(squares / (count - 1) / count),
          quantile(departures, 0.5), values.size(), law});
  }

  /// A node's memory moves what the most threads copied.
  void fit_copies() {
    std::map<int, std::map<int, std::vector<double>>> by_node;
    for (const Json& point : raw_.at("copies"))
      by_node[point.at("node")][point.at("threads")].push_back(point.at("traffic_Bps"));
    for (const auto& [node, by_threads] : by_node) {
      const std::string socket = fmt::format("system.socket[cpu{}].model.", node);
      take_repeated<Bandwidth>(socket + "memory_bandwidth", by_threads.rbegin()->second,
                               fmt::format("copies by {} threads", by_threads.rbegin()->first));
      if (!values_.empty() && values_.back().path == socket + "memory_bandwidth")
        take({socket + "memory_efficiency", "100 %", 0, 0, by_threads.rbegin()->second.size(),
              "memory_bandwidth is what copies attain"});
    }
  }

  void fit_cached_reads() {
    std::vector<double> rates;
    for (const Json& rate : raw_.at("cached_reads_Bps")) rates.push_back(rate);
    if (!rates.empty())
      take_repeated<Bandwidth>("system.socket[*].model.core_copy_bandwidth", rates,
                               "reads from the page cache by one thread");
  }

  void tell_pages() {
    const auto middle = [&](const char* list, const char* key) {
      std::vector<double> values;
      for (const Json& point : raw_.at(list)) values.push_back(point.at(key));
      return text(Bandwidth{quantile(values, 0.5)}, 3);
    };
    if (!raw_.at("first_touch").empty())
      out_.told.push_back(fmt::format(
          "first touch of memory: {} in pages of 4 KiB, {} in huge ones",
          middle("first_touch", "small_pages_Bps"), middle("first_touch", "huge_pages_Bps")));
    if (!raw_.at("large_reads").empty())
      out_.told.push_back(fmt::format(
          "large O_DIRECT reads by one thread: {} into pages of 4 KiB, {} into huge ones",
          middle("large_reads", "into_small_pages_Bps"),
          middle("large_reads", "into_huge_pages_Bps")));
    for (const Json& epoch : raw_.at("page_cache"))
      out_.told.push_back(
          fmt::format("page cache with room for {:.0f} %: epoch {} read {:.1f} % "
                      "from storage",
                      100 * raw_.at("page_cache_share").get<double>(),
                      epoch.at("epoch").get<int>() + 1, 100 * epoch.at("fetched").get<double>()));
  }

  std::string source_text() const {
    return fmt::format("gpufeed calibrate {}, {}, on {}; {}", raw_.value("version", ""),
                       raw_.value("time", ""), raw_.value("machine", ""), raw_.value("tools", ""));
  }

  void write() {
    std::string out =
        fmt::format("schema = 1\ntitle = {}\nsource = {}\n",
                    toml_string(raw_.value("machine", "this machine")), toml_string(source_text()));
    if (!out_.entries.empty()) out += fmt::format("catalog = {}\n", toml_string(catalog_));
    for (const auto& line : out_.refused) out += "# Not determined: " + line + "\n";
    for (const Value& one : values_)
      out += fmt::format(
          "\n[[parameter]]\npath = {}\nvalue = {}\ndeviation = \"{}\"\nresidual = \"{}\"\npoints = "
          "{}\nlaw = {}\n",
          toml_string(one.path), toml_string(one.value), percent_text(one.deviation),
          percent_text(one.residual), one.points, toml_string(one.law));
    out_.parameters = std::move(out);
  }

  const Json& raw_;
  std::string name_;
  std::string catalog_;
  std::vector<Value> values_;
  Calibration out_;
};

}  // namespace

Calibration fit_raw(std::string_view text, const std::string& name, const std::string& catalog) {
  const auto refuse = [&](const std::string& why) { throw InputError({{{name, 0, 0}, why}}); };
  Json raw = Json::parse(text, nullptr, false);
  if (raw.is_discarded() || !raw.is_object() || raw.value("gpufeed_raw", 0) != 1)
    refuse("this is no file of raw measurements of gpufeed calibrate");
  for (const char* list :
       {"fio", "decode", "copies", "first_touch", "large_reads", "cached_reads_Bps", "page_cache"})
    if (!raw.contains(list)) raw[list] = Json::array();
  try {
    return RawFitter(raw, name, catalog).fit();
  } catch (const Json::exception& error) {
    refuse(fmt::format("a measurement is damaged: {}", error.what()));
  }
  return {};
}

}  // namespace gpufeed
