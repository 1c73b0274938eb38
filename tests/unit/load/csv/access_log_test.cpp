// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/access_log.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/numbers/random.h"
#include "tests/support/approx.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

std::shared_ptr<const AccessLog> parsed(const std::string& text) {
  Diagnostics out;
  auto log = parse_access_log(text, "bad.csv", out);
  CHECK((log != nullptr) == out.empty());
  out.throw_if_any();
  return log;
}

std::string error_of(const std::string& text) {
  return refusal_of([&] { parsed(text); });
}

}  // namespace

TEST_CASE("an access log may have its columns in any order, and its lines") {
  const auto log = parsed(
      "bytes,pid,op,file,offset,time\r\n"
      "4096,7,read,/a,0,12.5\r\n"
      "\r\n"
      "512,7,w,\"b, the \"\"second\"\"\",4096,12\r\n"
      " 8192 ,7,R,/a,4096,13.5");
  REQUIRE(log->requests.size() == 3);
  CHECK(log->files == 2);
  CHECK(log->not_used == Names{"\"pid\""});
  CHECK(log->requests[0].write);
  CHECK(log->requests[0].file == 1);
  CHECK(log->requests[0].time_s == 0);
  CHECK(log->requests[1].time_s == 0.5);
  CHECK(log->requests[1].bytes == 4096);
  CHECK(log->requests[2].time_s == 1.5);
  const AccessSummary sum = summary_of(*log);
  CHECK(sum.reads == 2);
  CHECK(sum.writes == 1);
  CHECK(sum.bytes_read == 12288);
  CHECK(sum.bytes_written == 512);
  CHECK(sum.sequential_share == approx(1.0 / 3));
}

TEST_CASE("columns of a log may be called as tools call them, in any case and unit of time") {
  Diagnostics problems;
  const auto log =
      parse_access_log("Timestamp_us,Path,Offset,Size,R/W\n500000,a,0,10,R\n1500000,b,5,20,Write\n",
                       "log.csv", problems);
  CHECK(problems.empty());
  REQUIRE(log->requests.size() == 2);
  CHECK(log->requests[1].time_s == 1);
  CHECK(log->requests[1].write);
  CHECK(log->requests[1].bytes == 20);
  CHECK(parse_access_log("Time,time_ms,file,offset,bytes\n", "log.csv", problems) == nullptr);
  CHECK(problems.problems().front().message == "column \"time\" stands twice");
}

TEST_CASE("requests of one time stay in the order of their lines") {
  const auto log = parsed("time,file,offset,bytes\n1,a,3,1\n1,a,1,1\n0,a,2,1\n");
  CHECK(log->requests[0].offset == 2);
  CHECK(log->requests[1].offset == 3);
  CHECK(log->requests[2].offset == 1);
}

TEST_CASE("wrong access logs are refused to the letter") {
  const std::string header = "time,file,offset,bytes,op\n";
  struct Case {
    const char* name;
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"empty", "",
       "bad.csv: error: the file is empty; its first line must name the columns: time, file, "
       "offset, "
       "bytes and, where there are writes, op\n"},
      {"nothing but a header", header, "bad.csv: error: there are no requests below the header\n"},
      {"no header", "0.5,a,0,4096\n",
       "bad.csv:1:1: error: column \"bytes\" is missing; the first line must name the columns "
       "time, "
       "file, offset and bytes\n"
       "bad.csv:1:1: error: column \"file\" is missing; the first line must name the columns time, "
       "file, offset and bytes\n"
       "bad.csv:1:1: error: column \"offset\" is missing; the first line must name the columns "
       "time, "
       "file, offset and bytes\n"
       "bad.csv:1:1: error: column \"time\" is missing; the first line must name the columns time, "
       "file, offset and bytes\n"},
      {"a misspelt column", "time,file,ofset,bytes\n0,a,0,1\n",
       "bad.csv:1:11: error: unknown column \"ofset\"; did you mean \"offset\"?\n"},
      {"a column twice", "time,file,offset,bytes,time\n0,a,0,1,0\n",
       "bad.csv:1:24: error: column \"time\" stands twice\n"},
      {"a line cut short", header + "0,a,0,1,read\n1,a\n",
       "bad.csv:3:1: error: the line has 2 fields, the first line 5\n"},
      {"wrong values",
       header +
           "-1,a,0,1,read\n0,,-5,0,erase\nnan,a,1.5,1e3,read\n0,a,99999999999999999999,x,read\n",
       "bad.csv:2:1: error: time must be a number from 0 to 1000000000000 seconds; found \"-1\"\n"
       "bad.csv:3:3: error: file must be a name; found nothing\n"
       "bad.csv:3:4: error: offset must be a whole number from 0 to 1000000000000000000; found "
       "\"-5\"\n"
       "bad.csv:3:7: error: bytes must be a whole number from 1 to 1000000000000; found \"0\"\n"
       "bad.csv:3:9: error: op must be read or write; found \"erase\"\n"
       "bad.csv:4:1: error: time must be a number from 0 to 1000000000000 seconds; found \"nan\"\n"
       "bad.csv:4:7: error: offset must be a whole number from 0 to 1000000000000000000; found "
       "\"1.5\"\n"
       "bad.csv:4:11: error: bytes must be a whole number from 1 to 1000000000000; found \"1e3\"\n"
       "bad.csv:5:5: error: offset must be a whole number from 0 to 1000000000000000000; found "
       "\"99999999999999999999\"\n"
       "bad.csv:5:26: error: bytes must be a whole number from 1 to 1000000000000; found \"x\"\n"},
      {"binary", header + std::string("\0\377,a,0,1,read\n", 14),
       "bad.csv:2:1: error: time must be a number from 0 to 1000000000000 seconds; found "
       "\"??\"\n"}};
  for (const auto& one : cases) {
    CAPTURE(one.name);
    CHECK(error_of(one.text) == one.message);
  }
  std::string many = header;
  for (int i = 0; i < 1000; ++i) many += "x,a,0,1,read\n";
  const std::string message = error_of(many);
  CHECK(std::ranges::count(message, '\n') == 20);
}

TEST_CASE("no damage to an access log does more than have it refused") {
  constexpr std::string_view kSigns = ",,\"\n0-.a\r\t\xFF";
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::string text = "time,file,offset,bytes,op\n0,a,0,4096,read\n1,\"b\",0,1,write\n";
    for (std::int64_t wounds = random.integer(1, 5); wounds > 0; --wounds)
      text.insert(
          static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()))), 1,
          kSigns[static_cast<std::size_t>(random.integer(0, 10))]);
    CHECK(error_of(text) != "");
  }
}
