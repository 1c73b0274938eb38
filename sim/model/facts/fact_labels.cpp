// SPDX-License-Identifier: Apache-2.0
#include "sim/base/labels/label_text.h"
#include "sim/model/facts/fact.h"

namespace gpufeed::fact_values {

FactValue of(const Label& label) { return text_of(label); }
FactValue of(const std::vector<Label>& labels) { return texts_of(labels); }

}  // namespace gpufeed::fact_values
