// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/framework.h"
#include "sim/model/catalog/system.h"
#include "sim/model/data.h"

namespace gpufeed {

/// How gradients are summed. auto: the fastest of what the GPUs' library has, ring, tree and, on
/// one node, nvls; where none is named, of ring, tree, hierarchical and torus; ring where replicas
/// share the parameters. ring: over all GPUs. tree: two binary trees of nodes, a chain within each.
/// nvls: the NVSwitches of one node add up. hierarchical: to one GPU a node and network card, a
/// ring of these, and back. torus: along rows, then columns. parameter-server: every GPU sends all
/// gradients to the nodes' memory and fetches all weights from there.
enum class Algorithm { automatic, ring, tree, nvls, hierarchical, torus, parameter_server };
template <>
struct EnumNames<Algorithm> {
  static constexpr auto names =
      words_of<Algorithm>({{Algorithm::automatic, "auto"},
                           {Algorithm::ring, "ring"},
                           {Algorithm::tree, "tree"},
                           {Algorithm::nvls, "nvls"},
                           {Algorithm::hierarchical, "hierarchical"},
                           {Algorithm::torus, "torus"},
                           {Algorithm::parameter_server, "parameter-server"}});
};

/// Whether the GPUs end every step together, or each goes on by itself: it sends its gradients to
/// the parameter servers, fetches the weights as they are by then, and computes on.
enum class ExchangeMode { synchronous, asynchronous };
template <>
struct EnumNames<ExchangeMode> {
  static constexpr std::array<std::string_view, 2> names{"synchronous", "asynchronous"};
};

/// The rings of a node. searched: as many as NVLink has room for (NCCL from version 2); without
/// any, one over PCIe. one: a single one in the order of the GPUs, in which each sends to the next
/// by the best way that there is (NCCL 1).
enum class Rings { searched, one };
template <>
struct EnumNames<Rings> {
  static constexpr std::array<std::string_view, 2> names{"searched", "one"};
};

/// What PyTorch's DistributedDataParallel does to gradients before it sends them, by the names of
/// torch.distributed.algorithms.ddp_comm_hooks. Horovod's Compression.fp16 is fp16_compress_hook.
enum class CommunicationHook { none, fp16_compress_hook, bf16_compress_hook, power_sgd_hook };
template <>
struct EnumNames<CommunicationHook> {
  static constexpr std::array<std::string_view, 4> names{"none", "fp16_compress_hook",
                                                         "bf16_compress_hook", "powerSGD_hook"};
};

struct Exchange {
  ExchangeMode mode = ExchangeMode::synchronous;
  std::optional<std::int64_t> staleness;
  Algorithm algorithm = Algorithm::automatic;
  Rings rings = Rings::searched;
  std::optional<Ratio> ring_efficiency;
  Defaulted<Ratio> overlap;
  std::optional<Bytes> bucket;
  std::optional<Bytes> first_bucket;
  std::optional<GradientType> dtype;
  CommunicationHook hook = CommunicationHook::none;
  std::optional<Ratio> hook_share;
  Defaulted<ReadPath> path{ReadPath::gpudirect};
  std::optional<std::int64_t> channels;
  std::int64_t sockets = 1;
  Bandwidth socket_bandwidth{1.5e9};
  std::optional<std::int64_t> torus_width;
  std::optional<std::int64_t> servers;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("mode", &Exchange::mode,
              "whether GPUs wait for one another; asynchronous: by parameter-server"));
    visit(key("staleness", &Exchange::staleness,
              "asynchronous: steps that a GPU may be ahead of the slowest; default: any")
              .between(0, 1000000));
    visit(key("algorithm", &Exchange::algorithm,
              "the collective (all-reduce) that sums gradients, or a parameter server"));
    visit(
        key("rings", &Exchange::rings,
            "of each node (NCCL channels): as many as NVLink has room for, or one in the order of "
            "GPUs"));
    visit(key("ring_efficiency", &Exchange::ring_efficiency,
              "rate of gradients between GPUs of a node (NCCL's bus bandwidth), over that of a "
              "copy; default: over "
              "NVLink what its link says, else 100 %")
              .between(1_percent, 100_percent));
    visit(key("overlap", &Exchange::overlap,
              "last part of the compute time during which gradients already travel")
              .between(0_percent, 100_percent)
              .except("as the framework says"));
    visit(key("bucket", &Exchange::bucket,
              "gradients travel together in pieces of so much; the last leaves when the backward "
              "pass ends, and nothing hides it; default: as the framework says, else nothing is "
              "held back")
              .between(1_kB, 1_TB));
    visit(key("first_bucket", &Exchange::first_bucket,
              "with bucket: a smaller one that leaves before the others; default: as the framework "
              "says, else as the others")
              .between(1_kB, 1_TB));
    visit(key("dtype", &Exchange::dtype,
              "what gradients travel in; default: of mixed precision as the framework says "
              "(autocast of PyTorch: fp32), else as workload.precision and master_weights say"));
    visit(key("hook", &Exchange::hook,
              "what makes less of them before they travel (PyTorch's ddp_comm_hooks; Horovod's "
              "Compression.fp16 is fp16_compress_hook); what that takes of a GPU is left out"));
    visit(key("hook_share", &Exchange::hook_share,
              "powerSGD_hook: bytes that travel, over those of the gradients: of a matrix of m x n "
              "at rank r, r (m + n) / (m n)")
              .between(0.01_percent, 100_percent));
    visit(key("path", &Exchange::path,
              "between nodes: from GPU to network card directly (GPUDirect RDMA), or through host "
              "memory")
              .except("over TCP: host")
              .or_else(ReadPath::host));
    visit(
        key("channels", &Exchange::channels,
            "over TCP: of a ring between nodes (NCCL_MIN_NCHANNELS); default: as its network card "
            "says, else 2")
            .between(1, 64));
    visit(key("sockets", &Exchange::sockets,
              "over TCP: connections of a channel (NCCL_SOCKET_NTHREADS x NCCL_NSOCKS_PERTHREAD); "
              "NCCL takes 16 on Amazon's cards and 4 on Google's where it can read their maker, "
              "which a container may hide")
              .between(1, 64)
              .or_else(16));
    visit(key("socket_bandwidth", &Exchange::socket_bandwidth,
              "over TCP: what the thread of one connection copies; 1.0 to 2.0 GB/s were measured")
              .between(1_MBps, 1_TBps));
    visit(key("torus_width", &Exchange::torus_width,
              "torus: GPUs of a row; default: those of a node, on one node the most even")
              .between(1, 1000000));
    visit(key("servers", &Exchange::servers,
              "parameter-server: nodes whose memory holds the weights; default: all")
              .between(1, 4096));
  }
};

