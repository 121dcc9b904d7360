// SPDX-License-Identifier: Apache-2.0
#include "data/files/file.h"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/platform/file.h"
#include "core/platform/system.h"
#include "data/files/confinement.h"

namespace lacuna::files {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;
using FileKind = platform::FileInfo::Kind;

Error io_error(std::string message, const std::string& where) {
  return {ErrorCode::kFileUnreadable, std::move(message), where};
}

Error not_written(const std::string& trouble, const std::string& where) {
  return {ErrorCode::kFileUnwritable, "the file cannot be written: " + trouble, where};
}

// Of what the system has just refused.
std::string last_reason() {
  return platform::reason(errno);
}

Error too_large(const std::string& name, std::uint64_t max_bytes) {
  return io_error("the file holds more than " + std::to_string(max_bytes) + " bytes", name);
}

Result<std::string> read_bytes(const std::string& path, std::uint64_t max_bytes) {
  LACUNA_RETURN_IF_ERROR(check_readable(path));
  const platform::OpenFile file = platform::open_to_read(path);
  if (!file.is_open()) {
    return errno == ENOENT ? Error{ErrorCode::kFileMissing, "the file does not exist", path}
                           : io_error("the file cannot be opened: " + last_reason(), path);
  }
  const auto info = file.info();
  if (!info)
    return io_error("the file cannot be inspected: " + last_reason(), path);
  if (info->kind == FileKind::kFolder)
    return io_error("this is a directory, not a file", path);
  std::string bytes;
  for (;;) {
    const std::size_t used = bytes.size();
    if (used > max_bytes)
      return too_large(path, max_bytes);
    const std::size_t expected = static_cast<std::size_t>(info->size) + 1;
    const std::size_t room = used < expected ? expected - used : kChunk;
    bytes.resize(used + std::min(room, static_cast<std::size_t>(max_bytes) + 1 - used));
    const std::ptrdiff_t got = file.read(bytes.data() + used, bytes.size() - used);
    bytes.resize(used + static_cast<std::size_t>(std::max<std::ptrdiff_t>(got, 0)));
    if (got < 0)
      return io_error("the file cannot be read: " + last_reason(), path);
    if (got == 0)
      return bytes;
    if (bytes.size() > max_bytes)
      return too_large(path, max_bytes);
  }
}

Error unpacked_too_large(const std::string& name, std::uint64_t max_bytes) {
  return io_error("the file unpacks to more than " + std::to_string(max_bytes) + " bytes", name);
}

Result<std::string> unpack_gzip(const std::string& bytes,
                                const std::string& name,
                                std::uint64_t max_bytes) {
  constexpr int kGzipOnly = 15 + 16;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK)
    return io_error("the gzip decoder cannot start", name);
  struct Ender {
    z_stream& stream;
    ~Ender() { inflateEnd(&stream); }
  } ender{stream};

  std::string text;
  std::size_t used = 0;
  int code = Z_OK;
  while (code != Z_STREAM_END || used < bytes.size()) {
    if (code == Z_STREAM_END && inflateReset(&stream) != Z_OK)  // another member follows
      return io_error("the gzip decoder cannot restart", name);
    const std::size_t written = text.size();
    text.resize(written + kChunk);
    const std::size_t offered = std::min<std::size_t>(bytes.size() - used, kChunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + used));  // NOLINT
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + written);  // NOLINT: zlib's type
    stream.avail_out = static_cast<uInt>(kChunk);
    code = inflate(&stream, Z_NO_FLUSH);
    used += offered - stream.avail_in;
    text.resize(text.size() - stream.avail_out);
    if (code == Z_BUF_ERROR || (code == Z_OK && used == bytes.size() && stream.avail_out != 0))
      return io_error("the gzip data ends before it is complete", name);
    if (code != Z_OK && code != Z_STREAM_END)
      return io_error("the gzip data is damaged", name);
    LACUNA_RETURN_IF_ERROR(check_unpacked(text.size(), name));
    if (text.size() > max_bytes)
      return unpacked_too_large(name, max_bytes);
  }
  return text;
}

Result<std::string> unpack_xz(const std::string& bytes,
                              const std::string& name,
                              std::uint64_t max_bytes) {
  constexpr std::uint64_t kDecoderMemory = std::uint64_t{1} << 30U;
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kDecoderMemory, LZMA_CONCATENATED) != LZMA_OK)
    return io_error("the xz decoder cannot start", name);
  struct Ender {
    lzma_stream& stream;
    ~Ender() { lzma_end(&stream); }
  } ender{stream};

  std::string text;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());  // NOLINT: lzma's type
  stream.avail_in = bytes.size();
  for (;;) {
    const std::size_t written = text.size();
    text.resize(written + kChunk);
    stream.next_out = reinterpret_cast<std::uint8_t*>(text.data() + written);  // NOLINT
    stream.avail_out = kChunk;
    const lzma_ret code = lzma_code(&stream, LZMA_FINISH);
    text.resize(text.size() - stream.avail_out);
    LACUNA_RETURN_IF_ERROR(check_unpacked(text.size(), name));
    if (text.size() > max_bytes)
      return unpacked_too_large(name, max_bytes);
    if (code == LZMA_STREAM_END)
      return text;
    if (code == LZMA_BUF_ERROR)
      return io_error("the xz data ends before it is complete", name);
    if (code == LZMA_MEMLIMIT_ERROR)
      return io_error("the xz data needs more than 1 GiB of memory to unpack", name);
    if (code != LZMA_OK)
      return io_error("the xz data is damaged", name);
  }
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return path + ".part-" + std::to_string(platform::process_id()) + "-" + std::to_string(counter++);
}

