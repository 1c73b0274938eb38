// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/beside.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/serving/engine.h"

// Training and KV caches on one store, against its law: B is there for both. KV caches read at what
// training leaves, training at what they leave, and neither less than half of B for the other's
// sake.
namespace gpufeed::serving {
namespace {

constexpr double kStore = 16e9;    // B/s, of pure-flashblade-15-blade
constexpr double kSample = 200e3;  // bytes of an image
constexpr double kGpus = 8;

struct Shares {
  double kv_rate, training_rate;
};
/// The model: \param asked  of a GPU, samples/s \param served  B/s of KV caches on the mean
Shares shares(double asked, double alone, double served) {
  const double demand = kGpus * asked * kSample;
  const double taken = std::min(demand, kStore / 2);
  return {kStore - taken, std::min(alone, (kStore - served) / kSample)};
}

class Files {
 public:
  explicit Files(double samples_per_s)
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("gpufeed-beside-{}", static_cast<const void*>(this))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "train.toml") << fmt::format(
        "system = 'nvidia-dgx1-p100'\n[workload]\nmodel = 'resnet-50'\n"
        "dataset = 'imagenet-200kb-10m'\nsamples = 1000000\n[[workload.compute]]\n"
        "gpu = 'nvidia-p100-sxm2-16gb'\nbatch = 64\nrate = '{} samples/s'\n"
        "includes = ['exchange', 'barrier']\nsource = 'of this test'\nbasis = 'estimate'\n"
        "[data]\nat = 'nas'\n[store.nas]\nmodel = 'pure-flashblade-15-blade'\nvia = ['ib*']\n"
        "protocol = 'none'\n",
        samples_per_s);
    std::ofstream(path()) << file_of(
        "llama-3.1-8b", kH100,
        "rate = '2 requests/s'\nprompt = 8192\nanswer = 64\nprompts = 100\ncount = 300\n",
        "[[serving.tier]]\nat = 'nas'\nblock = 512\n[store.nas]\nmodel = "
        "'pure-flashblade-15-blade'\ntraining = 'train.toml'\n");
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  std::string path() const { return (folder_ / "serving.toml").string(); }

 private:
  std::filesystem::path folder_;
};

const Catalog& catalog() {
  static const Catalog one{{kRoot / "hw_catalog", kRoot / "workloads"}};
  return one;
}

}  // namespace

TEST_CASE("training and KV caches on one store each get what its law leaves them") {
  for (const double asked : {200.0, 2000.0, 20000.0}) {
    CAPTURE(asked);
    const Files files(asked);
    const Document document = with_training_beside(load_serving(files.path(), catalog()));
    const Answer answer = answer_of(document, Repeats::none);
    REQUIRE(answer.beside.size() == 1);
    const Beside& beside = answer.beside.front();
    const Shares model = shares(asked, beside.alone_samples_per_s, beside.served_Bps);
    CHECK(beside.demand_Bps == doctest::Approx(kGpus * asked * kSample).epsilon(0.01));
    CHECK(make_case(document).tiers.front().read_rate ==
          doctest::Approx(model.kv_rate).epsilon(0.01));
    CHECK(beside.samples_per_s == doctest::Approx(model.training_rate).epsilon(0.05));
    CHECK(beside.samples_per_s <= beside.alone_samples_per_s * 1.001);
    CHECK(beside.served_Bps > 0);
    CHECK(beside.served_Bps + beside.samples_per_s * kSample <= kStore * 1.001);
  }
}

TEST_CASE("without training nothing is taken, and another store beside is refused") {
  const Files files(200);
  Document document = load_serving(files.path(), catalog());
  for (auto& [name, store] : document.stores) {
    store.trained = nullptr;
    CHECK(make_case(with_training_beside(document)).tiers.front().read_rate == kStore);
  }
  const auto told = [&](const std::string& table) {
    std::ofstream(files.path()) << file_of(
        "llama-3.1-8b", kH100, "rate = '2 requests/s'\nprompt = 8192\nanswer = 64\nprompts = 9",
        "[[serving.tier]]\nat = 'pool'\n" + table);
    try {
      load_serving(files.path(), catalog());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string own = "model = 'pure-flashblade-15-blade'\ntraining = ";
  CHECK(told("[store.pool]\n" + own + "'train.toml'").find("has no [store.pool]") !=
        std::string::npos);
  CHECK(told("[store.pool]\n" + own + "'nothing.toml'").find("nothing.toml") != std::string::npos);
  CHECK(told("[store.nas]\nbandwidth = '2 GB/s'\ncapacity = '1 PB'\ntraining = 'train.toml'\n"
             "[store.pool]\nmodel = 'pure-flashblade-15-blade'")
            .find("reads 2 GB/s here and 16 GB/s") != std::string::npos);
}

}  // namespace gpufeed::serving
