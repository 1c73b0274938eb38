// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/source_files.h"

using namespace gpufeed;

namespace {

using Strings = std::vector<std::string>;

struct Layer {
  std::string folder;
  Strings uses;       ///< layers it may include, and with them what those may
  Strings outsiders;  ///< beginnings of <...> that only this layer may include
};

// A row for each folder with source files; kinds of workload are alike, and know none of the
// others.
const std::vector<Layer> kLayers{
    {"sim/base", {}, {}},
    {"sim/base/numbers", {"sim/base"}, {"boost/random/", "boost/math/"}},
    {"sim/base/files", {"sim/base"}, {}},
    {"sim/base/labels", {}, {}},
    {"sim/model/fields", {"sim/base/numbers", "sim/base/labels"}, {}},
    {"sim/model/facts", {"sim/base", "sim/base/labels"}, {}},
    {"sim/model/catalog", {"sim/model/fields"}, {}},
    {"sim/model/network", {"sim/model/fields"}, {}},
    {"sim/model/kinds", {"sim/model/catalog"}, {}},
    {"sim/model/failures", {"sim/model/catalog"}, {}},
    {"sim/model/kernels", {"sim/model/kinds"}, {}},
    {"sim/model/transport", {"sim/model"}, {}},
    {"sim/model/transformer", {"sim/model/transport", "sim/model/kernels"}, {}},
    {"sim/model/purchase", {"sim/model"}, {}},
    {"sim/model/storage", {"sim/model"}, {}},
    {"sim/model/result", {"sim/model"}, {}},
    {"sim/model/study", {"sim/model/fields", "sim/model/result"}, {}},
    {"sim/model/cluster", {"sim/model/study", "sim/model/catalog"}, {}},
    {"sim/model/serving", {"sim/model"}, {}},
    {"sim/model",
     {"sim/model/kinds", "sim/model/facts", "sim/model/network", "sim/model/failures"},
     {}},
    {"sim/load/csv", {"sim/model", "sim/base/files"}, {}},
    {"sim/load/read",
     {"sim/load/csv", "sim/model/study", "sim/model/cluster", "sim/model/serving",
      "sim/base/files"},
     {"toml++/"}},
    {"sim/load/check", {"sim/load/read", "sim/model/transformer"}, {}},
    {"sim/load/stores", {"sim/load/check", "sim/model/storage"}, {}},
    {"sim/load/chassis", {"sim/load/read"}, {"toml++/"}},
    {"sim/load/text", {"sim/load/read"}, {"toml++/"}},
    {"sim/load/study", {"sim/load"}, {"toml++/"}},
    {"sim/load/purchase", {"sim/load/chassis"}, {}},
    {"sim/load/cluster", {"sim/load"}, {"toml++/"}},
    {"sim/load/serving", {"sim/load"}, {"toml++/"}},
    {"sim/load", {"sim/load/stores", "sim/load/purchase"}, {"toml++/"}},
    {"sim/import", {"sim/load/cluster"}, {"yaml-cpp/", "nlohmann/"}},
    {"sim/import/training", {"sim/import"}, {"toml++/"}},
    {"sim/import/networks", {"sim/import"}, {}},
    {"sim/import/fio", {"sim/load"}, {}},
    {"sim/import/results", {"sim/import/fio"}, {"nlohmann/"}},
    {"sim/topology", {"sim/model/transport"}, {"boost/graph/", "boost/property_map/"}},
    {"sim/engine", {"sim/base", "sim/base/labels"}, {}},
    {"sim/engine/simgrid", {"sim/engine"}, {"simgrid/", "xbt/"}},
    {"sim/plan/limits", {"sim/plan"}, {}},
    {"sim/plan/cache", {"sim/plan"}, {}},
    {"sim/plan/exchange", {"sim/plan/limits"}, {}},
    {"sim/plan/checkpoint", {"sim/plan"}, {}},
    {"sim/plan/make", {"sim/plan/cache", "sim/plan/checkpoint", "sim/plan/exchange"}, {}},
    {"sim/plan", {"sim/topology", "sim/engine", "sim/model/transformer"}, {}},
    {"sim/job/fold", {"sim/job"}, {}},
    {"sim/job/epochs", {"sim/job"}, {}},
    {"sim/job/links", {"sim/plan"}, {}},
    {"sim/job/loaders", {"sim/job/links"}, {}},
    {"sim/job", {"sim/job/loaders", "sim/plan/limits"}, {}},
    {"sim/answer/drives", {"sim/plan/cache", "sim/model/result"}, {}},
    {"sim/answer/failures", {"sim/plan", "sim/model/result"}, {}},
    {"sim/answer",
     {"sim/answer/drives", "sim/answer/failures", "sim/job/epochs", "sim/model/result",
      "sim/model/purchase"},
     {}},
    {"sim/kinds/*",
     {"sim/answer", "sim/job/fold", "sim/job/epochs", "sim/plan/cache", "sim/plan/make"},
     {}},
    {"sim/range", {"sim/job", "sim/plan/make", "sim/model/result"}, {"boost/math/"}},
    {"sim", {"sim/kinds/*", "sim/range"}, {}},
    {"sim/export", {"sim", "sim/import", "sim/import/fio"}, {}},
    {"sim/cluster", {"sim", "sim/model/cluster"}, {}},
    {"sim/serving", {"sim", "sim/model/serving"}, {"boost/math/"}},
    {"reports/picture", {"sim/model/result"}, {}},
    {"reports/writers",
     {"sim/model/result", "sim/model/study", "sim/model/cluster", "sim/model/serving",
      "sim/model/purchase"},
     {"nlohmann/"}},
    {"reports/html", {"reports/writers", "reports/picture"}, {}},
    {"reports/study",
     {"sim/load/study", "sim/load/serving", "sim/load/text", "sim", "sim/serving",
      "reports/writers"},
     {"sqlite3.h"}},
    {"reports/clusters", {"reports/study", "reports/html", "sim/load/cluster", "sim/cluster"}, {}},
    {"calib/probes", {"sim/load"}, {"nlohmann/", "jpeglib.h", "png.h", "zlib.h"}},
    {"calib/discover", {"sim/load"}, {"hwloc", "expat.h"}},
    {"calib/discover/report", {"calib/discover"}, {"nlohmann/"}},
    {"calib/fit", {"sim/load"}, {"nlohmann/", "Eigen/", "unsupported/Eigen/"}},
    {"calib/replay", {"sim", "calib/probes", "reports/writers"}, {"nlohmann/"}},
    {"calib/gpu", {}, {"cuda", "cublas"}},
    {"calib/observe", {"calib/probes"}, {}},
    {"calib/observe/monitors", {"calib/observe"}, {"nlohmann/"}},
    {"calib/requests", {"sim/load"}, {"dlib/"}},
    {"ui/places", {"sim/load"}, {}},
    {"ui/processes", {"sim/base/files"}, {}},
    {"ui/jobs", {"sim/load", "sim/model/transformer"}, {}},
    {"ui/model/keep", {"sim/base/files"}, {}},
    {"ui/model/build",
     {"sim/load", "sim/load/text", "sim/model/result", "calib/discover", "ui/jobs",
      "reports/writers"},
     {}},
    {"ui/model/show", {"reports/html"}, {}},
    {"ui/model/work",
     {"sim", "sim/cluster", "sim/serving", "sim/load/cluster", "sim/load/serving",
      "reports/writers", "ui/model/keep", "ui/model/build", "ui/processes"},
     {}},
    {"ui/model/decide", {"reports/study", "ui/model/show", "ui/model/work"}, {}},
    {"ui/window/kit", {"ui/model/decide"}, {"imgui"}},
    {"ui/window/views", {"ui/window/kit"}, {"imgui"}},
    {"ui/window",
     {"ui/window/views", "ui/places"},
     {"imgui", "backends/imgui", "stb/", "GLFW/", "GL/", "EGL/"}},
    {"ui/package", {}, {"toml++/"}},
    {"ui/library", {"reports/study", "calib/discover", "ui/places"}, {}},
    {"ui/python", {"ui/library"}, {"pybind11/"}},
    {"ui/cli",
     {"reports/html", "reports/clusters", "reports/study", "sim/load/serving", "sim/serving",
      "sim/import/training", "sim/import/networks", "sim/import/fio", "sim/import/results",
      "sim/export", "calib/discover/report", "calib/fit", "calib/observe/monitors", "calib/replay",
      "calib/requests", "ui/jobs", "ui/places", "ui/processes"},
     {"CLI/"}},
};

std::string folder_of(std::string_view path) {
  return std::string(path.substr(0, std::min(path.rfind('/'), path.size())));
}

const Layer* layer_of(std::string_view path) {
  std::string folder = folder_of(path);
  if (folder.starts_with("sim/kinds/")) folder = "sim/kinds/*";
  const auto found = std::ranges::find(kLayers, folder, &Layer::folder);
  return found == kLayers.end() ? nullptr : &*found;
}

/// The layer's own folder and those of all layers it may include, directly or through another.
std::set<std::string> reach(const Layer& layer) {
  std::set<std::string> folders{layer.folder};
  for (const Layer& other : kLayers)
    if (std::ranges::count(layer.uses, other.folder)) folders.merge(reach(other));
  return folders;
}

/// C++'s own headers have neither folder nor ending; fmt and the system's are everyone's.
bool is_common(std::string_view header) {
  if (header.starts_with("fmt/")) return true;
  if (header.starts_with("sys/")) header.remove_prefix(4);
  return header.find('/') == std::string_view::npos &&
         (header.find('.') == std::string_view::npos || header.ends_with(".h"));
}

bool begins_with_one_of(std::string_view header, const Strings& beginnings) {
  return std::ranges::any_of(beginnings, [&](const auto& b) { return header.starts_with(b); });
}

/// What is wrong with the one include `header` (in quotes or in angles), empty if nothing.
std::string fault(const Layer& layer, bool quoted, const std::string& header) {
  const std::set<std::string> allowed = reach(layer);
  const Layer* const other = layer_of(header);
  if (quoted && (!other || !allowed.contains(other->folder)))
    return fmt::format("\"{}\"; {} may include from {}", header, layer.folder,
                       fmt::join(allowed, ", "));
  if (quoted || begins_with_one_of(header, layer.outsiders)) return "";
  const bool owned = std::ranges::any_of(
      kLayers, [&](const Layer& any) { return begins_with_one_of(header, any.outsiders); });
  if (!owned && is_common(header)) return "";
  return fmt::format("<{}>; {} may include std, the system's, fmt/{}{}", header, layer.folder,
                     layer.outsiders.empty() ? "" : ", ", fmt::join(layer.outsiders, ", "));
}

bool knows_other_kind(std::string_view path, std::string_view header) {
  return path.starts_with("sim/kinds/") && header.starts_with("sim/kinds/") &&
         folder_of(path) != folder_of(header);
}

/// Every include of `text`, the file `path` (from the root), that the table above does not allow.
Strings include_faults(const std::string& path, const std::string& text) {
  const Layer* const layer = layer_of(path);
  if (!layer) return {path + ": in no layer of tests/unit/layers_test.cpp"};
  Strings faults;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    char mark[2];
    char header[200];
    if (std::sscanf(line.c_str(), " # include %1[\"<]%199[^\">]", mark, header) != 2) continue;
    std::string found = fault(*layer, *mark == '"', header);
    if (found.empty() && knows_other_kind(path, header))
      found = fmt::format("\"{}\"; no kind of workload knows another", header);
    if (!found.empty()) faults.push_back(fmt::format("{}:{}: includes {}", path, number, found));
  }
  return faults;
}

}  // namespace

