// SPDX-License-Identifier: Apache-2.0
#include "data/files/zip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/quotes.h"
#include "core/base/text.h"
#include "data/files/zip.h"

namespace lacuna::files {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50, kEnd64Locator = 0x07064b50;
constexpr std::uint64_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56;
constexpr std::uint64_t kLocatorSize = 20;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number stands in the extra field
constexpr std::uint16_t kEncrypted = 0x0001, kStored = 0, kDeflated = 8;
constexpr std::uint64_t kMostMembers = 100'000;

// A number of so many bytes, the least significant first; the bytes are there.
std::uint64_t number_at(std::string_view bytes, std::uint64_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

bool has(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
  return at <= bytes.size() && size <= bytes.size() - at;
}

struct Directory {
  std::uint64_t start = 0, count = 0;
};

// Where the directory is, by the record at the end of the file; start 0: there is none.
Directory find_directory(std::string_view bytes) {
  constexpr std::uint64_t kLongestComment = 65'535;
  if (bytes.size() < kEndSize)
    return {};
  const std::uint64_t last = bytes.size() - kEndSize;
  const std::uint64_t first = last > kLongestComment ? last - kLongestComment : 0;
  for (std::uint64_t at = last + 1; at-- > first;) {
    if (number_at(bytes, at, 4) != kEnd)
      continue;
    Directory found{number_at(bytes, at + 16, 4), number_at(bytes, at + 10, 2)};
    if (at >= kLocatorSize && number_at(bytes, at - kLocatorSize, 4) == kEnd64Locator) {
      const std::uint64_t end64 = number_at(bytes, at - kLocatorSize + 8, 8);
      if (!has(bytes, end64, kEnd64Size) || number_at(bytes, end64, 4) != kEnd64)
        return {};
      found = {number_at(bytes, end64 + 48, 8), number_at(bytes, end64 + 32, 8)};
    }
    return found;
  }
  return {};
}

// Sizes that do not fit 32 bits, from the extra field of an entry.
void read_extra(std::string_view extra, ZipMember& member) {
  constexpr std::uint64_t kSizes = 1;
  for (std::uint64_t at = 0; has(extra, at, 4);) {
    const std::uint64_t id = number_at(extra, at, 2), size = number_at(extra, at + 2, 2);
    at += 4;
    if (!has(extra, at, size))
      return;
    if (id == kSizes) {
      std::uint64_t from = at;
      for (std::uint64_t* field : {&member.size, &member.packed, &member.start}) {
        if (*field == kIn64 && from + 8 <= at + size) {
          *field = number_at(extra, from, 8);
          from += 8;
        }
      }
    }
    at += size;
  }
}

class Inflater {
 public:
  Inflater() { ready_ = inflateInit2(&stream_, -15) == Z_OK; }
  ~Inflater() {
    if (ready_)
      inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  // Whether the packed bytes are exactly so many.
  bool unpack(std::string_view packed, std::uint64_t size, std::string& text) {
    constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;
    if (!ready_)
      return false;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // NOLINT: zlib
    stream_.avail_in = static_cast<uInt>(packed.size());
    for (int code = Z_OK; code != Z_STREAM_END;) {  // memory grows with what is there, not promised
      const std::size_t done = text.size();
      text.resize(done + static_cast<std::size_t>(std::min(size + 1 - done, kStep)));
      stream_.next_out = reinterpret_cast<Bytef*>(text.data() + done);  // NOLINT: zlib's type
      stream_.avail_out = static_cast<uInt>(text.size() - done);
      code = inflate(&stream_, Z_NO_FLUSH);
      text.resize(text.size() - stream_.avail_out);
      if ((code != Z_OK && code != Z_STREAM_END) || text.size() > size ||
          (code == Z_OK && text.size() == done))
        return false;
    }
    return text.size() == size;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

// Sum and sizes behind a member whose writer did not know them before; `gap`: what lies there.
std::uint64_t descriptor_size(std::string_view gap, std::uint16_t flags) {
  constexpr std::uint16_t kDescriptor = 0x0008;
  constexpr std::uint32_t kSign = 0x08074b50;  // which not all writers put
  if ((flags & kDescriptor) == 0 || gap.size() < 12)
    return 0;
  const std::uint64_t sign = number_at(gap, 0, 4) == kSign ? 4 : 0;
  const std::uint64_t large = sign + 20;
  return gap.size() == large ? large : std::min<std::uint64_t>(gap.size(), sign + 12);
}

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

}  // namespace

Error ZipReader::error(std::string message, const std::string& member) const {
  return {ErrorCode::kDamaged,
          std::move(message) + (member.empty() ? "" : " (" + base::in_quotes(member) + ")"),
          filename_};
}

Result<ZipReader> ZipReader::open(std::string_view bytes,
                                  const std::string& filename,
                                  const ZipLimits& limits) {
  ZipReader reader;
  reader.bytes_ = bytes;
  reader.filename_ = filename;
  reader.limits_ = limits;
  const Directory directory = find_directory(bytes);
  if (directory.start == 0 || directory.count == 0)
    return reader.error("the archive has no directory of its members: it is damaged or cut off");
  if (directory.count > kMostMembers)
    return reader.error("the archive has more than 100000 members: it is not a document");
  LACUNA_RETURN_IF_ERROR(reader.read_directory(directory.start, directory.count));
  return reader;
}

Status ZipReader::read_directory(std::uint64_t start, std::uint64_t count) {
  std::uint64_t at = start;
  for (std::uint64_t i = 0; i < count; ++i) {
    LACUNA_TRY(ZipMember member, read_entry(at));
    if (!by_name_.emplace(base::lower_case(member.name), members_.size()).second)
      return error("two members of the archive have one name", member.name);
    members_.push_back(std::move(member));
  }
  end_ = start;
  return ok_status();
}

Result<ZipMember> ZipReader::read_entry(std::uint64_t& at) {
  if (!has(bytes_, at, kCentralSize) || number_at(bytes_, at, 4) != kCentral)
    return error("the directory of the archive is damaged");
  ZipMember member;
  member.flags = static_cast<std::uint16_t>(number_at(bytes_, at + 8, 2));
  member.method = static_cast<std::uint16_t>(number_at(bytes_, at + 10, 2));
  member.sum = static_cast<std::uint32_t>(number_at(bytes_, at + 16, 4));
  member.packed = number_at(bytes_, at + 20, 4);
  member.size = number_at(bytes_, at + 24, 4);
  member.start = number_at(bytes_, at + 42, 4);
  const std::uint64_t name = number_at(bytes_, at + 28, 2), extra = number_at(bytes_, at + 30, 2);
  const std::uint64_t all = kCentralSize + name + extra + number_at(bytes_, at + 32, 2);
  if (!has(bytes_, at, all))
    return error("the directory of the archive is cut off");
  member.name = bytes_.substr(at + kCentralSize, name);
  read_extra(bytes_.substr(at + kCentralSize + name, extra), member);
  member.entry = at;
  member.entry_end = at += all;
  if ((member.flags & kEncrypted) != 0)
    return error("the archive is encrypted: save it without a password", member.name);
  if (!has(bytes_, member.start, kLocalSize) || number_at(bytes_, member.start, 4) != kLocal)
    return error("a member of the archive is not where its directory says", member.name);
  member.data = member.start + kLocalSize + number_at(bytes_, member.start + 26, 2) +
                number_at(bytes_, member.start + 28, 2);
  if (!has(bytes_, member.data, member.packed))
    return error("a member of the archive is cut off", member.name);
  return member;
}

const ZipMember* ZipReader::find(std::string_view name) const {
  const auto at = by_name_.find(base::lower_case(name));
  return at == by_name_.end() ? nullptr : &members_[at->second];
}

Result<std::string> ZipReader::read(const ZipMember& member) {
  const auto mebibytes = [](std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; };
  if (member.size > limits_.member || unpacked_ + member.size > limits_.all)
    return error("the archive unpacks to more than " +
                     mebibytes(member.size > limits_.member ? limits_.member : limits_.all) +
                     ", more than a document may have",
                 member.name);
  if (member.size > limits_.free_size && member.size / limits_.ratio > member.packed)
    return error("a member of the archive unpacks to " + mebibytes(member.size) + ", more than " +
                     std::to_string(limits_.ratio) + " times its size: it is not a document",
                 member.name);
  if (member.method != kStored && member.method != kDeflated)
    return error("a member of the archive is packed in a way that is not read (method " +
                     std::to_string(member.method) + "): save it with another program",
                 member.name);
  const std::string_view packed = bytes_.substr(member.data, member.packed);
  unpacked_ += member.size;
  std::string text;
  if (member.method == kStored)
    text = packed;
  else if (!Inflater().unpack(packed, member.size, text))
    return error("a member of the archive is damaged", member.name);
  const auto sum = crc32(0,
                         reinterpret_cast<const Bytef*>(text.data()),  // NOLINT: zlib's type
                         static_cast<uInt>(text.size()));
  if (text.size() != member.size || sum != member.sum)
    return error("a member of the archive is damaged: its check sum is wrong", member.name);
  return text;
}

Result<std::string> ZipReader::with(const std::map<std::string, std::string>& changed,
                                    const std::set<std::string>& removed) const {
  if (bytes_.size() > std::numeric_limits<std::uint32_t>::max() / 2)
    return error("the archive is too large to be changed");
  std::vector<const ZipMember*> order;
  for (const ZipMember& member : members_)
    order.push_back(&member);
  std::stable_sort(order.begin(), order.end(), [](const ZipMember* a, const ZipMember* b) {
    return a->start < b->start;
  });
  std::string out;
  std::map<const ZipMember*, std::string> entries;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ZipMember& member = *order[i];
    if (removed.contains(member.name))
      continue;
    const std::uint64_t start = out.size();
    std::string& entry = entries[&member];
    entry = bytes_.substr(member.entry, member.entry_end - member.entry);
    if (const auto found = changed.find(member.name); found != changed.end()) {
      ZipArchive archive;
      LACUNA_RETURN_IF_ERROR(archive.add(member.name, found->second));
      const std::string whole = archive.finish();
      const std::uint64_t directory = find_directory(whole).start;
      out += whole.substr(0, directory);
      entry = whole.substr(directory, whole.size() - kEndSize - directory);
    } else {
      const std::uint64_t end = member.data + member.packed;
      const std::uint64_t next = i + 1 < order.size() ? order[i + 1]->start : end_;
      if (next < end)
        return error("members of the archive lie over each other", member.name);
      // Bytes between members may be an old state of the document.
      const std::uint64_t kept =
          end + descriptor_size(bytes_.substr(end, next - end), member.flags);
      out += bytes_.substr(member.start, kept - member.start);
    }
    // Offsets of 64 bits are not needed below 2 GiB; a field that has one keeps it and is not
    // asked.
    std::string offset;
    put(offset, start, 4);
    entry.replace(42, 4, offset);
  }
  std::string end;
  const std::uint64_t directory = out.size();
  for (const ZipMember& member : members_) {
    if (const auto entry = entries.find(&member); entry != entries.end())
      out += entry->second;
  }
  put(end, kEnd, 4);
  put(end, 0, 4);
  put(end, entries.size(), 2);
  put(end, entries.size(), 2);
  put(end, out.size() - directory, 4);
  put(end, directory, 4);
  put(end, 0, 2);
  return out + end;
}

}  // namespace lacuna::files
