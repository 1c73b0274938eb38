// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/enum_names.h"

namespace gpufeed {

/// How record files hold samples. indexed: Megatron's .bin of all tokens, whose .idx says where
/// each document begins; mds: shards of Mosaic Streaming; webdataset: tar files.
enum class StoredAs { indexed, mds, webdataset, parquet };
template <>
struct EnumNames<StoredAs> {
  static constexpr std::array<std::string_view, 4> names{"indexed", "mds", "webdataset", "parquet"};
};

/// Whether samples come in the order of their file: shards of MDS are fetched, members of a tar
/// passed and row groups of Parquet decoded as a whole.
constexpr bool is_read_in_order(StoredAs format) { return format != StoredAs::indexed; }

}  // namespace gpufeed
