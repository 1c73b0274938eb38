// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "calib/fit/findings.h"
#include "calib/fit/gpu_fit.h"
#include "calib/fit/raw_check.h"
#include "calib/fit/raw_decoders.h"
#include "calib/fit/raw_drives.h"
#include "calib/fit/raw_memory.h"
#include "calib/fit/raw_pytorch.h"
#include "calib/fit/raw_training.h"
#include "calib/fit/raw_transformer.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/catalog/gpu.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

/// Each once: two probes may have used the same.
void add_tools(const std::string& more, std::string& tools) {
  constexpr std::string_view kBetween = ", ";
  for (std::size_t at = 0; at < more.size();) {
    const std::size_t end = std::min(more.find(kBetween, at), more.size());
    const std::string tool = more.substr(at, end - at);
    const bool known =
        fmt::format(", {}, ", tools).find(fmt::format(", {}, ", tool)) != std::string::npos;
    if (!known) tools = tools.empty() ? tool : fmt::format("{}{}{}", tools, kBetween, tool);
    at = end + kBetween.size();
  }
}

/// What measuring kept to, and what disturbed it; nothing of files of before it was noted.
std::string circumstances(const Json& raw) {
  if (!raw.contains("others_share")) return "";
  return fmt::format("; in {:.0f} s of {}, {} of {} written, others took {:.0f} % of the cores",
                     raw.value("took_s", 0.0), text(Seconds{raw.value("most_time_s", 0.0)}),
                     text(Bytes{raw.value("written_B", 0.0)}, 3),
                     text(Bytes{raw.value("most_written_B", 0.0)}, 3),
                     100 * raw.value("others_share", 0.0));
}

std::string source_of(const Json& raw) {
  std::string tools = raw.value("tools", "");
  for (const char* probe : {"pytorch", "training", "transformer"})
    if (raw.contains(probe)) add_tools(raw.at(probe).value("tools", ""), tools);
  return fmt::format("gpufeed calibrate {}, {}, on {}; {}{}", raw.value("version", ""),
                     raw.value("time", ""), raw.value("machine", ""), tools, circumstances(raw));
}

/// Out of the page cache, where that was measured.
std::optional<Bandwidth> copy_of(const Json& raw) {
  const auto rates = raw.at("cached_reads_Bps").get<std::vector<double>>();
  if (rates.empty()) return {};
  return Bandwidth{median(rates)};
}

void fit_transformers(const Json& measured, const GpuCalled& gpu_called, Findings& findings) {
  std::optional<Gpu> gpu;
  if (gpu_called && measured.contains("gpu")) gpu = gpu_called(measured.at("gpu"));
  tell_left_out(measured, gpu ? &*gpu : nullptr, findings);
  if (gpu) fit_transformer(measured, *gpu, findings);
}

Calibration fit(const Json& raw, const std::string& name, const std::string& catalog,
                const GpuCalled& gpu_called) {
  Findings findings(source_of(raw));
  fit_drives(raw, name, findings);
  fit_decoders(raw.at("decode"), "", "on this machine", name, findings);
  if (raw.contains("pytorch")) fit_pytorch(raw.at("pytorch"), copy_of(raw), name, findings);
  fit_memory(raw, findings);
  if (raw.contains("gpu")) fit_gpus(raw.at("gpu"), findings);
  if (raw.contains("training")) tell_training(raw.at("training"), findings);
  if (raw.contains("transformer")) fit_transformers(raw.at("transformer"), gpu_called, findings);
  return findings.finish(raw.value("machine", "this machine"), catalog);
}

}  // namespace

Calibration fit_raw(std::string_view text, const std::string& name, const std::string& catalog,
                    const GpuCalled& gpu_called) {
  const auto refuse = [&](const std::string& why) { throw InputError({{{name, 0, 0}, why}}); };
  Json raw = Json::parse(text, nullptr, false);
  if (raw.is_discarded() || !raw.is_object() || !raw.contains("gpufeed_raw"))
    refuse("this is no file of raw measurements of gpufeed calibrate");
  if (raw.at("gpufeed_raw") != 1)
    refuse(fmt::format("gpufeed_raw is {}; this version reads files of form 1",
                       raw.at("gpufeed_raw").dump()));
  check_raw(raw, name);
  for (const char* list : {"fio", "opening", "decode", "copies", "first_touch", "large_reads",
                           "paired_reads", "cached_reads_Bps", "filling", "page_cache"})
    if (!raw.contains(list)) raw[list] = Json::array();
  try {
    return fit(raw, name, catalog, gpu_called);
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();  // behind the library's number of the error
    refuse(fmt::format("a measurement is damaged: {}", what.substr(what.find("] ") + 2)));
  }
  return {};
}

}  // namespace gpufeed
