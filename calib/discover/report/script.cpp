// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/script.h"

namespace gpufeed {

std::string_view collecting_script() {
  return R"script(#!/bin/sh
# Collects what gpufeed discover --from reads, and changes nothing. On the machine, best as root:
#   sh collect.sh > report.txt
run() { command -v "$1" >/dev/null 2>&1 && { printf '\n==> %s <==\n' "$*"; "$@" 2>/dev/null; }; }
show() { for f; do [ -f "$f" ] && [ -r "$f" ] && head_of "$f" && cat "$f" 2>/dev/null; done; }
head_of() { printf '\n==> %s <==\n' "$1"; }
link() { printf '\n==> %s -> %s <==\n' "$1" "$(readlink -f "$1")"; }
show /proc/meminfo /proc/cpuinfo /proc/mdstat /sys/kernel/mm/lru_gen/enabled
show /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name
show /sys/devices/system/cpu/online /sys/devices/system/cpu/possible /sys/devices/system/cpu/present
for c in /sys/devices/system/cpu/cpu[0-9]*/topology; do
  for f in core_cpus package_cpus die_cpus core_id physical_package_id thread_siblings core_siblings; do
    show $c/$f
  done
done
show /sys/devices/system/node/online /sys/devices/system/node/possible
for n in /sys/devices/system/node/node[0-9]*; do show $n/cpumap $n/meminfo $n/distance; done
for l in /sys/bus/pci/devices/*; do
  [ -e "$l" ] || continue
  link "$l"; d=$(readlink -f "$l")
  for f in class vendor device subsystem_vendor subsystem_device numa_node local_cpus; do show "$d/$f"; done
  for f in max_link_speed max_link_width current_link_speed current_link_width; do show "$d/$f"; done
  printf '\n==> %s/config (hex) <==\n' "$d"; od -An -v -tx1 -N 64 "$d/config" 2>/dev/null
done
for l in /sys/block/*; do
  [ -e "$l/device" ] || continue
  link "$l"; d=$(readlink -f "$l"); link "/sys/class/block/${l##*/}"; link "$d/device"
  show "$d/size" "$d/removable" "$d/queue/rotational" "$d/device/model"
done
for l in /sys/class/net/*; do
  [ -e "$l/device" ] || continue
  link "$l"; d=$(readlink -f "$l"); link "$d/device"; show "$d/speed" "$d/type"
done
run nvidia-smi topo -m; run nvidia-smi topo -p2p r; run nvidia-smi -L
run rocm-smi --showproductname --showbus; run rocm-smi --showtopo; run amd-smi topology
run lscpu; run mount
exit 0
)script";
}

}  // namespace gpufeed