/// How the GPUs of a tensor-parallel group share a matrix: by its columns and rows in turn, so that
/// every block's output is summed up among them; or in tiles on a square grid (SUMMA), so that
/// tiles of inputs and weights travel.
enum class TensorLayout { columns, grid };
template <>
struct EnumNames<TensorLayout> {
  static constexpr std::array<std::string_view, 2> names{"columns", "grid"};
};

/// What the replicas of a model divide among them instead of each holding it whole. optimizer: its
/// state (ZeRO 1). gradients: these, too (ZeRO 2). parameters: weights, too (ZeRO 3, FSDP), which
/// are gathered for the forward pass and again for the backward pass.
enum class Sharding { none, optimizer, gradients, parameters };
template <>
struct EnumNames<Sharding> {
  static constexpr std::array<std::string_view, 4> names{"none", "optimizer", "gradients",
                                                         "parameters"};
};

/// How tokens reach the GPUs of their experts: once each GPU, or node, that holds some of them
/// (DeepEP, HybridEP), or once for each expert (NCCL's all-to-all).
enum class Dispatcher { deepep, alltoall };
template <>
struct EnumNames<Dispatcher> {
  static constexpr std::array<std::string_view, 2> names{"deepep", "alltoall"};
};

/// How a model too large for one GPU is split: `tensor` x `pipeline` x `context` GPUs compute a
/// replica together. Experts lie on GPUs of `expert` replicas. All but tensor, layout, pipeline,
/// micro_batches and shard are of models given by their architecture.
/// Where embedding tables lie: each GPU has all of them, or an equal part of their rows or tables.
enum class TableLayout { whole, split };
template <>
struct EnumNames<TableLayout> {
  static constexpr std::array<std::string_view, 2> names{"whole", "split"};
};

