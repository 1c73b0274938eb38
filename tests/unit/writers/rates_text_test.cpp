// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/rates_text.h"

#include <doctest/doctest.h>

#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

TEST_CASE("GPUs that exchange are not told as if they only computed") {
  Result result = sample_result();
  CHECK(not_computed(result).all() == 0);
  result.job_gpu_utilization = result.accelerator_utilization = 0.999;
  result.transformer = TransformerSummary{};
  StepPartTime products, gradients, tensor, again;
  products.part.code = LimiterCode::step_products;
  products.share = 0.7;
  gradients.part.code = LimiterCode::step_gradients;
  gradients.share = 0.15;
  tensor.part.code = LimiterCode::step_tensor;
  tensor.share = 0.05;
  again.part.code = LimiterCode::step_recompute;  // computing, though it is a loss
  again.share = 0.1;
  result.transformer->parts = {products, gradients, again, tensor};
  CHECK(not_computed(result).exchange == doctest::Approx(0.2));
  CHECK(not_computed(result).bubble == 0);
  CHECK(job_utilization_text(result) == "99.9 %, of it 20.0 % exchange");
  result.transformer->parts = {products};
  CHECK(job_utilization_text(result) == "99.9 %");
}
