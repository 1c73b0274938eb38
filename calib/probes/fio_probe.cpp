// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/fio_probe.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "calib/probes/child.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr int kNoProgram = 127;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void refuse(const std::string& why) { throw InputError({{{"fio", 0, 0}, why}}); }

/// The last line that fio wrote before it gave up.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "it said nothing";
  const auto start = text.rfind('\n', end);
  return text.substr(start + 1, end - start);
}

}  // namespace

std::size_t settings_of(const FioTest& test) {
  return test.block_sizes.size() * test.depths.size();
}

std::string fio_jobs(const FioTest& test, const std::string& file) {
  std::string out = fmt::format(
      "[global]\nfilename={}\nsize={:.0f}\nioengine=libaio\ndirect=1\nnorandommap=1\n"
      "randrepeat=0\nrw={}\ntime_based=1\nruntime={:.0f}ms\nstonewall\n",
      file, test.file_size.value, test.writes ? "randwrite" : "randread", test.each.value * 1e3);
  for (const auto block : test.block_sizes)
    for (const auto depth : test.depths)
      out += fmt::format("[{}-{}-{}]\nbs={}\niodepth={}\n", test.writes ? "write" : "read", block,
                         depth, block, depth);
  return out;
}

std::string run_fio(const FioTest& test, const fs::path& folder) {
  const fs::path jobs = folder / "jobs.fio";
  const fs::path output = folder / "fio.json";
  std::ofstream(jobs) << fio_jobs(test, (folder / "data").string()) << std::flush;
  const int status = run_program({"fio", "--output-format=json", jobs.string()}, output.string());
  std::string said = content(output);
  if (status == kNoProgram)
    refuse("there is no program fio; the package is called fio (apt-get install fio)");
  if (status != 0) refuse(fmt::format("failed with status {}: {}", status, last_line(said)));
  return said;
}

std::string fio_version(const fs::path& scratch) {
  const fs::path output = scratch / "version";
  if (run_program({"fio", "--version"}, output.string()) != 0) return "";
  return last_line(content(output));
}

}  // namespace gpufeed
