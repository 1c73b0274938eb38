// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "calib/requests/report.h"
#include "reports/html/requests_page.h"
#include "reports/writers/requests_text.h"
#include "reports/writers/requests_words.h"
#include "sim/base/files/read_file.h"
#include "sim/import/sacct_requests.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/page_head.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

constexpr std::size_t kMostLog = 64u << 20;  // half a million jobs

struct RequestArguments {
  std::string log;
  std::vector<std::string> history, predict;
  std::optional<std::string> policy;
  OutputOption json{"--json"}, html{"--html"};

  void add_to(Options& options) {
    options.operand("LOG", log,
                    "jobs as CSV, a line each; its first line names the columns. Used: peak_rss or "
                    "maxrss (memory), realtime or elapsed (time), gpus_used. Asked for: "
                    "memory_asked or reqmem, time_limit, gpus. When: submitted, ended. What: "
                    "command. The unit ends a name (_B, _MiB, _GB, _ms, _s, _h) or stands with "
                    "each value (4 GB, 01:30:00). All other columns are learned from, unless "
                    "their name is that of a measurement; or what sacct --parsable2 prints");
    options.repeatable("--history", "FILE", history,
                       "an older log of the same form, learned from but not reported; may be "
                       "given again and again, the oldest first");
    options.repeatable("--predict", "JOB", predict,
                       "say what a new job needs: 'command=NAME,cpus=6', or a CSV file of such "
                       "jobs; may be given again and again");
    options.value("--policy", "P", policy,
                  "few-too-small (default): under 1 % of jobs get less than they use; least-waste: "
                  "whatever is allocated least, repeats included");
    json.add_to(options, "write the answer as JSON");
    html.add_to(options, "write a report with charts, a page of its own that needs no network");
  }
};

RequestPolicy policy_of(const std::optional<std::string>& text, const Options& options) {
  if (!text) return RequestPolicy::few_too_small;
  Names known;
  for (const auto policy : {RequestPolicy::few_too_small, RequestPolicy::least_waste}) {
    if (*text == key_of(policy)) return policy;
    known.emplace_back(key_of(policy));
  }
  throw options.error(fmt::format("unknown --policy \"{}\"; {}", *text, suggestion(*text, known)));
}

/// Files of text that stay where they are while they are looked into.
class Texts {
 public:
  std::vector<JobText> read(const std::vector<std::string>& files, Diagnostics& problems) {
    std::vector<std::string> all;
    for (const std::string& file : files)
      if (auto text = read_text_file(file, kMostLog, problems)) {
        const bool of_slurm = text->substr(0, text->find('\n')).find('|') != std::string::npos;
        all.push_back(of_slurm ? requests_of_sacct(*text, file, problems) : std::move(*text));
      }
    std::vector<JobText> out;
    for (std::size_t i = 0; problems.empty() && i < files.size(); ++i)
      out.push_back(keep(std::move(all[i]), files[i]));
    return out;
  }
  JobText keep(std::string text, std::string name) {
    return {*kept_.emplace_back(std::make_unique<std::string>(std::move(text))), std::move(name)};
  }

 private:
  std::vector<std::unique_ptr<std::string>> kept_;
};

JobLog job_log_of(const RequestArguments& given) {
  Diagnostics problems;
  Texts texts;
  const auto log = texts.read({given.log}, problems);
  const auto history = texts.read(given.history, problems);
  std::vector<JobText> fresh;
  for (const std::string& job : given.predict) {
    if (job.find('=') != std::string::npos)
      fresh.push_back(texts.keep(csv_of_job(job), "--predict " + job));
    else if (const auto file = texts.read({job}, problems); !file.empty())
      fresh.push_back(file.front());
  }
  problems.throw_if_any();
  JobLog jobs = parse_job_log(log.front(), history, fresh, problems);
  problems.throw_if_any();
  return jobs;
}

}  // namespace

int requests_verb(const Arguments& arguments) {
  Options options(
      "requests",
      "Says what memory, time and GPUs jobs need, learned from a log of earlier ones: walks "
      "through it as if each job were new, lets eight learners (last, largest, quantile, nearest, "
      "linear, tree, forest, boosted) and their poll say what it will use, and adds up what such "
      "requests would have wasted beside the users' own and \"largest so far x 1.1\". By two "
      "clocks: all earlier rows, and what had ended when the job was submitted.",
      "gpufeed examples 26 mine && gpufeed requests mine/jobs.csv --predict "
      "command=decode,images=8000");
  RequestArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (given.log.empty()) throw options.error("name the log of jobs");
  const RequestPolicy policy = policy_of(given.policy, options);
  const bool screen_taken = take_standard_output(options, {&given.json, &given.html});
  const JobLog log = job_log_of(given);
  for (OutputOption* output : {&given.json, &given.html}) output->open();
  const RequestReport report = report_requests(log, policy, given.log);
  if (given.json.asked_for()) given.json.write(to_json(report));
  if (given.html.asked_for())
    given.html.write(html::to_html(
        report, page_head("requests", arguments, "What jobs need: " + given.log, {})));
  if (!screen_taken) print(to_text(report));
  return kGood;
}

}  // namespace gpufeed::cli
