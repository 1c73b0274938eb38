// SPDX-License-Identifier: Apache-2.0
// Stores of servers: the law against a plain model of the same store, and what always holds.
#include "sim/model/storage/server_law.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/random.h"
#include "tests/support/approx.h"
#include "tests/support/draws.h"

using namespace gpufeed;

namespace {

/// Twelve servers, each with drives of 60 and 30 GB/s, cards of 40 GB/s, memory of 400 GB/s and no
/// software that costs anything.
ServerLaw twelve(Redundancy redundancy, ChunksBy by = ChunksBy::client) {
  ServerLaw law;
  law.one.capacity = Bytes{80e12};
  law.one.drive_reads = Bandwidth{60e9};
  law.one.drive_writes = Bandwidth{30e9};
  law.one.drive_read_rate = Rate{8e6};
  law.one.drive_latency = Seconds{80e-6};
  law.one.sends = law.one.receives = Bandwidth{40e9};
  law.one.memory = Bandwidth{400e9};
  law.one.cores = 32;
  law.one.drives = 10;
  law.servers = 12;
  law.redundancy = redundancy;
  law.chunks_by = by;
  return law;
}

double draw(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}
bool coin(Random& random) { return random.integer(0, 1) == 1; }

ServerLaw drawn(Random& random) {
  ServerLaw law = twelve({});
  law.one.capacity = Bytes{draw(random, 1e12, 1e15)};
  law.one.drive_reads = Bandwidth{draw(random, 1e8, 1e12)};
  law.one.drive_writes = law.one.drive_reads * random.uniform(0.2, 1);
  law.one.drive_read_rate = Rate{draw(random, 1e3, 1e8)};
  law.one.sends = Bandwidth{draw(random, 1e9, 1e11)};
  law.one.receives = law.one.sends * random.uniform(0.5, 2);
  law.one.memory = Bandwidth{draw(random, 1e10, 1e12)};
  law.one.cores = static_cast<double>(random.integer(4, 128));
  const std::int64_t data = random.integer(1, 12);
  law.redundancy = {data, random.integer(data > 1 ? 1 : 0, 4)};
  law.servers = static_cast<double>(law.redundancy.width() + random.integer(0, 20));
  law.failed = static_cast<double>(random.integer(0, law.redundancy.spare));
  law.chunks_by = static_cast<ChunksBy>(random.integer(0, 2));
  if (random.integer(0, 3) == 0) {  // all servers have as many chunks of each stripe
    law.servers = static_cast<double>(random.integer(2, 6));
    law.chunks_per_server = static_cast<double>(random.integer(2, 4));
    const auto width = static_cast<std::int64_t>(law.servers * law.chunks_per_server);
    const std::int64_t spare = random.integer(1, width / 2);
    law.redundancy = {width - spare, spare};
    law.failed = static_cast<double>(random.integer(0, may_fail(law, width - spare)));
  }
  law.whole_stripes = coin(random);
  if (coin(random)) law.core_reads = Bandwidth{draw(random, 1e8, 1e10)};
  if (coin(random)) law.core_writes = Bandwidth{draw(random, 1e8, 1e10)};
  if (coin(random)) law.drive_read_rate = Rate{draw(random, 1e3, 1e6)};
  law.compression = random.uniform(1, 3);
  law.fill = random.uniform(0.5, 1);
  law.rebuilding = law.failed > 0 ? random.uniform(0, 0.9) : 0;
  return law;
}

/// The same store byte by byte: what of one byte of a client goes where.
struct Plain {
  double read, write, small;
};
Plain plain(const ServerLaw& s) {
  const auto k = static_cast<double>(s.redundancy.data);
  const auto m = static_cast<double>(s.redundancy.spare);
  const double n = s.servers, f = s.failed;
  const bool asks_one = s.chunks_by != ChunksBy::client, any = s.chunks_by == ChunksBy::any_server;
  const double share = (n - f) * (1 - s.rebuilding), never = 1e300;
  const auto of = [&](double have, double asked) { return asked > 0 ? have / asked : never; };
  const double own = any ? 1 / (n - f) : 1 / k;  // of a byte, that the one asked has itself
  const double r = asks_one ? 1 - own : 0;       // of a byte read, from others to it
  const double kept = std::min(k + m, (n - f) * s.chunks_per_server) / k;
  const double w = !asks_one ? 0 : any ? kept * (1 - own) : kept - own;
  const double into = asks_one ? 1 + w : kept;
  const double c = s.compression;
  const double load = s.core_reads ? s.one.cores * s.core_reads->value : never;
  const double save = s.core_writes ? s.one.cores * s.core_writes->value / kept : never;
  const double p = f / n, g = s.whole_stripes ? k : 1 - p + p * k;
  const double hop = any               ? 1 + g * (1 - own)
                     : !asks_one       ? g
                     : s.whole_stripes ? g
                                       : g + (k - 1) / k;
  const double coded = asks_one && k > 1 ? s.one.cores * 9e9 : never;  // B/s that cores code
  double sound = 1;  // stripes without a lost chunk of data
  for (int i = 0; i < k; ++i)
    sound *= std::max(0.0, (n - f) * s.chunks_per_server - i) / (n * s.chunks_per_server - i);
  const double reading = 1 / (1 / load + (sound < 1 ? (1 - sound) / coded : 0));
  const double writing = 1 / (1 / save + (m > 0 ? 1 / coded : 0));
  const double asked = s.drive_read_rate ? s.one.drives * s.drive_read_rate->value / g : never;
  return {
      share * std::min({of(s.one.drive_reads.value, 1 / c), of(s.one.sends.value, 1 + r),
                        of(s.one.receives.value, r), of(s.one.memory.value, 1 / c + 1 + 2 * r),
                        reading}),
      share * std::min({of(s.one.drive_writes.value, kept / c), of(s.one.sends.value, w),
                        of(s.one.receives.value, into), of(s.one.memory.value, kept / c + w + into),
                        writing}),
      share * std::min({s.one.drive_read_rate.value / g, s.one.sends.value / 4096 / hop, asked})};
}

}  // namespace

