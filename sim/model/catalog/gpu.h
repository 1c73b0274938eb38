// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/collective_library.h"
#include "sim/model/catalog/kernel_library.h"
#include "sim/model/catalog/link.h"
#include "sim/model/catalog/transformer_library.h"
#include "sim/model/fields/generation.h"

namespace gpufeed {

/// card: in a PCIe slot. module: on a board of its kind (SXM, OAM), where NVSwitches may join it to
/// others.
enum class GpuForm { card, module };
template <>
struct EnumNames<GpuForm> {
  static constexpr std::array<std::string_view, 2> names{"card", "module"};
};

/// One GPU as the driver shows it: of a board with several dies, one die.
struct Gpu : Entry, Plug, Purchase, Breaks {
  static constexpr std::string_view kKind = "gpu";
  Bytes memory;
  std::optional<Bandwidth> memory_bandwidth;
  std::optional<FlopRate> peak_fp64;
  std::optional<FlopRate> peak_fp32;
  std::optional<FlopRate> peak_tf32;
  std::optional<FlopRate> peak_fp16;
  std::optional<FlopRate> peak_bf16;
  std::optional<FlopRate> peak_fp8;
  std::optional<FlopRate> peak_fp4;
  std::int64_t dies_per_board = 1;
  Ratio shared_power_factor{1.0};
  std::optional<GpuForm> form;
  std::optional<Ref<Link>> nvlink;
  std::optional<std::int64_t> nvlinks;
  std::optional<std::string> board;
  std::optional<std::int64_t> slots;
  bool peer_to_peer = true;
  std::optional<Ref<CollectiveLibrary>> collectives;
  Ratio speed_spread{0.0};
  std::optional<Generation> generation;
  std::optional<std::int64_t> sms;
  std::optional<Frequency> boost_clock;
  std::optional<Ratio> matmul_share;
  std::optional<Ratio> depthwise_share;
  /// Of a GPU whose entry does not say it; fitted to QuartzNet 15x5 (NVIDIA DeepLearningExamples)
  /// in fp32, tf32 and mixed precision on V100 and A100, each of which would have 6 to 12 %, over
  /// what all kernels attain of theirs. EfficientNet had no part in it.
  static constexpr Ratio kDepthwiseShare{0.07};
  std::optional<Ref<KernelLibrary>> kernels;
  std::optional<Ref<TransformerLibrary>> transformers;
  Ratio sustained_share{1.0};
  std::optional<Ratio> older_attention_share;
  std::optional<FlopRate> peak_exponentials;

  static constexpr auto peak(std::string_view name, std::optional<FlopRate> Gpu::*member,
                             std::string_view help) {
    using namespace literals;
    return key<Gpu>(name, member, help).between(0.001_TFLOPps, 1e6_TFLOPps);
  }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    plug_fields(visit);
    visit(key("memory", &Gpu::memory, "device memory").needed().between(1_GB, 10_TB));
    visit(key("memory_bandwidth", &Gpu::memory_bandwidth,
              "peak of its memory; default: estimates count computing alone")
              .between(1_GBps, 1e3_TBps));
    visit(peak("peak_fp64", &Gpu::peak_fp64, "peak computing rate in fp64"));
    visit(peak("peak_fp32", &Gpu::peak_fp32, "peak computing rate in fp32"));
    visit(peak("peak_tf32", &Gpu::peak_tf32, "the same in tf32"));
    visit(peak("peak_fp16", &Gpu::peak_fp16,
               "the same in fp16, dense, on matrix units where it has them"));
    visit(peak("peak_bf16", &Gpu::peak_bf16, "the same in bf16, dense"));
    visit(peak("peak_fp8", &Gpu::peak_fp8, "the same in fp8, dense"));
    visit(peak("peak_fp4", &Gpu::peak_fp4, "the same in 4 bits, dense"));
    visit(key("dies_per_board", &Gpu::dies_per_board,
              "GPUs that share a board and its power; each says in the system which "
              "board it is on")
              .between(1, 16));
    visit(key("shared_power_factor", &Gpu::shared_power_factor,
              "speed while another GPU of its board works, over its speed alone")
              .between(10_percent, 100_percent));
    visit(key("form", &Gpu::form, "how it is built in; default: not known"));
    visit(key("nvlink", &Gpu::nvlink,
              "its kind of link to other GPUs, which a machine has whose GPUs are replaced by it"));
    visit(key("nvlinks", &Gpu::nvlinks, "how many of them it has; default: not known")
              .between(0, 64));
    visit(key("board", &Gpu::board,
              "of a module: the board it goes on: sxm5, oam, ...; default: not known"));
    visit(
        key("slots", &Gpu::slots, "of a card: slots it covers; default: not known").between(1, 5));
    visit(
        key("peer_to_peer", &Gpu::peer_to_peer,
            "whether its driver lets others of its kind reach its memory over PCIe; false: copies "
            "and gradients pass host memory"));
    visit(key("collectives", &Gpu::collectives,
              "the library that sums over GPUs of its generation; default: rings at the rate of "
              "their links"));
    visit(key("speed_spread", &Gpu::speed_spread,
              "standard deviation of the lasting speed of GPUs of this model, as its share: the "
              "slowest of many holds up all")
              .between(0_percent, 30_percent));
    visit(key("generation", &Gpu::generation,
              "its maker and the name of its architecture: NVIDIA Hopper, AMD CDNA 3; tells what "
              "was measured on GPUs like it; default: not known"));
    visit(key("sms", &Gpu::sms,
              "streaming multiprocessors or compute units, each of which works on a tile of a "
              "matrix product; default: not known")
              .between(1, 10000));
    visit(key("boost_clock", &Gpu::boost_clock,
              "of its multiprocessors at boost, which sets what collectives take to start and to "
              "take a step over NVLink; default: that of the library's tables")
              .between(100_MHz, 10_GHz));
    visit(key("matmul_share", &Gpu::matmul_share,
              "of its peak in 16 bits that large matrix products attain; default: as its kernels "
              "say")
              .between(1_percent, 100_percent));
    visit(key("depthwise_share", &Gpu::depthwise_share,
              "of its peak in fp32 that convolutions of each channel by itself attain, in any "
              "format; default: 7 %, fitted to one network on V100 and A100")
              .between(0.1_percent, 100_percent));
    visit(key("kernels", &Gpu::kernels,
              "the library of matrix products on it; default: these cannot be timed"));
    visit(key("transformers", &Gpu::transformers,
              "what steps of transformers take on it beside matrix products; default: those are "
              "estimated as other networks are"));
    visit(key("sustained_share", &Gpu::sustained_share,
              "of what its products attain alone, that they keep up through a step, when power "
              "limits its clock")
              .between(10_percent, 100_percent));
    visit(
        key("older_attention_share", &Gpu::older_attention_share,
            "of its peak that products of flash-attention 2 and older attain at most; default: all "
            "of it, at the clock it keeps up")
            .between(10_percent, 100_percent));
    visit(peak("peak_exponentials", &Gpu::peak_exponentials,
               "exponentials of its special function units, which fused attention waits for beside "
               "its products; default: a sixteenth of peak_fp32, as Hopper and Blackwell have it"));
    purchase_fields(visit);
    breaks_fields(visit);
  }
};

/// Its generation; of one that does not say it, its name.
inline std::string generation_or_name(const Ref<Gpu>& gpu) {
  return gpu->generation ? text(*gpu->generation) : gpu.name;
}

}  // namespace gpufeed
