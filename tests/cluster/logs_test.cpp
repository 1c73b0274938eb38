// SPDX-License-Identifier: Apache-2.0
// Logs of other schedulers.
#include <doctest/doctest.h>

#include <string>

#include "sim/import/csv_logs.h"
#include "sim/import/job_logs.h"
#include "sim/import/sacct_requests.h"

using namespace gpufeed;

namespace {

std::string first_of(const Diagnostics& out) {
  return out.empty() ? "" : line_of(out.problems().front());
}

}  // namespace

TEST_CASE("what sacct prints becomes jobs: resources, limits, steps, and rows left out by reason") {
  Diagnostics out;
  const LoggedJobs made = parse_sacct(
      "JobID|User|State|Submit|Start|End|Timelimit|NNodes|NCPUS|ReqMem|AllocTRES\n"
      "12|ann|COMPLETED|2024-05-01T12:00:10|2024-05-01T12:05:00|2024-05-01T14:05:00|1-02:00:00|1|"
      "16|"
      "64G|billing=16,cpu=16,gres/gpu=4,gres/gpu:a100=4,mem=64G,node=1\n"
      "12.batch||COMPLETED|2024-05-01T12:05:00|2024-05-01T12:05:00|2024-05-01T14:05:00||1|16||cpu="
      "16\n"
      "7|bob|FAILED|2024-04-30T23:59:10|2024-05-01T00:00:00|2024-05-01T00:01:00|UNLIMITED|2|8|2Gc|"
      "\n"
      "13|ann|PENDING|2024-05-01T12:00:10|Unknown|Unknown|01:00:00|1|1|4Gn|\n"
      "14_3|bob|TIMEOUT|2024-05-01T13:00:00|2024-05-01T13:00:00|2024-05-01T13:30:00|30:00|2|8|4Gn|"
      "cpu=8,gres/gpu:v100=2,node=2\n",
      "log", out);
  CHECK(first_of(out) == "");
  REQUIRE(made.jobs.size() == 3);
  CHECK(made.left_out.at("never started") == 1);
  const auto& bob = made.jobs[0];
  CHECK(bob.id == "7");
  CHECK(bob.arrival.value == 0);
  CHECK(bob.work.value == 60);
  CHECK_FALSE(bob.estimate);
  CHECK(bob.gpus == 0);
  CHECK(bob.cpu_milli == 8000);
  CHECK(bob.memory.value == 16.0 * 1073741824);
  const auto& ann = made.jobs[1];
  CHECK(ann.arrival.value == 12 * 3600 + 60);
  CHECK(ann.work.value == 7200);
  CHECK(ann.estimate->value == 26 * 3600);
  CHECK(ann.gpus == 4);
  CHECK(ann.cpu_milli == 16000);
  CHECK(ann.memory.value == 64.0 * 1073741824);
  CHECK(made.jobs[2].gpus == 2);
  CHECK(made.jobs[2].memory.value == 8.0 * 1073741824);
  CHECK(made.jobs[2].estimate->value == 1800);
}

TEST_CASE("bad lines of sacct are named by number") {
  Diagnostics out;
  parse_sacct("JobID|Submit|Start|End\n1|today|2024-05-01T12:00:00|2024-05-01T13:00:00\n2|x\n",
              "log", out);
  CHECK(out.count() == 2);
  CHECK(first_of(out) ==
        "log:2:1: error: Submit must be a date such as 2024-05-01T12:00:00; found \"today\"");
  Diagnostics missing;
  parse_sacct("JobID|Submit|End\n", "log", missing);
  CHECK(missing.count() == 1);
}

TEST_CASE("the Standard Workload Format becomes jobs") {
  Diagnostics out;
  const std::string text =
      "; Version: 2.2\n"
      "1 100 5 600 4 -1 1024 4 900 -1 1 3 1 -1 1 -1 -1 -1\n"
      "2 160 5 -1 4 -1 -1 4 900 -1 0 3 1 -1 1 -1 -1 -1\n"
      "3 220 0 30 -1 -1 -1 2 -1 -1 1 4 1 -1 1 -1 -1 -1\n";
  const LoggedJobs made = parse_swf(text, "log", false, out);
  CHECK(first_of(out) == "");
  REQUIRE(made.jobs.size() == 2);
  CHECK(made.left_out.at("no run time") == 1);
  CHECK(made.jobs[0].arrival.value == 0);
  CHECK(made.jobs[0].gpus == 4);
  CHECK(made.jobs[0].estimate->value == 900);
  CHECK(made.jobs[0].memory.value == 4.0 * 1024 * 1024);
  CHECK(made.jobs[0].user == "3");
  CHECK(made.jobs[1].arrival.value == 120);
  CHECK(made.jobs[1].gpus == 2);
  CHECK(parse_swf(text, "log", true, out).jobs[0].cpu_milli == 4000);
  Diagnostics bad;
  parse_swf("1 2 x\n", "log", false, bad);
  CHECK(first_of(bad) == "log:1:1: error: a line must be 18 numbers; this one has 3 fields");
}

