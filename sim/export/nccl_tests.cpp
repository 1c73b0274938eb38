// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostics.h"
#include "sim/export/parts.h"
#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Who calls a collective together.
struct Ranks {
  std::int64_t nodes = 1;
  std::int64_t of_node = 1;
  std::int64_t groups = 1;  ///< that call it at once, each with every so many-th rank

  std::int64_t all() const { return nodes * of_node; }
};

/// Bytes of a collective, and the number that they are of.
struct Amount {
  CollectiveOperation operation;
  Bytes size;
  std::string type;  ///< as nccl-tests calls it
  double of_type = 4;
};

std::string_view program(CollectiveOperation operation) {
  switch (operation) {
    case CollectiveOperation::all_gather:
      return "all_gather_perf";
    case CollectiveOperation::reduce_scatter:
      return "reduce_scatter_perf";
    case CollectiveOperation::all_to_all:
      return "alltoall_perf";
    case CollectiveOperation::all_reduce:
      break;
  }
  return "all_reduce_perf";
}

bool is_power_of_two(std::int64_t n) { return (n & (n - 1)) == 0; }

/// One process for each GPU, by MPI where there are several nodes or groups.
std::string started(const Ranks& ranks, const Names& variables, std::string_view what) {
  const bool by_mpi = ranks.nodes > 1 || ranks.groups > 1;
  Names set = variables;
  if (ranks.groups > 1 && is_power_of_two(ranks.groups))
    set.push_back(fmt::format("NCCL_TESTS_SPLIT_MASK=0x{:x}", ranks.groups - 1));
  std::string out;
  if (by_mpi) {
    out = fmt::format("mpirun -np {} -N {}", ranks.all(), ranks.of_node);
    for (const auto& one : set) out += " -x " + one;
    return fmt::format("{} {}", out, what);
  }
  for (const auto& one : set) out += one + " ";
  return out + std::string(what);
}

std::string gpus_of(const Ranks& ranks) {
  const bool by_mpi = ranks.nodes > 1 || ranks.groups > 1;
  return fmt::format("-g {}", by_mpi ? 1 : ranks.of_node);
}

/// What of `[exchange]` NCCL's environment says.
Names variables_of(const ExportSource& source, Names& said) {
  const Exchange& exchange = source.scenario.exchange;
  Names out;
  const auto say = [&](const char* key, std::string variable) {
    said.emplace_back(key);
    out.push_back(std::move(variable));
  };
  switch (exchange.algorithm) {
    case Algorithm::ring:
      say("exchange.algorithm", "NCCL_ALGO=Ring");
      break;
    case Algorithm::tree:
      say("exchange.algorithm", "NCCL_ALGO=Tree");
      break;
    case Algorithm::nvls:
      say("exchange.algorithm", "NCCL_ALGO=NVLS");
      break;
    case Algorithm::automatic:
      said.emplace_back("exchange.algorithm");
      break;
    default:
      break;
  }
  if (exchange.path.given && exchange.path.value == ReadPath::host)
    say("exchange.path", "NCCL_NET_GDR_LEVEL=LOC");
  if (exchange.path.given && exchange.path.value == ReadPath::gpudirect)
    said.emplace_back("exchange.path");
  if (exchange.channels)
    say("exchange.channels", fmt::format("NCCL_MIN_NCHANNELS={}", *exchange.channels));
  if (exchange.sockets != Exchange{}.sockets)
    say("exchange.sockets", fmt::format("NCCL_NSOCKS_PERTHREAD={0}", exchange.sockets));
  if (exchange.rings == Rings::searched) said.emplace_back("exchange.rings");
  return out;
}

/// The collectives that nccl-tests times, as the scenario has them.
void add_collective(const ExportSource& source, const Names& variables, ToolText& out) {
  const auto& keys = source.scenario.workload.get<kind::Collective>();
  const Ranks ranks{source.scenario.nodes, gpus_per_node(source.scenario), 1};
  auto operations = keys.operations;
  if (operations.empty()) operations.push_back(CollectiveOperation::all_reduce);
  for (const auto operation : operations)
    out.text += started(
        ranks, variables,
        fmt::format("{} -b {} -e {} -f {} {}\n", program(operation), whole_bytes(keys.from.value),
                    whole_bytes(keys.to.value), keys.factor, gpus_of(ranks)));
  for (const char* key : {"workload.kind", "workload.operations", "workload.gpus", "workload.from",
                          "workload.to", "workload.factor", "nodes"})
    out.said.emplace_back(key);
}

std::string type_of(double bytes, std::string_view precision) {
  if (bytes == 4) return "float";
  if (bytes == 2) return precision == "fp16" ? "half" : "bfloat16";
  return bytes == 8 ? "double" : "uint8";
}

