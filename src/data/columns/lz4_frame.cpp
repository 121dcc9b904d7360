// SPDX-License-Identifier: Apache-2.0
#include "data/columns/lz4_frame.h"

#include <cstdint>
#include <cstring>

namespace lacuna::columns {
namespace {

constexpr std::uint32_t kMagic = 0x184D2204;
constexpr std::uint32_t kStoredBlock = 0x80000000;
constexpr std::size_t kShortestMatch = 4;

class Lz4Reader {
 public:
  Lz4Reader(std::string_view in, std::size_t size) : in_(in), out_(size, '\0') {}

  std::optional<std::string> frame() {
    const auto header = read_header();
    if (!header)
      return std::nullopt;
    for (;;) {
      std::uint32_t size = 0;
      if (!number(in_, at_, size))
        return std::nullopt;
      if (size == 0)
        break;
      const std::size_t length = size & ~kStoredBlock;
      if (in_.size() - at_ < length)
        return std::nullopt;
      const std::string_view block = in_.substr(at_, length);
      at_ += length;
      if (!((size & kStoredBlock) != 0 ? copy(block) : unpack(block)))
        return std::nullopt;
      if (header->block_checksums)
        at_ += 4;
      if (at_ > in_.size())
        return std::nullopt;
    }
    return written_ == out_.size() ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  struct Header {
    bool block_checksums = false;
  };

  std::optional<Header> read_header() {
    std::uint32_t magic = 0;
    if (!number(in_, at_, magic) || magic != kMagic || in_.size() - at_ < 3)
      return std::nullopt;
    const auto flags = static_cast<unsigned char>(in_[at_]);
    const bool has_size = (flags & 0x08U) != 0;
    const bool has_dictionary = (flags & 0x01U) != 0;
    if (flags >> 6U != 1 || has_dictionary)
      return std::nullopt;
    at_ += 3 + (has_size ? 8U : 0U);  // flags, block sizes, checksum of the header
    return at_ <= in_.size() ? std::optional(Header{(flags & 0x10U) != 0}) : std::nullopt;
  }

  template <class Number>
  static bool number(std::string_view in, std::size_t& at, Number& value) {
    if (at > in.size() || in.size() - at < sizeof(value))
      return false;
    std::memcpy(&value, in.data() + at, sizeof(value));
    at += sizeof(value);
    return true;
  }

  bool copy(std::string_view bytes) {
    if (out_.size() - written_ < bytes.size())
      return false;
    std::memcpy(out_.data() + written_, bytes.data(), bytes.size());
    written_ += bytes.size();
    return true;
  }

  // A length of 15 goes on in the bytes that follow, until one is not 255.
  static bool lengthen(std::string_view in, std::size_t& at, std::size_t& length) {
    if (length != 15)
      return true;
    for (;;) {
      std::uint8_t more = 0;
      if (!number(in, at, more))
        return false;
      length += more;
      if (more != 255)
        return true;
    }
  }

  bool unpack(std::string_view in) {
    std::size_t at = 0;
    while (at < in.size()) {
      const auto token = static_cast<unsigned char>(in[at++]);
      std::size_t literals = token >> 4U;
      if (!lengthen(in, at, literals) || in.size() - at < literals ||
          !copy(in.substr(at, literals)))
        return false;
      at += literals;
      if (at == in.size())
        return true;
      std::uint16_t back = 0;
      std::size_t length = token & 15U;
      if (!number(in, at, back) || !lengthen(in, at, length))
        return false;
      if (!repeat(back, length + kShortestMatch))
        return false;
    }
    return true;
  }

  bool repeat(std::size_t back, std::size_t length) {
    if (back == 0 || back > written_ || out_.size() - written_ < length)
      return false;
    char* const target = out_.data() + written_;
    const char* const source = target - back;
    if (back >= length) {
      std::memcpy(target, source, length);
    } else {
      for (std::size_t i = 0; i < length; ++i)  // the copy reads what it has written
        target[i] = source[i];
    }
    written_ += length;
    return true;
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t written_ = 0;
};

}  // namespace

std::optional<std::string> unpack_lz4(std::string_view frame, std::size_t size) {
  return Lz4Reader(frame, size).frame();
}

}  // namespace lacuna::columns