struct Parallel {
  std::int64_t tensor = 1;
  TensorLayout layout = TensorLayout::columns;
  bool sequence = false;
  std::int64_t pipeline = 1;
  std::int64_t virtual_stages = 1;
  std::int64_t context = 1;
  std::int64_t expert = 1;
  Dispatcher dispatcher = Dispatcher::deepep;
  TableLayout tables = TableLayout::whole;
  std::int64_t micro_batches = 1;
  std::optional<std::int64_t> micro_batch;
  Sharding shard = Sharding::none;
  std::optional<std::int64_t> shard_group;
  bool tensor_overlap = false;
  bool pipeline_overlap = false;
  bool gradient_overlap = false;
  bool expert_overlap = false;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("tensor", &Parallel::tensor, "GPUs that share every matrix (tensor parallelism)")
              .between(1, 4096));
    visit(key("layout", &Parallel::layout,
              "how: by columns and rows in turn, or on a grid (SUMMA; a square number)"));
    visit(key("sequence", &Parallel::sequence,
              "whether these also share a token's norms and sums (sequence parallelism)")
              .or_else(true));
    visit(key("pipeline", &Parallel::pipeline,
              "stages, each with its part of the blocks (pipeline parallelism)")
              .between(1, 4096));
    visit(key("virtual", &Parallel::virtual_stages,
              "parts of a stage, which take turns (interleaved, virtual pipeline size)")
              .between(1, 1000));
    visit(key("context", &Parallel::context,
              "GPUs that share the tokens of a sample (context parallelism)")
              .between(1, 4096));
    visit(key("expert", &Parallel::expert,
              "GPUs that share the experts of a layer (expert parallelism)")
              .between(1, 4096));
    visit(key("dispatcher", &Parallel::dispatcher,
              "how tokens reach experts: once each GPU or node that holds some of theirs, or once "
              "for each expert (moe_token_dispatcher_type)"));
    visit(
        key("tables", &Parallel::tables,
            "embedding tables of the model: whole on each GPU, or split over all GPUs, which then "
            "exchange what samples take of them, and its gradients, all to all (TorchRec)"));
    visit(key("micro_batches", &Parallel::micro_batches,
              "parts of a batch that pass the stages one after the other")
              .between(1, 100000));
    visit(key("micro_batch", &Parallel::micro_batch, "instead of micro_batches: samples of each")
              .between(1, 100000));
    visit(key("shard", &Parallel::shard,
              "what replicas divide among them: optimizer (ZeRO 1), gradients (ZeRO 2), "
              "parameters (ZeRO 3, FSDP)"));
    visit(key("shard_group", &Parallel::shard_group,
              "GPUs that hold one copy of what is divided (HSDP); default: all")
              .between(1, 1000000));
    visit(key("tensor_overlap", &Parallel::tensor_overlap,
              "whether products are cut so that sums of the group overlap (tp_comm_overlap)")
              .or_else(true));
    visit(key("pipeline_overlap", &Parallel::pipeline_overlap,
              "whether stages pass on while they compute (overlap_p2p_comm)")
              .or_else(true));
    visit(key("gradient_overlap", &Parallel::gradient_overlap,
              "whether gradients travel during the backward pass (overlap_grad_reduce)")
              .or_else(true));
    visit(key("expert_overlap", &Parallel::expert_overlap,
              "whether tokens travel to experts while another micro-batch computes "
              "(overlap_moe_expert_parallel_comm)")
              .or_else(true));
  }
};

}  // namespace gpufeed
