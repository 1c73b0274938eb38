// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/discover.h"

#include "calib/discover/hwloc_xml.h"
#include "calib/discover/nccl_xml.h"
#include "calib/discover/nodes.h"
#include "calib/discover/topo_matrix.h"
#include "calib/discover/xml.h"

namespace gpufeed {
namespace {

FoundMachine machine_of_xml(const XmlElement& root) {
  if (root.name == "topology") return machine_of_hwloc(root);
  if (root.name == "system") return machine_of_nccl(root);
  if (root.name == "graphs")
    throw InputError({{root.where,
                       "this is an NCCL graph (NCCL_GRAPH_DUMP_FILE): rings and trees, no machine; "
                       "NCCL_TOPO_DUMP_FILE writes the machine"}});
  throw InputError(
      {{root.where,
        fmt::format("expected <topology> of lstopo or <system> of NCCL; found <{}>", root.name)}});
}

}  // namespace

FoundMachine machine_in(std::string_view text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const bool xml = first != std::string_view::npos && text[first] == '<';
  if (!xml && !is_topo_matrix(text))
    throw InputError({{{name, 1, 1},
                       "this is neither XML (of lstopo, or an NCCL topology) nor what nvidia-smi "
                       "topo -m prints"}});
  FoundMachine machine =
      xml ? machine_of_xml(*parse_xml(text, name)) : machine_of_topo_matrix(text, name);
  join_nodes(machine);
  machine.source = name.substr(name.rfind('/') + 1);
  return machine;
}

}  // namespace gpufeed
