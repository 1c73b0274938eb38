// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reports/study/catalog_entries.h"
#include "reports/study/change.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/model/taken.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kMostWorkers = 128;
constexpr std::size_t kSteps = 3;  ///< of a number, one after the other

class Settings {
 public:
  Settings(const Scenario& scenario, const Catalog& catalog)
      : scenario_(scenario), catalog_(catalog) {}

  std::vector<Change> all() {
    loader();
    batches();
    activations();
    precision();
    decoding();
    reading();
    records();
    stores();
    staging();
    checkpoints();
    exchange();
    std::ranges::move(model_changes(scenario_), std::back_inserter(changes_));
    return std::move(changes_);
  }

 private:
  void add(std::string subject, std::string text, std::vector<std::string> sets, std::string why) {
    changes_.push_back(
        {std::move(subject), std::move(text), std::move(sets), std::move(why), true});
  }
  /// One of what is trained.
  void alter(std::string subject, std::string text, std::vector<std::string> sets,
             std::string why) {
    add(std::move(subject), std::move(text), std::move(sets), std::move(why));
    changes_.back().alters = true;
  }
  bool takes(std::string_view section, std::string_view name) const {
    return is_taken(scenario_.workload.kind(), section, name);
  }

  /// The powers of two above `now`, a few of them.
  static std::vector<std::int64_t> above(std::int64_t now, std::int64_t most) {
    std::vector<std::int64_t> values;
    for (std::int64_t value = 1; value <= most && values.size() < kSteps; value *= 2)
      if (value > now) values.push_back(value);
    return values;
  }

  void loader() {
    const Loader& loader = scenario_.loader;
    const std::int64_t workers = loader.workers_per_gpu;
    for (const std::int64_t more : above(workers, kMostWorkers))
      add("loader workers", fmt::format("{} loader workers per GPU instead of {}", more, workers),
          {fmt::format("loader.workers_per_gpu={}", more)},
          "more batches are read and decoded at the same time");
    const std::int64_t prefetch = loader.prefetch_batches;
    for (const std::int64_t more : above(prefetch, 64))
      add("prefetch", fmt::format("{} batches fetched ahead instead of {}", more, prefetch),
          {fmt::format("loader.prefetch_batches={}", more)},
          "a larger stock bridges reads that take longer than others");
    if (loader.starts_workers() && takes("loader", "persistent_workers"))
      add("worker start", "workers that live on between epochs", {"loader.persistent_workers=true"},
          "they are not started again for every epoch");
    if (loader.between_epochs == BetweenEpochs::restart)
      add("worker start", "the next epoch's batches made before this one ends",
          {"loader.between_epochs=stream"}, "no epoch begins with empty loaders");
    if (!loader.pinned_memory && takes("loader", "pinned_memory"))
      add("copy", "pinned memory for batches", {"loader.pinned_memory=true"},
          "they are copied once less, and while the GPU computes");
    if (loader.pinned_memory && loader.copies_in_order() && takes("loader", "copy"))
      add("copy", "batches copied while the GPU computes", {"loader.copy=overlapped"},
          "the GPU no longer waits for every copy");
    if (loader.placement.part)
      add("placement", "loaders beside their GPUs (NUMA)", {"loader.placement=local"},
          "their bytes cross no link between sockets");
  }

  void batches() {
    if (!scenario_.workload.is<kind::Training>()) return;
    const auto& training = scenario_.workload.get<kind::Training>();
    const bool global = training.global_batch.has_value();
    const std::int64_t now = global ? *training.global_batch : training.batch_per_gpu;
    const char* const key = global ? "global_batch" : "batch_per_gpu";
    for (const std::int64_t times : {2, 4}) {
      const std::string text = fmt::format("{} of {} samples instead of {}",
                                           global ? "global batches" : "batches", times * now, now);
      const std::string why =
          "what comes once a step, such as the exchange, comes once for more samples, and larger "
          "products use a GPU better; adapt the learning rate";
      std::vector<std::string> sets{fmt::format("workload.{}={}", key, times * now)};
      if (!keep_interval(times, sets)) continue;
      alter("batch", text, sets, why);
      if (training.recompute != Recompute::none || !training.model->blocks ||
          !training.model->block_output)
        continue;
      sets.push_back("workload.recompute=true");
      alter("batch", text + ", activations computed again", sets,
            why + "; they need the memory of activations, which the backward pass computes again");
    }
  }

