// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transport/store_client.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {
namespace {

constexpr double kSmoothing = 4;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A protocol's constants as the laws name them.
class Client {
 public:
  Client(const Store& store, Bandwidth network)
      : protocol_(**store.protocol),
        first_byte_(store.model->read_latency + protocol_.request_latency),
        lookup_(store.metadata.value_or(Metadata::cold) == Metadata::cold ? protocol_.lookup_latency
                                                                          : Seconds{}),
        connection_(std::min(protocol_.connection_bandwidth.value_or(network), network)) {}

  BlockRead in_order(const FilePattern& pattern) const {
    const double files = pattern.block / pattern.file;
    const Seconds opening = lookup_ + first_byte_;
    if (!ahead() || pattern.file <= part())
      return {opening * files, std::min(connection_, reader()), files, files};
    const Bandwidth stream = ahead_rate();
    const Seconds later = part() / connection_ - part() / stream;
    return {(opening + std::max(later, Seconds{})) * files, stream, pattern.block / part(), files};
  }

  BlockRead at_random(const FilePattern& pattern) const {
    const Bandwidth stream = std::min(connection_, reader());
    const double blocks = pattern.file / pattern.block;
    const bool stays = protocol_.keeps_parts && std::isfinite(pattern.file.value);
    if (blocks <= 1 || stays) return in_order(pattern);
    const double window = std::min(1.0, protocol_.skip / pattern.file);
    const double read_on = window * (1 - window / 2);
    // Of each block; without an end of the file every one that is not read on is far.
    const double opened = 1 / blocks;
    const double far = opened + (1 - opened) * (1 - read_on);
    // What comes whole in one part is there before a jump could leave it.
    const bool leaves = !ahead() || pattern.file > part();
    Seconds wait = lookup_ * opened + first_byte_ * far;
    if (leaves) wait += protocol_.reconnect_latency * (far - opened);
    if (ahead()) {
      const Bytes part_read = std::min(part(), pattern.file / 2);
      wait += part_read / connection_ * far - pattern.block / stream;
    }
    const double lost = leaves ? protocol_.jump_loss / pattern.block * (far - opened) : 0;
    return {std::max(wait, Seconds{}), stream, far, far, 1 + lost};
  }

  /// Of one connection that asks for part after part.
  Bandwidth of_connection() const {
    return ahead() ? part() / (first_byte_ + part() / connection_) : connection_;
  }

 private:
  bool ahead() const { return protocol_.readahead.has_value(); }
  Bytes part() const { return protocol_.largest_request.value_or(Bytes{kInfinite}); }
  Bandwidth reader() const { return protocol_.stream_bandwidth.value_or(Bandwidth{kInfinite}); }
  Bandwidth ahead_rate() const {
    return std::min(reader(), *protocol_.readahead / (first_byte_ + part() / connection_));
  }

  const Protocol& protocol_;
  Seconds first_byte_;
  Seconds lookup_;
  Bandwidth connection_;
};

}  // namespace

bool reads_files(const Protocol& protocol) {
  return protocol.lookup_latency.value > 0 || protocol.readahead || protocol.stream_bandwidth;
}

BlockRead block_read(const Store& store, const FilePattern& pattern, Bandwidth network) {
  const Client client(store, network);
  return pattern.random ? client.at_random(pattern) : client.in_order(pattern);
}

Seconds core_time(const Protocol& protocol, Bytes bytes, double requests) {
  const Seconds of_requests = protocol.request_core_time * requests;
  return protocol.core_bandwidth ? of_requests + bytes / *protocol.core_bandwidth : of_requests;
}

Bandwidth software_ceiling(const Protocol& protocol, double cores) {
  if (!protocol.client_bandwidth) return {kInfinite};
  if (!protocol.core_bandwidth) return *protocol.client_bandwidth;
  return {1 /
          (1 / protocol.client_bandwidth->value + 1 / (cores * protocol.core_bandwidth->value))};
}

Bandwidth client_ceiling(const Store& store, Bandwidth ports, double cores) {
  const Protocol& protocol = **store.protocol;
  const auto connections = static_cast<double>(store.connections.value_or(protocol.connections));
  Bandwidth most{kInfinite};
  if (protocol.connection_bandwidth) most = Client(store, most).of_connection() * connections;
  most = std::min(most, software_ceiling(protocol, cores));
  return protocol.port_share ? std::min(most, ports * protocol.port_share->value) : most;
}

Bandwidth write_ceiling(const Store& store, Bandwidth ports) {
  const Protocol& protocol = **store.protocol;
  const Bandwidth most = protocol.write_client_bandwidth.value_or(Bandwidth{kInfinite});
  return protocol.write_port_share ? std::min(most, ports * protocol.write_port_share->value)
                                   : most;
}

Bandwidth under_ceiling(Bandwidth alone, Bandwidth ceiling) {
  const Bandwidth low = std::min(alone, ceiling);
  const double ratio = low / std::max(alone, ceiling);
  return low * std::pow(1 + std::pow(ratio, kSmoothing), -1 / kSmoothing);
}

}  // namespace gpufeed
