// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/xml.h"

#include <expat.h>

#include <charconv>
#include <cmath>

namespace gpufeed {
namespace {

constexpr std::size_t kDeepest = 200;
/// The largest machines that lstopo was run on have some ten thousand.
constexpr std::size_t kMostElements = 50000;

[[noreturn]] void fail(const Location& where, std::string message) {
  throw InputError({{where, std::move(message)}});
}

/// What expat's callbacks build. They may not throw: what is wrong is kept and thrown afterwards.
class TreeBuilder {
 public:
  explicit TreeBuilder(const std::string& name) : name_(name), parser_(XML_ParserCreate(nullptr)) {
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(parser_, &TreeBuilder::opened, &TreeBuilder::closed);
    XML_SetCharacterDataHandler(parser_, &TreeBuilder::written);
    XML_SetEntityDeclHandler(parser_, &TreeBuilder::declared);
  }
  ~TreeBuilder() { XML_ParserFree(parser_); }
  TreeBuilder(const TreeBuilder&) = delete;
  TreeBuilder& operator=(const TreeBuilder&) = delete;

  std::unique_ptr<XmlElement> build(std::string_view text) {
    const auto status = XML_Parse(parser_, text.data(), static_cast<int>(text.size()), XML_TRUE);
    if (!refused_.empty()) fail(refused_at_, refused_);
    if (status != XML_STATUS_OK)
      fail(here(), fmt::format("this is no XML: {}", XML_ErrorString(XML_GetErrorCode(parser_))));
    return std::move(root_);
  }

 private:
  static void opened(void* self, const char* name, const char** attributes) {
    static_cast<TreeBuilder*>(self)->open(name, attributes);
  }
  static void closed(void* self, const char*) { static_cast<TreeBuilder*>(self)->open_.pop_back(); }
  static void written(void* self, const char* text, int size) {
    const auto& open = static_cast<TreeBuilder*>(self)->open_;
    if (!open.empty()) open.back()->text.append(text, static_cast<std::size_t>(size));
  }
  static void declared(void* self, const char*, int, const char*, int, const char*, const char*,
                       const char*, const char*) {
    static_cast<TreeBuilder*>(self)->refuse("XML that declares entities is not read");
  }

  Location here() const {
    return {name_, static_cast<int>(XML_GetCurrentLineNumber(parser_)),
            static_cast<int>(XML_GetCurrentColumnNumber(parser_)) + 1};
  }

  void refuse(std::string why) {
    refused_ = std::move(why);
    refused_at_ = here();
    XML_StopParser(parser_, XML_FALSE);
  }

  void open(const char* name, const char** attributes) {
    if (open_.size() == kDeepest)
      refuse(fmt::format("elements are nested more than {} deep", kDeepest));
    if (++count_ > kMostElements)
      return refuse(fmt::format("more than {} elements: this is no one machine", kMostElements));
    auto element = std::make_unique<XmlElement>();
    element->name = name;
    for (; *attributes; attributes += 2) element->attributes[attributes[0]] = attributes[1];
    element->where = here();
    XmlElement* const raw = element.get();
    (open_.empty() ? root_ : open_.back()->children.emplace_back()) = std::move(element);
    open_.push_back(raw);
  }

  std::string name_;
  XML_Parser parser_;
  std::unique_ptr<XmlElement> root_;
  std::vector<XmlElement*> open_;
  std::size_t count_ = 0;
  std::string refused_;
  Location refused_at_;
};

}  // namespace

const std::string& XmlElement::operator[](std::string_view attribute) const {
  static const std::string kNone;
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? kNone : found->second;
}

std::unique_ptr<XmlElement> parse_xml(std::string_view text, const std::string& name) {
  return TreeBuilder(name).build(text);
}

double number_of(const XmlElement& element, std::string_view attribute) {
  const std::string& text = element[attribute];
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc{} || rest != end || !std::isfinite(value) || value < 0)
    fail(element.where, fmt::format("{} of <{}> must be a number from 0; found \"{}\"", attribute,
                                    element.name, text));
  return value;
}

double number_or_0(const XmlElement& element, std::string_view attribute) {
  return element.attributes.contains(attribute) ? number_of(element, attribute) : 0;
}

}  // namespace gpufeed
