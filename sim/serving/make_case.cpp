// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/make_case.h"

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostics.h"
#include "sim/model/catalog/drive_law.h"
#include "sim/plan/striping.h"
#include "sim/serving/purchase.h"

namespace gpufeed::serving {
namespace {

constexpr double kMostBlocks = 1e12;

double weight_bytes(std::string_view precision) {
  if (precision == "fp8") return 1;
  return precision == "fp4" ? 0.5 : 2;
}

double peak_of(const Gpu& gpu, std::string_view precision) {
  const auto& peak = precision == "fp8"    ? gpu.peak_fp8
                     : precision == "fp4"  ? gpu.peak_fp4
                     : precision == "fp16" ? gpu.peak_fp16
                                           : gpu.peak_bf16;
  return peak->value;
}

class Tiers {
 public:
  Tiers(const Document& document, double kv_bytes)
      : document_(document),
        engine_(**document.serving.engine),
        kv_bytes_(kv_bytes),
        copy_(engine_.copy.value * static_cast<double>(document.serving.tensor)) {}

  TierLaw law_of(const TierRow& row) const {
    TierLaw law;
    law.name = row.at;
    law.block = row.block;
    law.on_eviction = row.write == Written::evicted;
    law.if_faster = row.load == Load::if_faster;
    double capacity = row.capacity ? row.capacity->value : kNever;
    if (row.at == "memory") {
      law.kind = TierKind::memory;
      law.read_rate = law.write_rate = copy_;
    } else if (document_.stores.contains(row.at)) {
      put_store(law, document_.stores.find(row.at)->second, capacity);
    } else {
      put_volume(law, row, capacity);
    }
    law.capacity = blocks_of(capacity, row);
    return law;
  }

 private:
  std::int64_t blocks_of(double capacity, const TierRow& row) const {
    const double blocks = capacity / (kv_bytes_ * static_cast<double>(row.block));
    if (blocks > kMostBlocks)
      throw InputError({{row.where, fmt::format("serving.tier.capacity: {} holds {} blocks of {} "
                                                "tokens; at most 10^12 are simulated; lower its "
                                                "capacity, or raise its block",
                                                row.at, text_number(blocks, 3), row.block)}});
    return static_cast<std::int64_t>(blocks);
  }

  void put_store(TierLaw& law, const OwnStore& store, double& capacity) const {
    const Array* const model = store.model ? &**store.model : nullptr;
    law.kind = TierKind::store;
    law.shared = true;
    const double read = store.bandwidth ? store.bandwidth->value : model->read_bandwidth.value;
    const double write = store.write_bandwidth             ? store.write_bandwidth->value
                         : model && model->write_bandwidth ? model->write_bandwidth->value
                                                           : read;
    const double part = (read - store.others.value) / read;
    const double link = store.link ? store.link->value * engine_.network.value : kNever;
    law.read_rate = std::min(read * part, link);
    law.write_rate = std::min(write * part, link);
    law.latency = store.latency ? store.latency->value
                  : model       ? model->read_latency.value
                                : engine_.network_start.value;
    if (capacity == kNever)
      capacity = store.capacity ? store.capacity->value : model->capacity.value;
  }

  /// What all drives of a volume give where requests of a block are split over them.
  /// \param part  of it, that a replica has: others have as many requests under way
  void put_drives(TierLaw& law, const Drive& drive, const Volume& volume, double part,
                  const TierRow& row) const {
    law.kind = TierKind::volume;
    const auto drives = static_cast<double>(volume.drives.size());
    const Bytes request{kv_bytes_ * static_cast<double>(row.block)};
    const double asked = static_cast<double>(row.queue_depth) / part / drives;
    const auto rate = [&](const DriveLaw& of, Bytes size, double pieces) {
      const double each = std::max(1.0, asked * pieces);
      return attained_bandwidth(of, size, each).value * drives;
    };
    const auto through = [&](double of_drives) {
      const double own = of_drives * part;
      return row.path == Path::gpudirect ? own : 1 / (1 / own + 1 / copy_);
    };
    const DriveLaw read = drive.read_law();
    const DriveRequests reads = split_read(&volume, request);
    law.read_rate = through(rate(read, reads.size, reads.reads));
    const DriveRequests writes = split_write(&volume, request, false);
    double time =
        writes.size.value * writes.writes / rate(drive.write_law(), writes.size, writes.writes);
    if (writes.in_turn)
      time += writes.size.value * writes.reads / rate(read, writes.size, writes.reads);
    law.write_rate = through(request.value / time);
    law.latency = read.latency.value;
  }