// Empty if the file is complete on the disk, else what went wrong.
std::string fill_new_file(platform::OpenFile file, std::string_view bytes) {
  const bool is_whole = file.is_open() && file.write(bytes) && file.sync() && file.close();
  return is_whole ? "" : last_reason();
}

// The rename itself has succeeded; a file system that cannot flush folders is no failure.
void flush_folder_of(const std::string& path) {
  platform::sync_folder(std::filesystem::path(path).parent_path().string());
}

// The open stream that a name stands for. A redirected standard output is a plain file behind
// /dev/stdout, and to replace that one would cut off whoever waits for it.
std::optional<platform::Stream> stream_of(const std::string& path) {
  if (path == "-")
    return platform::Stream::kOutput;
  const auto info = platform::info_of(path);
  if (!info)
    return std::nullopt;
  for (const auto stream : {platform::Stream::kOutput, platform::Stream::kErrors}) {
    if (const auto own = platform::info_of(stream); own && platform::is_one(*info, *own))
      return stream;
  }
  return std::nullopt;
}

std::string write_stream(const std::string& path, std::string_view bytes) {
  if (const auto stream = stream_of(path))
    return platform::write_to(*stream, bytes) ? "" : last_reason();
  platform::OpenFile file = platform::open_to_write(path);
  const bool is_whole = file.is_open() && file.write(bytes) && file.close();
  return is_whole ? "" : last_reason();
}

