// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/memory.h"

#include <algorithm>
#include <cmath>

#include "sim/base/printable.h"
#include "sim/load/chassis/fits.h"

namespace gpufeed {
namespace {

using namespace literals;

/// Sizes in which modules of some generation are sold, for CPUs that do not say which they take.
constexpr std::array<std::int64_t, 9> kUsualSizes{4, 8, 16, 32, 48, 64, 96, 128, 256};

/// As a vendor writes it: 64 GB are 64 GiB, of 1024 or 1000 of which a TB is made.
std::string nominal(Bytes size) {
  const double gigas = size.value / (1_GiB).value;
  if (gigas < 1000) return fmt::format("{} GB", text_number(gigas, 4));
  return fmt::format("{:.4g} TB", gigas / (std::fmod(gigas, 1024) == 0 ? 1024 : 1000));
}

/// Whether modules of `size` together are what was asked for.
bool means(Bytes asked, Bytes size) {
  const double exact = asked / size;
  const double as_written = (asked.value / 1e9) / (size.value / (1_GiB).value);
  const double least = asked < 1_TB ? 0.999 : 1 / 1.025;
  return std::abs(exact - 1) < 1e-6 || (as_written > least && as_written < 1.001);
}

struct Wanted {
  std::optional<std::int64_t> modules;
  Bytes size;  ///< of a module, or of all
  std::string kind;
};

/// "64 GB ddr5-4800-rdimm"
std::optional<Wanted> parse_wanted(const Asked& asked) {
  const std::size_t number = asked.what.find(' ');
  const std::size_t unit = asked.what.find(' ', number == std::string::npos ? number : number + 1);
  const auto size = parse_in(units_of<Bytes>(), asked.what.substr(0, unit));
  if (!size || *size <= 0) return {};
  Wanted wanted{{}, Bytes{*size}, {}};
  if (unit != std::string::npos) wanted.kind = asked.what.substr(unit + 1);
  if (asked.count > 1) wanted.modules = asked.count;
  return wanted;
}

class Chooser {
 public:
  Chooser(const Request& request, const Asked& asked, const Ref<Cpu>& cpu, std::int64_t sockets,
          std::vector<std::string>& doubts)
      : request_(request), asked_(asked), cpu_(cpu), sockets_(sockets), doubts_(doubts) {}

  std::optional<MemoryOfSocket> choose() {
    const auto wanted = parse_wanted(asked_);
    if (!wanted) {
      refuse("must be a size or modules, such as \"2 TB\" or \"16 x 64 GB\"; found \"{}\"",
             asked_.what);
      return {};
    }
    if (!find_kind(*wanted)) return {};
    auto chosen = wanted->modules ? of_modules(*wanted) : of_size(wanted->size);
    if (!chosen) return {};
    if (cpu_->largest_memory && chosen->size.value > cpu_->largest_memory->value * 1.001) {
      const auto most = *cpu_->largest_memory;
      add_fix(refuse("{} takes {} of memory at most, and {} are asked for each; take less",
                     cpu_.name, nominal(most), nominal(chosen->size)),
              nominal(most * static_cast<double>(sockets_)));
      return {};
    }
    if (kind_) chosen->kind = *kind_;
    find_bandwidth(*chosen);
    return chosen;
  }

 private:
  template <class... Args>
  Problem& refuse(fmt::format_string<Args...> format, Args&&... args) {
    return request_.refuse("memory", asked_.where, ": {}",
                           fmt::format(format, std::forward<Args>(args)...));
  }
  void add_fix(Problem& problem, const std::string& size) const {
    problem.fixes.push_back({Fix::Kind::set, problem.subject, toml_string(size)});
  }

  bool find_kind(const Wanted& wanted) {
    kind_ = cpu_->memory;
    if (wanted.kind.empty()) return true;
    Ref<Memory> named{wanted.kind, asked_.where, nullptr};
    request_.reader.resolve(named, text(request_.place / "memory"));
    if (!named) return false;
    if (kind_ && *kind_ && (*kind_)->family != named->family) {
      refuse("{} takes {}, not {}", cpu_.name, kind_->name, named.name);
      return false;
    }
    kind_ = named;
    return true;
  }

  std::vector<Bytes> module_sizes() const {
    if (kind_ && *kind_) return (*kind_)->modules;
    std::vector<Bytes> sizes;
    sizes.reserve(kUsualSizes.size());
    for (const auto gigas : kUsualSizes) sizes.push_back(1_GiB * static_cast<double>(gigas));
    return sizes;
  }

  std::optional<std::int64_t> slots() const { return request_.chassis.memory_slots; }
  /// That modules can be in: a board may have fewer slots than the CPU has channels.
  std::int64_t channels() const {
    return std::min(*cpu_->memory_channels, slots().value_or(*cpu_->memory_channels));
  }

