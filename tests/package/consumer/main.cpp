// SPDX-License-Identifier: Apache-2.0
#include <gpufeed/gpufeed.h>

#include <iostream>

// consumer SCENARIO: loads, changes, simulates, and is refused, as the header promises
int main(int, char** values) try {
  namespace gpufeed = gpufeed::v1;
  const gpufeed::Scenario scenario = gpufeed::load(values[1]);
  const gpufeed::Result result = scenario.simulate();
  const gpufeed::Result other = scenario.with("workload.gpus", "1").simulate();
  if (!(result.number("job_samples_per_s").value() > other.number("job_samples_per_s").value()))
    return 1;
  try {
    scenario.with("workload.gpus", "many");
    return 2;
  } catch (const gpufeed::InputError& error) {
    if (error.problems().size() != 1 || error.problems().front().key != "workload.gpus") return 3;
  }
  std::cout << result.text.substr(0, result.text.find('\n')) << ": "
            << result.number("job_samples_per_s").value() << " samples/s\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 4;
}
