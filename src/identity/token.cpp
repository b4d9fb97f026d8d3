#include "identity/token.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::identity {
namespace {

constexpr std::string_view kPrefix = "weir-";
constexpr std::string_view kFirstLine = "weir join tokens 1";
constexpr std::size_t kHexDigits = 64;
constexpr std::size_t kBytes = 32;

using Bytes = std::array<unsigned char, kBytes>;

std::string hex_of(const Bytes& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

bool is_hex(std::string_view text) {
  return text.size() == kHexDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Takes equally long whatever differs, so that answers tell nothing of a hash.
bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::unexpected<Error> bad_line(std::size_t line) {
  return corrupt(fmt::format("tokens: line {}: expected \"HASH EXPIRES NODE USED_BY KEY\"", line));
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }
std::string from_dash(std::string_view text) {
  return text == "-" ? std::string() : std::string(text);
}

}  // namespace

std::string to_text(const TokenText& token) {
  return fmt::format("{}{}-{}", kPrefix, token.secret, token.fingerprint);
}

Result<TokenText> parse_token(std::string_view text) {
  // A token that was read from a file ends with its line.
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  text = trim(text);
  const std::size_t fingerprint = kPrefix.size() + kHexDigits + 1;
  if (!text.starts_with(kPrefix) || text.size() != fingerprint + kHexDigits ||
      text[fingerprint - 1] != '-' || !is_hex(text.substr(kPrefix.size(), kHexDigits)) ||
      !is_hex(text.substr(fingerprint)))
    return bad_input(
        fmt::format("this is no join token: expected the {} characters that `weir "
                    "token create` prints, beginning with {}",
                    fingerprint + kHexDigits, kPrefix));
  return TokenText{std::string(text.substr(kPrefix.size(), kHexDigits)),
                   std::string(text.substr(fingerprint))};
}

std::string make_secret() {
  WEIR_ASSERT(sodium_init() >= 0);
  Bytes bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  return hex_of(bytes);
}

std::string hash_secret(std::string_view secret) {
  Bytes hash{};
  const int status = crypto_generichash(hash.data(), hash.size(),
                                        reinterpret_cast<const unsigned char*>(secret.data()),
                                        secret.size(), nullptr, 0);
  WEIR_ASSERT(status == 0);
  return hex_of(hash);
}

Status TokenTable::add(JoinToken token) {
  if (tokens_.size() >= limits::kJoinTokens)
    return over_limit(fmt::format("{} join tokens have not expired: expected at most {}",
                                  tokens_.size(), limits::kJoinTokens));
  tokens_.push_back(std::move(token));
  return {};
}

Status TokenTable::use(const TokenUse& use, Instant now) {
  const std::string hash = hash_secret(use.secret);
  const auto token =
      std::ranges::find_if(tokens_, [&](const JoinToken& other) { return same(other.hash, hash); });
  if (token == tokens_.end())
    return bad_input("the join token is unknown here, or expired long ago: make a new one");
  if (now >= token->expires)
    return bad_input(fmt::format("the join token expired at {}: make a new one",
                                 format_instant(token->expires)));
  if (!token->node.empty() && token->node != use.node)
    return bad_input(fmt::format("the join token was made for another node than {}", use.node));
  if (!token->used_by.empty() && (token->used_by != use.node || token->key != use.key))
    return bad_input("the join token has been used: make a new one for each node");
  token->used_by = use.node;
  token->key = use.key;
  return {};
}

void TokenTable::drop_expired(Instant now) {
  std::erase_if(tokens_, [&](const JoinToken& token) { return now >= token.expires; });
}

std::string TokenTable::text() const {
  std::string text = fmt::format("{}\n", kFirstLine);
  for (const JoinToken& token : tokens_)
    text += fmt::format("{} {} {} {} {}\n", token.hash, token.expires.microseconds(),
                        or_dash(token.node), or_dash(token.used_by), or_dash(token.key));
  return text;
}

Result<TokenTable> TokenTable::parse(std::string_view text) {
  TokenTable table;
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::vector<std::string_view> lines = split(text, '\n');
  if (lines.front() != kFirstLine)
    return corrupt(fmt::format("tokens: line 1: expected \"{}\"", kFirstLine));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string_view> fields = split(lines[i], ' ');
    if (fields.size() != 5 || !is_hex(fields[0])) return bad_line(i + 1);
    const auto expires = parse_unsigned(fields[1]);
    if (!expires || *expires > INT64_MAX) return bad_line(i + 1);
    WEIR_TRY(table.add({std::string(fields[0]), Instant(static_cast<std::int64_t>(*expires)),
                        from_dash(fields[2]), from_dash(fields[3]), from_dash(fields[4])}));
  }
  return table;
}

}  // namespace weir::identity
