// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/submit.h"

#include <fmt/format.h>
#include <stdio.h>

#include <array>
#include <filesystem>
#include <memory>

#include "sim/base/diagnostics.h"
#include "sim/base/files/own_program.h"
#include "sim/base/files/write_whole.h"
#include "sim/base/printable.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

std::string program_word() {
  const fs::path program = own_program();
  return program.empty() ? "gpufeed" : shell_word(program.string());
}

std::string array_script(const Submission& what) {
  std::string command = program_word() + " sweep";
  for (const auto& word : what.sweep) command += " " + shell_word(word);
  return fmt::format(
      "#!/bin/sh\n#SBATCH --job-name={0}\n#SBATCH --array=1-{1}\n#SBATCH --output={0}.%a.log\n"
      "# Submitted again, it goes on where it was.\n"
      "exec {2} --shard auto --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n",
      what.stem, what.tasks, command);
}

std::string merge_script(const Submission& what) {
  return fmt::format(
      "#!/bin/sh\n#SBATCH --job-name={0}-merge\n#SBATCH --output={0}.merge.log\n"
      "exec {2} merge {0}.sqlite {0}.*-of-{1}.sqlite --csv {0}.csv\n",
      what.stem, what.tasks, program_word());
}

/// What sbatch prints: the number of the job. \throws InputError
std::string submitted(const std::string& arguments) {
  const std::string command = "sbatch --parsable " + arguments;
  const std::unique_ptr<FILE, int (*)(FILE*)> sbatch(popen(command.c_str(), "r"), pclose);
  std::array<char, 128> line{};
  const bool told = sbatch && fgets(line.data(), line.size(), sbatch.get());
  std::string job = told ? line.data() : "";
  job = job.substr(0, job.find_first_of(";\n"));  // behind ";" stands the cluster
  if (job.empty())
    throw InputError({{{"--submit slurm", 0, 0},
                       "the scripts are written, but Slurm did not take \"" + arguments +
                           "\"; where it does, run: " + command}});
  return job;
}

}  // namespace

std::string submit_to_slurm(const Submission& what) {
  const std::string array = what.stem + ".array.sh";
  const std::string merge = what.stem + ".merge.sh";
  if (what.stem != shell_word(what.stem))
    throw InputError(
        {{{what.stem, 0, 0},
          "the sweep's name goes into scripts; it may have letters, digits, - and _"}});
  for (const auto& file : {array, merge, what.stem + ".sqlite"}) check_new(file);
  write_new(array, array_script(what));
  write_new(merge, merge_script(what));
  const std::string job = submitted(array);
  const std::string last =
      submitted(fmt::format("--dependency=afterok:{} --kill-on-invalid-dep=yes {}", job, merge));
  return fmt::format(
      "{}: {} tasks, job {} of Slurm; then {}, job {}, writes {}.sqlite and {}.csv\n", array,
      what.tasks, job, merge, last, what.stem, what.stem);
}

}  // namespace gpufeed::cli
