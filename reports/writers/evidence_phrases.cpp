// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/phrase.h"
#include "reports/writers/phrase_book.h"

namespace gpufeed {
namespace {

constexpr std::string_view kSubject = "of";  ///< in a phrase: what it is said of

}  // namespace

template <>
struct Phrases<EvidenceCode> {
  using enum EvidenceCode;
  using Row = Phrase<EvidenceCode>;
  static constexpr std::array all{
      Row{gpus_compute, "GPUs compute {share:%} of the time"},
      Row{gpus_compute_and_exchange, "GPUs compute and exchange gradients {share:%} of the time"},
      Row{gpus_decode, "they decode {share:%}"},
      Row{gpus_exchange, "they exchange gradients {share:%}"},
      Row{largest_of_step, "{of}: {share:%} of a GPU's step, the largest part"},
      Row{helped_by, "with {setting} the step is {gain:faster}"},
      Row{wait_for_stages,
          "they wait for other stages of the pipeline (parallel.micro_batches) {share:%}"},
      Row{wait_for_stragglers, "they wait for stragglers {share:%}"},
      Row{wait_for_decoding, "GPUs wait for decoding {share:%} of the time"},
      Row{wait_for_copies, "they wait for copies of batches {share:%}"},
      Row{wait_for_data, "GPUs wait for data {share:%} of the time"},
      Row{wait_for_data_in_first_epoch, "GPUs wait for data {share:%} of the first epoch"},
      Row{wait_hardly_for_data, "GPUs hardly wait for data"},
      Row{wait_for_gradients_on_same_way,
          "they wait for gradients, which take the same way, {share:%}"},
      Row{stand_still_for_checkpoints, "checkpoints stop the GPUs {share:%} of the time"},
      Row{cores_could_decode,
          "cores could decode instead (loader.decode = \"cpu\"), and smaller samples take less"},
      Row{delivers, "{of} can deliver {capacity_samples_per_s} samples/s, at {load:%} load"},
      Row{delivers_between_steps,
          "{of}, with the steps in between, can deliver {capacity_samples_per_s} samples/s, at "
          "{load:%} load"},
      Row{smt_gain,
          "a core with all its threads at work does {gain:%} of one thread's ({product}, {basis})"},
      Row{misses_cache,
          "{share_of_bytes:%} of the bytes miss the page cache in epochs after the first"},
      Row{misses_drive_cache,
          "{share_of_bytes:%} of the bytes are neither in the page cache nor in the cache on "
          "drives "
          "in epochs after the first"},
      Row{fills_at_start, "{share:%} passes before the first batch of an epoch is there"},
      Row{lost_to_slowest_batch,
          "{share:%} is lost beside that, where all wait for the GPU whose batch takes longest"},
      Row{lost_between_stages, "{share:%} is lost beside that, where stages wait for one another"},
      Row{lost_by_empty_stock,
          "{share:%} is lost beside that, where {batches:batch|batches} fetched ahead for each GPU "
          "cannot bridge the gaps (loader.prefetch_batches)"},
      Row{lost_on_shared_links, "{share:%} is lost where gradients and copies share links"},
      Row{lost_at_servers, "{share:%} is lost where GPUs meet at the parameter servers"},
      Row{close_to_limit, "close to its limit: {of} at {load:%}"},
      Row{waits_per_job,
          "each job has {requests:request|requests} under way and waits at least {wait_s} for one: "
          "more jobs or a deeper queue would raise the rate (Little's law)"},
      Row{drives_busy, "{of}: busy all the time"},
      Row{reads_of_bytes, "{share_of_bytes:%} of the bytes reads"},
      Row{few_requests_under_way,
          "the limit is {requests:request|requests} under way on each at {request_s} a request: "
          "more would raise the rate (Little's law)"},
      Row{few_requests_on_few_drives,
          "the limit is {requests:request|requests} under way on each of the {drives} in use at a "
          "time at {request_s} a request: more would raise the rate (Little's law)"},
      Row{request_rate, "the limit is the {requests_per_s} requests per second that one serves"},
      Row{bandwidth, "the limit is the {bandwidth_Bps} of one"},
      Row{carries, "{of}: at most {bandwidth_Bps}"},
      Row{drives_load, "the drives run at {load:%} load"},
      Row{replay_behind,
          "the storage falls behind: the last request ends {late_s} after the log does"},
      Row{replay_keeps_up,
          "the storage keeps up: the last request ends {late_s} after the log does"},
      Row{busy, "{of} busy {share:%} of the time"},
      Row{binds, "{of} limits {rates} of {of_rates} rates"},
      Row{others_bind, "others are limited by {parts}"},
      Row{many_others_bind, "others are limited by {parts} and {more} more"},
      Row{bus_bandwidth, "{operation} of {size_B} moves {bus_Bps} on the bus of every GPU"},
      Row{attains_of_peak, "the last product attains {share_of_peak:%} of the peak of {gpu}"},
      Row{step_takes, "{of} takes {share:%} of the time"},
      Row{copying_takes, "copying between places takes {share:%}: on one store it would be saved"},
      Row{overload,
          "overload: {offered_per_s} requests/s arrive, and this machine answers {capacity_per_s} "
          "at most",
          "the rest would wait ever longer"},
      Row{answers_share,
          "{share_of_capacity:%} of what the machine can answer: {capacity_per_s} requests/s at "
          "most"},
      Row{phase_takes,
          "{of}: a {direction} takes {slowest_s} until the slowest of {ranks:rank|ranks} is done, "
          "{bandwidth_Bps} in all"}};
};
static_assert(is_complete<EvidenceCode>(kSubject));

std::string sentence(const Evidence& evidence) {
  const Phrase<EvidenceCode>& phrase = phrase_of(evidence.shows);
  Arguments arguments = form_of(evidence.shows.code).arguments;
  std::vector<FactValue> values = evidence.shows.arguments;
  arguments[count_of(arguments)].name = kSubject;
  values.emplace_back(in_words(evidence.of));
  const std::string more = filled(phrase.more, arguments, values);
  return filled(phrase.claim, arguments, values) + (more.empty() ? "" : "; " + more);
}

std::string in_words(const std::vector<Evidence>& evidence) {
  std::string out;
  for (const Evidence& one : evidence) out += (out.empty() ? "" : "; ") + sentence(one);
  return out;
}

}  // namespace gpufeed
