// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpufeed {

/// What a tool printed of the requests of a program, as the CSV of an access log (time, file,
/// offset, bytes, op); nothing where the text is of none of them. Requests that move no bytes are
/// left out, as are pipes, sockets and files of /dev, /proc and /sys.
/// - `strace -f -tt` (or -ttt; -y names files that were open before): read, write, pread64,
/// pwrite64
///   and the like, in the order of their returns; lseek and sequential reads move the offset
/// - blkparse: what is issued to a drive (action D), else what is queued (Q); sectors of 512 bytes
/// - biosnoop of bcc and bpftrace: TIME, DISK, T, SECTOR and BYTES
/// - darshan-dxt-parser: the segments of X_POSIX, else of X_MPIIO
/// - DFTracer: its events of POSIX
std::optional<std::string> csv_of_tool_log(std::string_view text);

}  // namespace gpufeed
