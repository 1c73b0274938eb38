// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/engine.h"

#include "sim/base/labels/label_text.h"

namespace gpufeed {

LinkId Engine::add_link(const Label& label, Bandwidth capacity) {
  return add_link(text_of(label), capacity);
}

}  // namespace gpufeed
