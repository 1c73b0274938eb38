// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/job_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "sim/base/files/read_file.h"
#include "sim/base/units.h"
#include "sim/load/load.h"
#include "sim/load/read/reader.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"
#include "sim/model/catalog/products.h"
#include "sim/model/scenario.h"
#include "ui/jobs/decoder_job.h"
#include "ui/model/build/new_machine.h"
#include "ui/model/build/requested_machine.h"
#include "ui/model/build/stores.h"

namespace gpufeed::ui {
namespace {

const std::string kPlace = "the job";  ///< in messages

[[noreturn]] void refuse_form(const std::string& what) {
  throw InputError({{{kPlace, 0, 0}, what}});
}

bool is_of_tokens(const JobForm& form) { return kind_of(form).datasets.empty(); }

/// A number above 0, with thousands parted or not.
std::optional<double> amount_in(const std::string& typed) {
  std::string digits;
  for (const char letter : typed)
    if (letter != ',' && letter != ' ') digits += letter;
  if (digits.empty() || digits.find_first_not_of("0123456789.") != std::string::npos) return {};
  const double value = std::strtod(digits.c_str(), nullptr);
  return value > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The data set as it is, or as many samples like its own as the amount takes.
std::string with_data_set(const std::string& text, const JobForm& form, const Catalog& catalog) {
  const std::string name = form.dataset.empty() ? kind_of(form).datasets.front() : form.dataset;
  if (form.amount.empty()) return with_value(text, "workload.dataset", toml_string(name));
  const auto size = parse_quantity<BytesUnit>(form.amount);
  if (!size || !(size->value > 0))
    refuse_form(
        fmt::format("how much data there is must be such as \"40 TB\"; found \"{}\"", form.amount));
  const auto file = catalog.find(Dataset::kKind, name);
  Diagnostics out;
  const auto entry = file ? Reader(catalog, "", out).entry_of<Dataset>(*file) : nullptr;
  const auto lines = entry ? read_text_file(*file, kMaxTextSize, out) : std::nullopt;
  out.throw_if_any();
  if (!lines) refuse_form(fmt::format("the catalog has no data set \"{}\"", name));
  // A section of its own: the entry's facts with their sources, but another number of samples.
  const double samples = std::max(1.0, std::round(size->value / entry->sample_size.value));
  const std::string others = without_value(without_value(*lines, "samples"), "title");
  return without_value(text, "workload.dataset") +
         fmt::format(
             "\n[workload.dataset]\n# {} like those of {}\ntitle = {}\nsamples = {:.0f}\n{}",
             form.amount, name, toml_string(form.amount + ", like " + entry->title), samples,
             others);
}

/// Where the machine's drives hold too little, others that do, the fewest first.
std::string with_room(const std::string& text, const Catalog& catalog) {
  const auto holds = [&](const std::string& tried) {
    try {
      parse_scenario(tried, kPlace, catalog);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  auto machine = requested_machine_of(text, catalog);
  if (!machine || holds(text)) return text;
  const auto drives = std::ranges::find(machine->parts, "drive", &RequestedParts::kind);
  if (drives == machine->parts.end()) return text;
  RequestedParts others = *drives;
  for (const char* product :
       {"kioxia-cm7-r-7.68tb", "kioxia-cm7-r-15.36tb", "kioxia-cm7-r-30.72tb"})
    for (const std::int64_t count : {4, 8}) {
      others.parts = {{count, product}};
      if (std::string tried = with_parts(text, others); holds(tried)) return tried;
    }
  return text;  // whoever reads it says what is missing
}

/// Where the usual batch takes more memory than GPUs have, the largest power of two that does not.
std::string with_fitting_batch(const std::string& text, const Catalog& catalog) {
  const KeyPath batch("workload.batch_per_gpu");
  try {
    parse_scenario(text, kPlace, catalog);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      if (problem.code == ProblemCode::too_large && problem.subject == batch &&
          !problem.fixes.empty())
        return with_value(text, batch,
                          std::to_string(std::bit_floor(std::stoull(problem.fixes.front().value))));
  }
  return text;
}

/// The sections of `text` before the job.
std::string machine_of(const std::string& text) {
  return text.substr(0, text.find("\n[workload]"));
}

std::optional<std::string> decoder_scenario(const JobForm& form, const std::string& machine,
                                            const Catalog& catalog) {
  DecoderAsk ask{model_of(form), {}};
  ask.lora = form.trains == Trains::tuning && form.lora;
  if (!form.amount.empty()) {
    const auto billions = amount_in(form.amount);
    if (!billions)
      refuse_form(fmt::format("how many billion tokens there are must be a number; found \"{}\"",
                              form.amount));
    constexpr double kBillion = 1e9;
    ask.tokens = *billions * kBillion;
  }
  const std::string data = "\n[data]\nat = \"scratch\"\n";
  const auto job = decoder_job(ask, machine + data, kPlace, catalog, {});
  if (!job) return {};
  if (!job->untimed.empty()) refuse_form(job->untimed);
  if (!job->too_small.empty())
    refuse_form(job->too_small + "; take " + (ask.lora ? "larger or more GPUs" : "LoRA"));
  return machine + job->text + data;
}

}  // namespace

const std::vector<JobKind>& job_kinds() {
  static const std::vector<JobKind> kinds{
      {Trains::images,
       "Images",
       {"resnet-50", "vit-b-16", "vit-l-16", "convnext-base", "swin-base", "efficientnet-b4",
        "ssd300-resnet50", "retinanet-resnext50"},
       {"imagenet-1k", "imagenet-21k", "coco-2017", "open-images-mlperf", "driving-camera-frames"}},
      {Trains::video,
       "Video",
       {"slowfast-r50", "r2plus1d-18", "i3d-video", "c3d"},
       {"kinetics-400", "ucf-101", "video-1080p-clips", "video-4k-clips"}},
      {Trains::tuning,
       "Language model: fine-tune",
       {"llama-3-8b", "llama-3-70b", "qwen2.5-7b", "qwen2.5-32b", "qwen2.5-72b", "llama-2-7b",
        "gpt-oss-20b"},
       {}},
      {Trains::language,
       "Language model: from scratch",
       {"llama-3-8b", "llama-3.2-1b", "llama-3-70b", "mpt-7b", "qwen3-30b-a3b"},
       {}},
      {Trains::speech,
       "Speech",
       {"whisper-large", "wav2vec2-base", "quartznet-15x5", "jasper-10x5"},
       {"librispeech-960h", "librispeech-960h-wav", "speech-commands", "audioset-10s"}},
      {Trains::recommendation, "Recommendation", {"dlrm-kaggle"}, {"criteo-1tb", "criteo-kaggle"}}};
  return kinds;
}

const JobKind& kind_of(const JobForm& form) {
  return *std::ranges::find(job_kinds(), form.trains, &JobKind::trains);
}

std::string model_of(const JobForm& form) {
  return form.model.empty() ? kind_of(form).models.front() : form.model;
}

const std::vector<StartMachine>& start_machines() {
  static const std::vector<StartMachine> machines{
      {"supermicro-as-8125gs-tnhr + nvidia-h200-sxm5-141gb", "Server, 8 × H200"},
      {"supermicro-sys-522ga-nrt + nvidia-rtx-pro-6000-server", "Server, RTX PRO 6000"},
      {"desktop-am5 + nvidia-rtx-4090", "Desktop, RTX 4090"}};
  return machines;
}

std::string scenario_of_job(const JobForm& form, const std::string& machine,
                            const Catalog& catalog) {
  const Catalog known = catalog.cache() ? catalog : catalog.remembering();
  const std::string usual = scenario_of_chassis(machine, known);
  std::string text;
  if (is_of_tokens(form)) {
    const auto decoder = decoder_scenario(form, machine_of(usual), known);
    if (!decoder) refuse_form(model_of(form) + " cannot be trained on this machine");
    text = *decoder;
  } else {
    text = with_data_set(with_value(usual, "workload.model", toml_string(model_of(form))), form,
                         known);
    text = with_fitting_batch(text, known);
  }
  if (!form.store.empty()) return choosing_store(known).with(text, form.store);
  return with_room(text, known);
}

}  // namespace gpufeed::ui