// Where a chain of symbolic links ends, whether or not there is a file yet.
std::string behind_links(const std::string& path) {
  constexpr int kMost = 40;  // as many as the system follows
  std::filesystem::path at = path;
  std::error_code trouble;
  for (int i = 0; i < kMost && std::filesystem::is_symlink(at, trouble); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(at, trouble);
    if (trouble)
      break;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

}  // namespace

Result<std::string> unpack(std::string bytes, const std::string& name, std::uint64_t max_bytes) {
  const std::string_view view = bytes;
  if (view.substr(0, 2) == "\x1F\x8B")
    return unpack_gzip(bytes, name, max_bytes);
  if (view.substr(0, 6) == std::string_view("\xFD"
                                            "7zXZ\0",
                                            6))
    return unpack_xz(bytes, name, max_bytes);
  return bytes;
}

Result<std::string> read_file(const std::string& path, std::uint64_t max_bytes) {
  LACUNA_TRY(std::string bytes, read_bytes(path, max_bytes));
  if (bytes.empty())
    return io_error("the file is empty", path);
  LACUNA_TRY(std::string text, unpack(std::move(bytes), path, max_bytes));
  if (text.empty())
    return io_error("the file is empty", path);
  return text;
}

Result<std::string> pack_gzip(std::string_view text) {
  constexpr int kGzip = 15 + 16;
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return io_error("the gzip encoder cannot start", "");
  std::string packed;
  std::size_t used = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    const std::size_t offered = std::min(text.size() - used, kChunk);
    const std::size_t written = packed.size();
    packed.resize(written + kChunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data() + used));  // NOLINT
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(packed.data() + written);  // NOLINT: zlib's type
    stream.avail_out = static_cast<uInt>(kChunk);
    code = deflate(&stream, used + offered == text.size() ? Z_FINISH : Z_NO_FLUSH);
    used += offered - stream.avail_in;
    packed.resize(packed.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  if (code != Z_STREAM_END)
    return io_error("the gzip encoder failed", "");
  return packed;
}

bool is_standard_output(const std::string& path) {
  if (path == "-")
    return true;
  const auto own = platform::info_of(platform::Stream::kOutput);
  const auto other = platform::info_of(path);
  return own && other && platform::is_one(*own, *other);
}

bool is_stream(const std::string& path) {
  const auto info = platform::info_of(path);
  return stream_of(path) || (info && info->kind == FileKind::kOther);
}

bool same_file(const std::string& a, const std::string& b) {
  if (is_standard_output(a) || is_standard_output(b))
    return is_standard_output(a) && is_standard_output(b);
  const auto first = platform::info_of(a), second = platform::info_of(b);
  if (first && second)
    return first->kind == FileKind::kRegular && platform::is_one(*first, *second);
  const auto canonical = [](const std::string& path) {  // an empty one is equal to nothing
    std::error_code trouble;
    const auto whole = std::filesystem::absolute(behind_links(path), trouble);
    return trouble ? std::filesystem::path() : std::filesystem::weakly_canonical(whole, trouble);
  };
  const std::filesystem::path one = canonical(a);
  return !one.empty() && one == canonical(b);
}

StagedFiles::~StagedFiles() {
  for (const File& file : files_) {
    if (!file.temporary.empty())
      platform::remove_file(file.temporary);
  }
}

Status StagedFiles::add(const std::string& path, std::string_view text) {
  File file;
  file.path = path;
  file.target = behind_links(path);
  LACUNA_RETURN_IF_ERROR(check_may_write(file.target));
  std::string packed;
  if (path.ends_with(".gz")) {
    LACUNA_TRY(packed, pack_gzip(text));
    text = packed;
  }
  if (is_stream(path)) {
    file.bytes = text;
    files_.push_back(std::move(file));
    return ok_status();
  }
  std::error_code ignored;
  if (std::filesystem::is_symlink(file.target, ignored))
    return io_error("the symbolic link leads to itself", path);
  const auto info = platform::info_of(file.target);
  if (info && info->kind == FileKind::kFolder)
    return io_error("this is a directory, not a file", path);
  file.temporary = temporary_name(file.target);
  files_.push_back(file);  // from here on it is cleaned up
  const std::string trouble = fill_new_file(platform::create_file(file.temporary), text);
  if (!trouble.empty())
    return not_written(trouble, path);
  return ok_status();
}

// Streams come first: they may fail, and what they were given cannot be taken back.
Status StagedFiles::commit() {
  const auto failed = [](const File& file, const std::string& trouble) {
    return not_written(trouble, file.path);
  };
  for (const File& file : files_) {
    if (!file.temporary.empty())
      continue;
    if (const std::string trouble = write_stream(file.path, file.bytes); !trouble.empty())
      return failed(file, trouble);
  }
  for (File& file : files_) {
    if (file.temporary.empty())
      continue;
    if (!platform::replace_file(file.temporary, file.target))
      return failed(file, last_reason());
    file.temporary.clear();
    flush_folder_of(file.target);
  }
  files_.clear();
  return ok_status();
}

Status write_file_atomically(const std::string& path, std::string_view text) {
  StagedFiles files;
  LACUNA_RETURN_IF_ERROR(files.add(path, text));
  return files.commit();
}

namespace {

// The folder that holds the file, opened step by step so that no link is followed.
Result<platform::OpenFolder> open_folder_of(const std::string& folder, const std::string& name) {
  platform::OpenFolder found = platform::OpenFolder::open(folder);
  for (const auto& part : std::filesystem::path(name).parent_path()) {
    if (!found.is_open())
      break;
    found = found.below(part.string());
  }
  if (!found.is_open())
    return io_error("there is no such folder, or a link stands in its place", name);
  return found;
}

// Whether there is a file of that name; errors: what is there is no plain file.
Result<bool> is_taken(const platform::OpenFolder& folder,
                      const std::string& own,
                      const std::string& name) {
  const auto info = folder.entry(own);
  if (!info)
    return false;
  if (info->kind == FileKind::kLink)
    return io_error("this is a link, and files are not written through links", name);
  if (info->kind != FileKind::kRegular)
    return io_error("this is not a regular file", name);
  return true;
}

}  // namespace

Result<bool> write_file_below(const std::string& folder,
                              const std::string& name,
                              std::string_view text,
                              Existing existing) {
  LACUNA_TRY(const platform::OpenFolder holder, open_folder_of(folder, name));
  const std::string own = std::filesystem::path(name).filename().string();
  LACUNA_TRY(const bool taken, is_taken(holder, own, name));
  if (taken && existing == Existing::kStays)
    return false;
  std::string packed;
  if (name.ends_with(".gz")) {
    LACUNA_TRY(packed, pack_gzip(text));
    text = packed;
  }
  const auto failed = [&](const std::string& trouble) { return not_written(trouble, name); };
  // The name is taken first, and only if nobody has it: whoever comes between finds it taken.
  const bool is_new = existing == Existing::kStays;
  if (is_new) {
    const platform::OpenFile mine = holder.create(own);
    if (!mine.is_open())
      return errno == EEXIST ? Result<bool>(false) : Result<bool>(failed(last_reason()));
  }
  const std::string temporary = temporary_name("." + own);
  std::string trouble = fill_new_file(holder.create(temporary), text);
  if (trouble.empty() && !holder.replace(temporary, own))
    trouble = last_reason();
  if (!trouble.empty()) {
    holder.remove(temporary);
    if (is_new)
      holder.remove(own);
    return failed(trouble);
  }
  holder.sync();
  return true;
}

}  // namespace lacuna::files
