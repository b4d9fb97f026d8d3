// Markup: the one writer of HTML and SVG. Everything given to it is escaped and every element it
// opens must be closed, so a page cannot break however a file is named.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::report {

// For text and for attributes in quotes: & < > " ' become entities. Clean text (see clean_text).
std::string escaped(std::string_view text);

// A coordinate to a tenth of a pixel: 12.34 -> "12.3", 5.0 -> "5".
std::string coord(double value);

// Both as "12.3 4".
std::string coord(double x, double y);

class Markup {
 public:
  // Names are ours and trusted; values are escaped.
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  void open(std::string_view tag, Attributes attributes = {});
  void close();  // the innermost open element
  void text(std::string_view text);
  // An element that holds nothing, as "<path …/>".
  void leaf(std::string_view tag, Attributes attributes = {});
  // open, text, close
  void element(std::string_view tag, Attributes attributes, std::string_view content);
  // As it is: for our own style sheet and script, never for anything read.
  void trusted(std::string_view source);

  // REQUIRES: every element is closed.
  [[nodiscard]] const std::string& finished() const;

 private:
  void begin(std::string_view tag, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
  bool after_text_ = false;  // a line break here would add a blank to what is read
};

}  // namespace weir::report