  /// Larger batches leave at most as many samples between two checkpoints: what rarer ones give is
  /// not theirs. \return whether whole steps allow it
  bool keep_interval(std::int64_t times, std::vector<std::string>& sets) const {
    if (!scenario_.checkpoint) return true;
    const std::int64_t steps = scenario_.checkpoint->interval_steps / times;
    sets.push_back(fmt::format("checkpoint.interval_steps={}", steps));
    return steps > 0;
  }

  void activations() {
    const auto* training = scenario_.workload.find<kind::Training>();
    if (training && training->recompute != Recompute::none)
      add("activations", "activations kept for the backward pass", {"workload.recompute=false"},
          "none is computed a second time, and the GPUs' memory holds them");
  }

  void checkpoints() {
    if (!scenario_.checkpoint || !scenario_.workload.is<kind::Training>()) return;
    const Checkpoint& now = *scenario_.checkpoint;
    if (now.mode == CheckpointMode::synchronous)
      add("checkpoint mode", "checkpoints written while training goes on",
          {"checkpoint.mode=asynchronous"},
          "GPUs wait only while the state is copied to host memory; a failure before it is written "
          "falls back to the one before");
    if (now.writers == CheckpointWriters::one)
      add("checkpoint writers", "every GPU writes its part of a checkpoint",
          {"checkpoint.writers=all"},
          "it goes by more ways at once: memory, network cards and connections of all of them");
    const auto move_to = [&](const std::string& place, const char* why) {
      if (place != text_of(now.at.id))
        add("checkpoint place",
            fmt::format("checkpoints at {} instead of {}", place, text_of(now.at.id)),
            {"checkpoint.at=" + place}, why);
    };
    for (const Volume& volume : scenario_.system->volumes)
      move_to(text_of(volume.id),
              "the machine's own drives take them; whoever loses the machine loses them");
    for (const auto& [name, store] : scenario_.store) move_to(name, "another store takes them");
  }

  void precision() {
    if (!scenario_.workload.is<kind::Training>()) return;
    const std::string& now = scenario_.workload.get<kind::Training>().precision;
    if (now == "fp32")
      alter("precision", "products in tf32 instead of fp32", {"workload.precision=tf32"},
            "their peak is higher, and the program stays as it is; see that the accuracy holds");
    if (now == "fp32" || now == "tf32")
      alter("precision", fmt::format("mixed precision (fp16 or bf16) instead of {}", now),
            {"workload.precision=fp16"},
            "its peak is higher, and activations take half the memory; fp16 wants its loss scaled; "
            "see that the accuracy holds");
  }

  void decoding() {
    if (scenario_.loader.cores == CorePool::socket)
      add("decoding", "every core of the machine for every loader", {"loader.cores=machine"},
          "cores of the other sockets help; what they read crosses the link between sockets");
    const DecodeOn now = scenario_.loader.decode;
    if (now == DecodeOn::cpu && scenario_.workload.is<kind::Training>()) decoding_on_gpus();
    if (now == DecodeOn::gpu)
      add("decoding", "decoding on the processor's cores", {"loader.decode=cpu"},
          "the GPUs no longer decode");
  }

  /// By the data set's own decoder where that names the GPU, else by one of the catalog that takes
  /// its codec.
  void decoding_on_gpus() {
    const Dataset& dataset = *scenario_.workload.dataset();
    const std::string& gpu = scenario_.system->gpus.front().model.name;
    const auto offer = [&](const Decoder& decoder, std::vector<std::string> sets) {
      const DecodeCost* const cost = decode_cost(decoder, {}, gpu);
      if (!cost) return false;
      sets.emplace_back("loader.decode=gpu");
      const DecodeEngine engine = cost->engine.value_or(DecodeEngine::sms);
      add("decoding", fmt::format("decoding on the GPUs ({})", engine_in_words(engine)), sets,
          engine == DecodeEngine::sms ? "cores no longer decode; the GPUs do, in turn with training"
                                      : "cores no longer decode; engines beside the GPUs' do");
      return true;
    };
    if (dataset.decoder && *dataset.decoder && offer(**dataset.decoder, {})) return;
    if (!dataset.codec) return;
    for (const auto& [name, decoder] : entries_of<Decoder>(catalog_))
      if (decoder->codec == dataset.codec) {
        std::vector<std::string> sets{"workload.dataset.decoder=" + name};
        if (dataset.decode_time) sets.insert(sets.begin(), "workload.dataset.decode_time=");
        offer(*decoder, std::move(sets));
      }
  }

