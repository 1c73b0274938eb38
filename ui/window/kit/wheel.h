// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed::ui {

/// Hands the wheel on from a list or panel that is at its end to what it lies in, which ImGui does
/// not: else what is below it could not be reached with the pointer over it. To be called once a
/// frame, before its windows.
void hand_wheel_on();

}  // namespace gpufeed::ui
