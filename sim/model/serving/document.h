// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/catalog/products.h"
#include "sim/model/catalog/stores.h"
#include "sim/model/catalog/system.h"
#include "sim/model/cost.h"
#include "sim/model/fields/named.h"
#include "sim/model/fields/store_servers.h"
#include "sim/model/serving/engine.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::serving {

enum class Kind { serving };
enum class Route { prefix, round_robin, least };
enum class Written { through, evicted };
enum class Load { always, if_faster };
enum class Path { host, gpudirect };
enum class Arrivals { random, constant };

}  // namespace gpufeed::serving

namespace gpufeed {

template <>
struct EnumNames<serving::Kind> {
  static constexpr std::array<std::string_view, 1> names{"serving"};
};
template <>
struct EnumNames<serving::Route> {
  static constexpr std::array<std::string_view, 3> names{"prefix", "round-robin", "least"};
};
template <>
struct EnumNames<serving::Written> {
  static constexpr std::array<std::string_view, 2> names{"through", "evicted"};
};
template <>
struct EnumNames<serving::Load> {
  static constexpr std::array<std::string_view, 2> names{"always", "if-faster"};
};
template <>
struct EnumNames<serving::Path> {
  static constexpr std::array<std::string_view, 2> names{"host", "gpudirect"};
};
template <>
struct EnumNames<serving::Arrivals> {
  static constexpr std::array<std::string_view, 2> names{"random", "constant"};
};

}  // namespace gpufeed

// What a user says of an engine that serves a language model, as its file has it.
namespace gpufeed::serving {

using namespace literals;

inline constexpr Seconds kLongest{1e9};
inline constexpr Bandwidth kFastest{1e15};
inline constexpr std::int64_t kMostTokens = 10000000;
inline constexpr std::string_view kHostMemory = "memory";  ///< of which a tier may be made
inline constexpr std::string_view kNoTier = "none";

/// What answers should keep to.
struct Goal {
  std::optional<Seconds> ttft_mean, ttft_p50, ttft_p95, ttft_p99;
  std::optional<Seconds> itl_mean, itl_p50, itl_p95, itl_p99;
  std::optional<Seconds> e2e_mean, e2e_p50, e2e_p95, e2e_p99;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    const auto time = [](std::string_view name, auto member, std::string_view help) {
      return key<Goal>(name, member, help).between(1_us, kLongest);
    };
    visit(time("ttft_mean", &Goal::ttft_mean, "time to the first token"));
    visit(time("ttft_p50", &Goal::ttft_p50, "of half of the requests"));
    visit(time("ttft_p95", &Goal::ttft_p95, "of 95 % of the requests"));
    visit(time("ttft_p99", &Goal::ttft_p99, "of 99 %"));
    visit(time("itl_mean", &Goal::itl_mean, "between two tokens of an answer, on its mean"));
    visit(time("itl_p50", &Goal::itl_p50, "of half of the requests"));
    visit(time("itl_p95", &Goal::itl_p95, "of 95 % of the requests"));
    visit(time("itl_p99", &Goal::itl_p99, "of 99 %"));
    visit(time("e2e_mean", &Goal::e2e_mean, "from arrival to the last token"));
    visit(time("e2e_p50", &Goal::e2e_p50, "of half of the requests"));
    visit(time("e2e_p95", &Goal::e2e_p95, "of 95 % of the requests"));
    visit(time("e2e_p99", &Goal::e2e_p99, "of 99 %"));
  }
};

