// SPDX-License-Identifier: Apache-2.0
#include "sim/base/index.h"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using namespace gpufeed;

namespace {

struct Cup {};
struct Plate {};
using CupIndex = Index<Cup>;

}  // namespace

TEST_CASE("an index is no number, nor an index of something else") {
  static_assert(!std::is_convertible_v<int, CupIndex>);
  static_assert(!std::is_convertible_v<CupIndex, std::size_t>);
  static_assert(!std::is_convertible_v<CupIndex, Index<Plate>>);
  CHECK(CupIndex(2).position() == 2);
  CHECK(CupIndex(2) == CupIndex(2));
  CHECK(CupIndex(1) < CupIndex(2));
}

TEST_CASE("what is added is found by the index that it was given") {
  Indexed<CupIndex, std::string> names;
  CHECK(names.empty());
  const CupIndex first = names.add("first");
  const CupIndex second = names.add("second");
  CHECK(first.position() == 0);
  CHECK(names[second] == "second");
  names[first] = "changed";
  CHECK(names == Indexed<CupIndex, std::string>{"changed", "second"});
}

TEST_CASE("the indices are those of all elements, in order") {
  Indexed<CupIndex, bool> full(3);
  full[CupIndex(1)] = true;
  std::string seen;
  for (const CupIndex cup : full.indices()) seen += full[cup] ? 'x' : '-';
  CHECK(seen == "-x-");
  full.resize(2);
  CHECK(full.size() == 2);
  full.clear();
  CHECK(full.indices().empty());
}
