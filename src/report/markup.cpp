#include "report/markup.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "report/format.hpp"

namespace weir::report {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string coord(double value) {
  if (!std::isfinite(value)) return "0";
  const double tenths = std::round(value * 10);
  if (tenths == 0) return "0";
  return std::fmod(tenths, 10) == 0 ? fmt::format("{:.0f}", tenths / 10)
                                    : fmt::format("{:.1f}", tenths / 10);
}

std::string coord(double x, double y) { return coord(x) + " " + coord(y); }

void Markup::begin(std::string_view tag, Attributes attributes) {
  if (!after_text_ && !out_.empty()) out_ += '\n';
  out_ += '<';
  out_ += tag;
  for (const auto& [name, value] : attributes) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    out_ += escaped(value);
    out_ += '"';
  }
  after_text_ = false;
}

void Markup::open(std::string_view tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += '>';
  open_.emplace_back(tag);
}

void Markup::close() {
  WEIR_ASSERT(!open_.empty());
  out_ += "</" + open_.back() + ">";
  open_.pop_back();
  after_text_ = false;
}

void Markup::text(std::string_view text) {
  out_ += escaped(text);
  after_text_ = true;
}

void Markup::leaf(std::string_view tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += "/>";
}

void Markup::element(std::string_view tag, Attributes attributes, std::string_view content) {
  open(tag, attributes);
  text(content);
  close();
}

void Markup::trusted(std::string_view source) {
  out_ += source;
  after_text_ = true;
}

const std::string& Markup::finished() const {
  WEIR_ASSERT(open_.empty());
  return out_;
}

}  // namespace weir::report
