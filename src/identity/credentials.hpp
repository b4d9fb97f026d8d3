// The files that one end of a connection shows and trusts by. They are replaced while it runs.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace weir::identity {

struct CredentialFiles {
  std::filesystem::path own;          // private key, then certificates, its own first
  std::filesystem::path authorities;  // certificates to trust
};

struct Credentials {
  std::string key;    // PEM
  std::string chain;  // PEM
  std::string authorities;
};

// As they are now. Errors: kIo; kCorrupt, what is in a file is not what should be.
Result<Credentials> read_credentials(const CredentialFiles& files);

}  // namespace weir::identity