/// Each size of bucket, and all together, the smallest first.
std::vector<Bytes> bucket_sizes(const Exchange& exchange, Bytes all) {
  std::vector<Bytes> sizes{all};
  if (!exchange.bucket || *exchange.bucket >= all) return sizes;
  sizes.push_back(*exchange.bucket);
  const double first = std::min(exchange.first_bucket.value_or(Bytes{}).value, all.value);
  if (first > 0) sizes.push_back({first});
  const double last = std::fmod(all.value - first, exchange.bucket->value);
  if (last >= 1) sizes.push_back({last});
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// What the replicas of a model exchange in a step.
/// \source  sharding: PyTorch, FullyShardedDataParallel; DeepSpeed, ZeRO
std::vector<Amount> amounts_of(const Scenario& scenario) {
  const auto& training = scenario.workload.get<kind::Training>();
  const double numbers = static_cast<double>(training.model->parameters) /
                         static_cast<double>(gpus_per_replica(scenario));
  const double gradient = gradient_bytes(scenario);
  const double weight = bytes_per_number(training.precision);
  const bool half = scenario.exchange.hook == CommunicationHook::fp16_compress_hook ||
                    scenario.exchange.dtype == GradientType::fp16;
  const std::string type = type_of(gradient, half ? "fp16" : std::string_view(training.precision));
  std::vector<Amount> out;
  const Sharding shard = scenario.parallel ? scenario.parallel->shard : Sharding::none;
  if (shard == Sharding::none) {
    for (const Bytes size : bucket_sizes(scenario.exchange, {numbers * gradient}))
      out.push_back({CollectiveOperation::all_reduce, size, type, gradient});
    return out;
  }
  const double pieces =
      shard == Sharding::parameters ? static_cast<double>(training.model->blocks.value_or(1)) : 1;
  out.push_back(
      {CollectiveOperation::reduce_scatter, {numbers * gradient / pieces}, type, gradient});
  out.push_back({CollectiveOperation::all_gather,
                 {numbers * weight / pieces},
                 type_of(weight, training.precision),
                 weight});
  return out;
}

void refuse(const ExportSource& source, const char* key, const std::string& why) {
  throw InputError({{source.scenario.workload.where, fmt::format("{}: {}", key, why),
                     ProblemCode::conflict, KeyPath(std::vector<KeyStep>{{key}})}});
}

/// \throws InputError  where nothing is summed by collectives
void check_exchange(const ExportSource& source, const Ranks& ranks) {
  const Scenario& scenario = source.scenario;
  if (scenario.exchange.algorithm == Algorithm::parameter_server)
    refuse(source, "exchange.algorithm",
           "\"parameter-server\" sends to servers, and nccl-tests times collectives of GPUs alone");
  if (is_uneven(scenario))
    refuse(source, "workload.placement",
           "nodes have unlike numbers of GPUs, and the command starts as many ranks on each");
  if (scenario.workload.get<kind::Training>().lora)
    refuse(source, "workload.lora",
           "adapters are so few bytes that their exchange is not simulated, so no size is known");
  if (ranks.all() / ranks.groups < 2)
    refuse(source, "workload.gpus",
           "one GPU, or one replica of the model, has nobody to exchange gradients with");
}

void add_gradients(const ExportSource& source, const Names& variables, ToolText& out) {
  const Scenario& scenario = source.scenario;
  const Ranks ranks{scenario.nodes, gpus_per_node(scenario), gpus_per_replica(scenario)};
  check_exchange(source, ranks);
  for (const Amount& one : amounts_of(scenario)) {
    const double step = std::max(1.0, std::floor(one.of_type));
    const double size = std::max(step, std::floor(one.size.value / step) * step);
    out.text +=
        started(ranks, variables,
                fmt::format("{} -b {} -e {} -d {} {}\n", program(one.operation), whole_bytes(size),
                            whole_bytes(size), one.type, gpus_of(ranks)));
  }
  if (ranks.groups > 1 && !is_power_of_two(ranks.groups))
    out.left_out.push_back(
        fmt::format("replicas are every {}-th GPU: NCCL_TESTS_SPLIT_MASK takes powers of two alone",
                    ranks.groups));
  out.left_out.emplace_back(
      "all of the job but the exchange of its gradients: reading, decoding, computing, and what of "
      "the exchange that hides");
  for (const char* key :
       {"workload", "data", "loader", "nodes", "exchange.bucket", "exchange.first_bucket",
        "exchange.dtype", "exchange.hook", "exchange.hook_share", "parallel.shard",
        "parallel.tensor", "parallel.pipeline", "parallel.context"})
    out.said.emplace_back(key);
}

}  // namespace

ToolText nccl_tests_text(const ExportSource& source) {
  const Workload& workload = source.scenario.workload;
  ToolText out;
  const Names variables = variables_of(source, out.said);
  if (workload.is<kind::Collective>())
    add_collective(source, variables, out);
  else if (workload.is<kind::Training>())
    add_gradients(source, variables, out);
  else
    refuse_kind(ExportTool::nccl_tests, source,
                "it times sums over GPUs, of collective and training jobs");
  return out;
}

}  // namespace gpufeed
