// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/engine.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/support/approx.h"
#include "tests/support/engine_run.h"

namespace gpufeed::engines {
namespace {

using namespace literals;  // NOLINT(google-build-using-namespace)

TEST_CASE_TEMPLATE("a lone flow takes its size over the narrowest link of its route", E, SimGrid,
                   Fluid) {
  for (const double gigabytes : {12.0, 1.0, 0.064}) {
    Run run(E::make());
    const LinkId drive = run.link(6.9_GBps), slot = run.link(7.2_GBps), memory = run.link(80_GBps);
    run.flow(0, run.route({drive, slot, memory}), gigabytes * 1_GB);
    run.run();
    check_close(run.ended[0], gigabytes / 6.9);
  }
}

TEST_CASE_TEMPLATE("a fraction of a byte counts", E, SimGrid, Fluid) {
  Run run(E::make());
  const RouteId slow = run.route({run.link({1.0})});
  run.flow(0, slow, {10.0 + 1.0 / 3});
  run.run();
  CHECK(std::abs(run.ended[0] - (10.0 + 1.0 / 3)) < 4e-5);
}

TEST_CASE_TEMPLATE("two GPUs under one switch get exactly half of its uplink each", E, SimGrid,
                   Fluid) {
  Run run(E::make());
  const LinkId uplink = run.link(24_GBps), slot0 = run.link(25_GBps), slot1 = run.link(25_GBps);
  const RouteId to0 = run.route({uplink, slot0}), to1 = run.route({uplink, slot1});
  run.flow(0, to0, 12_GB);
  run.flow(1, to1, 12_GB);
  run.run();
  check_close(run.ended[0], 12.0 / (24.0 / 2));
  check_close(run.ended[1], 12.0 / (24.0 / 2));
}

TEST_CASE_TEMPLATE("a cross-socket mix shares max-min fairly", E, SimGrid, Fluid) {
  // One flow takes the uplink, one the socket link, one both; each is sized to end after 1 s.
  const double uplink = 16.0, socket = 6.0;
  const double far = std::min(socket / 2, uplink / 2);
  const double near = uplink - far;
  Run run(E::make());
  const LinkId up = run.link(uplink * 1_GBps), cross = run.link(socket * 1_GBps);
  const RouteId local = run.route({up}), both = run.route({up, cross}), other = run.route({cross});
  run.flow(0, local, near * 1_GB);
  run.flow(1, both, far * 1_GB);
  run.flow(2, other, far * 1_GB);
  run.run();
  CHECK(near == 13.0);
  for (const std::size_t i : {0U, 1U, 2U}) check_close(run.ended[i], 1.0);
}

TEST_CASE_TEMPLATE("a link is shared by weight, and what a capped flow leaves goes to the others",
                   E, SimGrid, Fluid) {
  // 12 GB/s over weights of 4, 12 and 8 eighths, the second capped at 1 GB/s.
  Run run(E::make());
  const LinkId link = run.link(12_GBps);
  const std::vector<LinkId> way{link};
  const RouteId light = run.engine->add_route(way, kUncapped, {4});
  const RouteId heavy = run.engine->add_route(way, 1_GBps, {12});
  const RouteId plain = run.engine->add_route(way);
  run.flow(0, light, 11.0 * 4 / 12 * 3_GB);
  run.flow(1, heavy, 3_GB);
  run.flow(2, plain, 11.0 * 8 / 12 * 3_GB);
  run.run();
  for (const std::size_t i : {0U, 1U, 2U}) check_close(run.ended[i], 3.0);
  CHECK(run.engine->carried(link).value == approx(36e9));
  CHECK(run.engine->moved(light).value == approx(11e9));
}

TEST_CASE_TEMPLATE("a drive and a link limit the flow that takes both at once", E, SimGrid, Fluid) {
  // Two flows of one drive, one of them over a slow link: it frees drive time for the other.
  const double drive = 7.0, slow = 2.0;
  Run run(E::make());
  const LinkId ssd = run.link(drive * 1_GBps), narrow = run.link(slow * 1_GBps);
  const RouteId joint = run.route({ssd, narrow}), direct = run.route({ssd});
  run.flow(0, joint, slow * 3_GB);
  run.flow(1, direct, (drive - slow) * 3_GB);
  run.run();
  check_close(run.ended[0], 3.0);
  check_close(run.ended[1], 3.0);
}

TEST_CASE_TEMPLATE("a flow cap limits each flow of the route, not their sum", E, SimGrid, Fluid) {
  Run run(E::make());
  const LinkId wide = run.link(10_GBps);
  const RouteId capped = run.route({wide}, 3_GBps), open = run.route({wide});
  run.flow(0, capped, 3_GB);
  run.flow(1, capped, 3_GB);
  run.flow(2, open, (10.0 - 2 * 3.0) * 1_GB);
  run.run();
  for (const std::size_t i : {0U, 1U, 2U}) check_close(run.ended[i], 1.0);
}

TEST_CASE_TEMPLATE("a cap above the fair share changes nothing", E, SimGrid, Fluid) {
  Run run(E::make());
  const RouteId route = run.route({run.link(10_GBps)}, 6_GBps);
  run.flow(0, route, 5_GB);
  run.flow(1, route, 5_GB);
  run.run();
  check_close(run.ended[0], 1.0);
  check_close(run.ended[1], 1.0);
}

TEST_CASE_TEMPLATE("when one of two flows ends, the other speeds up to the whole link", E, SimGrid,
                   Fluid) {
  Run run(E::make());
  const RouteId route = run.route({run.link(10_GBps)});
  run.flow(0, route, 5_GB);
  run.flow(1, route, 20_GB);
  run.run();
  const double first = 5.0 / (10.0 / 2);
  check_close(run.ended[0], first);
  check_close(run.ended[1], first + (20.0 - 5.0) / 10.0);
}

TEST_CASE_TEMPLATE("timers fire by date, and those of one date in the order they were set", E,
                   SimGrid, Fluid) {
  Run run(E::make());
  run.ended.resize(300);
  run.timer(0, 3_s);
  run.timer(1, 1_s);
  for (std::uint64_t tag = 2; tag < 300; ++tag) run.timer(tag, 2_s);
  run.run();
  std::vector<std::uint64_t> expected{1};
  for (std::uint64_t tag = 2; tag < 300; ++tag) expected.push_back(tag);
  expected.push_back(0);
  CHECK(run.order == expected);
  check_close(run.ended[1], 1.0);
  check_close(run.ended[299], 2.0);
  check_close(run.ended[0], 3.0);
}

TEST_CASE_TEMPLATE("an empty flow and a delay of 0 end now, but only after the call returns", E,
                   SimGrid, Fluid) {
  Run run(E::make());
  const RouteId route = run.route({run.link(1_GBps)});
  run.timer(0, {});
  run.flow(1, route, {});
  run.timer(2, {});
  CHECK(run.order.empty());
  run.run();
  CHECK(run.order == std::vector<std::uint64_t>{0, 1, 2});
  CHECK(run.ended[1] == 0.0);
}

TEST_CASE_TEMPLATE("an engine without flows or timers ends at once", E, SimGrid, Fluid) {
  Run run(E::make());
  run.run();
  CHECK(run.engine->now() == 0_s);
  CHECK(run.engine->events() == 0);
}

/// Starts a flow for each of `rounds`, one after the other, pausing before each.
struct Loop {
  Engine& engine;
  RouteId route;
  int rounds;
  double ended = 0.0;

