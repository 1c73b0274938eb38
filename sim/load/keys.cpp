// SPDX-License-Identifier: Apache-2.0
#include "sim/load/load.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

/// The default of a key that has one to show.
template <class M>
std::string standard_of(const M& value) {
  std::string text;
  if constexpr (!HasFields<M> && !IsOptional<M>::value && !IsVector<M>::value &&
                requires { toml_value(value); })
    text = toml_value(value);
  return text == "\"\"" ? "" : text;
}

template <class M>
KeyHelp help_of(const std::string& type, const Rule<M>& rule, const M& fresh) {
  return {type, std::string(rule.name), expected(rule),
          rule.required ? "required" : standard_of(fresh), std::string(rule.help)};
}

template <HasFields T>
void add(std::vector<KeyHelp>& keys, const std::string& type) {
  const T fresh{};
  for_each_member(fresh, [&](const auto& rule, const auto& member) {
    keys.push_back(help_of(type, rule, member));
  });
}

template <class T>
void add_entry(std::vector<KeyHelp>& keys) {
  const std::string type = fmt::format("catalog {}", T::kKind);
  keys.push_back({type, "source", expected_form(std::string{}), "required",
                  "document, page or measurement that the values come from"});
  keys.push_back({type, "basis", expected_form(Basis{}), "required",
                  "how they are known; any value may carry its own: { value, source, basis }"});
  add<T>(keys, type);
}

}  // namespace

std::vector<KeyHelp> all_keys() {
  std::vector<KeyHelp> keys;
  add<Scenario>(keys, "scenario");
  add<Workload>(keys, "[workload]");
  add<ComputeRow>(keys, "[[workload.compute]]");
  add<ComputeRow>(keys, "[[workload.forward]]");
  add<IoJob>(keys, "workload.io");
  add<Copy>(keys, "[[workload.copy]]");
  add<PipelineStage>(keys, "[[workload.stage]]");
  add<Serving>(keys, "[workload.serving]");
  add<Data>(keys, "[data]");
  add<Staging>(keys, "data.staging");
  add<Loader>(keys, "[loader]");
  add<Exchange>(keys, "[exchange]");
  add<Checkpoint>(keys, "[checkpoint]");
  add<Replace>(keys, "[[replace]]");
  add<Store>(keys, "[store.NAME]");
  add<Run>(keys, "[run]");
  add<Sweep>(keys, "sweep");
  add<Axis>(keys, "[[axis]] of a sweep");
  add<AxisRange>(keys, "range of a sweep's axis");
  add<CatalogQuery>(keys, "catalog of a sweep's axis");
  add<Sample>(keys, "[sample] of a sweep");
  add<Validation>(keys, "validation");
  add<ValidationCase>(keys, "[[case]] of a validation");
  add<MeasuredRow>(keys, "[[measured]] of a validation");
  add<Figure>(keys, "[figure.NAME] of a validation");
  add<Baseline>(keys, "baseline of a validation");
  add<LargestSearch>(keys, "largest of a validation's case");
  add<Bar>(keys, "[[bar]] of a validation's bars");
  add_entry<System>(keys);
  add<Socket>(keys, "[[socket]] of a system");
  add<Connection>(keys, "[[socket_link]] and [[nvlink]] of a system");
  add<Device<Switch>>(keys, "[[switch]], [[nic]] and [[drive]] of a system");
  add<Device<Gpu>>(keys, "[[gpu]] of a system");
  add<NvSwitch>(keys, "[[nvswitch]] of a system");
  add<Volume>(keys, "[[volume]] of a system");
  add_entry<Gpu>(keys);
  add_entry<Cpu>(keys);
  add_entry<Drive>(keys);
  add_entry<Array>(keys);
  add_entry<Protocol>(keys);
  add_entry<Nic>(keys);
  add_entry<Switch>(keys);
  add_entry<Link>(keys);
  add_entry<Model>(keys);
  add<Layer>(keys, "[[layer]] of a model");
  add_entry<Dataset>(keys);
  add_entry<Decoder>(keys);
  add<DecodeCost>(keys, "[[cost]] of a decoder");
  add_entry<Job>(keys);
  return keys;
}

}  // namespace gpufeed