/// What is asked.
struct Requests {
  std::optional<FileRef> log;
  std::int64_t log_block = 512;
  double stretch = 1;
  std::optional<Rate> rate;
  Arrivals arrivals = Arrivals::random;
  std::optional<std::int64_t> concurrency;
  std::optional<std::int64_t> count;
  std::optional<std::int64_t> prompt;
  std::optional<std::int64_t> prompt_p95;
  std::optional<std::int64_t> answer;
  std::optional<std::int64_t> answer_p95;
  std::optional<std::int64_t> prompts;
  std::int64_t shared = 0;
  std::int64_t turns = 1;
  Seconds pause{};
  std::int64_t seed = 1;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using R = Requests;
    visit(key("log", &R::log,
              "a trace: JSON, a request a line, or CSV: timestamp in ms, input_length, "
              "output_length, hash_ids (of blocks, equal where all tokens up to their end are)"));
    visit(
        key("log_block", &R::log_block, "tokens of a block that hash_ids name").between(16, 65536));
    visit(key("stretch", &R::stretch, "the log's times are multiplied by it: 2 halves the load"));
    visit(key("rate", &R::rate, "requests per second; or give concurrency, or a log")
              .between({1e-6}, {1e6}));
    visit(key("arrivals", &R::arrivals, "at random (exponential times between), or constant"));
    visit(key("concurrency", &R::concurrency,
              "so many at once: the next comes when one has its answer")
              .between(1, 100000));
    visit(key("count", &R::count, "how many come; default: 2000").between(1, 10000000));
    visit(key("prompt", &R::prompt, "tokens of a prompt, or { mean, p95 }; of each turn")
              .between(1, kMostTokens));
    visit(key("prompt_p95", &R::prompt_p95,
              "95 % are at most so long, of a lognormal of that mean; default: all alike")
              .between(1, kMostTokens));
    visit(
        key("answer", &R::answer, "tokens of an answer, or { mean, p95 }").between(1, kMostTokens));
    visit(key("answer_p95", &R::answer_p95, "95 % are at most so long; default: all alike")
              .between(1, kMostTokens));
    visit(key("prompts", &R::prompts,
              "different prompts, which come in turn; 0: none repeats. It decides the time to the "
              "first token, so there is no default")
              .between(0, 10000000));
    visit(key("shared", &R::shared, "tokens that all prompts begin with").between(0, kMostTokens));
    visit(key("turns", &R::turns, "of a conversation; each takes up all that was said before")
              .between(1, 1000));
    visit(key("pause", &R::pause, "between an answer and the next turn").between(0_s, kLongest));
    visit(key("seed", &R::seed, "of what is drawn").between(0, 4294967295));
  }
};

/// Where KV blocks go that GPUs drop.
struct TierRow {
  std::string at;
  std::optional<Bytes> capacity;
  std::optional<Ref<Memory>> modules;
  std::int64_t block = 256;
  std::int64_t queue_depth = 64;
  Path path = Path::host;
  Written write = Written::through;
  Load load = Load::always;
  Location where;
  // Of the loader, where it is a volume of the system: which, its drives in their list, its room.
  std::optional<std::size_t> volume = {};
  std::vector<std::size_t> drives = {};
  Bytes room{};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = TierRow;
    visit(key("at", &T::at,
              "\"memory\" of the host, a volume of the system or of [volume.NAME], or a store of "
              "[store.NAME], which all replicas share; or \"none\": no tier, as a value of a sweep")
              .needed());
    visit(key("capacity", &T::capacity,
              "for KV caches; of memory and volumes for each replica; default: all of the volume "
              "or store; memory has no default")
              .between(1_MB, 1e6_PB));
    visit(key("modules", &T::modules,
              "of memory that is bought for it: what its price and power are taken from; default: "
              "ddr5-4400-rdimm; memory of a system is the system's"));
    visit(
        key("block", &T::block, "tokens of a block there, all layers together").between(16, 65536));
    visit(key("queue_depth", &T::queue_depth, "requests under way at once, over all its drives")
              .between(1, 65536));
    visit(key("path", &T::path, "of volumes: through host memory, or past it"));
    visit(key("write", &T::write, "when computed, or when the GPUs drop it"));
    visit(key("load", &T::load,
              "whether what is found is always read, or only where computing it again, its queue "
              "counted, takes longer"));
  }
};

struct ServingTable {
  std::optional<Ref<Gpu>> gpu;
  std::optional<Ref<ServingEngine>> engine;
  std::int64_t tensor = 1;
  std::int64_t replicas = 1;
  Route route = Route::prefix;
  std::int64_t token_budget = 8192;
  std::int64_t sequences = 256;
  std::int64_t block = 16;
  std::optional<double> memory_share;
  std::optional<std::int64_t> kv_tokens;
  bool kv_fp8 = false;
  bool prefix_cache = true;
  bool async = true;
  std::optional<Goal> goal;
  Requests requests;
  std::vector<TierRow> tiers;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using S = ServingTable;
    visit(key("gpu", &S::gpu, "instead of a system: the GPU, as many as there must be"));
    visit(key("engine", &S::engine, "constants of its steps; default: vllm-hopper"));
    visit(key("tensor", &S::tensor, "GPUs that share a model (tensor parallel)").between(1, 64));
    visit(key("replicas", &S::replicas, "groups of such GPUs, each with the whole model")
              .between(1, 1024));
    visit(key("route", &S::route,
              "which replica a request goes to: where most of its leading blocks are (prefix), in "
              "turn, or who has the fewest"));
    visit(key("token_budget", &S::token_budget, "tokens of a step, prompts in chunks")
              .between(16, 10000000));
    visit(key("sequences", &S::sequences, "requests in a step at most").between(1, 65536));
    visit(key("block", &S::block, "tokens of a block of GPU memory; 16 alone is simulated")
              .between(16, 16));
    visit(key("memory_share", &S::memory_share,
              "of a GPU's memory that the engine takes; default: the engine's"));
    visit(key("kv_tokens", &S::kv_tokens,
              "tokens that a replica's KV cache holds; default: what memory leaves")
              .between(16, 100000000000));
    visit(key("kv_fp8", &S::kv_fp8, "whether the KV cache is in 8 bits; else in 16"));
    visit(key("prefix_cache", &S::prefix_cache, "whether blocks are found again"));
    visit(key("async", &S::async, "whether a step is planned while the one before runs"));
    visit(key("goal", &S::goal, "what answers should keep to; default: nothing"));
    visit(key("requests", &S::requests, "what is asked").needed());
    visit(key("tier", &S::tiers, "where KV blocks are kept below the GPUs, looked up in order"));
  }
};

