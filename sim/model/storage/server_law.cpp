// SPDX-License-Identifier: Apache-2.0
#include "sim/model/storage/server_law.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {
namespace {

constexpr double kSmall = 4096;

// Card to card and back; as [fabric] takes it for RDMA, and as NCCL waits for a step over sockets.
constexpr Seconds kRoundTripRdma{4e-6};
constexpr Seconds kRoundTripTcp{60e-6};

// One core; own runs on an Intel Xeon (README.md).
constexpr double kCipherBandwidth = 2.7e9;
constexpr double kCodingBandwidth = 9e9;

/// What one byte of data, or one small read, asks of all servers together.
struct Work {
  double drive_reads = 0, drive_writes = 0, sent = 0, received = 0, core_time = 0;
};

class Least {
 public:
  void at_most(double most, ServerPart part) {
    if (most < least_.most || !any_) least_ = {most, part};
    any_ = true;
  }
  ServerBound bound(const ServerLaw& law) const {
    return {least_.most * law.alive() * (1 - law.rebuilding), least_.part};
  }

 private:
  ServerBound least_;
  bool any_ = false;
};

double data_chunks(const ServerLaw& law) { return static_cast<double>(law.redundancy.data); }

/// Logarithm of how many ways there are to take some of all.
double ways(double of, double some) {
  if (some < 0 || some > of) return -INFINITY;
  return std::lgamma(of + 1) - std::lgamma(some + 1) - std::lgamma(of - some + 1);
}

double servers_of_stripe(const ServerLaw& law) {
  return static_cast<double>(law.redundancy.width()) / law.chunks_per_server;
}

/// Part of the stripes of which so many servers failed.
double share_with_failed(const ServerLaw& law, double failed) {
  const double over = servers_of_stripe(law);
  return std::exp(ways(law.failed, failed) + ways(law.alive(), over - failed) -
                  ways(law.servers, over));
}

/// Whether any chunk of data of a stripe is lost; which of its chunks are data is chance.
double share_missing_data(const ServerLaw& law) {
  const auto width = static_cast<double>(law.redundancy.width());
  const double k = data_chunks(law);
  double whole = 0;
  for (double failed = 0; failed <= std::min(law.failed, servers_of_stripe(law)); ++failed)
    whole += share_with_failed(law, failed) *
             std::exp(ways(width - failed * law.chunks_per_server, k) - ways(width, k));
  return std::clamp(1 - whole, 0.0, 1.0);
}

/// Of what a stripe keeps, what the server that is asked has itself.
double at_asked(const ServerLaw& law, double kept) {
  return law.chunks_by == ChunksBy::any_server ? kept / law.alive() : 1 / data_chunks(law);
}

double cipher_time(const ServerLaw& law) { return law.encrypted ? 1 / kCipherBandwidth : 0; }

/// Of a server that codes; a client does it with cores of its own.
double coding_time(const ServerLaw& law) {
  const bool codes = law.chunks_by != ChunksBy::client && law.redundancy.data > 1;
  return codes ? 1 / kCodingBandwidth : 0;
}

ServerBound least_of(const ServerLaw& law, const Work& work) {
  const ServerParts& one = law.one;
  Least least;
  const auto add = [&](Bandwidth most, double asked, ServerPart part) {
    if (asked > 0) least.at_most(most.value / asked, part);
  };
  add(one.drive_reads, work.drive_reads, one.reads_by);
  add(one.drive_writes, work.drive_writes, one.writes_by);
  add(one.sends, work.sent, one.sends_by);
  add(one.receives, work.received, one.receives_by);
  add(one.memory, work.drive_reads + work.drive_writes + work.sent + work.received,
      ServerPart::memory);
  if (work.core_time > 0) least.at_most(one.cores / work.core_time, ServerPart::cores);
  return least.bound(law);
}

/// Whole stripes: what one chunk lost of a stripe takes, another brings.
Work work_of_read(const ServerLaw& law) {
  const double passed_on = law.chunks_by == ChunksBy::client ? 0 : 1 - at_asked(law, 1);
  Work work{1 / law.compression, 0, 1 + passed_on, passed_on, 0};
  if (law.core_reads) work.core_time += 1 / law.core_reads->value;
  work.core_time += cipher_time(law) / law.compression;
  if (law.failed > 0) work.core_time += coding_time(law) * share_missing_data(law);
  return work;
}

Work work_of_write(const ServerLaw& law) {
  const double kept = write_amplification(law);
  const bool by_server = law.chunks_by != ChunksBy::client;
  const double passed_on = by_server ? kept - at_asked(law, kept) : 0;
  Work work{0, kept / law.compression, passed_on, by_server ? 1 + passed_on : kept, 0};
  if (law.core_writes) work.core_time += kept / law.core_writes->value;
  work.core_time += cipher_time(law) * kept / law.compression;
  if (law.redundancy.spare > 0) work.core_time += coding_time(law);
  return work;
}

/// Of small reads, those whose data another server than the asked one has.
double elsewhere(const ServerLaw& law) {
  if (law.chunks_by == ChunksBy::client) return 0;
  if (law.whole_stripes && data_chunks(law) > 1) return 1;
  return 1 - at_asked(law, 1);
}

}  // namespace

