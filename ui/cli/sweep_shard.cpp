// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/sweep_shard.h"

#include <fmt/format.h>

#include <cstdlib>

#include "ui/cli/numbers.h"

namespace gpufeed::cli {
namespace {

constexpr std::int64_t kMostShards = 1000000;

/// A variable of the environment as a whole number; nothing where it is not set, or is none.
std::optional<std::int64_t> whole(const char* name) {
  const char* const text = std::getenv(name);
  if (!text || !*text) return {};
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  return *end == 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

/// A number and a count that need not be right.
struct Told {
  std::int64_t number = 1;
  std::int64_t count = 1;
};

/// The place of `id` in first, first + step, ... last.
Told place_in(std::int64_t id, std::int64_t first, std::int64_t last, std::int64_t step) {
  step = std::max<std::int64_t>(step, 1);
  return {(id - first) / step + 1, (last - first) / step + 1};
}

std::optional<Told> slurm_array(const Options& options) {
  const auto id = whole("SLURM_ARRAY_TASK_ID");
  const auto first = whole("SLURM_ARRAY_TASK_MIN");
  const auto last = whole("SLURM_ARRAY_TASK_MAX");
  if (!id || !first || !last) return {};
  const Told told = place_in(*id, *first, *last, whole("SLURM_ARRAY_TASK_STEP").value_or(1));
  if (whole("SLURM_ARRAY_TASK_COUNT").value_or(told.count) != told.count)
    throw options.error(
        fmt::format("--shard auto: the array of Slurm from {} to {} has gaps, whose points nobody "
                    "would take; submit --array=1-N",
                    *first, *last));
  return told;
}

std::optional<Told> sge_array() {
  const auto id = whole("SGE_TASK_ID");
  const auto first = whole("SGE_TASK_FIRST");
  const auto last = whole("SGE_TASK_LAST");
  if (!id || !first || !last) return {};
  return place_in(*id, *first, *last, whole("SGE_TASK_STEPSIZE").value_or(1));
}

/// One of the processes that started together. Below mpirun a step of Slurm counts nodes.
std::optional<Told> rank() {
  for (const auto& [number, count] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                      std::pair{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}})
    if (const auto from_0 = whole(number), of = whole(count); from_0 && of)
      return Told{*from_0 + 1, *of};
  return {};
}

/// The number alone, of those that tell no count.
std::optional<std::int64_t> number_alone() {
  for (const char* name : {"PBS_ARRAY_INDEX", "PBS_ARRAYID"})
    if (const auto number = whole(name)) return number;
  if (const auto from_0 = whole("JOB_COMPLETION_INDEX")) return *from_0 + 1;
  return {};
}

Shard shard_told(const Options& options, std::optional<std::int64_t> count) {
  std::optional<Told> told = slurm_array(options);
  if (!told) told = sge_array();
  if (const auto one = rank())
    told =
        told ? Told{(told->number - 1) * one->count + one->number, told->count * one->count} : one;
  if (!told && count)
    if (const auto number = number_alone()) told = Told{*number, *count};
  if (!told)
    throw options.error(
        number_alone()
            ? "--shard auto: the scheduler tells which task this is, but not of how many; say "
              "--shard auto/N"
            : "--shard auto: no scheduler has told which task this is: Slurm (array or step), "
              "Open MPI, SGE; with auto/N PBS and indexed jobs of Kubernetes");
  if (count && told->count != *count)
    throw options.error(
        fmt::format("--shard auto/{}: the scheduler has {} tasks", *count, told->count));
  if (told->number < 1 || told->number > told->count || told->count > kMostShards)
    throw options.error(
        fmt::format("--shard auto: the scheduler tells task {} of {}; number tasks "
                    "from 1",
                    told->number, told->count));
  return {told->number, told->count};
}

}  // namespace

Shard shard_of(const std::optional<std::string>& given, const Options& options) {
  if (!given) return {};
  const std::string_view text = *given;
  const std::size_t slash = text.find('/');
  const auto count = [&] {
    return number_in(options, "the N of --shard I/N", text.substr(slash + 1), kMostShards);
  };
  if (text.substr(0, slash) == "auto")
    return shard_told(options,
                      slash == std::string_view::npos ? std::nullopt : std::optional(count()));
  if (slash == std::string_view::npos)
    throw options.error(
        fmt::format("--shard must be I/N, such as 3/8, or auto; found \"{}\"", text));
  Shard shard;
  shard.count = count();
  shard.number = number_in(options, "the I of --shard I/N", text.substr(0, slash), shard.count);
  return shard;
}

}  // namespace gpufeed::cli
