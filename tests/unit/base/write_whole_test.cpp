// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/write_whole.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <iterator>
#include <set>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> names_in(const TemporaryFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / ""))
    names.insert(entry.path().filename().string());
  return names;
}

int failing_error = 0;
template <class... T>
int fails(T...) {
  errno = failing_error;
  return -1;
}

/// Takes some bytes, then none.
int calls_of_write = 0;
ssize_t fails_later(int descriptor, const void* from, size_t count) {
  if (calls_of_write++ == 0) return ::write(descriptor, from, std::min<size_t>(count, 3));
  errno = failing_error;
  return -1;
}
/// As signals and full pipes have it.
ssize_t takes_one(int descriptor, const void* from, size_t) {
  if (calls_of_write++ % 2 == 0) {
    errno = EINTR;
    return -1;
  }
  return ::write(descriptor, from, 1);
}

/// It closes, for all that.
int fails_to_close(int descriptor) {
  ::close(descriptor);
  errno = failing_error;
  return -1;
}
/// Of the folder only: the second.
int calls_of_sync = 0;
int fails_for_folder(int descriptor) {
  if (calls_of_sync++ == 0) return fsync(descriptor);
  errno = failing_error;
  return -1;
}

struct Failing {
  const char* what;
  WritingCalls calls;
};

/// The system, with one call that fails.
std::vector<Failing> failing_calls() {
  std::vector<Failing> all;
  const auto add = [&](const char* what, auto change) {
    all.push_back({what, {}});
    change(all.back().calls);
  };
  add("make", [](WritingCalls& calls) { calls.make = fails<char*, int>; });
  add("write", [](WritingCalls& calls) { calls.write = fails_later; });
  add("sync", [](WritingCalls& calls) { calls.sync = fails<int>; });
  add("sync of the folder", [](WritingCalls& calls) { calls.sync = fails_for_folder; });
  add("close", [](WritingCalls& calls) { calls.close = fails_to_close; });
  add("rename", [](WritingCalls& calls) {
    calls.rename = fails<const char*, const char*>;
    calls.rename_new = fails<int, const char*, int, const char*, unsigned>;
  });
  return all;
}

}  // namespace

TEST_CASE("a write that fails leaves the old file or the new one, whole, and nothing beside it") {
  for (const int error : {ENOSPC, EIO, EDQUOT, EROFS, ENOMEM})
    for (const auto& failing : failing_calls()) {
      const std::string what = failing.what;
      const WritingCalls& calls = failing.calls;
      CAPTURE(what);
      failing_error = error;
      calls_of_write = calls_of_sync = 0;
      const TemporaryFolder folder;
      const fs::path file = folder.write("result", "the old one");
      bool failed = false;
      try {
        put_whole(file, "the new one", calls);
      } catch (const std::system_error& refused) {
        failed = true;
        CHECK(refused.code().value() == error);
      }
      const bool of_folder = what == "sync of the folder";
      CHECK(failed == (!of_folder || error == EIO));
      CHECK(content(file) == (of_folder ? "the new one" : "the old one"));
      CHECK(names_in(folder) == std::set<std::string>{"result"});
    }
}

TEST_CASE("a new file that cannot be written whole is not there") {
  for (const int error : {ENOSPC, EIO})
    for (const auto& failing : failing_calls()) {
      const std::string what = failing.what;
      const WritingCalls& calls = failing.calls;
      CAPTURE(what);
      failing_error = error;
      calls_of_write = calls_of_sync = 0;
      const TemporaryFolder folder;
      const std::string said = refusal_of([&] { write_new(folder / "new", "all of it", calls); });
      const bool is_there = what == "sync of the folder";
      CHECK(names_in(folder) ==
            (is_there ? std::set<std::string>{"new"} : std::set<std::string>{}));
      if (is_there) CHECK(content(folder / "new") == "all of it");
      if (!is_there)
        CHECK(said == (folder / "new").string() + ": error: cannot be written: " +
                          std::generic_category().message(error) + "\n");
    }
}

