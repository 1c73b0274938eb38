// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calib/observe/monitors/json.h"
#include "calib/observe/monitors/series.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr double kMicro = 1e-6;

struct Span {
  double from = 0;  ///< us
  double to = 0;
};

/// How much of `window` the spans cover, each part once.
double covered(std::vector<Span> spans, const Span& window) {
  std::ranges::sort(spans, {}, &Span::from);
  double sum = 0;
  double at = window.from;
  for (const Span& span : spans) {
    const double from = std::max(at, span.from);
    const double to = std::min(window.to, span.to);
    if (to > from) {
      sum += to - from;
      at = to;
    }
  }
  return sum;
}

/// Chrome's trace format, as PyTorch's profiler (Kineto) writes it: events with "ph", "cat",
/// "name", "ts" and "dur" in us.
class TraceReader {
 public:
  explicit TraceReader(MonitorReader& in) : in_(in) {}

  void read() {
    const auto keep = [&](int depth, Json::parse_event_t event, Json& parsed) {
      const bool closed = event == Json::parse_event_t::object_end;
      if (!closed || !parsed.is_object() || !parsed.contains("ph")) return true;
      static_cast<void>(depth);
      take(parsed);
      return false;
    };
    try {
      const Json rest = Json::parse(in_.text(), keep);
      if (const auto about = rest.is_object() ? rest.find("distributedInfo") : rest.end();
          about != rest.end())
        rank_ = word_in(*about, "rank");
    } catch (const Json::parse_error&) {
      if (kernels_.empty() && steps_.empty())
        in_.fail(0, "this is no whole JSON: it is cut or damaged");
      const auto last =
          std::ranges::max_element(steps_, {}, [](const auto& step) { return step.second.from; });
      if (steps_.size() > 1) steps_.erase(last);
      in_.note(fmt::format("{} is cut or damaged at its end: {} whole steps before that are taken",
                           in_.name(), steps_.size()));
    }
    tell();
  }

 private:
  void take(const Json& event) {
    if (word_in(event, "ph") != "X" || !has_number(event, "ts")) return;
    const double from = number_in(event, "ts");
    const Span span{from, from + number_in(event, "dur")};
    std::string cat = word_in(event, "cat");
    std::ranges::transform(cat, cat.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::string name = word_in(event, "name");
    if (name.starts_with("ProfilerStep") && !cat.starts_with("gpu")) steps_[name] = span;
    const bool waits =
        name.starts_with("enumerate(DataLoader)") || name.find("DataLoader") != std::string::npos;
    if (waits && !cat.starts_with("gpu")) loader_.push_back(span);
    if (cat == "kernel") take_kernel(event, name, span);
    if (cat == "gpu_memcpy" || cat == "memcpy") take_copy(event, name, span);
  }

  void take_kernel(const Json& event, const std::string& name, const Span& span) {
    const bool collective =
        name.find("nccl") != std::string::npos || name.find("rccl") != std::string::npos;
    (collective ? collectives_ : kernels_)[device_of(event)].push_back(span);
  }

  void take_copy(const Json& event, const std::string& name, const Span& span) {
    if (name.find("HtoD") == std::string::npos && name.find("Host -> Device") == std::string::npos)
      return;
    copies_.push_back(span);
    const auto arguments = event.find("args");
    if (arguments != event.end()) copied_B_ += number_in(*arguments, "bytes");
  }

  static std::string device_of(const Json& event) {
    const auto arguments = event.find("args");
    const std::string device = arguments == event.end() ? "" : word_in(*arguments, "device");
    return device.empty() ? "0" : device;
  }

  /// Steps one after another; without any, the time of all kernels.
  std::vector<Span> windows() const {
    std::vector<Span> all;
    for (const auto& [name, span] : steps_) all.push_back(span);
    std::ranges::sort(all, {}, &Span::from);
    // a step ends where the next one begins: what is between is its loader's
    for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i].to = all[i + 1].from;
    if (!all.empty()) return all;
    Span whole{INFINITY, -INFINITY};
    for (const auto& [device, spans] : kernels_)
      for (const Span& span : spans)
        whole = {std::min(whole.from, span.from), std::max(whole.to, span.to)};
    return whole.to > whole.from ? std::vector<Span>{whole} : std::vector<Span>{};
  }

  void tell() {
    const auto all = windows();
    if (all.empty())
      in_.fail(0, "this trace has neither steps (ProfilerStep#) nor kernels of a GPU");
    const Span whole{all.front().from, all.back().to};
    const double length = whole.to - whole.from;
    if (!(length > 0)) in_.fail(0, "the steps of this trace take no time");
    const std::string rank = "rank " + (rank_.empty() ? in_.name() : rank_);
    for (const Span& step : all) {
      const double time = step.to * kMicro;
      for (const auto& [device, spans] : kernels_)
        in_.rate({Watched::computing, rank, "GPU " + device}, time,
                 covered(spans, step) / (step.to - step.from));
      if (!steps_.empty() && step.to > step.from)
        in_.rate({Watched::steps_per_s, "", rank}, time, 1 / ((step.to - step.from) * kMicro));
    }
    in_.facts().watched_for(length * kMicro);
    in_.source(fmt::format("trace of PyTorch's profiler, {}, {} steps", rank, steps_.size()));
    if (kernels_.empty()) in_.left_out("GPU: no kernel is in this trace (ProfilerActivity.CUDA)");
    const auto share = [&](const std::vector<Span>& spans) {
      return text(Ratio{covered(spans, whole) / length}, 3);
    };
    if (!loader_.empty())
      in_.note(fmt::format("{}: waits for the data loader {} of the time", rank, share(loader_)));
    for (const auto& [device, spans] : collectives_)
      in_.note(fmt::format("{}: collectives run {} of the time, which counts as no computing", rank,
                           share(spans)));
    if (!copies_.empty())
      in_.note(fmt::format("{}: copies to the GPU take {} of the time, {} of {}", rank,
                           share(copies_), text(Bytes{copied_B_}, 3), copies_.size()));
  }

  MonitorReader& in_;
  std::string rank_;
  std::map<std::string, Span> steps_;
  std::map<std::string, std::vector<Span>> kernels_;      ///< by device
  std::map<std::string, std::vector<Span>> collectives_;  ///< by device
  std::vector<Span> loader_;
  std::vector<Span> copies_;
  double copied_B_ = 0;
};

}  // namespace

bool read_trace(MonitorReader& in) {
  if (in.text().find("\"traceEvents\"") == std::string::npos &&
      in.text().find("\"ph\"") == std::string::npos)
    return false;
  TraceReader(in).read();
  return true;
}

}  // namespace gpufeed
