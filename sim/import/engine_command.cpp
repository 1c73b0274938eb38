// SPDX-License-Identifier: Apache-2.0
#include "sim/import/engine_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/serving/engine_words.h"

namespace gpufeed {
namespace {

enum class Form { count, share, on, off, memory_GiB, memory_of_each_GPU, dtype, weights, cache };

struct Word {
  std::string_view option;
  std::string_view key;
  Form form;
};
/// Beside the words that keys may have, too: short ones, and those whose values are no key's.
constexpr std::array kWords{Word{"-tp", "tensor", Form::count},
                            Word{"--tp", "tensor", Form::count},
                            Word{"-dp", "replicas", Form::count},
                            Word{"--dp", "replicas", Form::count},
                            Word{"--no-enable-prefix-caching", "prefix_cache", Form::off},
                            Word{"--no-async-scheduling", "async", Form::off},
                            Word{"--kv-cache-dtype", "kv_fp8", Form::cache},
                            Word{"--dtype", "precision", Form::dtype},
                            Word{"--quantization", "precision", Form::weights},
                            Word{"-q", "precision", Form::weights}};

/// What a word of a file's key is on a command line.
std::optional<Form> form_of(const serving::EngineWord& word) {
  switch (word.form) {
    case serving::WordForm::opposite:
      return Form::off;
    case serving::WordForm::gibibytes:
      return Form::memory_GiB;
    case serving::WordForm::of_each_rank:
      return Form::memory_of_each_GPU;
    case serving::WordForm::gigabytes:
      return {};
    case serving::WordForm::same:
      break;
  }
  if (word.table != "serving") return {};
  if (word.key == "memory_share") return Form::share;
  return word.key == "prefix_cache" || word.key == "async" ? Form::on : Form::count;
}

std::optional<Word> word_of(const std::string& option) {
  if (const auto own = std::ranges::find(kWords, option, &Word::option); own != kWords.end())
    return *own;
  if (!option.starts_with("--")) return {};
  std::string name = option.substr(2);
  std::ranges::replace(name, '-', '_');
  for (const serving::EngineWord& word : serving::engine_words()) {
    const bool is_engine =
        word.of == serving::Software::vllm || word.of == serving::Software::sglang;
    const auto form = form_of(word);
    if (is_engine && form && word.word == name) return Word{word.word, word.key, *form};
  }
  return {};
}

std::optional<double> plain_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || !std::isfinite(value)) return {};
  return value;
}

class Parser {
 public:
  explicit Parser(std::vector<std::string> words) : words_(std::move(words)) {}

  EngineCommand command() {
    skip_program();
    while (next_ < words_.size()) take(words_[next_++]);
    if (out_.model.empty())
      problem("names no model; give it as the engine does: vllm serve meta-llama/Llama-3.1-8B");
    diagnostics_.throw_if_any();
    if (out_.precision.empty()) out_.precision = "bf16";
    if (each_GB_) out_.memory = fmt::format("{} GB", *each_GB_ * tensor());
    return std::move(out_);
  }

 private:
  void problem(const std::string& what) {
    diagnostics_.add({{"the command line", 0, 0}, "the command line " + what});
  }

  /// GPUs that share a model.
  double tensor() const {
    for (const auto& [key, value] : out_.serving)
      if (key == "tensor") return plain_number(value).value_or(1);
    return 1;
  }

  /// "vllm serve", "python -m sglang.launch_server", "VAR=1 ...".
  void skip_program() {
    for (std::size_t i = 0; i < words_.size() && i < 8; ++i)
      if (words_[i] == "serve" || words_[i].ends_with("launch_server") ||
          words_[i].ends_with("api_server"))
        next_ = i + 1;
  }

  void take(std::string word) {
    std::optional<std::string> value;
    if (!word.starts_with("-")) {
      if (out_.model.empty())
        out_.model = word;
      else
        out_.not_modeled.push_back(printable(word));
      return;
    }
    if (const auto equals = word.find('='); equals != std::string::npos) {
      value = word.substr(equals + 1);
      word.resize(equals);
    }
    if (word.starts_with("--")) std::ranges::replace(word, '_', '-');
    if (word == "--model" || word == "--model-path") {
      if (const auto name = value_of(word, value)) out_.model = *name;
      return;
    }
    const auto known = word_of(word);
    if (!known) return leave_out(word, value);
    if (known->form == Form::on || known->form == Form::off)
      return set(known->key, known->form == Form::on ? "true" : "false");
    if (const auto text = value_of(word, value)) set_value(*known, word, *text);
  }

  /// An option that is not known may have a value behind it.
  void leave_out(const std::string& word, const std::optional<std::string>& value) {
    std::string all = word;
    if (value)
      all += "=" + *value;
    else if (next_ < words_.size() && !words_[next_].starts_with("-"))
      all += " " + words_[next_++];
    out_.not_modeled.push_back(printable(all));
  }