TEST_CASE("a store of servers reads and writes what a plain model of its bytes says") {
  Random random(20);
  for (int i = 0; i < draws(2000); ++i) {
    const ServerLaw law = drawn(random);
    CAPTURE(i);
    const Plain expected = plain(law);
    CHECK(most_read(law).most == about(expected.read));
    CHECK(most_written(law).most == about(expected.write));
    CHECK(most_small_reads(law).most == about(expected.small));
  }
}

TEST_CASE("written out: 8+2 on twelve servers, by the client and by a server") {
  const ServerLaw by_client = twelve({8, 2});
  CHECK(most_read(by_client).most == about(12 * 40e9));  // cards send each byte once
  CHECK(most_read(by_client).part == ServerPart::cards);
  CHECK(most_written(by_client).most == about(12 * 30e9 / 1.25));  // drives write ten for eight
  CHECK(most_written(by_client).part == ServerPart::drives);
  CHECK(usable_capacity(by_client).value == about(12 * 80e12 * 8 / 10));
  // One asks seven others for a chunk each: 1 + 7/8 bytes leave the cards for each that is read.
  const ServerLaw by_server = twelve({8, 2}, ChunksBy::server);
  CHECK(most_read(by_server).most == about(12 * 40e9 / 1.875));
  // It takes a byte, keeps an eighth and sends nine: 1 + 9/8 come in.
  CHECK(most_written(by_server).most == about(12 * 40e9 / 2.125));
  CHECK(most_written(by_server).part == ServerPart::cards);
}

TEST_CASE("written out: three copies, which one server passes on to two others") {
  const ServerLaw law = twelve({1, 2}, ChunksBy::server);
  CHECK(most_read(law).most == about(12 * 40e9));         // whoever is asked has it
  CHECK(most_written(law).most == about(12 * 30e9 / 3));  // drives; cards would take 40 / 3
  CHECK(small_read_amplification(law) == 1);
  CHECK(usable_capacity(law).value == about(12 * 80e12 / 3));
}

TEST_CASE("a small read of a lost chunk takes as many others as its stripe has of data") {
  ServerLaw law = twelve({8, 2});
  CHECK(small_read_amplification(law) == 1);
  law.failed = 1;
  CHECK(small_read_amplification(law) == about(11.0 / 12 + 8.0 / 12));
  law.failed = 2;
  CHECK(small_read_amplification(law) == about(10.0 / 12 + 2 * 8.0 / 12));
  // Ten drives' worth of requests on ten servers.
  CHECK(most_small_reads(law).most == about(std::min(8e6, 40e9 / 4096) * 10 / (26.0 / 12)));
  law.whole_stripes = true;  // eight, lost or not
  CHECK(small_read_amplification(law) == 8);
}

