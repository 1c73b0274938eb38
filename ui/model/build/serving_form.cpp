// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/serving_form.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/diagnostics.h"
#include "sim/load/text/patch.h"
#include "ui/model/build/setting_rows.h"

namespace gpufeed::ui {
namespace {

constexpr const char* kTiers = "serving.tier";
constexpr const char* kDrive = "\"kioxia-cm7-r-7.68tb\"";

const std::vector<ServingGroup>& known_groups() {
  static const std::vector<ServingGroup> all{
      {"What is asked",
       {{"Requests", "serving.requests.rate", "So many a second, at random times: 2 requests/s"},
        {"At once", "serving.requests.concurrency",
         "Instead of a rate: so many at once; the next comes when one has its answer"},
        {"Prompt", "serving.requests.prompt", "Tokens of a prompt, or { mean, p95 }"},
        {"Answer", "serving.requests.answer", "Tokens of an answer, or { mean, p95 }"},
        {"Prompts", "serving.requests.prompts",
         "How many different ones there are; 0: none comes again. It decides the time to the first "
         "token"},
        {"Begin alike", "serving.requests.shared", "Tokens that all prompts begin with"},
        {"Turns", "serving.requests.turns",
         "Of a conversation; each takes up all that was said before"},
        {"Pause", "serving.requests.pause", "Between an answer and the next turn: 20 s"}}},
      {"Wanted",
       {{"TTFT 95 %", "serving.goal.ttft_p95", "Time to the first token of 95 %, at most: 2 s"},
        {"ITL 95 %", "serving.goal.itl_p95", "Between two tokens, of 95 %, at most: 50 ms"},
        {"E2E 95 %", "serving.goal.e2e_p95", "From arrival to the last token, of 95 %, at most"}}},
      {"Model and GPUs",
       {{"Model", "workload.model", "A language model of the catalog, such as llama-3.1-70b"},
        {"Precision", "workload.precision", "Of weights and products: bf16, fp16, fp8 or fp4"},
        {"GPU", "serving.gpu", "A GPU of the catalog, such as nvidia-h100-sxm5-80gb"},
        {"Share a model", "serving.tensor", "GPUs that share a model (tensor parallel)"},
        {"Replicas", "serving.replicas", "Groups of such GPUs, each with the whole model"},
        {"Token budget", "serving.token_budget", "Tokens of a step, prompts in chunks"},
        {"Sequences", "serving.sequences", "Requests in a step at most"}}}};
  return all;
}

ServingGroup tier_group(std::size_t tier) {
  const auto path = [&](const char* key) { return fmt::format("{}[{}].{}", kTiers, tier, key); };
  return {
      fmt::format("Tier {} below the GPUs", tier + 1),
      {{"At", path("at"), "memory, or the name of a volume or store"},
       {"Capacity", path("capacity"), "For KV caches: 256 GB; of memory and volumes each replica"},
       {"Block", path("block"), "Tokens of a block there"},
       {"Read", path("load"), "always, or if-faster: only where computing again takes longer"}},
      static_cast<std::ptrdiff_t>(tier)};
}

std::string value_in(const std::string& text, const std::string& path) {
  try {
    return as_typed(value_at(text, own_path(path)).value_or(""));
  } catch (const InputError&) {
    return "";  // what is wrong with the text is shown elsewhere
  }
}

std::size_t tiers_in(const std::string& text) {
  try {
    return texts_in(text, kTiers, "at").size();
  } catch (const InputError&) {
    return 0;
  }
}

/// "kv", or with a number where there is one.
std::string free_name(const std::string& text, const std::string& table, const std::string& name) {
  std::string out = name;
  for (int i = 2; value_at(text, own_path(fmt::format("{}.{}", table, out))); ++i)
    out = fmt::format("{}{}", name, i);
  return out;
}

}  // namespace

std::vector<ServingGroup> serving_groups(const std::string& text) {
  std::vector<ServingGroup> out = known_groups();
  for (std::size_t tier = 0; tier < tiers_in(text); ++tier) out.push_back(tier_group(tier));
  for (ServingGroup& group : out)
    for (ServingRow& row : group.rows) row.value = value_in(text, row.path);
  return out;
}

std::string with_tier(const std::string& text, TierChoice choice) {
  if (choice == TierChoice::memory)
    return with_table(text, kTiers, {{"at", "\"memory\""}, {"capacity", "\"256 GB\""}});
  const bool is_drive = choice == TierChoice::drive;
  const std::string table = is_drive ? "volume" : "store";
  const std::string name = free_name(text, table, is_drive ? "kv" : "nas");
  const std::string place = table + "." + name + ".";
  std::string out = with_table(text, kTiers, {{"at", "\"" + name + "\""}, {"block", "512"}});
  if (is_drive) return with_value(out, own_path(place + "drive"), kDrive);
  out = with_value(out, own_path(place + "bandwidth"), "\"10 GB/s\"");
  return with_value(out, own_path(place + "capacity"), "\"100 TB\"");
}

std::string without_tier(const std::string& text, std::size_t tier) {
  return without_table(text, kTiers, tier);
}

std::string usual_serving() {
  return "schema = 1\ntitle = \"A language model that is served\"\n\n"
         "[workload]\nkind = \"serving\"\nmodel = \"llama-3.1-8b\"\n\n"
         "[serving]\ngpu = \"nvidia-h100-sxm5-80gb\"\nreplicas = 1\n"
         "goal = { ttft_p95 = \"2 s\", itl_p95 = \"50 ms\" }\n\n"
         "[serving.requests]\nrate = \"1 requests/s\"\nprompt = 4000\nanswer = 250\n"
         "prompts = 0\nturns = 4\npause = \"20 s\"\n";
}

}  // namespace gpufeed::ui