  std::optional<std::string> value_of(const std::string& word,
                                      const std::optional<std::string>& value) {
    if (value) return value;
    if (next_ < words_.size() && !words_[next_].starts_with("--")) return words_[next_++];
    problem("has " + word + " without its value");
    return {};
  }

  void set(std::string_view key, const std::string& value) {
    const auto same =
        std::ranges::find(out_.serving, key, [](const auto& one) { return one.first; });
    if (same != out_.serving.end())
      same->second = value;  // as engines do: the last counts
    else
      out_.serving.emplace_back(key, value);
  }

  void set_value(const Word& word, const std::string& option, const std::string& text) {
    const auto number = plain_number(text);
    const auto is_number = [&](double least) {
      if (number && *number >= least) return true;
      problem(fmt::format("has {} {}, which is no number of at least {}", option, printable(text),
                          least));
      return false;
    };
    switch (word.form) {
      case Form::count:
        if (is_number(1)) set(word.key, fmt::format("{:.0f}", *number));
        break;
      case Form::share:
        if (is_number(0)) set(word.key, fmt::format("{}", *number));
        break;
      case Form::memory_GiB:
        if (is_number(0) && *number > 0) out_.memory = fmt::format("{} GiB", *number);
        break;
      case Form::memory_of_each_GPU:
        if (is_number(0) && *number > 0) each_GB_ = *number;
        break;
      case Form::dtype:
        if (text == "half" || text == "float16") out_.precision = "fp16";
        if (text == "float32" || text == "float")
          out_.not_modeled.push_back("--dtype " + printable(text));
        break;
      case Form::weights:
        if (text == "fp8")
          out_.precision = "fp8";
        else
          out_.not_modeled.push_back(fmt::format("{} {}", option, printable(text)));
        break;
      case Form::cache:
        if (text.starts_with("fp8")) set(word.key, "true");
        break;
      case Form::on:
      case Form::off:
        break;
    }
  }

  std::vector<std::string> words_;
  std::size_t next_ = 0;
  EngineCommand out_;
  std::optional<double> each_GB_;  ///< of host memory, of each GPU
  Diagnostics diagnostics_;
};

/// "meta-llama/Llama-3.1-8B-Instruct" is "llama-3.1-8b".
std::string plain_name(const std::string& model) {
  std::string name = model.substr(model.find_last_of('/') + 1);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  constexpr std::array<std::string_view, 9> kEnds{"-instruct", "-chat", "-hf",   "-base",  "-it",
                                                  "-fp8",      "-v0.1", "-v0.3", "-python"};
  bool is_shorter = true;
  while (is_shorter) {
    is_shorter = false;
    for (const std::string_view end : kEnds)
      if (name.ends_with(end)) {
        name.resize(name.size() - end.size());
        is_shorter = true;
      }
  }
  if (name.starts_with("meta-")) name.erase(0, 5);
  return name;
}

}  // namespace

EngineCommand parse_engine_command(const std::vector<std::string>& words) {
  std::vector<std::string> apart;
  for (const std::string& word : words) {
    std::istringstream parts(word);
    for (std::string part; parts >> part;)
      if (part != "\\") apart.push_back(part);
  }
  return Parser(std::move(apart)).command();
}

std::string catalog_model_of(const EngineCommand& command, const Names& known) {
  std::string name = plain_name(command.model);
  if (std::ranges::count(known, name) > 0) return name;
  throw InputError(
      {{{"the command line", 0, 0},
        fmt::format("the command line serves {}, and no model of the catalog is \"{}\"; "
                    "{}; gpufeed import model makes one of its config.json, and --as "
                    "names it",
                    printable(command.model), printable(name), suggestion(name, known))}});
}

std::string serving_text(const EngineCommand& command, const std::string& model,
                         const std::string& gpu) {
  std::string out = fmt::format(
      "# {} as it is served, by gpufeed import vllm.\nschema = 1\ntitle = {}\n\n[workload]\nkind = "
      "\"serving\"\nmodel = {}\nprecision = \"{}\"\n\n[serving]\ngpu = {}\n",
      printable(command.model), toml_string(printable(command.model)), toml_string(model),
      command.precision, toml_string(gpu));
  for (const auto& [key, value] : command.serving) out += fmt::format("{} = {}\n", key, value);
  out +=
      "# goal = { ttft_p95 = \"2 s\", itl_p95 = \"50 ms\" }\n\n"
      "# What is asked: say it in your numbers, or give log = \"trace.jsonl\" instead.\n"
      "[serving.requests]\nrate = \"1 requests/s\"\nprompt = 1000  # tokens\nanswer = 250\n"
      "prompts = 0    # how many different ones; 0: none comes again\n";
  if (!command.memory.empty())
    out += fmt::format("\n[[serving.tier]]\nat = \"memory\"\ncapacity = \"{}\"\n", command.memory);
  for (const std::string& one : command.not_modeled) out += "# not modeled: " + one + "\n";
  return out;
}

}  // namespace gpufeed