struct ServingWorkload {
  Kind kind = Kind::serving;
  Ref<Model> model;
  std::string precision = "bf16";
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using W = ServingWorkload;
    visit(
        key("kind", &W::kind, "prompts and answers through an engine that batches them").needed());
    visit(key("model", &W::model, "the language model, by its architecture").needed());
    visit(key("precision", &W::precision, "of weights and products: bf16, fp16, fp8 or fp4"));
  }
};

struct OwnVolume {
  Ref<Drive> drive;
  std::int64_t count = 1;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("drive", &OwnVolume::drive, "the product").needed());
    visit(key("count", &OwnVolume::count, "drives of each replica, striped").between(1, 1024));
  }
};

struct OwnStore : ServersOfStore {
  std::optional<Ref<Array>> model;
  std::optional<Bandwidth> bandwidth;
  std::optional<Bandwidth> write_bandwidth;
  std::optional<Seconds> latency;
  std::optional<Bytes> capacity;
  std::optional<Bandwidth> link;
  Bandwidth others{};
  std::optional<FileRef> training;
  std::shared_ptr<const Scenario> trained = {};  ///< of the loader: that file
  std::optional<Bandwidth> training_takes = {};  ///< of the simulation, in `others`
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using S = OwnStore;
    visit(key("model", &S::model, "the array; or give its servers, or its bandwidth"));
    servers_fields(visit);
    visit(key("bandwidth", &S::bandwidth, "that all replicas share; default: what the model reads")
              .between(Bandwidth{1}, kFastest));
    visit(key("write_bandwidth", &S::write_bandwidth,
              "default: what the model writes, else as it reads")
              .between(Bandwidth{1}, kFastest));
    visit(key("latency", &S::latency, "of one request; default: the model's, else 0.4 ms")
              .between(0_s, 10_s));
    visit(key("capacity", &S::capacity, "default: the model's").between(1_GB, 1e6_PB));
    visit(key("link", &S::link,
              "network ports of a replica, of which transfers attain a share; default: no limit")
              .between(Bandwidth{1}, kFastest));
    visit(key("others", &S::others, "what others take of it meanwhile").between({0}, kFastest));
    visit(key("training", &S::training,
              "file of a scenario that trains beside it, from a store of this name: what each "
              "leaves the other is simulated; default: nothing does"));
  }
};

/// A line of a log.
struct LoggedRequest {
  double at = 0;
  std::int64_t prompt = 0;
  std::int64_t answer = 0;
  std::vector<std::int64_t> blocks = {};
};

/// A file of kind "serving".
struct Document {
  std::int64_t schema = 1;
  std::string title;
  std::optional<Ref<System>> system;
  ServingWorkload workload;
  ServingTable serving;
  Named<OwnVolume> volumes;
  Named<OwnStore> stores;
  Cost cost;
  std::vector<LoggedRequest> log = {};  ///< of the loader
  /// Of the loader: what is proposed where there is none; nothing where the catalog lacks it.
  std::optional<Ref<Drive>> usual_drive = {};
  std::optional<Ref<Memory>> usual_memory = {};
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using D = Document;
    visit(key("schema", &D::schema, "version of this file format").between(1, 1));
    visit(key("title", &D::title, "for the reader"));
    visit(key("system", &D::system, "the machine whose GPUs, memory and volumes are used"));
    visit(key("workload", &D::workload, "what is simulated").needed());
    visit(
        key("serving", &D::serving, "the engine, what is asked, and where KV caches go").needed());
    visit(key("volume", &D::volumes, "drives used together, by name"));
    visit(key("store", &D::stores, "shared stores, by name"));
    visit(key("cost", &D::cost, "how machines are paid for"));
  }
};

}  // namespace gpufeed::serving
