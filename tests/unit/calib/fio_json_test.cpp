// SPDX-License-Identifier: Apache-2.0
// What fio writes, read; and what a user reads for every kind of wrong file, to the letter.
#include "calib/fit/fio_json.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/approx.h"
#include "tests/support/refusals.h"

namespace gpufeed {
namespace {

/// fio's JSON of these jobs, with direct=1 for all of them.
std::string run(const std::string& jobs, const std::string& global = "") {
  return R"({"fio version": "fio-3.33", "global options": {"direct": "1", "ioengine": "libaio")" +
         global + "},\n\"jobs\": [" + jobs + "]}\n";
}

std::string side(double bandwidth, double iops, double latency_ns) {
  return fmt::format(R"({{"bw_bytes": {}, "iops": {}, "lat_ns": {{"mean": {}}}}})", bandwidth, iops,
                     latency_ns);
}

std::string job(const std::string& name, int group, const std::string& options,
                const std::string& sides) {
  return fmt::format(R"({{"jobname": "{}", "groupid": {}, "error": 0, "job options": {{{}}}, {}}})",
                     name, group, options, sides);
}

const std::string kRead = "\"read\": " + side(4096e3, 1000, 1e6);

std::string error_of(const std::string& text) {
  return refusal_of([&] { parse_fio(text, "fio.json"); });
}

}  // namespace

TEST_CASE("a job's own options go before the global ones, and those before fio's defaults") {
  const auto points = parse_fio(run(job("a", 0, R"("bs": "64k", "iodepth": "8")", kRead) + "," +
                                        job("b", 1, R"("rw": "read", "numjobs": "3")", kRead),
                                    R"(, "bs": "1M", "rw": "randread")"),
                                "fio.json");
  REQUIRE(points.size() == 2);
  CHECK(points[0].job == "a");
  CHECK(points[0].block_size.value == 65536);
  CHECK(points[0].iodepth == 8);
  CHECK(points[0].numjobs == 1);
  CHECK(points[0].outstanding() == 8);
  CHECK_FALSE(points[0].writes);
  CHECK(points[0].bandwidth.value == 4096e3);
  CHECK(points[0].rate.value == 1000);
  CHECK(points[0].latency.value == approx(1e-3));
  CHECK(points[1].block_size.value == 1048576);
  CHECK(points[1].outstanding() == 3);
  const auto bare = parse_fio(run(job("c", 0, "", kRead)), "fio.json");
  CHECK(bare[0].block_size.value == 4096);
  CHECK(bare[0].outstanding() == 1);
}

TEST_CASE("sizes are read as fio reads them") {
  const auto size = [](const std::string& bs, const std::string& more = "") {
    return parse_fio(run(job("a", 0, "\"bs\": \"" + bs + "\"" + more, kRead)), "fio.json")[0]
        .block_size.value;
  };
  CHECK(size("4096") == 4096);
  CHECK(size("4k") == 4096);
  CHECK(size("4kB") == 4096);
  CHECK(size("0.5M") == 524288);
  CHECK(size("1m") == 1048576);
  CHECK(size("1g") == 1073741824);
  CHECK(size("4ki") == 4000);  // for fio the standard's spellings are swapped...
  CHECK(size("4KiB", R"(, "kb_base": "1000")") == 4096);  // ... unless it is told otherwise
  CHECK(size("4k", R"(, "kb_base": "1000")") == 4000);
  CHECK(size("8k,16k") == 8192);
}

TEST_CASE("copies of a job count together, whether fio grouped them or not") {
  const std::string options = R"("iodepth": "4", "numjobs": "2", "bs": "4k")";
  const auto points = parse_fio(run(job("a", 0, options, "\"read\": " + side(3e6, 750, 2e6)) + "," +
                                    job("a", 0, options, "\"read\": " + side(1e6, 250, 6e6)) + "," +
                                    job("a", 1, options, "\"read\": " + side(5e6, 1250, 3e6))),
                                "fio.json");
  REQUIRE(points.size() == 2);
  CHECK(points[0].outstanding() == 8);
  CHECK(points[0].bandwidth.value == 4e6);
  CHECK(points[0].rate.value == 1000);
  CHECK(points[0].latency.value == approx(3e-3));
  CHECK(points[1].bandwidth.value == 5e6);
}

TEST_CASE("a mixed job gives both directions, each with its block size") {
  const auto points =
      parse_fio(run(job("m", 0, R"("rw": "randrw:2", "bs": "4k,64k")",
                        "\"read\": " + side(1e6, 250, 1e6) + ", \"write\": " + side(2e6, 30, 2e6))),
                "fio.json");
  REQUIRE(points.size() == 2);
  CHECK_FALSE(points[0].writes);
  CHECK(points[0].mixed);
  CHECK(points[0].block_size.value == 4096);
  CHECK(points[1].writes);
  CHECK(points[1].mixed);
  CHECK(points[1].block_size.value == 65536);
  CHECK(points[1].bandwidth.value == 2e6);
}

TEST_CASE("an engine that waits for each request has one under way") {
  const auto points =
      parse_fio(run(job("a", 0, R"("ioengine": "psync", "iodepth": "32", "numjobs": "2")", kRead)),
                "fio.json");
  CHECK(points[0].outstanding() == 2);
}

TEST_CASE("where the bytes land is read from the job") {
  const auto memory = [](const std::string& options) {
    return parse_fio(run(job("a", 0, options, kRead)), "fio.json")[0].memory;
  };
  CHECK(memory("") == FioMemory::pages);
  CHECK(memory(R"("iomem": "malloc")") == FioMemory::pages);
  CHECK(memory(R"("iomem": "mmaphuge:/mnt/huge")") == FioMemory::huge_pages);
  CHECK(memory(R"("mem": "shmhuge")") == FioMemory::huge_pages);
  CHECK(memory(R"("iomem_align": "2097152")") == FioMemory::huge_pages);
  CHECK(memory(R"("iomem_align": "4k")") == FioMemory::pages);
  CHECK(memory(R"("iomem": "cudamalloc")") == FioMemory::gpu);
}

TEST_CASE("warnings before the JSON are skipped") {
  CHECK(parse_fio("fio: this platform does not support {something}\nnote: x\n" +
                      run(job("a", 0, "", kRead)),
                  "fio.json")
            .size() == 1);
}

TEST_CASE("text behind the JSON, and results of status intervals before it, are passed over") {
  const std::string one = run(job("a", 0, "", kRead));
  const auto points = parse_fio("a: (g=0): rw=read\nfio-3.36\n" + one +
                                    "\na: (groupid=0, jobs=1): err= 0: pid=4\n  read: IOPS=1\n",
                                "fio.json");
  CHECK(points.size() == 1);
  const std::string last = run(job("b", 0, "", kRead));
  CHECK(parse_fio(one + "\n" + last + "\n", "fio.json").at(0).job == "b");
  CHECK(error_of(one.substr(0, one.size() / 2) + "\ntext\n").find("not JSON") != std::string::npos);
}

TEST_CASE("fio 2 tells KiB/s and microseconds; a server's jobs are its clients'") {
  const auto old = parse_fio(
      run(job("a", 0, "", R"("read": {"bw": 4000, "iops": 1000.0, "lat": {"mean": 1000.0}})")),
      "fio.json");
  CHECK(old.at(0).bandwidth.value == 4000.0 * 1024);
  CHECK(old.at(0).latency.value == approx(1e-3));
  std::string clients = run(job("a", 0, "", kRead) + "," + job("All clients", 0, "", kRead));
  clients.replace(clients.find("\"jobs\""), 6, "\"client_stats\"");
  CHECK(parse_fio(clients, "fio.json").size() == 1);
}

TEST_CASE("every wrong file is refused with its own message") {
  const auto refused = [](const std::string& text, const std::string& message) {
    CHECK(error_of(text) == message);
  };
  refused("",
          "fio.json: error: not fio's JSON: no line begins with \"{\"; it is what fio "
          "--output-format=json prints\n");
  refused("fio-3.33\nStarting 1 process\n",
          "fio.json: error: not fio's JSON: no line begins with \"{\"; it is what fio "
          "--output-format=json prints\n");
  refused("fio: warning\n{\"jobs\": [,]}\n",
          "fio.json:2:11: error: not JSON: syntax error while parsing value - unexpected ','; "
          "expected '[', '{', or a literal\n");
  refused("{\"jobs\": [",
          "fio.json:1:11: error: not JSON: syntax error while parsing value - unexpected end of "
          "input; expected '[', '{', or a literal\n");
  refused("{}",
          "fio.json: error: fio's JSON must have \"jobs\", an array of at least one; found "
          "none\n");
  refused("{\"jobs\": []}",
          "fio.json: error: fio's JSON must have \"jobs\", an array of at least one; found []\n");
  refused("{\"jobs\": 7}",
          "fio.json: error: fio's JSON must have \"jobs\", an array of at least one; found 7\n");
  refused("{\"jobs\": [7]}",
          "fio.json: error: job 1 (\"\"): \"groupid\" must be a whole number; found none\n");
  refused(
      run(job("a", 0, "", "\"read\": {}")),
      "fio.json: error: job 1 (\"a\"): read.bw_bytes must be a number above 0; found none\n"
      "fio.json: error: job 1 (\"a\"): read.iops must be a number above 0; found none\n"
      "fio.json: error: job 1 (\"a\"): read.lat_ns.mean must be a number above 0; found none\n");
  refused(run(job("a", 0, "", "\"read\": " + side(0, 0, 1e6))),
          "fio.json: error: job 1 (\"a\"): read.bw_bytes must be a number above 0; found 0\n"
          "fio.json: error: job 1 (\"a\"): read.iops must be a number above 0; found 0\n");
  refused(run(job("a", 0, R"("rw": "randwrite")", kRead)),
          "fio.json: error: job 1 (\"a\"): write.bw_bytes must be a number above 0; found none\n"
          "fio.json: error: job 1 (\"a\"): write.iops must be a number above 0; found none\n"
          "fio.json: error: job 1 (\"a\"): write.lat_ns.mean must be a number above 0; found "
          "none\n");
  refused(run(job("a", 0, R"("rw": "trim")", kRead)),
          "fio.json: error: job 1 (\"a\"): option rw must be read, write, randread, randwrite, rw, "
          "readwrite or randrw; found \"trim\"\n");
  refused(
      run(job("a", 0, R"("bs": "4x", "iodepth": "0", "numjobs": "many")", kRead)),
      "fio.json: error: job 1 (\"a\"): option bs must be a size such as 4096, 4k or 1M; found "
      "\"4x\"\n"
      "fio.json: error: job 1 (\"a\"): option iodepth must be a whole number from 1 to 1048576; "
      "found \"0\"\n"
      "fio.json: error: job 1 (\"a\"): option numjobs must be a whole number from 1 to 1048576; "
      "found \"many\"\n");
  refused(run(job("a", 0, R"("direct": "0")", kRead)),
          "fio.json: error: job 1 (\"a\"): ran through the page cache; it must have the option "
          "direct=1\n");
  refused(run(job("a", 0, R"("bsrange": "4k-64k", "rate_iops": "100")", kRead)),
          "fio.json: error: job 1 (\"a\"): option bsrange=4k-64k mixes blocks of many sizes; "
          "measure one size at a time, with bs\n"
          "fio.json: error: job 1 (\"a\"): option rate_iops=100 limits the rate; leave it out\n");
  refused(R"({"jobs": [{"jobname": "a", "groupid": 0, "error": 5}]})",
          "fio.json: error: job 1 (\"a\"): failed in fio with error 5 (Input/output error)\n");
  refused(run(job("a", 0, R"("bs": "4k")", kRead) + "," + job("b", 0, R"("bs": "1M")", kRead)),
          "fio.json: error: job 2 (\"b\"): ran beside job 1 (\"a\"); give each job the option "
          "stonewall, so that it has the drive to itself\n");
  refused(
      run(job("a", 0, R"("numjobs": "4")", kRead) + "," + job("a", 0, R"("numjobs": "4")", kRead)),
      "fio.json: error: job 1 (\"a\"): must stand there once, or as often as option numjobs "
      "says, 4; found 2 times\n");
}

TEST_CASE("a file that is not there is the user's error") {
  CHECK_THROWS_WITH_AS(load_fio("no such file.json"),
                       "no such file.json: error: there is no such file\n", InputError);
}

TEST_CASE("numbers beyond all bounds are refused where they stand") {
  CHECK(error_of("{\"jobs\": [\n  {\"read\": {\"io_bytes\": 1e999}}]}\n") ==
        "fio.json:2:25: error: not JSON: number overflow parsing '1e999'\n");
  const auto block = [](const std::string& bs) {
    return error_of(run(job("a", 0, "\"rw\": \"read\", \"bs\": \"" + bs + "\"", kRead)));
  };
  for (const std::string bs : {"infk", "nan", "5e-324", "1e308p"})
    CHECK(block(bs) ==
          fmt::format("fio.json: error: job 1 (\"a\"): option bs must be a size such as "
                      "4096, 4k or 1M; found \"{}\"\n",
                      bs));
  CHECK(error_of(run(job("a", 0, "\"rw\": \"read\"", "\"read\": " + side(5e-324, 1000, 1e6)))) ==
        "fio.json: error: job 1 (\"a\"): read.bw_bytes must be a number above 0; found 5e-324\n");
}

TEST_CASE("brackets without end are refused before they are followed") {
  CHECK(error_of("{\"jobs\": " + std::string(1000000, '[')) ==
        "fio.json: error: not fio's JSON: brackets are nested deeper than 32\n");
}

}  // namespace gpufeed