TEST_CASE("a whole stripe is read with as many chunks, lost ones or not") {
  ServerLaw law = twelve({8, 2});
  const double whole_store = most_read(law).most;
  law.failed = 2;
  CHECK(most_read(law).most == about(whole_store * 10 / 12));
}

TEST_CASE("with fewer servers than a stripe is wide, less is written for each byte") {
  ServerLaw law = twelve({8, 2});
  law.servers = 10;
  CHECK(write_amplification(law) == about(1.25));
  law.failed = 1;
  CHECK(write_amplification(law) == about(9.0 / 8));
}

TEST_CASE("encryption takes core time for what drives hold, compression makes that less") {
  ServerLaw law = twelve({8, 2});
  law.encrypted = true;
  law.one.cores = 4;  // 2.7 GB/s each
  CHECK(most_read(law).part == ServerPart::cores);
  CHECK(most_read(law).most == about(12 * 4 * 2.7e9));
  law.compression = 2;
  CHECK(most_read(law).most == about(12 * 4 * 2.7e9 * 2));
  law.one.drive_reads = Bandwidth{10e9};
  CHECK(most_read(law).part == ServerPart::drives);
  CHECK(most_read(law).most == about(12 * 10e9 * 2));
}

TEST_CASE("a rebuild reads what stripes have of data, and takes its share from the clients") {
  ServerLaw law = twelve({8, 2});
  CHECK_FALSE(rebuild_time(law));
  law.failed = 1;
  law.rebuilding = 0.3;
  const double by_drives = 8 / 60e9 + 1 / 30e9, by_cards = 8 / 40e9;
  CHECK(rebuild_time(law)->value == about(80e12 * std::max(by_drives, by_cards) / (11 * 0.3)));
  CHECK(most_read(law).most == about(11 * 40e9 * 0.7));
}

TEST_CASE("what is usable, times what redundancy keeps of it, is what the drives hold") {
  Random random(21);
  for (int i = 0; i < draws(500); ++i) {
    const ServerLaw law = drawn(random);
    const auto k = static_cast<double>(law.redundancy.data);
    const double raw = law.one.capacity.value * law.servers;
    CHECK(usable_capacity(law).value * (k + static_cast<double>(law.redundancy.spare)) / k ==
          about(raw * law.fill * law.compression));
  }
}

TEST_CASE("a further server never takes anything away, nor does a failed one give") {
  Random random(22);
  for (int i = 0; i < draws(2000); ++i) {
    const ServerLaw law = drawn(random);
    ServerLaw more = law;
    ++more.servers;
    ServerLaw sound = law;
    sound.failed = 0;
    const auto least = [](double value) { return value * (1 - 1e-12); };
    CAPTURE(i);
    for (const auto& most : {most_read, most_small_reads})
      CHECK(most(more).most >= least(most(law).most));
    for (const auto& most : {most_read, most_small_reads})
      CHECK(most(sound).most >= least(most(law).most));
    CHECK(usable_capacity(more) > usable_capacity(law));
    // Where chunks of failed servers are not written at all, one more server writes them again.
    if (law.alive() * law.chunks_per_server >= static_cast<double>(law.redundancy.width()))
      CHECK(most_written(more).most >= least(most_written(law).most));
  }
}

TEST_CASE("no store of servers gives more than any of its parts") {
  Random random(23);
  for (int i = 0; i < draws(2000); ++i) {
    const ServerLaw law = drawn(random);
    const double left = law.alive() * (1 + 1e-12);
    const double read = most_read(law).most, written = most_written(law).most;
    const double kept = write_amplification(law);
    CHECK(read <= left * law.one.sends.value);
    CHECK(read <= left * law.one.drive_reads.value * law.compression);
    CHECK(written <= left * law.one.receives.value);
    CHECK(written * kept <= left * law.one.drive_writes.value * law.compression);
    if (law.core_reads) CHECK(read <= left * law.one.cores * law.core_reads->value);
    CHECK(most_small_reads(law).most <= left * law.one.drive_read_rate.value);
    CHECK(most_small_reads(law).most * 4096 <= left * law.one.sends.value);
  }
}