TEST_CASE("a limit that is reached just when a file is made leaves none of it") {
  const TemporaryFolder folder;
  WritingCalls calls;
  calls.make = [](char* name, int flags) {
    const int descriptor = mkostemp(name, flags);
    remove_part_files();  // as the handler of a signal does
    return descriptor;
  };
  const PartFile part(folder / "result", calls);
  CHECK(names_in(folder).empty());
}

TEST_CASE("a new file takes the place of none, of a link that leads nowhere neither") {
  const TemporaryFolder folder;
  folder.write("old", "mine");
  fs::create_symlink("nowhere", folder / "link");
  for (const char* name : {"old", "link"})
    CHECK(refusal_of([&] { write_new(folder / name, "x"); }) ==
          (folder / name).string() + ": error: exists already, and is never overwritten\n");
  CHECK(content(folder / "old") == "mine");
  // one that another process makes meanwhile
  WritingCalls late;
  late.sync = [](int) { return 0; };
  late.rename_new = [](int, const char*, int, const char* to, unsigned) {
    std::ofstream(to) << "theirs";
    errno = EINVAL;  // as on NFS
    return -1;
  };
  CHECK(refusal_of([&] { write_new(folder / "new", "x", late); }).find("exists already") !=
        std::string::npos);
  CHECK(content(folder / "new") == "theirs");
  // and without one, there too
  WritingCalls on_nfs;
  on_nfs.rename_new = [](int, const char*, int, const char*, unsigned) {
    errno = EINVAL;
    return -1;
  };
  write_new(folder / "newer", "x", on_nfs);
  CHECK(content(folder / "newer") == "x");
  CHECK(names_in(folder) == std::set<std::string>{"link", "new", "newer", "old"});
}

TEST_CASE("writes that are cut short go on") {
  calls_of_write = 0;
  WritingCalls slow;
  slow.write = takes_one;
  const TemporaryFolder folder;
  put_whole(folder / "a", "all of it", slow);
  CHECK(content(folder / "a") == "all of it");
}

TEST_CASE("a link stays a link, and rights stay as they are") {
  const TemporaryFolder folder;
  folder.write("a", "old");
  chmod((folder / "a").c_str(), 0640);
  fs::create_symlink("a", folder / "link");
  fs::create_symlink("b", folder / "to nothing yet");
  put_whole(folder / "link", "new");
  put_whole(folder / "to nothing yet", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(fs::is_symlink(folder / "to nothing yet"));
  CHECK(content(folder / "a") == "new");
  CHECK(content(folder / "b") == "new");
  struct stat status {};
  stat((folder / "a").c_str(), &status);
  CHECK((status.st_mode & 0777U) == 0640);
}

TEST_CASE("the file in the making has a name that nobody can lay a link at") {
  const TemporaryFolder folder;
  const PartFile one(folder / "a");
  const PartFile other(folder / "a");
  CHECK(one.path() != other.path());
  CHECK(one.path().parent_path() == fs::canonical(folder / ""));
  CHECK(fs::status(one.path()).permissions() == fs::status(other.path()).permissions());
}

TEST_CASE("a device is written as it is") {
  CHECK_THROWS_AS(put_whole("/dev/full", "x"), std::system_error);
  CHECK(fs::is_character_file("/dev/full"));
  put_whole("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a process that ends at once removes what waits to take its place, and nothing else") {
  const TemporaryFolder folder;
  folder.write("old", "old");
  put_whole(folder / "done", "done");
  PartFile taken(folder / "taken");
  taken.take_place();
  { const PartFile dropped(folder / "dropped"); }
  const PartFile one(folder / "old");
  const PartFile other(folder / "new");
  CHECK(names_in(folder).size() == 5);
  remove_part_files();
  CHECK(names_in(folder) == std::set<std::string>{"done", "old", "taken"});
  CHECK(content(folder / "old") == "old");
}
