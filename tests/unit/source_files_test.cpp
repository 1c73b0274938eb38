// SPDX-License-Identifier: Apache-2.0
#include "tests/support/source_files.h"

#include <doctest/doctest.h>

#include <cctype>

using namespace gpufeed;

namespace {

using Strings = std::vector<std::string>;

/// How paths begin that hold only on one machine: homes, and what lies in the clone.
Strings private_starts(const std::filesystem::path& clone, const Strings& entries) {
  Strings starts{"/home/", "/root/", "/Users/"};
  for (const std::string& entry : entries) starts.push_back((clone / entry).string());
  return starts;
}

/// The first of `starts` with which a path in `text` begins, empty if none.
std::string private_path(const std::string& text, const Strings& starts) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) ||
                                text[at] == '_' || text[at] == '.');
  };
  for (const std::string& start : starts)
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
      const bool goes_on = in_word(at + start.size());
      if ((at == 0 || !in_word(at - 1)) && goes_on == start.ends_with('/')) return start;
    }
  return "";
}

}  // namespace

TEST_CASE("files of users are opened in sim/base/files alone") {
  // where probes measure this machine, files are their own
  for (const char* folder : {"sim", "reports", "ui", "calib/fit", "calib/replay"})
    for (const std::string& path : files_below(folder)) {
      if (!is_code(path) || path.starts_with("sim/base/files/")) continue;
      const std::string text = content(path);
      for (const char* call : {"ifstream", "ofstream", "fstream>", "fopen(", "mkstemp("})
        CHECK_MESSAGE(text.find(call) == std::string::npos, path, " has ", call);
    }
}

TEST_CASE("every source file begins with its license") {
  for (const char* folder : {"sim", "reports", "calib", "ui", "tests"})
    for (const std::string& path : files_below(folder)) {
      if (!is_code(path)) continue;
      const std::string text = content(path);
      const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
      CHECK_MESSAGE((first == "// SPDX-License-Identifier: Apache-2.0" ||
                     first == "# SPDX-License-Identifier: Apache-2.0"),
                    path);
    }
}

TEST_CASE("no file names a path of the machine it was written on") {
  // The same wherever the clone lies: below a home, or beside data that a sample may name.
  for (const char* clone : {"/root/gpufeed", "/data"}) {
    const Strings starts = private_starts(clone, {"sim", "dev"});
    CHECK(private_path("see /home/ann/x and more", starts) == "/home/");
    CHECK(private_path("of /root/x", starts) == "/root/");
    CHECK(private_path("https://example.org/home/ann, /data/train, /data/device", starts) == "");
  }
  CHECK(private_path("in /data/sim/x", private_starts("/data", {"sim", "dev"})) == "/data/sim");
  Strings top;
  for (const auto& entry : std::filesystem::directory_iterator(GPUFEED_SOURCE_DIR))
    top.push_back(entry.path().filename().string());
  const Strings starts = private_starts(GPUFEED_SOURCE_DIR, top);
  Strings files{"CMakeLists.txt", "CMakePresets.json", "README.md",
                "CHANGELOG.md",   "CONTRIBUTING.md",   "dev",
                ".ci/run",        "packages.txt"};
  for (const char* folder :
       {"sim", "reports", "calib", "ui", "tests", "hw_catalog", "workloads", "examples"})
    std::ranges::copy(files_below(folder), std::back_inserter(files));
  for (const std::string& path : files) {
    if (path == "tests/unit/source_files_test.cpp") continue;  // has a planted one
    const std::string found = private_path(content(path), starts);
    CHECK_MESSAGE(found.empty(), path, " names ", found);
  }
}