  static std::string_view engine_in_words(DecodeEngine engine) {
    if (engine == DecodeEngine::nvdec) return "NVDEC";
    return engine == DecodeEngine::nvjpg ? "nvJPEG, by its engines" : "nvJPEG, by their processors";
  }

  void reading() {
    const Data& data = scenario_.data;
    if (!data.at.given()) return;
    const bool training = scenario_.workload.is<kind::Training>();
    if (training && data.path == ReadPath::host)
      add("reading", "reads straight into the GPUs (GPUDirect Storage)",
          {"data.path=gpudirect", "data.mode=direct"}, "bytes no longer pass host memory");
    if (data.path == ReadPath::gpudirect)
      add("reading", "reads through host memory", {"data.path=host"},
          "one thread reads faster so, and the page cache keeps what was read");
    if (data.path == ReadPath::host && data.mode == ReadMode::buffered)
      add("reading", "reads around the page cache (O_DIRECT)", {"data.mode=direct"},
          "whole samples are asked for at once, and nothing is copied out of the cache");
    if (data.path == ReadPath::host && data.mode == ReadMode::direct)
      add("reading", "reads through the page cache", {"data.mode=buffered"},
          "what was read stays in memory for the next epoch");
    constexpr Bytes kLong{4194304};
    if (data.mode == ReadMode::buffered && data.readahead < kLong && !data.at.is(PartKind::store))
      add("reading", "a readahead of 4 MiB", {"data.readahead=4 MiB"},
          "the kernel asks the drives for more at once");
  }

  /// Many samples of a file, about 128 MiB of them.
  void records() {
    const Dataset& dataset = *scenario_.workload.dataset();
    constexpr double kFile = 134217728;
    const auto many = static_cast<std::int64_t>(kFile / dataset.sample_size.value);
    if (dataset.samples_per_file > 1 || many < 2 || scenario_.workload.is<kind::Emulated>()) return;
    add("record files", fmt::format("record files of {} samples, shuffled among files", many),
        {fmt::format("workload.dataset.samples_per_file={}", many), "loader.order=shards"},
        "samples are read in long streams, and few files are opened");
  }

  void stores() {
    std::vector<PartRef> used{scenario_.data.at};
    if (scenario_.data.staging) used.push_back(scenario_.data.staging->from);
    if (scenario_.checkpoint) used.push_back(scenario_.checkpoint->at);
    std::set<PartId> known;
    for (const PartRef& at : used)
      if (at.part && known.insert(*at).second) connections(at);
  }

  void connections(const PartRef& at) {
    const Store* store = find_store(scenario_, at);
    if (!store || !store->protocol) return;
    const std::int64_t now = store->connections.value_or((*store->protocol)->connections);
    for (const std::int64_t more : above(now, 16))
      add("client of " + text_of(at.id),
          fmt::format("{} connections to {} instead of {} (NFS: nconnect)", more, text_of(at.id),
                      now),
          {fmt::format("store.{}.connections={}", key_text(text_of(at.id)), more)},
          "each connection carries only so much");
  }