  std::optional<MemoryOfSocket> of_size(Bytes size) {
    const double sockets = static_cast<double>(sockets_);
    if (!cpu_->memory_channels) {
      doubts_.push_back(
          fmt::format("{} does not say how many channels of memory it has: whether {} can be made "
                      "of modules is "
                      "not known",
                      cpu_.name, asked_.what));
      return MemoryOfSocket{size / sockets, {}, {}, {}};
    }
    const std::int64_t most = slots().value_or(2 * channels()) / channels();
    std::vector<Makeable> near;
    for (std::int64_t each = 1; each <= most; ++each)
      for (const Bytes module : module_sizes()) {
        const std::int64_t modules = each * channels() * sockets_;
        const Bytes whole = module * static_cast<double>(modules);
        if (means(size, whole)) return MemoryOfSocket{whole / sockets, each * channels(), {}, {}};
        if (std::ranges::count(near, whole, &Makeable::whole) == 0)
          near.push_back({whole, modules, module});
      }
    refuse_between(size, near);
    return {};
  }

  /// So much memory of so many modules.
  struct Makeable {
    Bytes whole;
    std::int64_t modules;
    Bytes each;
  };

  void refuse_between(Bytes size, std::vector<Makeable>& near) {
    std::ranges::stable_sort(
        near, {}, [&](const Makeable& one) { return std::abs(std::log(one.whole / size)); });
    near.resize(std::min<std::size_t>(near.size(), 2));
    std::ranges::sort(near, {}, &Makeable::whole);
    Names could;
    for (const auto& one : near)
      could.push_back(
          fmt::format("{} ({} x {})", nominal(one.whole), one.modules, nominal(one.each)));
    Problem& problem = refuse(
        "{} cannot be made of modules that fill the {} channels of each CPU evenly; the "
        "nearest are {}",
        asked_.what, channels(), fmt::join(could, " and "));
    for (const auto& one : near) add_fix(problem, nominal(one.whole));
  }

  std::optional<MemoryOfSocket> of_modules(const Wanted& wanted) {
    const auto sizes = module_sizes();
    const auto module =
        std::ranges::find_if(sizes, [&](const Bytes size) { return means(wanted.size, size); });
    if (module == sizes.end()) {
      Names known;
      for (const Bytes size : sizes) known.push_back(nominal(size));
      refuse("there are no modules of {}{}; there are {}", text(wanted.size),
             kind_ ? " of " + kind_->name : "", fmt::join(known, ", "));
      return {};
    }
    if (*wanted.modules % sockets_ != 0) {
      const std::int64_t less = *wanted.modules / sockets_ * sockets_;
      Problem& uneven = refuse("{} modules cannot be spread over {} CPUs evenly; take {} or {}",
                               *wanted.modules, sockets_, less, less + sockets_);
      for (const std::int64_t count : {less, less + sockets_})
        if (count > 0) add_fix(uneven, fmt::format("{} x {}", count, nominal(*module)));
      return {};
    }
    const std::int64_t each = *wanted.modules / sockets_;
    if (slots() && each > *slots()) {
      refuse("{} modules are asked for, and {} has {} slots for {} CPUs; take larger ones",
             *wanted.modules, request_.chassis.name, *slots() * sockets_, sockets_);
      return {};
    }
    if (cpu_->memory_channels && each % channels() != 0)
      doubts_.push_back(
          fmt::format("{} modules on the {} channels of {}: vendors fill channels evenly", each,
                      *cpu_->memory_channels, cpu_.name));
    return MemoryOfSocket{*module * static_cast<double>(each), each, {}, {}};
  }

  /// Channels without a module carry nothing; modules slower than the CPU's run at their own pace.
  void find_bandwidth(MemoryOfSocket& chosen) const {
    Bandwidth peak = cpu_->memory_bandwidth;
    if (cpu_->memory_channels) {
      const auto channels = static_cast<double>(*cpu_->memory_channels);
      if (kind_ && *kind_) peak = std::min(peak, (*kind_)->channel_bandwidth * channels);
      if (chosen.modules)
        peak = peak * std::min(1.0, static_cast<double>(*chosen.modules) / channels);
    }
    // Rounded figures of CPU and module are no difference.
    if (peak.value < 0.99 * cpu_->memory_bandwidth.value) chosen.bandwidth = peak;
  }

  const Request& request_;
  const Asked& asked_;
  const Ref<Cpu>& cpu_;
  const std::int64_t sockets_;
  std::vector<std::string>& doubts_;
  std::optional<Ref<Memory>> kind_;
};

}  // namespace

std::optional<MemoryOfSocket> choose_memory(const Request& request, const Asked& asked,
                                            const Ref<Cpu>& cpu, std::int64_t sockets,
                                            std::vector<std::string>& doubts) {
  return Chooser(request, asked, cpu, sockets, doubts).choose();
}

}  // namespace gpufeed
