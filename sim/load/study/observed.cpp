// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/observed.h"

#include "sim/load/read/front_door.h"
#include "sim/load/read/reader.h"

namespace gpufeed {
namespace {

double number_of(double value) { return value; }
template <class Unit>
double number_of(Quantity<Unit> value) {
  return value.value;
}

class Checker {
 public:
  explicit Checker(Diagnostics& out) : out_(out), all_read_(out.empty()) {}

  template <class T>
  void check(std::string_view name, const std::optional<Seen<T>>& seen) {
    if (!seen) return;
    any_ = true;
    const double value = number_of(seen->value);
    if (value <= 0 && all_read_)  // else it may be one that could not be read
      out_.error(ProblemCode::out_of_range, seen->where,
                 "{}.value must be more than 0: a run that stands still has no pace", name);
    if (seen->spread && number_of(*seen->spread) <= 0 && all_read_)
      out_.error(ProblemCode::out_of_range, seen->where,
                 "{}.spread must be more than 0: nothing is seen exactly", name);
    if constexpr (std::same_as<T, Ratio>)
      if (value > 1)
        out_.error(ProblemCode::out_of_range, seen->where, "{}.value must be at most 100 %", name);
  }
  bool any() const { return any_ || !all_read_; }

 private:
  Diagnostics& out_;
  const bool all_read_;
  bool any_ = false;
};

Observed build(const toml::table& table, const std::string& name, const Catalog& catalog,
               Diagnostics& out) {
  Observed observed;
  Reader(catalog, name, out).read_table(table, "", observed);
  Checker checker(out);
  checker.check("gpu_utilization", observed.gpu_utilization);
  checker.check("samples_per_s", observed.samples_per_s);
  checker.check("read_bandwidth", observed.read_bandwidth);
  checker.check("read_rate", observed.read_rate);
  checker.check("network_bandwidth", observed.network_bandwidth);
  checker.check("cores_busy", observed.cores_busy);
  checker.check("memory_bandwidth", observed.memory_bandwidth);
  checker.check("save_bandwidth", observed.save_bandwidth);
  checker.check("load_bandwidth", observed.load_bandwidth);
  if (!checker.any())
    out.error(
        ProblemCode::missing_key, {name, 0, 0},
        "nothing was observed; give gpu_utilization = {{ value = \"55 %\", spread = \"3 %\" }} "
        "or another of the keys that gpufeed check --keys observed lists");
  return observed;
}

auto builder(const Catalog& catalog) {
  return [&catalog](const toml::table& table, const std::string& name, Diagnostics& out) {
    return build(table, name, catalog, out);
  };
}

}  // namespace

Observed parse_observed(std::string_view text, const std::string& name, const Catalog& catalog) {
  return built_from_text(text, name, builder(catalog));
}

Observed load_observed(const std::filesystem::path& file, const Catalog& catalog) {
  return built_from_file(file, builder(catalog));
}

}  // namespace gpufeed