double small_read_amplification(const ServerLaw& law) {
  const double k = data_chunks(law);
  if (law.whole_stripes) return k;
  const double lost = law.failed / law.servers;
  return 1 - lost + lost * k;
}

double write_amplification(const ServerLaw& law) {
  const auto width = static_cast<double>(law.redundancy.width());
  return std::min(width, law.alive() * law.chunks_per_server) / data_chunks(law);
}

ServerBound most_read(const ServerLaw& law) { return least_of(law, work_of_read(law)); }
ServerBound most_written(const ServerLaw& law) { return least_of(law, work_of_write(law)); }

ServerBound most_small_reads(const ServerLaw& law) {
  const double reads = small_read_amplification(law);
  const double passed_on = law.chunks_by == ChunksBy::any_server ? reads - at_asked(law, reads)
                           : law.whole_stripes                   ? reads - 1
                                                                 : reads - 1 + elsewhere(law);
  const double sent = law.chunks_by == ChunksBy::client ? reads : 1 + passed_on;
  Least least;
  least.at_most(law.one.drive_read_rate.value / reads, ServerPart::drives);
  least.at_most(law.one.sends.value / (kSmall * sent), law.one.sends_by);
  if (law.drive_read_rate)
    least.at_most(law.one.drives * law.drive_read_rate->value / reads, ServerPart::software);
  return least.bound(law);
}

Bytes usable_capacity(const ServerLaw& law) {
  return law.one.capacity * (law.servers * law.fill * law.compression / law.redundancy.overhead());
}

std::optional<Seconds> rebuild_time(const ServerLaw& law) {
  if (law.failed == 0 || law.rebuilding == 0) return {};
  const double k = data_chunks(law);
  const ServerParts& one = law.one;
  const double by_drives = k / one.drive_reads.value + 1 / one.drive_writes.value;
  const double by_cards = k / std::min(one.sends, one.receives).value;
  const double by_memory = (3 * k + 1) / one.memory.value;
  const double lost = law.failed * law.fill * one.capacity.value;
  return Seconds{lost * std::max({by_drives, by_cards, by_memory}) /
                 (law.alive() * law.rebuilding)};
}

double share_with_fewer(const ServerLaw& law, std::int64_t chunks) {
  double share = 0;
  const auto most = static_cast<double>(may_fail(law, chunks));
  for (double failed = most + 1; failed <= std::min(law.failed, servers_of_stripe(law)); ++failed)
    share += share_with_failed(law, failed);
  return std::min(share, 1.0);
}

std::int64_t may_fail(const ServerLaw& law, std::int64_t chunks) {
  return static_cast<std::int64_t>(static_cast<double>(law.redundancy.width() - chunks) /
                                   law.chunks_per_server);
}

Seconds small_read_latency(const ServerLaw& law, Seconds software) {
  const Seconds trip = law.one.tcp ? kRoundTripTcp : kRoundTripRdma;
  return law.one.drive_latency + software + trip * (1 + elsewhere(law));
}

std::optional<double> core_time_of_read(const ServerLaw& law) {
  if (!law.core_reads) return {};
  return work_of_read(law).core_time;
}

}  // namespace gpufeed