  void put_volume(TierLaw& law, const TierRow& row, double& capacity) const {
    if (document_.volumes.contains(row.at)) {
      const OwnVolume& own = document_.volumes.find(row.at)->second;
      Volume striped;
      striped.drives.resize(static_cast<std::size_t>(own.count));
      put_drives(law, *own.drive, striped, 1, row);
      capacity = std::min(capacity, own.drive->capacity.value * static_cast<double>(own.count));
      return;
    }
    const System& system = **document_.system;
    const double part = 1 / static_cast<double>(replicas_on_one(document_));
    if (row.drives.empty())
      throw InputError({{row.where, fmt::format("serving.tier.at: volume \"{}\" of the system has "
                                                "no drives; name another, or give [volume.NAME] "
                                                "drive = ...",
                                                row.at)}});
    Volume volume = system.volumes[*row.volume];
    volume.drives.resize(row.drives.size());
    put_drives(law, *system.drives[row.drives.back()].model, volume, part, row);
    capacity = std::min(capacity, row.room.value * part);
  }

  const Document& document_;
  const ServingEngine& engine_;
  double kv_bytes_;
  double copy_;
};

void check_pool(const Case& of, const ServingTable& own) {
  if (static_cast<double>(of.pool) > kMostBlocks)
    throw InputError(
        {{own.where, fmt::format("serving: the KV cache of a replica has {} blocks of "
                                 "{} tokens; at most 10^12 are simulated; give "
                                 "kv_tokens",
                                 text_number(static_cast<double>(of.pool), 3), kBlock)}});
}

void check_room(const Case& of, const Document& document, const Sizes& sizes, bool is_told) {
  const auto& own = document.serving;
  const Gpu& gpu = **own.gpu;
  if (of.pool < 1 && !is_told)
    throw InputError({{document.workload.model.where,
                       fmt::format("workload.model: {} takes {} in {}, and {} x {} leave no room "
                                   "for a KV cache beside it; raise serving.tensor, or take "
                                   "another precision or GPU",
                                   document.workload.model.name,
                                   text(Bytes{sizes.parameters * sizes.weight_bytes}, 3),
                                   document.workload.precision, own.tensor, gpu.name)}});
  std::size_t wide = 0;
  for (const Request& one : of.requests)
    if ((std::int64_t{one.prompt} + one.answer + kBlock - 1) / kBlock > of.pool) ++wide;
  if (wide == of.requests.size())
    throw InputError(
        {{own.requests.where,
          fmt::format("serving.requests: no request fits the {} tokens of the KV cache "
                      "of a replica; raise serving.tensor or memory_share, or ask for "
                      "less",
                      of.pool * kBlock)}});
}

}  // namespace

Case make_case(const Document& document) {
  const ServingTable& own = document.serving;
  const Gpu& gpu = **own.gpu;
  const ServingEngine& engine = **own.engine;
  const Architecture& architecture = *document.workload.model->architecture;
  const auto tensor = static_cast<double>(own.tensor);
  const Sizes sizes =
      sizes_of(architecture, weight_bytes(document.workload.precision), own.kv_fp8 ? 1 : 2, tensor);
  Case out;
  out.law = serving::law_of(architecture, sizes, peak_of(gpu, document.workload.precision),
                            gpu.memory_bandwidth->value, tensor, engine);
  out.pool = own.kv_tokens ? *own.kv_tokens / kBlock
                           : pool_blocks(sizes, gpu.memory.value,
                                         own.memory_share.value_or(engine.memory_share.value),
                                         tensor, engine);
  out.kv_bytes = sizes.kv_bytes;
  out.budget = own.token_budget;
  out.sequences = own.sequences;
  out.replicas = own.replicas;
  out.route = own.route;
  out.async = own.async;
  out.api = engine.api.value;
  const Tiers tiers(document, sizes.kv_bytes);
  for (const TierRow& row : own.tiers) out.tiers.push_back(tiers.law_of(row));
  check_pool(out, own);
  add_requests(out, document);
  check_room(out, document, sizes, own.kv_tokens.has_value());
  return out;
}

}  // namespace gpufeed::serving
