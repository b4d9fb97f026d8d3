// Place: where a value of a job request stands, for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/toml.hpp"

namespace weir::job_request {

struct Place {
  enum class Style : std::uint8_t {
    kJson,  // "/topology/require: "
    kToml,  // "job.toml:12: topology.require: "
    kFlag,  // "--require: "
  };
  Style style = Style::kJson;
  std::string file;
  std::string path;

  [[nodiscard]] Place child(std::string_view key) const;
  [[nodiscard]] std::unexpected<Error> error(std::size_t line, std::string_view message,
                                             Errc code = Errc::kBadInput) const;
  [[nodiscard]] std::unexpected<Error> expected(std::string_view what,
                                                const TomlValue& found) const;
};

}  // namespace weir::job_request
