// SPDX-License-Identifier: Apache-2.0
// A file that is called the results of a sweep.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "reports/study/sweep_csv.h"
#include "reports/study/sweep_merge.h"
#include "reports/study/sweep_summary.h"
#include "tests/fuzz/inputs.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

fs::path file(const char* ending) {
  static const TemporaryFolder folder;
  return folder / (std::string("store") + ending);
}

/// A good store of a few points.
std::string good_store() {
  const fs::path name = file("-good");
  fs::remove(name);
  {
    const StoreHead head{{{"the version of gpufeed", "1"}}, 9, {1, 2}};
    const SweepStore made(name, head, {"point", "a", "status", "meets", "x", "message"}, false);
    Database(name, Database::Mode::existing)
        .execute(
            "INSERT INTO point VALUES (0, 1, 'good', NULL, 0.5, NULL), "
            "(3, '=x', 'failed', 'no', NULL, 'why')");
  }
  std::ifstream in(name, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  fs::remove(name);
  return content;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  static const std::string start = good_store();
  if ((seed % 64 == 0 || size < 100) && start.size() <= most) {
    std::copy(start.begin(), start.end(), data);
    size = start.size();
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(file(""), std::ios::binary) << as_text(data, size);
  read_or_refuse([&] {
    SweepStore store(file(""));
    summary_of(store, 5, true);
    to_csv(store);
    const MergeReport report = merge_sweeps(file("-merged"), {file("")});
    if (report.missing < 0 || report.missing > report.points) std::abort();
  });
  for (const char* ending : {"", "-merged"}) fs::remove(file(ending));
  return 0;
}
