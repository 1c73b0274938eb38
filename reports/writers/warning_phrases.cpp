// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/writers/phrase.h"
#include "reports/writers/phrase_book.h"
#include "sim/model/kinds/step_line.h"

namespace gpufeed {
namespace {

/// In the order of UnseenStep.
constexpr std::array<std::string_view, EnumNames<UnseenStep>::names.size()> kUnseenSteps{
    "experts (errors of 15 to 30 %)",
    "attention of windows",
    "tensor groups of several nodes",
    "context parallelism of more than 100,000 tokens",
    "LoRA",
    "steps of Adafactor, of Muon, or on the hosts"};

/// In the order of Beyond.
constexpr std::array<std::string_view, EnumNames<Beyond>::names.size()> kBeyond{
    "no network of class {class} was measured in {precision}",
    "its class is not known",
    "its activation_size is not known, nor what passing over them takes",
    "its depthwise_multiply_adds are not known, nor what they take",
    "in {precision} the generation of {gpu} is not known",
    "in {precision} no {generation} was measured",
    "in {precision} no GPU of {maker} was measured"};

}  // namespace

template <>
struct Phrases<WarningCode> {
  using enum WarningCode;
  using Row = Phrase<WarningCode>;
  static constexpr std::array all{
      Row{system_doubt, "{doubt}"},
      Row{leaf_switch_too_large,
          "{ports} ports, {bandwidth_bps} in all, hang on one leaf switch that limits none of "
          "them",
          "no switch in one box takes more than {most_ports} ports and {most_bps} (NVIDIA "
          "Quantum-X800 Q3400): fabric.nodes_per_switch and fabric.uplink_bandwidth describe "
          "several"},
      Row{huge_pages_without_effect, "data.huge_pages changes nothing here",
          "no drive of \"{place}\" has a page_time, what it takes for each page that lies apart "
          "in memory: gpufeed calibrate measures it"},
      Row{rate_estimated, "nobody measured {model} on {gpu} in {precision}", "estimate: {source}"},
      Row{rate_estimated_beyond, "nobody measured {model} on {gpu} in {precision}",
          "estimate: {source}; outside what estimates were seen for: {beyond:beyond}"},
      Row{step_unseen, "this step is outside what steps of decoders were seen for",
          "{outside:unseen}"},
      Row{rate_of_other_batch, "no rate of {gpu} is known at batch {batch}",
          "taken from batch {known_batch}"},
      Row{rate_of_other_batch_by_line, "no rate of {gpu} is known at batch {batch}",
          "taken from batch {known_batch}, and {source}"},
      Row{forward_by_two_batches, "no rate of {gpu} is known below batch {known_batch}",
          "what smaller ones take follows from the two nearest"},
      Row{forward_by_line, "no rate of {gpu} is known below batch {known_batch}",
          "smaller batches are taken from that one, and {source}"},
      Row{forward_in_proportion, "no rate of {gpu} is known below batch {known_batch}",
          "smaller ones are counted as taking time in proportion"},
      Row{forward_with_exchange,
          "the training rate of {gpu} includes the exchange of gradients, which a forward pass "
          "does not have",
          "it is faster than assumed here"},
      Row{serving_unseen, "served requests are outside what was seen",
          "no run that answers any was measured"},
      Row{pipeline_unseen, "pipelines are outside what was seen",
          "none was measured from end to end"},
      Row{collectives_between_nodes_by_library,
          "times over several nodes are outside what collectives were seen for",
          "those of one node were measured, those between nodes are what the library expects"},
      Row{collectives_between_nodes_by_links,
          "times over several nodes are outside what collectives were seen for",
          "those of one node were measured, those between nodes are what links allow"},
      Row{collectives_unseen_over_pcie,
          "times over PCIe are outside what collectives were seen for",
          "those over NVLink were measured"},
      Row{collectives_unseen_without_library,
          "times without a library of collectives are outside what collectives were seen for",
          "those of NCCL were measured"},
      Row{collectives_unseen_on_generation,
          "times on {generation} are outside what collectives were seen for",
          "its library's costs are an estimate"},
      Row{collectives_unseen_gpus_per_node,
          "times of {gpus} GPUs in a node are outside what collectives were seen for",
          "those of 2 to 8 were measured"},
      Row{collectives_unseen_size,
          "times of more than {most_B} are outside what collectives were seen for",
          "those of up to that size were measured"},
      Row{products_too_large,
          "products of more than 2 TFLOP are outside what their times were seen for",
          "GPUs that are short of power clock down, and take up to twice as long"},
      Row{products_of_unseen_shape,
          "products of these shapes are outside what their times were seen for",
          "m up to 32,768, n of 256 to 65,536 and k of 256 to 16,384 were timed"},
      Row{products_of_unseen_precision,
          "products in {precision} are outside what their times were seen for",
          "bf16 and fp8 were timed"},
      Row{replay_keeps_by_lru,
          "loader.cache = \"linux\": the replay of a log keeps the most recently used blocks "
          "instead, as \"lru\" does"},
      Row{replay_write_latency_unknown, "how long {store} takes for a write is not known",
          "its read_latency stands for it"},
      Row{replay_without_parity_reads,
          "what short writes on RAID 5 and 6 must read first is not replayed"},
      Row{queue_depth_without_effect, "without O_DIRECT a job waits for one request at a time",
          "queue_depth = {queue_depth} has no effect"},
      Row{queue_depth_of_client, "{protocol} reads a file one request after the other",
          "queue_depth = {queue_depth} has no effect"},
      Row{drive_figure_unknown, "the {key} of {drive} is not known", "its {instead} stands for it"},
      Row{store_write_figures_unknown, "how long {store} takes for a write is not known",
          "its read_latency and read_rate stand for writes as well"},
      Row{copies_by_host_memory,
          "pairs of GPUs without a peer-to-peer way copy through host memory here",
          "nvbandwidth prints N/A for them"},
      Row{drives_halved,
          "drives that are both read and written are taken to give half their time to each"},
      Row{checkpointing_hosts_unseen,
          "{hosts} hosts that save and load together are outside what was seen",
          "measured are at most {most}"},
      Row{no_checkpoint, "training ends after {steps} steps, before the first checkpoint"},
      Row{target_of_synchronous_training,
          "the samples to the target are those of synchronous training",
          "gradients of older weights may take more"},
      Row{stopped_early,
          "stopped after {steps} steps, before the throughput was known to {precision:%}",
          "it is known to {uncertainty:%}"},
      Row{stopped_too_early_to_tell,
          "stopped after {steps} steps, before the throughput was known to {precision:%}",
          "how well it is known, so few do not tell"},
      Row{accelerators_of_host_unseen,
          "{accelerators} accelerators on a host are outside what was seen",
          "measured hosts have at most {most}"},
      Row{hosts_unseen, "{hosts} hosts with accelerators are outside what was seen",
          "measured are at most {most}"},
      Row{nodes_unseen, "{nodes} nodes that wait for one another are outside what was seen",
          "rows measured on several nodes have at most {most}"},
      Row{gpus_of_node_unseen, "{gpus} GPUs in a node are outside what was seen",
          "measured nodes have at most {most}"},
      Row{split_models_unseen, "models split over GPUs are outside what was seen",
          "no job with them was measured"},
      Row{sharding_unseen, "sharded replicas are outside what was seen",
          "no job with them was measured"},
      Row{asynchronous_unseen, "asynchronous training is outside what was seen",
          "no job with it was measured"},
      Row{torus_unseen, "gradients summed by torus are outside what was seen",
          "no job with them was measured"},
      Row{gpu_decode_unseen, "decoding on GPUs is outside what was seen",
          "no job with it was measured"},
      Row{checkpoint_cost_unseen,
          "what checkpoints cost, {share:%} of the time, is outside what was seen",
          "no job with them was measured"},
      Row{contention_estimated,
          "sums of gradients beside computing are outside what was seen on {generation}",
          "that they hold it up as on older GPUs is an estimate"},
      Row{protocol_unseen, "a store read over {family} is outside what was seen",
          "measured jobs read over {seen}"},
      Row{software_of_store_unknown, "what software makes one store of {store} is not said",
          "drives, cards and memory of its servers alone limit it"},
      Row{cores_of_store_unknown, "what {software} costs the cores of {store} is not documented",
          "drives, cards and memory of its servers alone limit it"},
      Row{small_cache_unseen,
          "a page cache of {memory_B} is outside what was seen ({least_B} and more)",
          "it may keep more"},
      Row{cgroup_cache_by_chance,
          "what a cgroup's page cache keeps in epochs of {epoch_s} is up to twice as much, by "
          "chance",
          "Linux frees it by counters of up to 2 s ago"},
      Row{gpu_memory_short,
          "such jobs take about {typical_B} of a GPU's memory, which has {memory_B}"},
      Row{gpu_memory_short_but_with,
          "such jobs take about {typical_B} of a GPU's memory, which has {memory_B}",
          "{settings:with} would fit"},
      Row{samples_shorter_than_sequence,
          "samples of {dataset} have {tokens} tokens, and the model takes {sequence} at once",
          "{filling:%} of what is computed fills them up; tokens a second are those of the "
          "data. Set workload.packing = true where they can be joined, or give workload.sequence = "
          "{tokens}"},
      Row{samples_longer_than_sequence,
          "samples of {dataset} have {tokens} tokens, and the model takes {sequence} at once",
          "the rest of each is read and left out"}};
};

template <>
struct Phrases<AssumptionCode> {
  using enum AssumptionCode;
  using Row = Phrase<AssumptionCode>;
  static constexpr std::array all{
      Row{no_framework,
          "no framework is named: gradients leave when all GPUs have computed, and steps do not "
          "vary",
          "with workload.framework = \"{usual}\" GPUs that are fed train {gain:faster}"},
      Row{no_framework_but_jitter,
          "no framework is named: gradients leave when all GPUs have computed",
          "with workload.framework = \"{usual}\" GPUs that are fed train {gain:faster}"}};
};

static_assert(is_complete<WarningCode>());
static_assert(is_complete<AssumptionCode>());

std::string sentence(const Warning& warning) { return sentence_of(warning); }
std::string sentence(const Assumption& assumption) { return sentence_of(assumption); }
std::string unseen_in_words(const std::vector<std::string>& names) {
  const auto& known = EnumNames<UnseenStep>::names;
  std::vector<std::string_view> words;
  for (const std::string& name : names) {
    const auto* const place = std::ranges::find(known, name);
    words.push_back(place == known.end()
                        ? std::string_view(name)
                        : kUnseenSteps.at(static_cast<std::size_t>(place - known.begin())));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string beyond_in_words(const std::vector<std::string>& names) {
  const auto& known = EnumNames<Beyond>::names;
  std::vector<std::string_view> words;
  for (const std::string& name : names) {
    const auto* const place = std::ranges::find(known, name);
    if (place != known.end())
      words.push_back(kBeyond.at(static_cast<std::size_t>(place - known.begin())));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string claim(const Warning& warning) { return claim_of(warning); }
std::string reason(const Warning& warning) { return more_of(warning); }

}  // namespace gpufeed