TEST_CASE("every layer includes only what its row of the layer table allows") {
  int seen = 0;
  for (const char* folder : {"sim", "reports", "calib", "ui"})
    for (const std::string& path : files_below(folder)) {
      if (!is_code(path) || path.ends_with(".txt")) continue;
      ++seen;
      for (const std::string& found : include_faults(path, content(path))) FAIL_CHECK(found);
    }
  CHECK(seen >= 200);
}

TEST_CASE("the layer table has no circle: every row stands below all rows that it uses") {
  // Rows that use only rows taken already are taken, until none is left.
  Strings left;
  for (const Layer& layer : kLayers) left.push_back(layer.folder);
  for (bool any = true; any;) {
    const auto ready = std::ranges::find_if(left, [&](const std::string& folder) {
      const auto row = std::ranges::find(kLayers, folder, &Layer::folder);
      return std::ranges::none_of(
          row->uses, [&](const std::string& used) { return std::ranges::count(left, used) > 0; });
    });
    any = ready != left.end();
    if (any) left.erase(ready);
  }
  CHECK(left == Strings{});
  for (const Layer& layer : kLayers)
    for (const std::string& used : layer.uses)
      CHECK_MESSAGE(std::ranges::count(kLayers, used, &Layer::folder) == 1, used);
}

