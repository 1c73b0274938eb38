// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/file_kind.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/load/read/front_door.h"

namespace gpufeed {
namespace {

struct Sign {
  std::string_view key;
  FileKind kind;
};

/// The first that a file has tells; a goal has axes, too.
constexpr std::array kSigns{Sign{"cluster", FileKind::cluster},
                            Sign{"serving", FileKind::serving},
                            Sign{"workload", FileKind::scenario},
                            Sign{"system", FileKind::scenario},
                            Sign{"minimize", FileKind::goal},
                            Sign{"maximize", FileKind::goal},
                            Sign{"front", FileKind::goal},
                            Sign{"also", FileKind::goal},
                            Sign{"stock", FileKind::goal},
                            Sign{"case", FileKind::measurements},
                            Sign{"measured", FileKind::measurements},
                            Sign{"axis", FileKind::sweep},
                            Sign{"sample", FileKind::sweep},
                            Sign{"gpu_utilization", FileKind::observations},
                            Sign{"samples_per_s", FileKind::observations},
                            Sign{"network_bandwidth", FileKind::observations},
                            Sign{"cores_busy", FileKind::observations}};

struct Use {
  FileKind kind;
  std::string_view name;
  std::string_view command;
};
constexpr std::array kUses{
    Use{FileKind::scenario, "a scenario", "gpufeed simulate"},
    Use{FileKind::sweep, "a sweep", "gpufeed sweep"},
    Use{FileKind::goal, "a goal", "gpufeed recommend"},
    Use{FileKind::measurements, "a list of measurements", "gpufeed validate"},
    Use{FileKind::observations, "what was observed of a run",
        "gpufeed simulate SCENARIO --observed"},
    Use{FileKind::cluster, "a cluster with its jobs", "gpufeed simulate"},
    Use{FileKind::serving, "a language model that is served", "gpufeed simulate"}};

const Use& use_of(FileKind kind) { return *std::ranges::find(kUses, kind, &Use::kind); }

std::optional<FileKind> kind_of_keys(const Names& keys) {
  const auto sign = std::ranges::find_if(
      kSigns, [&](const Sign& one) { return std::ranges::count(keys, one.key) > 0; });
  if (sign == kSigns.end()) return {};
  return sign->kind;
}

std::optional<FileKind> kind_of_table(const toml::table& table) {
  // At the top it is misplaced, which is told where the file is read.
  if (table["kind"].value<std::string_view>() == "serving") return FileKind::serving;
  return kind_of_keys(keys_of(table));
}

}  // namespace

std::optional<FileKind> kind_of_file(const std::filesystem::path& file) {
  Diagnostics reported_where_it_is_read;
  const auto table = parse_toml_file(file, reported_where_it_is_read);
  return table ? kind_of_table(*table) : std::nullopt;
}

std::optional<FileKind> kind_of_text(std::string_view text) {
  Diagnostics reported_where_it_is_read;
  const auto table = parse_toml(text, "", reported_where_it_is_read);
  return table ? kind_of_table(*table) : std::nullopt;
}

bool is_of_other_kind(const Names& keys, const std::string& name, FileKind wanted,
                      Diagnostics& out) {
  const auto found = kind_of_keys(keys);
  if (!found || *found == wanted) return false;
  if (wanted == FileKind::goal && *found == FileKind::sweep) return false;
  out.error(ProblemCode::unusable_file, {name, 1, 1},
            "this is {}, which {} takes; {} is wanted here", use_of(*found).name,
            use_of(*found).command, use_of(wanted).name);
  return true;
}

}  // namespace gpufeed
