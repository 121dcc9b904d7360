// SPDX-License-Identifier: Apache-2.0
#include "data/files/file.h"

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "data/files/confinement.h"

namespace lacuna::files {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;
constexpr int kNewFile = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

Error io_error(std::string message, const std::string& where) {
  return {ErrorCode::kFileUnreadable, std::move(message), where};
}

Error not_written(const std::string& trouble, const std::string& where) {
  return {ErrorCode::kFileUnwritable, "the file cannot be written: " + trouble, where};
}

std::string reason(int number) {
  return std::generic_category().message(number);
}

class Descriptor {  // a POSIX file that closes itself
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }
  int get() const { return number_; }
  void reset(int number) {
    if (number_ >= 0)
      ::close(number_);
    number_ = number;
  }
  int close() {  // 0 if the system has accepted everything written
    const int outcome = ::close(number_);
    number_ = -1;
    return outcome;
  }

 private:
  int number_;
};

Error too_large(const std::string& name, std::uint64_t max_bytes) {
  return io_error("the file holds more than " + std::to_string(max_bytes) + " bytes", name);
}

Result<std::string> read_bytes(const std::string& path, std::uint64_t max_bytes) {
  LACUNA_RETURN_IF_ERROR(check_readable(path));
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    return errno == ENOENT ? Error{ErrorCode::kFileMissing, "the file does not exist", path}
                           : io_error("the file cannot be opened: " + reason(errno), path);
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0)
    return io_error("the file cannot be inspected: " + reason(errno), path);
  if (S_ISDIR(info.st_mode))
    return io_error("this is a directory, not a file", path);
  std::string bytes;
  for (;;) {
    const std::size_t used = bytes.size();
    if (used > max_bytes)
      return too_large(path, max_bytes);
    const std::size_t expected = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)) + 1;
    const std::size_t room = used < expected ? expected - used : kChunk;
    bytes.resize(used + std::min(room, static_cast<std::size_t>(max_bytes) + 1 - used));
    const ssize_t got = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    bytes.resize(used + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR)
      return io_error("the file cannot be read: " + reason(errno), path);
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
  return path + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

std::string write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return reason(errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return "";
}

// Empty if the file is complete on the disk, else what went wrong. A name that is not absolute is
// one of the open folder.
std::string write_new_file(const std::string& path, std::string_view bytes, int folder = AT_FDCWD) {
  Descriptor file(::openat(folder, path.c_str(), kNewFile, 0666));
  if (file.get() < 0)
    return reason(errno);
  if (std::string trouble = write_all(file.get(), bytes); !trouble.empty())
    return trouble;
  if (::fsync(file.get()) != 0 || file.close() != 0)
    return reason(errno);
  return "";
}

void flush_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const Descriptor handle(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // The rename itself has succeeded; a file system that cannot flush folders is no failure.
  if (handle.get() >= 0)
    static_cast<void>(::fsync(handle.get()));
}

bool is_one(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// The open stream that a name stands for; -1: none. A redirected standard output is a plain file
// behind /dev/stdout, and to replace that one would cut off whoever waits for it.
int stream_of(const std::string& path) {
  if (path == "-")
    return STDOUT_FILENO;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    return -1;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own {};
    if (::fstat(stream, &own) == 0 && is_one(info, own))
      return stream;
  }
  return -1;
}

std::string write_stream(const std::string& path, std::string_view bytes) {
  if (const int stream = stream_of(path); stream >= 0)
    return write_all(stream, bytes);
  Descriptor file(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (file.get() < 0)
    return reason(errno);
  if (std::string trouble = write_all(file.get(), bytes); !trouble.empty())
    return trouble;
  return file.close() != 0 ? reason(errno) : "";
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
  struct stat own {
  }, other{};
  return ::fstat(STDOUT_FILENO, &own) == 0 && ::stat(path.c_str(), &other) == 0 &&
         is_one(own, other);
}

bool is_stream(const std::string& path) {
  struct stat info {};
  return stream_of(path) >= 0 ||
         (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

bool same_file(const std::string& a, const std::string& b) {
  if (is_standard_output(a) || is_standard_output(b))
    return is_standard_output(a) && is_standard_output(b);
  struct stat first {
  }, second{};
  const bool there = ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0;
  if (there)
    return S_ISREG(first.st_mode) && is_one(first, second);
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
      ::unlink(file.temporary.c_str());
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
  struct stat info {};
  if (::stat(file.target.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
    return io_error("this is a directory, not a file", path);
  file.temporary = temporary_name(file.target);
  files_.push_back(file);  // from here on it is cleaned up
  if (const std::string trouble = write_new_file(file.temporary, text); !trouble.empty())
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
    if (::rename(file.temporary.c_str(), file.target.c_str()) != 0)
      return failed(file, reason(errno));
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
Status open_folder_of(const std::string& folder, const std::string& name, Descriptor& found) {
  constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  found.reset(::open(folder.c_str(), kFolder));
  for (const auto& part : std::filesystem::path(name).parent_path()) {
    if (found.get() < 0)
      break;
    found.reset(::openat(found.get(), part.c_str(), kFolder | O_NOFOLLOW));
  }
  if (found.get() < 0)
    return io_error("there is no such folder, or a link stands in its place", name);
  return ok_status();
}

// Whether there is a file of that name; errors: what is there is no plain file.
Result<bool> is_taken(int folder, const std::string& own, const std::string& name) {
  struct stat info {};
  if (::fstatat(folder, own.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
    return false;
  if (S_ISLNK(info.st_mode))
    return io_error("this is a link, and files are not written through links", name);
  if (!S_ISREG(info.st_mode))
    return io_error("this is not a regular file", name);
  return true;
}

}  // namespace

Result<bool> write_file_below(const std::string& folder,
                              const std::string& name,
                              std::string_view text,
                              Existing existing) {
  Descriptor holder(-1);
  LACUNA_RETURN_IF_ERROR(open_folder_of(folder, name, holder));
  const std::string own = std::filesystem::path(name).filename().string();
  LACUNA_TRY(const bool taken, is_taken(holder.get(), own, name));
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
    const Descriptor mine(::openat(holder.get(), own.c_str(), kNewFile, 0666));
    if (mine.get() < 0)
      return errno == EEXIST ? Result<bool>(false) : Result<bool>(failed(reason(errno)));
  }
  const std::string temporary = temporary_name("." + own);
  std::string trouble = write_new_file(temporary, text, holder.get());
  if (trouble.empty() &&
      ::renameat(holder.get(), temporary.c_str(), holder.get(), own.c_str()) != 0)
    trouble = reason(errno);
  if (!trouble.empty()) {
    ::unlinkat(holder.get(), temporary.c_str(), 0);
    if (is_new)
      ::unlinkat(holder.get(), own.c_str(), 0);
    return failed(trouble);
  }
  static_cast<void>(::fsync(holder.get()));
  return true;
}

}  // namespace lacuna::files
