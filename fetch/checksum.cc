#include "fetch/checksum.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "ifd/error.h"

namespace ifd {
namespace {

Error refused(ChecksumKind kind) {
  return {ErrorKind::kStorage,
          fmt::format("OpenSSL on this machine refuses to compute {}", checksum_name(kind))};
}

}  // namespace

std::string_view checksum_name(ChecksumKind kind) {
  return kind == ChecksumKind::kMd5 ? "MD5" : "SHA-256";
}

std::size_t hex_length(ChecksumKind kind) { return kind == ChecksumKind::kMd5 ? 32 : 64; }

void Checksum::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Checksum::Checksum(ChecksumKind kind) : kind_(kind), context_(EVP_MD_CTX_new()) {
  const EVP_MD* digest = kind == ChecksumKind::kMd5 ? EVP_md5() : EVP_sha256();
  if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), digest, nullptr) != 1) {
    throw refused(kind_);
  }
}

void Checksum::add(std::span<const std::byte> bytes) {
  if (EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1) throw refused(kind_);
}

std::string Checksum::finish() && {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(context_.get(), digest.data(), &size) != 1) throw refused(kind_);
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string file_checksum(ChecksumKind kind, const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    throw Error(errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kStorage,
                fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
  }
  const auto close = [](const int* descriptor) { ::close(*descriptor); };
  const std::unique_ptr<const int, decltype(close)> closed_at_the_end(&file, close);

  Checksum checksum(kind);
  std::vector<std::byte> piece(1 << 16);
  for (;;) {
    const ssize_t count = ::read(file, piece.data(), piece.size());
    if (count == 0) return std::move(checksum).finish();
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Error(ErrorKind::kStorage,
                  fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
    }
    checksum.add(std::span(piece).first(static_cast<std::size_t>(count)));
  }
}

}  // namespace ifd
