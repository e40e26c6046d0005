#include "conformance/report/versions.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "conformance/abi/streampool_runtime.h"
#include "spec/clauses.hpp"

namespace streampool::report {

std::string kit_version() { return STREAMPOOL_VERSION; }
std::string abi_version() { return std::to_string(STREAMPOOL_ABI_VERSION); }

std::string specification_version() {
  std::string text;
  for (const spec::ClauseInfo& clause : spec::clauses()) {
    text += fmt::format("{}\n{}\n{}\n", clause.id, spec::name(clause.kind), clause.text);
  }
  return fmt::format("{} clauses, {}", spec::clauses().size(), sha256(text).substr(0, 12));
}

std::string sha256(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace streampool::report
