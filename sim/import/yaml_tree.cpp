// SPDX-License-Identifier: Apache-2.0
#include "sim/import/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "sim/base/files/text_input.h"

namespace gpufeed {
namespace {

using Kind = YamlNode::Kind;

/// Thrown out of the parser, to end it.
struct Refused {
  YAML::Mark mark;
  std::string why;
};

/// Builds the tree from the parser's events. The parser's own tree would follow aliases.
class Builder : public YAML::EventHandler {
 public:
  YamlNode root;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) throw Refused{mark, "a second document begins here; one is expected"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add({}, mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{mark, "aliases (*name) are not followed; write the value itself"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    YamlNode node;
    node.kind = Kind::scalar;
    node.text = value;
    node.quoted = tag == "!";  // plain ones have "?"
    add(std::move(node), mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(Kind::list, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(Kind::map, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not come yet.
  struct Open {
    YamlNode node;
    bool has_key = false;
    YamlNode key;
  };

  bool key_expected() const {
    return !open_.empty() && open_.back().node.kind == Kind::map && !open_.back().has_key;
  }

  void open(Kind kind, const YAML::Mark& mark) {
    constexpr std::size_t kMaxDepth = 32;
    if (open_.size() == kMaxDepth) throw Refused{mark, "values are nested deeper than 32"};
    if (key_expected()) throw Refused{mark, "a key must be a word; found a list or map"};
    count(mark);
    Open one;
    one.node.kind = kind;
    place(one.node, mark);
    open_.push_back(std::move(one));
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    attach(std::move(node));
  }

  void add(YamlNode node, const YAML::Mark& mark) {
    count(mark);
    place(node, mark);
    if (key_expected())
      take_key(std::move(node), mark);
    else
      attach(std::move(node));
  }

  void take_key(YamlNode key, const YAML::Mark& mark) {
    constexpr std::size_t kLongest = 100;
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
    if (key.text.empty() || key.text.size() > kLongest || std::ranges::any_of(key.text, is_control))
      throw Refused{mark, "a key must be a word of at most 100 characters"};
    Open& map = open_.back();
    if (const YamlNode* twin = map.node.find(key.text))
      throw Refused{mark,
                    fmt::format("key \"{}\" stands in line {} already", key.text, twin->key_line)};
    map.key = std::move(key);
    map.has_key = true;
  }

  void attach(YamlNode node) {
    if (open_.empty()) {
      root = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.has_key) {
      node.key = std::move(parent.key.text);
      node.key_line = parent.key.line;
      node.key_column = parent.key.column;
      parent.has_key = false;
    }
    parent.node.items.push_back(std::move(node));
  }

  void count(const YAML::Mark& mark) {
    constexpr int kMost = 20000;
    if (++nodes_ > kMost) throw Refused{mark, "more than 20,000 values"};
  }

  static void place(YamlNode& node, const YAML::Mark& mark) {
    node.line = mark.line + 1;
    node.column = mark.column + 1;
  }

  std::vector<Open> open_;
  int documents_ = 0;
  int nodes_ = 0;
};

/// Reports the first character that is not text.
bool is_text(std::string_view text, const std::string& name, Diagnostics& out) {
  Location where{name, 1, 1};
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    const bool control =
        (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
    if (length == 0) out.error(ProblemCode::wrong_type, where, "the text is not valid UTF-8");
    if (control) out.error(ProblemCode::wrong_type, where, "control characters are not allowed");
    if (length == 0 || control) return false;
    text.remove_prefix(length);
    ++where.column;
    if (byte == '\n') where = {name, where.line + 1, 1};
  }
  return true;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view name) const {
  if (kind != Kind::map) return nullptr;
  const auto it = std::ranges::find(items, name, &YamlNode::key);
  return it == items.end() ? nullptr : &*it;
}

std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& name,
                                   Diagnostics& out) {
  const auto refuse = [&](const YAML::Mark& mark, const std::string& why) {
    const bool known = !mark.is_null();
    out.error(ProblemCode::syntax, {name, known ? mark.line + 1 : 0, known ? mark.column + 1 : 0},
              "{}", why);
    return std::nullopt;
  };
  if (text.size() > kMaxTextSize)
    return refuse(YAML::Mark::null_mark(), "the file is larger than 4 MiB");
  if (!is_text(text, name, out)) return {};
  std::istringstream in{std::string(text)};
  Builder builder;
  try {
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refused& refused) {
    return refuse(refused.mark, refused.why);
  } catch (const YAML::Exception& error) {
    return refuse(error.mark, "YAML syntax: " + error.msg);
  }
  return std::move(builder.root);
}

}  // namespace gpufeed
