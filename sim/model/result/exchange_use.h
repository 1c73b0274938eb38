// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// How gradients, and what split models pass on, travel in a step.
struct ExchangeUse {
  std::string mode;
  std::string algorithm;
  double alone_s = 0;
  double sent_B = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("mode", &ExchangeUse::mode, "synchronous or asynchronous"));
    visit(key("algorithm", &ExchangeUse::algorithm, "the one that auto chose, if so"));
    visit(key("alone_s", &ExchangeUse::alone_s,
              "time of a step's exchange when nothing else travels; asynchronous: of one "
              "GPU's, the slowest")
              .as_time());
    visit(key("sent_B", &ExchangeUse::sent_B, "sent in a step, by one GPU on average"));
  }
};

}  // namespace gpufeed