  /// Onto drives of the machine, while the first epoch reads.
  void staging() {
    if (const auto& now = scenario_.data.staging; now && now->mode == StagingMode::before)
      add("staging", "the data copied in during the first epoch, not before training",
          {"data.staging.mode=first-epoch"}, "training begins at once, and reads what it copies");
    if (const auto& now = scenario_.data.staging; now && now->mode == StagingMode::first_epoch)
      add("staging", "the data copied in before training, not during the first epoch",
          {"data.staging.mode=before"}, "a copy reads in longer streams than loaders do");
    if (const auto& now = scenario_.data.staging)
      add("staging",
          fmt::format("the data read from {} all the time, not copied in", text_of(now->from.id)),
          {"data.staging=", "data.at=" + text_of(now->from.id)},
          now->mode == StagingMode::read_through ? "no drive is written"
                                                 : "nothing is copied before training");
    std::ranges::move(cache_changes(scenario_), std::back_inserter(changes_));
    if (scenario_.data.staging || !scenario_.data.at.is(PartKind::store)) return;
    const std::string& from = text_of(scenario_.data.at.id);
    for (const Volume& volume : scenario_.system->volumes)
      add("staging",
          fmt::format("the data copied to {} during the first epoch", text_of(volume.id)),
          {"data.at=" + text_of(volume.id),
           fmt::format("data.staging={{ from = \"{}\", mode = \"first-epoch\" }}", from)},
          "later epochs read from the machine's own drives");
  }

  void exchange() {
    if (!scenario_.workload.is<kind::Training>()) return;
    const Exchange& exchange = scenario_.exchange;
    if (exchange.mode == ExchangeMode::asynchronous)
      add("exchange", "GPUs that wait for one another, and sum gradients among themselves",
          {"exchange.mode=synchronous", "exchange.algorithm=auto"},
          "no parameter server is in the way, and no gradient is stale");
    if (exchange.mode != ExchangeMode::synchronous) return;
    for (const auto algorithm : {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical})
      if (algorithm != exchange.algorithm)
        add("exchange", fmt::format("gradients summed by {}", name_of(algorithm)),
            {fmt::format("exchange.algorithm={}", name_of(algorithm))},
            "another way for the gradients (NCCL_ALGO)");
    if (over_tcp())
      for (const std::int64_t sockets : {4, 16})
        if (sockets > exchange.sockets)
          add("sockets",
              fmt::format("{} sockets of a channel instead of {}", sockets, exchange.sockets),
              {fmt::format("exchange.sockets={}", sockets)},
              "each connection carries only so much (NCCL_SOCKET_NTHREADS x "
              "NCCL_NSOCKS_PERTHREAD)");
    const auto& training = scenario_.workload.get<kind::Training>();
    if (training.framework && exchange.hook == CommunicationHook::none &&
        exchange.dtype == GradientType::fp32)
      narrow_gradients(training.precision);
    constexpr Ratio kUsual{0.5};
    if (exchange.overlap < kUsual)
      add("overlap", "gradients sent in buckets while the backward pass runs",
          {"exchange.overlap=50 %"},
          "PyTorch's DistributedDataParallel does so unless told not to");
  }

  /// Hooks are those of DistributedDataParallel, which has each model whole.
  void narrow_gradients(const std::string& precision) {
    const char* const mind =
        "half as many bytes; small gradients lose bits: see that the accuracy "
        "holds";
    if (!scenario_.parallel)
      alter("gradients", "gradients that travel in 16 bits (fp16_compress_hook)",
            {"exchange.hook=fp16_compress_hook"}, mind);
    else if (precision == "bf16" || precision == "fp16")
      alter("gradients", fmt::format("gradients that are summed in {}", precision),
            {"exchange.dtype=" + precision}, mind);
  }

  /// Whether GPUs reach other nodes by sockets.
  bool over_tcp() const {
    const Fabric fabric = scenario_.fabric.value_or(Fabric{});
    return scenario_.nodes > 1 &&
           std::ranges::any_of(scenario_.system->nics, [&](const Device<Nic>& card) {
             return fabric.transport_of(*card.model) == Transport::tcp;
           });
  }

  const Scenario& scenario_;
  const Catalog& catalog_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> setting_changes(const Scenario& scenario, const Catalog& catalog) {
  return Settings(scenario, catalog).all();
}

std::vector<Override> overrides_of(const Change& change) {
  std::vector<Override> overrides;
  for (const auto& set : change.sets) overrides.push_back(parse_override(set));
  return overrides;
}

}  // namespace gpufeed