  void pause(std::uint64_t) { engine.after(1_s, callback<&Loop::load>(*this, 0)); }
  void load(std::uint64_t) { engine.start_flow(route, 2_GB, callback<&Loop::loaded>(*this, 0)); }
  void loaded(std::uint64_t) {
    ended = engine.now().value;
    if (--rounds > 0) pause(0);
  }
};

TEST_CASE_TEMPLATE("callbacks start further flows and timers", E, SimGrid, Fluid) {
  Run run(E::make());
  Loop loop{*run.engine, run.route({run.link(1_GBps)}), 100};
  loop.pause(0);
  run.run();
  CHECK(loop.rounds == 0);
  check_close(loop.ended, 100 * (1.0 + 2.0));
  CHECK(run.engine->events() == 200);
}

TEST_CASE_TEMPLATE("each link has carried the bytes of the flows that took it", E, SimGrid, Fluid) {
  Run run(E::make());
  const LinkId a = run.link(1_GBps), b = run.link(2_GBps), unused = run.link(3_GBps);
  const RouteId both = run.route({a, b}), only_b = run.route({b});
  run.flow(0, both, 3_GB);
  run.flow(1, both, 4_GB);
  run.flow(2, only_b, 5_GB);
  run.flow(3, only_b, {});
  run.run();
  CHECK(run.engine->carried(a) == 7_GB);
  CHECK(run.engine->carried(b) == 12_GB);
  CHECK(run.engine->carried(unused) == 0_B);
  CHECK(run.engine->events() == 4);
}

TEST_CASE_TEMPLATE("hundreds of engines one after another give the same durations", E, SimGrid,
                   Fluid) {
  for (int i = 0; i < 300; ++i) {
    Run run(E::make());
    const LinkId a = run.link(10_GBps), b = run.link(4_GBps);
    const RouteId first = run.route({a}), second = run.route({a, b});
    run.flow(0, first, 3_GB);
    run.flow(1, second, 2_GB);
    run.timer(2, 0.25_s);
    run.run();
    check_close(run.ended[0], 3.0 / (10.0 - 4.0));
    check_close(run.ended[1], 2.0 / 4.0);
    check_close(run.ended[2], 0.25);
  }
}

TEST_CASE_TEMPLATE("an engine dropped with flows and timers under way leaves the next one whole", E,
                   SimGrid, Fluid) {
  for (int i = 0; i < 3; ++i) {
    Run dropped(E::make());
    dropped.flow(0, dropped.route({dropped.link(1_GBps)}), 1_GB);
    dropped.timer(1, 1_s);
  }
  Run run(E::make());
  run.flow(0, run.route({run.link(1_GBps)}), 1_GB);
  run.run();
  check_close(run.ended[0], 1.0);
}

}  // namespace
}  // namespace gpufeed::engines
