// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/tool_logs.h"

#include <doctest/doctest.h>

using namespace gpufeed;

namespace {

const std::string kHead = "time,file,offset,bytes,op\n";

}  // namespace

TEST_CASE("strace: offsets follow reads, seeks and names of -y; calls of threads are joined") {
  const auto csv = csv_of_tool_log(
      "100 23:59:59.500000 openat(AT_FDCWD, \"/data/a\", O_RDONLY|O_CLOEXEC) = 3\n"
      "100 23:59:59.600000 read(3, \"ab\"..., 4096) = 4096 <0.000012>\n"
      "101 23:59:59.700000 read(3,  <unfinished ...>\n"
      "101 23:59:59.800000 <... read resumed>\"cd\"..., 4096) = 100\n"
      "100 00:00:00.500000 pread64(3, \"\"..., 512, 8192) = 512\n"
      "100 00:00:00.600000 lseek(3, 65536, SEEK_SET) = 65536\n"
      "100 00:00:00.700000 read(3, \"\"..., 10) = 10\n"
      "100 00:00:00.800000 write(5</out/b>, \"x\", 1) = 1\n"
      "100 00:00:00.900000 read(9, 0x7f, 1) = -1 EAGAIN (Resource temporarily unavailable)\n");
  REQUIRE(csv);
  CHECK(*csv == kHead +
                    "86399.600000000,/data/a,0,4096,read\n"
                    "86399.800000000,/data/a,4096,100,read\n"
                    "86400.500000000,/data/a,8192,512,read\n"
                    "86400.700000000,/data/a,65536,10,read\n"
                    "86400.800000000,/out/b,0,1,write\n");
}

TEST_CASE("blkparse, biosnoop and darshan's segments are logs of requests") {
  CHECK(csv_of_tool_log("  8,0    3        1     0.000000000   697  Q   R 223490 + 8 [python]\n"
                        "  8,0    3        2     0.000100000   697  D   R 223490 + 8 [python]\n"
                        "  8,0    3        3     0.000200000   697  C   R 223490 + 8 [0]\n"
                        "CPU3 (sda):\n Reads Queued:           1,        4KiB\n")
            .value_or("") == kHead + "0.000100000,8_0,114426880,4096,read\n");
  CHECK(csv_of_tool_log("  8,0    3        2     0.000100000   697  D  WS 8 + 8 [python]\n")
            .value_or("") == kHead + "0.000100000,8_0,4096,4096,write\n");
  CHECK(csv_of_tool_log("TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)\n"
                        "0.000000    my program     41     nvme0n1   R 16         8192      0.30\n"
                        "0.100000    jbd2           42     nvme0n1   W 0          4096      0.10\n")
            .value_or("") == kHead +
                                 "0.000000000,nvme0n1,8192,8192,read\n"
                                 "0.100000000,nvme0n1,0,4096,write\n");
  CHECK(csv_of_tool_log("# DXT, file_id: 9, file_name: /data/x\n"
                        " X_MPIIO  0  read  0  0  1048576  0.0100  0.0130\n"
                        " X_POSIX  0  read  0  0  1048576  0.0123  0.0130  [OST: 1]\n")
            .value_or("") == kHead + "0.012300000,/data/x,0,1048576,read\n");
}

TEST_CASE("DFTracer's events: files by name or hash, offsets that follow") {
  const std::string events =
      "[\n"
      "{\"id\":1,\"name\":\"open64\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":1000000,\"dur\":"
      "5,"
      "\"ph\":\"X\",\"args\":{\"hhash\":\"h\",\"fhash\":\"f00\",\"ret\":3}}\n"
      "{\"id\":2,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":2000000,\"dur\":5,"
      "\"ph\":\"X\",\"args\":{\"fhash\":\"f00\",\"count\":8192,\"ret\":4096}}\n"
      "{\"id\":3,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":3000000,\"dur\":5,"
      "\"ph\":\"X\",\"args\":{\"fhash\":\"f00\",\"ret\":100}}\n"
      "{\"id\":4,\"name\":\"pwrite64\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":4000000,"
      "\"dur\":5,"
      "\"ph\":\"X\",\"args\":{\"fname\":\"/out/b\",\"offset\":64,\"ret\":10}}\n"
      "{\"id\":5,\"name\":\"__getitem__\",\"cat\":\"data_loader\",\"ts\":1,\"dur\":5,\"ph\":\"X\"}"
      "\n"
      "{\"id\":6,\"name\":\"FH\",\"cat\":\"dftracer\",\"pid\":7,\"ph\":\"M\","
      "\"args\":{\"name\":\"/data/a\",\"value\":\"f00\"}}\n";
  const std::string rows = kHead +
                           "2.000000000,/data/a,0,4096,read\n"
                           "3.000000000,/data/a,4096,100,read\n"
                           "4.000000000,/out/b,64,10,write\n";
  CHECK(csv_of_tool_log(events).value_or("") == rows);
  CHECK(
      csv_of_tool_log(events + "{\"id\":7,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":7,\"ts\":50")
          .value_or("") == rows);
}

TEST_CASE("what a tool's log loses at its end costs that request alone") {
  const std::string dxt =
      "# DXT, file_id: 9, file_name: /data/x\n"
      " X_POSIX  0  read  0  0  1048576  0.0123  0.0130  [OST: 1]\n"
      " X_POSIX  0  read  1  1048576  1048576  0.01";
  CHECK(csv_of_tool_log(dxt).value_or("") == kHead + "0.012300000,/data/x,0,1048576,read\n");
  const std::string blk =
      "  8,0    3        2     0.000100000   697  D   R 223490 + 8 [python]\n"
      "  8,0    3        2     0.000200000   697  D   R 2234";
  CHECK(csv_of_tool_log(blk).value_or("") == kHead + "0.000100000,8_0,114426880,4096,read\n");
  const std::string snoop =
      "TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)\n"
      "0.000000    python         41     nvme0n1   R 16         8192      0.30\n"
      "0.100000    python         42     nvme0n1   R 3";
  CHECK(csv_of_tool_log(snoop).value_or("") == kHead + "0.000000000,nvme0n1,8192,8192,read\n");
  const std::string strace =
      "100 23:59:59.500000 openat(AT_FDCWD, \"/data/a\", O_RDONLY|O_CLOEXEC) = 3\n"
      "100 23:59:59.600000 read(3, \"ab\"..., 4096) = 4096 <0.000012>\n"
      "100 23:59:59.700000 read(3, \"ab\"..., 40";
  CHECK(csv_of_tool_log(strace).value_or("") == kHead + "86399.600000000,/data/a,0,4096,read\n");
}

TEST_CASE("what is cut or is no log of a tool is none") {
  CHECK(!csv_of_tool_log("time,file,offset,bytes\n0,a,0,1\n"));
  CHECK(!csv_of_tool_log(""));
  CHECK(!csv_of_tool_log("100 12:00:00.5 read(3, \"\"..., 4096) = 4096\n"));  // of which file?
  CHECK(!csv_of_tool_log("8,0 3 1 0.0 697 D R x + 8 [a]\nTIME SECTOR DISK\n"));
}
