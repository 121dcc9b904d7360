// SPDX-License-Identifier: Apache-2.0
#include "data/files/byte_stream.h"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/platform/file.h"
#include "data/files/confinement.h"

namespace lacuna::files {
namespace {

constexpr std::size_t kPackedChunk = std::size_t{1} << 18U;

Error io_error(std::string message, const std::string& where) {
  return {ErrorCode::kFileUnreadable, std::move(message), where};
}

class PlainFile : public ByteStream {
 public:
  PlainFile(std::string path, platform::OpenFile file, double size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  Result<std::size_t> read(char* target, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      const std::ptrdiff_t got = file_.read(target + done, size - done);
      if (got < 0)
        return io_error("the file cannot be read: " + platform::reason(errno), path_);
      if (got == 0)
        break;
      done += static_cast<std::size_t>(got);
    }
    read_ += static_cast<double>(done);
    return done;
  }
  Status rewind() override {
    if (!file_.rewind())
      return io_error("the file cannot be read a second time: " + platform::reason(errno), path_);
    read_ = 0;
    return ok_status();
  }
  double fraction() const override { return size_ > 0 ? std::min(1.0, read_ / size_) : 1.0; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  platform::OpenFile file_;
  double size_;
  double read_ = 0;
};

class PackedFile : public ByteStream {  // what gzip and xz have in common
 public:
  explicit PackedFile(std::unique_ptr<PlainFile> file)
      : file_(std::move(file)), input_(kPackedChunk) {}
  double fraction() const override { return file_->fraction(); }

 protected:
  const std::string& path() const { return file_->path(); }
  Status refill() {
    LACUNA_TRY(used_, file_->read(input_.data(), input_.size()));
    at_ = 0;
    return ok_status();
  }
  Status restart() {
    used_ = 0;
    at_ = 0;
    unpacked_ = 0;
    return file_->rewind();
  }
  Status count(std::size_t bytes) {  // that were unpacked
    unpacked_ += bytes;
    return check_unpacked(unpacked_, path());
  }
  bool at_end() const { return used_ < input_.size() && at_ == used_; }
  std::size_t available() const { return used_ - at_; }
  char* next() { return input_.data() + at_; }
  void take(std::size_t bytes) { at_ += bytes; }

 private:
  std::unique_ptr<PlainFile> file_;
  std::vector<char> input_;
  std::size_t used_ = 0;
  std::size_t at_ = 0;
  std::uint64_t unpacked_ = 0;
};

class GzipFile : public PackedFile {
 public:
  using PackedFile::PackedFile;
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;
  ~GzipFile() override { inflateEnd(&stream_); }

  Status rewind() override {
    constexpr int kGzipOnly = 15 + 16;
    LACUNA_RETURN_IF_ERROR(restart());
    inflateEnd(&stream_);
    stream_ = z_stream{};
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK)
      return io_error("the gzip decoder cannot start", path());
    between_members_ = false;
    return refill();
  }

  Result<std::size_t> read(char* target, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      if (available() == 0 && !at_end())
        LACUNA_RETURN_IF_ERROR(refill());
      if (at_end()) {
        if (between_members_)
          return done;
        return io_error("the gzip data ends before it is complete", path());
      }
      if (between_members_ && inflateReset(&stream_) != Z_OK)  // another member follows
        return io_error("the gzip decoder cannot restart", path());
      LACUNA_TRY(const std::size_t more, inflate_some(target + done, size - done));
      done += more;
    }
    return done;
  }

 private:
  Result<std::size_t> inflate_some(char* target, std::size_t size) {
    const std::size_t room = std::min(size, std::size_t{1} << 30U);
    const std::size_t offered = available();
    stream_.next_in = reinterpret_cast<Bytef*>(next());  // NOLINT: zlib's type
    stream_.avail_in = static_cast<uInt>(offered);
    stream_.next_out = reinterpret_cast<Bytef*>(target);  // NOLINT: zlib's type
    stream_.avail_out = static_cast<uInt>(room);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END)
      return io_error("the gzip data is damaged", path());
    between_members_ = code == Z_STREAM_END;
    take(offered - stream_.avail_in);
    const std::size_t made = room - stream_.avail_out;
    LACUNA_RETURN_IF_ERROR(count(made));
    return made;
  }

