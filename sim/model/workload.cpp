// SPDX-License-Identifier: Apache-2.0
#include "sim/model/workload.h"

namespace gpufeed {

WorkloadKinds fresh_keys(WorkloadKind kind) {
  return [&]<class... K>(const std::variant<K...>*) {
    constexpr std::array<WorkloadKinds (*)(), sizeof...(K)> make{
        [] { return WorkloadKinds{K{}}; }...};
    return make[static_cast<std::size_t>(kind)]();
  }(static_cast<const WorkloadKinds*>(nullptr));
}

Workload::Workload() = default;
Workload::Workload(WorkloadKinds own, Location place)
    : of_kind(std::move(own)), where(std::move(place)) {}
Workload::Workload(const Workload&) = default;
Workload::Workload(Workload&&) noexcept = default;
Workload& Workload::operator=(const Workload&) = default;
Workload& Workload::operator=(Workload&&) noexcept = default;
Workload::~Workload() = default;

const Ref<Dataset>& Workload::dataset() const { return get<ReadsDataset>().dataset; }
Ref<Dataset>& Workload::dataset() { return get<ReadsDataset>().dataset; }
const Ref<Model>& Workload::model() const { return get<FeedsGpus>().model; }
Ref<Model>& Workload::model() { return get<FeedsGpus>().model; }

}  // namespace gpufeed