TEST_CASE("CSV of Helios, Philly and PAI becomes jobs") {
  Diagnostics out;
  const LoggedJobs helios = parse_csv_log(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration\n"
      "7,u1,vc1,8,48,1,COMPLETED,2020-04-07 22:40:10,2020-04-07 22:50:00,2020-04-07 23:50:00,3600\n"
      "8,u2,vc1,1,6,1,CANCELLED,2020-04-07 22:41:00,,,0\n"
      "6,u1,vc1,0,4,1,FAILED,2020-04-07 22:40:00,2020-04-07 22:40:00,2020-04-07 22:40:30,30\n",
      "log", out);
  CHECK(first_of(out) == "");
  REQUIRE(helios.jobs.size() == 2);
  CHECK(helios.left_out.at("never started") == 1);
  CHECK(helios.jobs[0].id == "6");
  CHECK(helios.jobs[1].arrival.value == 10);
  CHECK(helios.jobs[1].work.value == 3600);
  CHECK(helios.jobs[1].gpus == 8);
  CHECK(helios.jobs[1].cpu_milli == 48000);
  const LoggedJobs pods = parse_csv_log(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n"
      "p0,12000,16384,1,460,V100M16|V100M32,LS,Succeeded,100,300,150\n"
      "p1,6000,12288,2,1000,,BE,Running,90,,95\n",
      "log", out);
  REQUIRE(pods.jobs.size() == 1);
  CHECK(pods.left_out.at("not ended") == 1);
  CHECK(pods.jobs[0].milli == 460);
  CHECK(pods.jobs[0].work.value == 150);
  CHECK(pods.jobs[0].gpu_types == std::vector<std::string>{"V100M16", "V100M32"});
  CHECK(pods.jobs[0].memory.value == 16384.0 * 1048576);
  const LoggedJobs tasks = parse_csv_log(
      "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n"
      "j,worker,4,Terminated,1000,1600,600,2,50,T4\n",
      "log", out);
  REQUIRE(tasks.jobs.size() == 1);
  CHECK(tasks.jobs[0].gpus == 2);  // four instances of half a GPU
  CHECK(tasks.jobs[0].cpu_milli == 24000);
  CHECK(tasks.jobs[0].work.value == 600);
}

TEST_CASE("bad lines of such a log are named by number, all at once") {
  Diagnostics out;
  parse_csv_log("submit_time,duration,gpu_num\n1,x,1\n2,5,-1\n3,5\nyesterday,5,1\n4,5,1\n", "log",
                out);
  REQUIRE(out.count() == 4);
  CHECK(line_of(out.problems()[0]) ==
        "log:2:3: error: expected a number, not below 0; found \"x\"");
  CHECK(line_of(out.problems()[1]) ==
        "log:3:5: error: expected a number, not below 0; found \"-1\"");
  CHECK(line_of(out.problems()[2]) == "log:4:1: error: the line has 2 fields, the first line 3");
  CHECK(line_of(out.problems()[3]) ==
        "log:5:1: error: expected seconds, or a date such as 2020-04-07 22:40:00; found "
        "\"yesterday\"");
  // nothing is put right that a log says wrong
  Diagnostics pods;
  parse_csv_log(
      "name,num_gpu,gpu_milli,creation_time,deletion_time\na,1,1001,1,2\nb,1,0,1,2\nc,2,0,1,2\n"
      "d,1,1000,1,2\ne,1,-5,1,2\nf,1e300,,1,2\n",
      "log", pods);
  REQUIRE(pods.count() == 4);
  CHECK(line_of(pods.problems()[0]) ==
        "log:2:5: error: expected thousandths of a GPU, from 1 to 1000; found \"1001\"");
  Diagnostics tasks;
  parse_csv_log("job_name,inst_num,plan_gpu,start_time,end_time\na,0,50,1,2\nb,1.5,50,1,2\n", "log",
                tasks);
  CHECK(tasks.count() == 2);
  Diagnostics empty;
  parse_csv_log("submit_time,what\n", "log", empty);
  CHECK(empty.count() == 1);
}

TEST_CASE("what sacct prints becomes a log for requests, with the largest of its steps") {
  Diagnostics out;
  CHECK(requests_of_sacct(
            "JobID|JobName|User|Partition|State|Submit|Start|End|Timelimit|NNodes|NCPUS|NTasks|"
            "ReqMem|MaxRSS|AllocTRES\n"
            "5|train|ann|gpu|COMPLETED|1970-01-01T00:00:10|1970-01-01T00:01:00|1970-01-01T00:03:00|"
            "01:00:00|1|8||4G||cpu=8,gres/gpu=2\n"
            "5.batch|batch|||COMPLETED|1970-01-01T00:01:00|1970-01-01T00:01:00|"
            "1970-01-01T00:03:00||1|8|1||1024K|\n"
            "5.0|a|||COMPLETED|1970-01-01T00:01:00|1970-01-01T00:01:00|1970-01-01T00:03:00||1|8|2||"
            "1024K|\n"
            "6|wait|bob|gpu|PENDING|1970-01-01T00:00:10|Unknown|Unknown||1|1||4G||\n"
            "7|typed|cy|gpu|COMPLETED|1970-01-01T00:00:10|1970-01-01T00:01:00|1970-01-01T00:02:00||"
            "1|8||4G||cpu=8,gres/gpu:a100=3,gres/gpu:h100=1\n"
            "8|runs|cy|gpu|RUNNING|1970-01-01T00:00:10|1970-01-01T00:01:00|None||1|8||4G||\n",
            "log", out) ==
        "command,user,partition,cpus,nodes,gpus,memory_asked_B,time_limit_s,peak_rss_B,realtime_s,"
        "submitted_s,ended_s\n"
        "\"train\",\"ann\",\"gpu\",8,1,2,4294967296,3600,2097152,120,10,180\n"
        "\"typed\",\"cy\",\"gpu\",8,1,4,4294967296,,,60,10,120\n");
  CHECK(out.empty());
}
