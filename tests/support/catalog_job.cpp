// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catalog_job.h"

#include <fmt/format.h>

#include "sim/base/numbers/random.h"
#include "tests/support/catalog.h"
#include "tests/support/random_machine.h"

namespace gpufeed {
namespace {

using systems::log_uniform;

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  CatalogJob make() {
    nodes_ = one_in(3) ? random_.integer(2, 6) : 1;
    loads_ = one_in(8);
    direct_ = one_in(8);
    const bool store = nodes_ > 1 || one_in(2);
    out_.text =
        fmt::format("title = 'a random job'\nnodes = {}\nsystem = '{}'\n", nodes_, entry("system"));
    workload();
    out_.text += fmt::format("[data]\nat = '{}'\n", store ? "nas" : "scratch");
    data();
    if (store) out_.text += fmt::format("[store.nas]\nmodel = '{}'\n", entry("array"));
    loader();
    if (!loads_) exchange();
    machine();
    return std::move(out_);
  }

 private:
  bool one_in(std::int64_t times) { return random_.integer(1, times) == 1; }

  std::string entry(std::string_view kind) {
    const auto names = own_catalog().names(kind);
    return names[static_cast<std::size_t>(random_.integer(0, std::ssize(names) - 1))];
  }

  std::string of(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(random_.integer(0, std::ssize(words) - 1))];
  }

  std::string between(double low, double high, std::string_view unit) {
    return fmt::format("'{:.4g} {}'", log_uniform(random_, low, high), unit);
  }

  void say(std::string_view key, const std::string& value) {
    out_.text += fmt::format("{} = {}\n", key, value);
  }

  void maybe(std::string_view key, const std::string& value) {
    if (one_in(3)) say(key, value);
  }

  void set(const std::string& path, const std::string& value) {
    if (one_in(4)) out_.set.push_back(parse_override(path + "=" + value));
  }

  void workload() {
    constexpr std::int64_t kMostGpus = 16;
    const std::int64_t batch = std::int64_t{1} << random_.integer(0, 8);
    const std::int64_t accumulate = !loads_ && one_in(4) ? random_.integer(2, 8) : 1;
    out_.text += "[workload]\n";
    say("kind", loads_ ? "'loader'" : "'training'");
    say("dataset", "'" + entry("dataset") + "'");
    say("batch_per_gpu", fmt::format("{}", batch));
    say("dataset_samples",
        fmt::format("{:.0f}", static_cast<double>(batch * accumulate * nodes_ * kMostGpus) *
                                  log_uniform(random_, 1, 2000)));
    maybe("epochs", fmt::format("{}", random_.integer(1, 5)));
    if (loads_) return;
    if (accumulate > 1) say("accumulate", fmt::format("{}", accumulate));
    say("model", "'" + entry("model") + "'");
    say("precision", of({"'fp16'", "'fp32'"}));
    maybe("framework", "'" + entry("framework") + "'");
    maybe("step_jitter", between(0.1, 10, "%"));
  }

  void data() {
    if (direct_)
      say("path", "'gpudirect'");
    else
      maybe("mode", of({"'direct'", "'buffered'"}));
  }

  void loader() {
    out_.text += "[loader]\n";
    maybe("style", of({"'pytorch'", "'tensorflow'"}));
    maybe("workers_per_gpu", of({"0", "1", "2", "4", "16"}));
    maybe("prefetch_batches", of({"1", "2", "8"}));
    if (direct_)
      say("decode", "'none'");
    else
      maybe("decode", of({"'gpu'", "'none'"}));
    maybe("cores", of({"'machine'", "'socket'"}));
    if (!loads_ && !direct_) {
      maybe("pinned_memory", of({"false", "true"}));
      maybe("copy", of({"'overlapped'", "'in-order'"}));
    }
    maybe("between_epochs", of({"'restart'", "'stream'"}));
    maybe("jitter", between(1, 50, "%"));
    maybe("cache", of({"'none'", "'pinned'", "'lru'", "'linux'"}));
    maybe("cache_memory", between(0.01, 100, "GB"));
    maybe("order", of({"'shards'", "'sequential'", "'permutation'"}));
    maybe("take_over_time", between(0.01, 10, "ms"));
    maybe("process_bandwidth", between(0.1, 10, "GB/s"));
  }

  void exchange() {
    out_.text += "[exchange]\n";
    maybe("mode", of({"'synchronous'", "'asynchronous'"}));
    maybe("algorithm",
          of({"'ring'", "'tree'", "'nvls'", "'hierarchical'", "'torus'", "'parameter-server'"}));
    maybe("path", of({"'host'", "'gpudirect'"}));
    maybe("overlap", between(1, 100, "%"));
    maybe("rings", of({"'one'", "'searched'"}));
    maybe("bucket", between(0.1, 100, "MB"));
  }

  void machine() {
    const std::string socket = "system.socket[*].model.";
    set(socket + "memory_bandwidth", between(1, 200, "GB/s"));
    set(socket + "cores", fmt::format("{}", random_.integer(1, 64)));
    set("system.peer_to_peer", of({"true", "false"}));
    set("system.nic[*].model.port_bandwidth", between(0.1, 50, "GB/s"));
    set("system.drive[*].model.read_bandwidth", between(0.1, 20, "GB/s"));
  }

  Random random_;
  std::int64_t nodes_ = 1;
  bool loads_ = false;   ///< and trains nothing
  bool direct_ = false;  ///< into GPUs
  CatalogJob out_;
};

}  // namespace

CatalogJob catalog_job(std::uint64_t seed) { return Draws(seed).make(); }

}  // namespace gpufeed
