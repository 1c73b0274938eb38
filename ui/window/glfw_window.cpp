// SPDX-License-Identifier: Apache-2.0
#include "ui/window/glfw_window.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <vector>

#include "sim/base/diagnostics.h"
#include "ui/window/gl_frame.h"

namespace gpufeed::ui {
namespace {

std::atomic<bool> shown = false;

[[noreturn]] void refuse(const std::string& what) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  throw InputError({{{"gpufeed ui", 0, 0},
                     fmt::format("{}{}{}; --screenshot FILE draws into a picture instead", what,
                                 reason ? ": " : "", reason ? reason : "")}});
}

/// The key that the keyboard's layout has here, in GLFW's numbers, which else go by the place on an
/// American keyboard: on a German one, Y and Z would be changed about.
int key_by_layout(int key, int scancode) {
  const char* const name = glfwGetKeyName(key, scancode);
  const bool digit = key >= GLFW_KEY_0 && key <= GLFW_KEY_9;  // by its place: Shift may make it one
  if (digit || !name || name[0] == '\0' || name[1] != '\0') return key;
  if (name[0] >= 'a' && name[0] <= 'z') return GLFW_KEY_A + (name[0] - 'a');
  if (name[0] == '+') return GLFW_KEY_EQUAL;
  return name[0] == '-' ? GLFW_KEY_MINUS : key;
}

std::optional<Command> command_of(int key, int mods) {
  if (key == GLFW_KEY_F1) return Command::keys;
  if (key == GLFW_KEY_F5) return Command::start;
  if ((mods & GLFW_MOD_CONTROL) == 0) return {};
  switch (key) {
    case GLFW_KEY_N:
      return Command::build;
    case GLFW_KEY_E:
      return Command::settings;
    case GLFW_KEY_L:
      return Command::copy_command;
    case GLFW_KEY_O:
      return Command::open;
    case GLFW_KEY_S:
      return Command::save;
    case GLFW_KEY_R:
      return Command::report;
    case GLFW_KEY_Z:
      return (mods & GLFW_MOD_SHIFT) != 0 ? Command::redo : Command::undo;
    case GLFW_KEY_Y:
      return Command::redo;
    case GLFW_KEY_P:
      return Command::pin;
    case GLFW_KEY_1:
      return Command::show_machine;
    case GLFW_KEY_2:
      return Command::show_timeline;
    case GLFW_KEY_3:
      return Command::show_what_if;
    case GLFW_KEY_4:
      return Command::show_sweep;
    case GLFW_KEY_5:
      return Command::show_find;
    case GLFW_KEY_6:
      return Command::show_compare;
    case GLFW_KEY_7:
      return Command::show_explain;
    case GLFW_KEY_8:
      return Command::show_path;
    case GLFW_KEY_T:
      return Command::theme;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      return Command::larger;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      return Command::smaller;
    case GLFW_KEY_0:
    case GLFW_KEY_KP_0:
      return Command::normal_size;
    default:
      return {};
  }
}

struct Input {
  /// Of keys: ImGui 1.86 would lose those that are pressed and released between two frames.
  std::vector<Command> commands;
  std::vector<int> pressed;  ///< keys, since the last frame
  std::vector<int> lifted;   ///< of them, those that were released before one: down for a frame
  bool any = false;
};

Input& input_of(GLFWwindow* window) {
  return *static_cast<Input*>(glfwGetWindowUserPointer(window));
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  Input& input = input_of(window);
  input.any = true;
  if (action == GLFW_RELEASE) return;
  if (key >= 0) input.pressed.push_back(key);
  if (const auto command = command_of(key_by_layout(key, scancode), mods))
    input.commands.push_back(*command);
}

/// Has ImGui see keys that were pressed and released between two frames, for one frame.
void hand_short_keys_on(Input& input) {
  bool(&down)[512] = ImGui::GetIO().KeysDown;
  for (const int key : std::exchange(input.lifted, {})) down[key] = false;
  for (const int key : std::exchange(input.pressed, {}))
    if (!down[key]) {
      down[key] = true;
      input.lifted.push_back(key);
    }
}

/// Before those of ImGui, which calls these.
void set_callbacks(GLFWwindow* window) {
  glfwSetKeyCallback(window, on_key);
  glfwSetCharCallback(window, [](GLFWwindow* at, unsigned) { input_of(at).any = true; });
  glfwSetMouseButtonCallback(window,
                             [](GLFWwindow* at, int, int, int) { input_of(at).any = true; });
  glfwSetCursorPosCallback(window, [](GLFWwindow* at, double, double) { input_of(at).any = true; });
  glfwSetScrollCallback(window, [](GLFWwindow* at, double, double) { input_of(at).any = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* at, int, int) { input_of(at).any = true; });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* at) { input_of(at).any = true; });
}

/// In a field of text, undo is of the text.
bool is_for_text(Command command) {
  return ImGui::GetIO().WantTextInput && (command == Command::undo || command == Command::redo);
}

class Window {
 public:
  Window(int width, int height, ViewState& view) {
    if (!glfwInit()) refuse("there is no display");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    window_ = glfwCreateWindow(width, height, "gpufeed", nullptr, nullptr);
    if (!window_) {
      glfwTerminate();
      refuse("no window can be opened");
    }
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    view.display_scale = std::max(x, 1.0F);
    view.scale *= view.display_scale;
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window_, &input_);
    set_callbacks(window_);
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    ImGui::GetIO().ConfigInputTextCursorBlink = false;  // or an idle window would draw frames
    ImGui_ImplOpenGL3_Init("#version 330 core");
    shown = true;
  }
  ~Window() {
    shown = false;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window_);
    glfwTerminate();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool open() const { return !glfwWindowShouldClose(window_); }

  /// Whether anything has come from its user since this was asked last.
  bool had_input() { return std::exchange(input_.any, false) || !input_.lifted.empty(); }

  void frame(App& app) {
    for (const Command command : std::exchange(input_.commands, {}))
      if (!is_for_text(command)) app.carry_out(command);
    begin_gl_frame(app);
    ImGui_ImplGlfw_NewFrame();
    hand_short_keys_on(input_);
    ImGui::NewFrame();
    app.draw();
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_);
    app.shown();
  }

 private:
  GLFWwindow* window_ = nullptr;
  Input input_;
};

}  // namespace

void wake_window() {
  if (shown) glfwPostEmptyEvent();
}

void run_window(App& app, int width, int height) {
  Window window(width, height, app.view());
  constexpr int kFramesAfter = 4;  // ImGui needs some until all has settled
  int frames = kFramesAfter;
  while (window.open()) {
    if (frames > 0) {
      glfwPollEvents();
      --frames;
    } else {
      glfwWaitEvents();
      frames = kFramesAfter;
    }
    if (app.poll()) frames = kFramesAfter;
    if (window.had_input()) frames = kFramesAfter;  // also what came while frames were drawn
    window.frame(app);
  }
}

}  // namespace gpufeed::ui
