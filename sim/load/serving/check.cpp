// SPDX-License-Identifier: Apache-2.0
#include "sim/load/serving/check.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/labels/label_text.h"
#include "sim/base/nearest.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using serving::Document;
using serving::Requests;
using serving::TierRow;

class Checker {
 public:
  Checker(const Document& document, Diagnostics& out)
      : document_(document), own_(document.serving), out_(out) {}

  void check() {
    check_model();
    check_machine();
    check_requests();
    for (const TierRow& tier : own_.tiers) check(tier);
    for (const auto& [name, store] : document_.stores) check(name, store);
    if (own_.memory_share && !(*own_.memory_share > 0 && *own_.memory_share <= 1))
      out_.refuse(ProblemCode::out_of_range, "serving.memory_share", own_.where,
                  " must lie above 0 and up to 1; found {}", *own_.memory_share);
    if (own_.token_budget < own_.sequences)
      out_.refuse(ProblemCode::conflict, "serving.token_budget", own_.where,
                  " is {}, below the {} sequences, each of which takes a token a step; set it to "
                  "{} at least, or lower serving.sequences",
                  own_.token_budget, own_.sequences, own_.sequences);
  }

 private:
  void check_model() {
    const auto& workload = document_.workload;
    if (workload.model && !workload.model->architecture)
      out_.refuse(ProblemCode::unfit_part, "workload.model", workload.model.where,
                  " \"{}\" is no language model with an [architecture]; serving needs one, such as "
                  "llama-3.1-8b",
                  workload.model.name);
    const Names known{"bf16", "fp16", "fp8", "fp4"};
    if (std::ranges::count(known, workload.precision) == 0) {
      out_.refuse(ProblemCode::out_of_range, "workload.precision", workload.where, " is \"{}\"; {}",
                  workload.precision, suggestion(workload.precision, known));
      return;
    }
    if (!own_.gpu || !*own_.gpu) return;
    const Gpu& gpu = **own_.gpu;
    const auto& peak = workload.precision == "fp8"    ? gpu.peak_fp8
                       : workload.precision == "fp4"  ? gpu.peak_fp4
                       : workload.precision == "fp16" ? gpu.peak_fp16
                                                      : gpu.peak_bf16;
    if (!peak)
      out_.refuse(ProblemCode::unfit_part, "workload.precision", workload.where,
                  " is \"{}\", which {} does not have (no peak_{} in its entry)",
                  workload.precision, own_.gpu->name, workload.precision);
    if (!gpu.memory_bandwidth)
      out_.refuse(ProblemCode::missing_key, "serving.gpu", own_.gpu->where,
                  ": the memory_bandwidth of {} is not known, and decoding reads memory",
                  own_.gpu->name);
  }

  void check_machine() {
    if (document_.system && own_.gpu && own_.gpu->where.line > 0 && !is_of_system())
      out_.refuse(ProblemCode::conflict, "serving.gpu", own_.gpu->where,
                  " is {}, which the system does not have; leave one of them out", own_.gpu->name);
    if (!own_.gpu)
      out_.refuse(ProblemCode::missing_key, "serving", own_.where,
                  " needs a system with GPUs, or gpu = \"nvidia-h100-sxm5-80gb\"");
    if (!document_.system || !*document_.system) return;
    const auto gpus = std::ssize((*document_.system)->gpus);
    if (gpus > 0 && own_.tensor > gpus)
      out_.refuse(ProblemCode::too_large, "serving.tensor", own_.where,
                  " is {}, and the system has {} GPUs", own_.tensor, gpus);
    check_memory();
  }

  bool is_of_system() const {
    return std::ranges::any_of((*document_.system)->gpus,
                               [&](const auto& one) { return one.model.name == own_.gpu->name; });
  }

  void check_memory() {
    const System& system = **document_.system;
    double there = -system.reserved_memory.value;
    for (const Socket& socket : system.sockets) there += socket.memory.value;
    const auto gpus = std::max<std::int64_t>(1, std::ssize(system.gpus));
    const std::int64_t on_one =
        std::min(own_.replicas, std::max<std::int64_t>(1, gpus / own_.tensor));
    for (const TierRow& tier : own_.tiers) {
      if (tier.at != "memory" || !tier.capacity) continue;
      const double wanted = tier.capacity->value * static_cast<double>(on_one);
      if (wanted > there)
        out_.refuse(ProblemCode::too_large, "serving.tier", tier.where,
                    ": {} replicas on a machine take {} of memory, which has {}", on_one,
                    text(Bytes{wanted}, 3), text(Bytes{std::max(there, 0.0)}, 3));
    }
  }

  void check_requests() {
    const Requests& asked = own_.requests;
    const int ways = (asked.log ? 1 : 0) + (asked.rate ? 1 : 0) + (asked.concurrency ? 1 : 0);
    if (ways != 1)
      out_.refuse(ways == 0 ? ProblemCode::missing_key : ProblemCode::conflict, "serving.requests",
                  asked.where,
                  " needs one of rate = \"6 requests/s\", concurrency = 64 and log = "
                  "\"trace.jsonl\"; found {}",
                  ways);
    if (!(asked.stretch > 0 && asked.stretch <= 1e6))
      out_.refuse(ProblemCode::out_of_range, "serving.requests.stretch", asked.where,
                  " must lie above 0 and up to 1e6; found {}", asked.stretch);
    if (asked.log) {
      check_log();
      return;
    }
    const auto needed = [&](const char* name, bool is_given, const char* why) {
      if (!is_given)
        out_.refuse(ProblemCode::missing_key, "serving.requests", asked.where, ": {} is missing{}",
                    name, why);
    };
    needed("prompt", asked.prompt.has_value(), "; tokens of a prompt, such as 600");
    needed("answer", asked.answer.has_value(), "; tokens of an answer, such as 250");
    needed("prompts", asked.prompts.has_value(),
           "; how many different ones there are decides the time to the first token: 0 where none "
           "repeats");
    check_length("prompt", asked.prompt, asked.prompt_p95);
    check_length("answer", asked.answer, asked.answer_p95);
    if (asked.prompt && asked.shared > *asked.prompt)
      out_.refuse(ProblemCode::conflict, "serving.requests.shared", asked.where,
                  " is {} tokens, and a prompt has {}; a prompt begins with what is shared",
                  asked.shared, *asked.prompt);
    if (asked.pause.value > 0 && asked.turns == 1)
      out_.refuse(ProblemCode::idle_key, "serving.requests.pause", asked.where,
                  " lies between turns; set turns, or leave it out");
  }

