// SPDX-License-Identifier: Apache-2.0
#include "sim/base/key_path.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

/// What is wrong with a text; empty where it is a path.
std::string why_not(const std::string& written) {
  Diagnostics out;
  parse_key_path(written, {"here", 0, 0}, out);
  return out.empty() ? "" : out.problems().front().note;
}

KeyPath path_of(const std::string& written) {
  Diagnostics out;
  const auto path = parse_key_path(written, {"here", 0, 0}, out);
  REQUIRE(path);
  return *path;
}

}  // namespace

TEST_CASE("a path reads and prints as TOML's dotted keys") {
  for (const std::string written :
       {"nodes", "loader.workers_per_gpu", "store.\"nas.lab\".model", "system.drive[ssd*].model",
        "system.drive[3].at", "store.\"a \\\"b\\\" \\\\ c\".via", "store.\"\".model",
        "a[\"x]y\"].b", "store.\"größe\".model"}) {
    CAPTURE(written);
    CHECK(text(path_of(written)) == written);
  }
  CHECK(path_of("store.\"nas.lab\".model").steps[1].key == "nas.lab");
  CHECK(path_of("system.drive[ssd*].model").steps[1].element == "ssd*");
}

TEST_CASE("one path may be written in several ways") {
  CHECK(path_of("store.'nas.lab'.model") == path_of("store.\"nas.lab\".model"));
  CHECK(path_of(" store . \"nas\" . model ") == path_of("store.nas.model"));
  CHECK(path_of("store.my nas.model") == path_of("store.\"my nas\".model"));
  CHECK(path_of("system.gpu['gpu0'].model") == path_of("system.gpu[gpu0].model"));
  CHECK(text(path_of("store.größe.model")) == "store.\"größe\".model");
}

TEST_CASE("what is no path is told why") {
  CHECK(why_not("") == "a key is missing");
  CHECK(why_not("system..x") == "a key is missing");
  CHECK(why_not("system.") == "a key is missing");
  CHECK(why_not("store.\"nas.lab.model") == "a quotation mark is not closed");
  CHECK(why_not("store.\"a\\n\".model") == "behind a backslash may stand \" and \\ only");
  CHECK(why_not("system.gpu[gpu0.model") == "a bracket is not closed");
  CHECK(why_not("system.gpu[].model") == "brackets hold the id or the number of an element");
  CHECK(why_not("\"a\"b") == "a dot must follow before the next key");
  CHECK(why_not("a=b") == "a key in quotation marks may hold =");
}

TEST_CASE("a path is made and taken apart by its keys") {
  const KeyPath drive = (KeyPath("system") / "drive")["ssd0"];
  CHECK(drive == "system.drive[ssd0]");
  CHECK((drive / "model").parent() == drive);
  CHECK((drive / "model").is_within("system"));
  CHECK(drive.is_within(drive));
  CHECK_FALSE(drive.is_within(drive / "model"));
  CHECK_FALSE(KeyPath("systems").is_within("system"));
}

TEST_CASE("the value of path=value begins behind the = that no key holds") {
  const auto path_in = [](const std::string& whole) { return whole.substr(0, end_of_path(whole)); };
  CHECK(path_in("a.b=c=d") == "a.b");
  CHECK(path_in("store.\"a=b\".model=c") == "store.\"a=b\".model");
  CHECK(path_in("system.gpu[a=b].model=c") == "system.gpu[a=b].model");
  CHECK(path_in("a.b") == "a.b");
}

}  // namespace gpufeed
