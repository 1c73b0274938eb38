// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/read_file.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;
namespace fs = std::filesystem;

namespace {

std::string read_or_refusal(const fs::path& file, std::size_t most = kMaxTextSize) {
  std::string text;
  const std::string said = refusal_of([&] {
    Diagnostics out;
    text = read_text_file(file, most, out, ReadAs::own).value_or("");
    out.throw_if_any();
  });
  return said == "accepted" ? text : said.substr(said.find(": error: ") + 9);
}

}  // namespace

TEST_CASE(
    "only regular files are read: no folder, pipe, device or socket, and none is waited for") {
  const TemporaryFolder folder;
  mkfifo((folder / "pipe").c_str(), 0600);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (folder / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  for (const fs::path& file : {folder / "pipe", folder / "socket", folder / "",
                               fs::path("/dev/zero"), fs::path("/dev/null")})
    CHECK_MESSAGE(read_or_refusal(file) == "not a regular file\n", file);
  close(descriptor);
  CHECK(read_or_refusal(folder / "none") == "there is no such file\n");
  CHECK(read_or_refusal(folder / "none/below") == "there is no such file\n");
}

TEST_CASE("a file is read to its end, or refused where it is larger than it may be") {
  const TemporaryFolder folder;
  const std::string long_one(200000, 'x');
  CHECK(read_or_refusal(folder.write("a", long_one)) == long_one);
  CHECK(read_or_refusal(folder.write("b", "")) == "");
  CHECK(read_or_refusal(folder.write("c", std::string(1 << 20, 'x')), 1 << 20).size() == 1 << 20);
  CHECK(read_or_refusal(folder.write("d", std::string((1 << 20) + 1, 'x')), 1 << 20) ==
        "the file is larger than 1 MiB\n");
  // which says that it holds nothing
  CHECK(!read_or_refusal("/proc/self/status").empty());
}
