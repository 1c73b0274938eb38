// SPDX-License-Identifier: Apache-2.0
#include "sim/base/labels/label.h"

#include <doctest/doctest.h>

#include <type_traits>

#include "sim/base/labels/label_text.h"
#include "sim/model/facts/fact.h"
#include "sim/plan/rates.h"

namespace gpufeed {

static_assert(std::is_same_v<decltype(Vertex::label), Label>);
static_assert(std::is_same_v<decltype(Resource::label), Label>);
static_assert(std::is_same_v<decltype(Limit::label), Label>);
static_assert(!std::is_convertible_v<std::string, Label>);

TEST_CASE("labels are made of labels, and compared with labels") {
  const Label ssd0("ssd0");
  CHECK(text_of(inside(ssd0, "write")) == "ssd0 write");
  CHECK(text_of(link_label(ssd0, Label("cpu0"))) == "ssd0 -> cpu0");
  CHECK((ssd0 == Label("ssd0")));
  CHECK((ssd0 != Label("ssd1")));
  CHECK(texts_of({ssd0, Label("a \"b\".c")}) == std::vector<std::string>{"ssd0", "a \"b\".c"});
}

TEST_CASE("a fact has the text of labels") {
  CHECK(fact_values::of(Label("nas")) == FactValue("nas"));
  CHECK(fact_values::of(std::vector{Label("a"), Label("b")}) ==
        FactValue(std::vector<std::string>{"a", "b"}));
}

}  // namespace gpufeed