  void check_length(const char* name, const std::optional<std::int64_t>& mean,
                    const std::optional<std::int64_t>& p95) {
    // The widest lognormal: ln(p95 / mean) = 1.645 s - s^2 / 2 is largest at s = 1.645.
    constexpr double kWidest = 3.86;
    if (!mean || !p95) return;
    const double ratio = static_cast<double>(*p95) / static_cast<double>(*mean);
    if (ratio < 1 || ratio > kWidest)
      out_.refuse(ProblemCode::out_of_range,
                  KeyPath("serving.requests") / (std::string(name) + "_p95"), own_.requests.where,
                  " must lie from the mean, {}, to {} times it; found {}", *mean, kWidest, *p95);
  }

  void check_log() {
    const Requests& asked = own_.requests;
    const auto idle = [&](const char* name, bool is_given) {
      if (is_given)
        out_.refuse(ProblemCode::idle_key, "serving.requests", asked.where,
                    ": the log says what is asked; leave {} out", name);
    };
    idle("prompt", asked.prompt.has_value());
    idle("answer", asked.answer.has_value());
    idle("prompts", asked.prompts.has_value());
    idle("count", asked.count.has_value());
    idle("turns", asked.turns > 1);
    idle("shared", asked.shared > 0);
    if (asked.log_block % 16 != 0)
      out_.refuse(ProblemCode::out_of_range, "serving.requests.log_block", asked.where,
                  " must be a multiple of 16; found {}", asked.log_block);
    std::int64_t named = 0;
    for (const auto& one : document_.log) {
      named = std::max(named, std::ssize(one.blocks) * asked.log_block - one.prompt);
      if (named >= asked.log_block) break;
    }
    if (named >= asked.log_block)
      out_.refuse(ProblemCode::conflict, "serving.requests.log_block", asked.where,
                  " is {}, but a prompt of the log has more hash_ids than that makes of its tokens",
                  asked.log_block);
  }

  Names places() const {
    Names out{"memory"};
    for (const auto& [name, one] : document_.volumes) out.push_back(name);
    for (const auto& [name, one] : document_.stores) out.push_back(name);
    if (document_.system && *document_.system)
      for (const auto& one : (*document_.system)->volumes) out.push_back(text_of(one.id));
    return out;
  }

  void check(const TierRow& tier) {
    const Names known = places();
    if (std::ranges::count(known, tier.at) == 0)
      out_.refuse(ProblemCode::unknown_part, "serving.tier.at", tier.where,
                  " is \"{}\"; {}; or give [volume.{}] drive = ..., [store.{}] model = ...",
                  tier.at, suggestion(tier.at, known), tier.at, tier.at);
    if (!seen_.insert(tier.at).second)
      out_.refuse(ProblemCode::conflict, "serving.tier.at", tier.where, " \"{}\" is there twice",
                  tier.at);
    if (tier.at == "memory" && !tier.capacity)
      out_.refuse(ProblemCode::missing_key, "serving.tier", tier.where,
                  ": capacity of memory is missing; how much of it is for KV caches, such as "
                  "\"256 GB\"");
    if (tier.block % 16 != 0)
      out_.refuse(ProblemCode::out_of_range, "serving.tier.block", tier.where,
                  " must be a multiple of 16; found {}", tier.block);
    if (!own_.prefix_cache)
      out_.refuse(ProblemCode::conflict, "serving.tier", tier.where,
                  ": without prefix_cache nothing is looked up; leave one of them out");
  }

  void check(const std::string& name, const serving::OwnStore& store) {
    if (!store.model && !store.bandwidth)
      out_.refuse(ProblemCode::missing_key, KeyPath("store") / name, store.where,
                  " needs a model, servers or a bandwidth");
    if (!store.model && !store.capacity)
      out_.refuse(ProblemCode::missing_key, KeyPath("store") / name, store.where,
                  " needs a model, servers or a capacity");
    if (store.of_servers && store.of_servers->write_Bps == 0 && !store.write_bandwidth)
      out_.refuse(ProblemCode::conflict, KeyPath("store") / name / "failed_servers", store.where,
                  ": with so many, the servers that are left take no writes, and a tier is written "
                  "to; take more spare chunks");
    const double read = store.bandwidth               ? store.bandwidth->value
                        : store.model && *store.model ? (*store.model)->read_bandwidth.value
                                                      : 0;
    if (read > 0 && store.others.value >= read)
      out_.refuse(ProblemCode::too_large, KeyPath("store") / name / "others", store.where,
                  " take {}, all of the {} that there are", text(store.others, 3),
                  text(Bandwidth{read}, 3));
  }

  const Document& document_;
  const serving::ServingTable& own_;
  Diagnostics& out_;
  std::set<std::string> seen_;
};

}  // namespace

void check_serving(const Document& document, Diagnostics& out) { Checker(document, out).check(); }

}  // namespace gpufeed
