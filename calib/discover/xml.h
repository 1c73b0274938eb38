// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// One element of an XML file.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string, std::less<>> attributes;
  std::vector<std::unique_ptr<XmlElement>> children;
  std::string text;  ///< between its tags, that of its children left out
  Location where;

  /// The attribute's value; empty where it has none.
  const std::string& operator[](std::string_view attribute) const;
};

/// \param name  stands for the file in messages
/// \throws InputError  where it is no XML, declares entities, or is nested too deep; says at which
///                     line and column
std::unique_ptr<XmlElement> parse_xml(std::string_view text, const std::string& name);

/// The attribute as a number. \throws InputError  where it is none; says where
double number_of(const XmlElement& element, std::string_view attribute);
/// 0 where the attribute is missing. \throws InputError  where it is no number
double number_or_0(const XmlElement& element, std::string_view attribute);

}  // namespace gpufeed