TEST_CASE("no folder of sim holds more than 25 source files") {
  std::map<std::string, int> files;
  for (const std::string& path : files_below("sim"))
    if (is_code(path) && !path.ends_with(".txt")) ++files[folder_of(path)];
  for (const auto& each : files)
    CHECK_MESSAGE(each.second <= 25, each.first, " holds ", each.second);
}

TEST_CASE("an include outside the table is found, with its line and what is allowed") {
  CHECK(include_faults("sim/load/a.cpp",
                       "#include <toml++/toml.h>\n"
                       "#include <vector>\n"
                       "#include \"sim/base/units.h\"\n"
                       "#include \"sim/engine/engine.h\"\n") ==
        Strings{"sim/load/a.cpp:4: includes \"sim/engine/engine.h\"; sim/load may include from "
                "sim/base, sim/base/files, sim/base/labels, sim/base/numbers, sim/load, "
                "sim/load/chassis, "
                "sim/load/check, sim/load/csv, sim/load/purchase, sim/load/read, sim/load/stores, "
                "sim/model, "
                "sim/model/catalog, sim/model/cluster, sim/model/facts, sim/model/failures, "
                "sim/model/fields, sim/model/kernels, sim/model/kinds, sim/model/network, "
                "sim/model/result, "
                "sim/model/serving, sim/model/storage, "
                "sim/model/study, sim/model/transformer, sim/model/transport"});
  CHECK(
      include_faults("sim/engine/simgrid/a.h", "\n# include <toml++/toml.h>  // here too\n") ==
      Strings{"sim/engine/simgrid/a.h:2: includes <toml++/toml.h>; sim/engine/simgrid may include "
              "std, the system's, fmt/, simgrid/, xbt/"});
  CHECK(include_faults("sim/engine/a.cpp", "#include <simgrid/s4u.hpp>\n").size() == 1);
  CHECK(include_faults("sim/topology/a.h", "#include \"graph.h\"\n").size() == 1);
  CHECK(include_faults("ui/cli/a.cpp", "#include <boost/graph/dijkstra.hpp>\n").size() == 1);
  CHECK(include_faults("ui/cli/a.cpp", "#include \"ui/configurator/state/a.h\"\n").size() == 1);
  CHECK(include_faults("sim/other/a.cpp", "").size() == 1);
  CHECK(include_faults("sim/kinds/io/a.cpp", "#include \"sim/kinds/serving/a.h\"\n").size() == 1);
  CHECK(include_faults("sim/kinds/io/a.cpp", "#include \"sim/kinds/io/a.h\"\n").empty());
  CHECK(include_faults("sim/base/a.cpp", "#include <sys/mman.h>\n#include<span>\n").empty());
  CHECK(include_faults("sim/base/a.cpp", "#include <some/library.h>\n").size() == 1);
}

TEST_CASE("what a label says is read by those who write for people, and by nothing below") {
  // Headers would hand it on to whoever includes them.
  const auto may_read = [](const std::string& path) {
    return path == "sim/base/labels/label.cpp" || path.starts_with("sim/engine/") ||
           path.starts_with("sim/model/") || path.starts_with("sim/load/") ||
           path.starts_with("sim/answer/") || path.starts_with("sim/kinds/") ||
           path.starts_with("reports/") || path.starts_with("calib/") || path.starts_with("ui/");
  };
  int seen = 0;
  for (const char* folder : {"sim", "reports", "calib", "ui"})
    for (const std::string& path : files_below(folder)) {
      if (!is_code(path) || path == "sim/base/labels/label_text.h") continue;
      if (content(path).find("label_text.h\"") == std::string::npos) continue;
      ++seen;
      CHECK_MESSAGE((path.ends_with(".cpp") && may_read(path)), path, " includes label_text.h");
    }
  CHECK(seen > 5);
}
