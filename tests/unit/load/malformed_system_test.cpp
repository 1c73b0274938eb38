// SPDX-License-Identifier: Apache-2.0
// What a user reads of a machine whose parts do not hang together.
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;  // NOLINT: the vocabulary of this file

namespace {

std::vector<Case> malformed_systems() {
  return {
      {"an id used twice",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:11:1: error: gpu \"gpu0\": the id is already that of the gpu at bad.toml:7:1\n"},
      {"an id with a blank",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu 0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:7:1: error: gpu \"gpu 0\": an id may hold letters, digits, - and _ only\n"},
      {"a part on nothing",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu1\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:10:6: error: gpu \"gpu0\".at: there is no part \"cpu1\"; did you mean "
       "\"cpu0\"?\n"},
      {"a part on a GPU",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"gpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:14:6: error: drive \"ssd0\".at: \"gpu0\" is a gpu; expected a socket or a "
       "switch\n"},
      {"an unattached part",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:7:1: error: system.gpu[gpu0]: \"at\" is missing; it must be the id of a part, in "
       "quotes\n"},
      {"switches that hang on each other",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.switch]]\n"
       "id = \"a\"\n"
       "model = \"plx-pex8764\"\n"
       "at = \"b\"\n"
       "[[system.switch]]\n"
       "id = \"b\"\n"
       "model = \"plx-pex8764\"\n"
       "at = \"a\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:14:6: error: switch \"a\" hangs on itself: a -> b -> a; one of them must hang on "
       "a socket\n"
       "bad.toml:18:6: error: switch \"b\" hangs on itself: b -> a -> b; one of them must hang on "
       "a socket\n"},
      {"sockets without a link between",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.socket]]\n"
       "id = \"cpu1\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:11:1: error: socket \"cpu1\" is not joined to \"cpu0\": a [[socket_link]] is "
       "missing\n"},
      {"a link from a socket to itself",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.socket_link]]\n"
       "between = [\"cpu0\", \"cpu0\"]\n"
       "link = \"qpi-9.6\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:11:1: error: socket_link.between names \"cpu0\" twice; a link joins two parts\n"},
      {"a link with one end",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.socket_link]]\n"
       "between = [\"cpu0\"]\n"
       "link = \"qpi-9.6\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:11:1: error: socket_link.between must name two sockets; found 1\n"},
      {"NVLink to a drive",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.nvlink]]\n"
       "between = [\"gpu0\", \"ssd0\"]\n"
       "link = \"nvlink-1\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:12:20: error: nvlink.between: \"ssd0\" is a drive; expected a gpu\n"},
      {"no GPU at all",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:1:1: error: system has no [[gpu]]; training needs one at least\n"},
  };
}

}  // namespace

TEST_CASE("machines that do not hang together are refused, each with its own message") {
  check_refused(malformed_systems());
}
