// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "sim/model/scenario.h"

namespace gpufeed {

class Catalog;
class Diagnostics;

/// The protocol of an array's usual client: its `client`, else that of the first of its families;
/// empty where the catalog does not know one.
std::string usual_client(const Array& array);

/// Of every store whose protocol the scenario leaves out; none where the catalog knows none.
std::map<std::size_t, Ref<Protocol>> usual_clients(const Scenario& scenario, const Catalog& catalog,
                                                   Diagnostics& out);

}  // namespace gpufeed
