// SPDX-License-Identifier: Apache-2.0
#include "reports/study/leave_out.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/writers/validation.h"
#include "sim/load/study/validation.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// Two GPUs, by their clock in GHz and what their links carry.
struct Pair {
  double clock;
  double link;
};

/// They sum a GiB over a ring: what `own` makes of their own parts.
double ring_s(const Pair& pair, double own) {
  const double bytes = 1073741824;
  return (8.4e-6 + 2 * 3.4e-6) * 1.98 / pair.clock + bytes / pair.link +
         own * bytes / 2 / pair.link;
}

std::string case_of(const std::string& system, double measured) {
  return fmt::format(
      "[[case]]\ntitle = '{0}'\nset = ['system={0}']\n"
      "measured = [{{ key = 'collectives[0].time_s', value = {1:.9f}, unit = 's' }}]\n",
      system, measured);
}

constexpr Pair kA100{1.41, 12 * 25e9 * 0.8}, kH100{1.98, 18 * 25e9 * 0.824};

}  // namespace

TEST_CASE("constants are chosen by the rows of all other machines") {
  TemporaryFolder folder;
  const auto file = folder.write(
      "sums.toml",
      "title = 'Sums'\nsource = 'S'\nmechanism = 'sums'\n[scenario]\nsystem = 'nvidia-dgx-a100'\n"
      "workload = { kind = 'collective', gpus = 2, from = '1 GiB', to = '1 GiB' }\n" +
          case_of("nvidia-dgx-a100", ring_s(kA100, 0.5)) +
          case_of("nvidia-dgx-h100", ring_s(kH100, 1)));
  const std::string head =
      "[[bar]]\nmechanism = 'sums'\nmean = 1\n[[law]]\nname = 'own part'\nmechanisms = ['sums']\n";
  folder.write("bars.toml", head +
                                "constant = [{ path = 'system.gpu[*].model.collectives.own_part', "
                                "values = ['0 %', '50 %', '100 %'] }]\n");
  ValidationRun run;
  run.bars = bars_for(folder / ".", own_catalog());
  run.progress = [](std::int64_t, std::int64_t) {};
  const auto as_given = validate({file}, own_catalog(), run);
  REQUIRE(as_given.rows.size() == 2);
  CHECK_FALSE(as_given.rows[0].left_out.has_value());
  run.leave_out = LeaveOut::system;
  const auto report = validate({file}, own_catalog(), run);
  REQUIRE(report.rows.size() == 2);
  CHECK(report.rows[0].predicted == as_given.rows[0].predicted);
  CHECK(*report.rows[0].left_out == approx(ring_s(kA100, 1)));
  CHECK(*report.rows[1].left_out == approx(ring_s(kH100, 0.5)));
  const double a100 = 100 * (ring_s(kA100, 1) / ring_s(kA100, 0.5) - 1);
  const double h100 = 100 * (1 - ring_s(kH100, 0.5) / ring_s(kH100, 1));
  CHECK(*report.mechanisms[0].left_out_mean_abs_error == approx((a100 + h100) / 2).epsilon(1e-4));
  REQUIRE(report.mechanisms[0].missed_bars.size() == 1);
  CHECK(report.mechanisms[0].missed_bars[0].starts_with("the mean left out"));
  CHECK(to_board(report, "").find("that its system has not fed") != std::string::npos);
  folder.write("bars.toml", head +
                                "families = ['alexnet']\nconstant = [{ path = 'workload.gpus', "
                                "values = ['2', '4'] }]\n");
  run.bars = bars_for(folder / ".", own_catalog());
  CHECK_FALSE(validate({file}, own_catalog(), run).rows[0].left_out.has_value());
}

TEST_CASE("a law without a choice is refused, and one of a mechanism that no row has") {
  CHECK(refusal_of([] {
          parse_bars(
              "[[law]]\nname = 'L'\nmechanisms = ['sums']\n[[law.constant]]\n"
              "path = 'workload.gpus'\nvalues = ['1']\n[[law]]\nname = 'M'\n"
              "mechanisms = ['sums']\n",
              "bars.toml", own_catalog());
        }) ==
        "bars.toml:4:1: error: L: there is nothing to choose from for workload.gpus\n"
        "bars.toml:7:1: error: M: a law has one or two fitted constants; found 0\n");
  const Bars bars = parse_bars(
      "[[law]]\nname = 'L'\nmechanisms = ['sums']\nconstant = [{ path = 'workload.gpus', "
      "values = ['1', '2'] }]\n",
      "bars.toml", own_catalog());
  CHECK(refusal_of([&] {
          check_mechanisms({}, bars);
        }).starts_with("bars.toml:1:1: error: no row is of the mechanism \"sums\""));
}