  z_stream stream_{};
  bool between_members_ = false;
};

class XzFile : public PackedFile {
 public:
  using PackedFile::PackedFile;
  XzFile(const XzFile&) = delete;
  XzFile& operator=(const XzFile&) = delete;
  ~XzFile() override { lzma_end(&stream_); }

  Status rewind() override {
    constexpr std::uint64_t kDecoderMemory = std::uint64_t{1} << 30U;
    LACUNA_RETURN_IF_ERROR(restart());
    lzma_end(&stream_);
    stream_ = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream_, kDecoderMemory, LZMA_CONCATENATED) != LZMA_OK)
      return io_error("the xz decoder cannot start", path());
    complete_ = false;
    return refill();
  }

  Result<std::size_t> read(char* target, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(target);  // NOLINT: lzma's type
    stream_.avail_out = size;
    while (stream_.avail_out > 0 && !complete_) {
      if (available() == 0 && !at_end())
        LACUNA_RETURN_IF_ERROR(refill());
      const std::size_t offered = available();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(next());  // NOLINT: lzma's type
      stream_.avail_in = offered;
      const lzma_ret code = lzma_code(&stream_, at_end() ? LZMA_FINISH : LZMA_RUN);
      take(offered - stream_.avail_in);
      complete_ = code == LZMA_STREAM_END;
      if (code == LZMA_BUF_ERROR)
        return io_error("the xz data ends before it is complete", path());
      if (code == LZMA_MEMLIMIT_ERROR)
        return io_error("the xz data needs more than 1 GiB of memory to unpack", path());
      if (code != LZMA_OK && !complete_)
        return io_error("the xz data is damaged", path());
    }
    const std::size_t made = size - stream_.avail_out;
    LACUNA_RETURN_IF_ERROR(count(made));
    return made;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool complete_ = false;
};

class TextStream : public ByteStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}
  Result<std::size_t> read(char* target, std::size_t size) override {
    const std::size_t count = std::min(size, text_.size() - at_);
    if (count > 0)
      std::memcpy(target, text_.data() + at_, count);
    at_ += count;
    return count;
  }
  Status rewind() override {
    at_ = 0;
    return ok_status();
  }
  double fraction() const override {
    return text_.empty() ? 1.0 : static_cast<double>(at_) / static_cast<double>(text_.size());
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path) {
  LACUNA_RETURN_IF_ERROR(check_readable(path));
  platform::OpenFile opened = platform::open_to_read(path);
  if (!opened.is_open()) {
    return errno == ENOENT
               ? io_error("the file does not exist", path)
               : io_error("the file cannot be opened: " + platform::reason(errno), path);
  }
  const auto info = opened.info();
  if (!info)
    return io_error("the file cannot be inspected", path);
  if (info->kind == platform::FileInfo::Kind::kFolder)
    return io_error("this is a directory, not a file", path);
  auto file =
      std::make_unique<PlainFile>(path, std::move(opened), static_cast<double>(info->size));
  char magic[6] = {};
  LACUNA_TRY(const std::size_t length, file->read(magic, sizeof magic));
  if (length == 0)
    return io_error("the file is empty", path);
  const std::string_view begin(magic, length);
  std::unique_ptr<ByteStream> stream;
  if (begin.substr(0, 2) == "\x1F\x8B") {
    stream = std::make_unique<GzipFile>(std::move(file));
  } else if (begin == std::string_view("\xFD"
                                       "7zXZ\0",
                                       6)) {
    stream = std::make_unique<XzFile>(std::move(file));
  } else {
    stream = std::move(file);
  }
  LACUNA_RETURN_IF_ERROR(stream->rewind());
  return stream;
}

std::unique_ptr<ByteStream> text_byte_stream(std::string text) {
  return std::make_unique<TextStream>(std::move(text));
}

}  // namespace lacuna::files
