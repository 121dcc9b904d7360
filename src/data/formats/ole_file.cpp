// SPDX-License-Identifier: Apache-2.0
#include "data/formats/ole_file.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "data/formats/bytes.h"

namespace lacuna::formats {
namespace {

using namespace std::string_view_literals;
constexpr std::string_view kSign = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv;
constexpr std::uint64_t kHeader = 512, kEntry = 128;
constexpr std::uint32_t kLastSector = 0xFFFFFFFA;  // above: marks, no sectors
constexpr std::uint8_t kStream = 2, kRoot = 5;

std::vector<std::uint32_t> numbers_of(std::string_view bytes) {
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t at = 0; at + 4 <= bytes.size(); at += 4)
    numbers.push_back(u32_at(bytes, at));
  return numbers;
}

}  // namespace

bool OleFile::is_one(std::string_view bytes) {
  return bytes.starts_with(kSign);
}

Error OleFile::damaged(const char* what) const {
  return {ErrorCode::kDamaged, std::string("the file is damaged or cut off: ") + what, filename_};
}

Result<OleFile> OleFile::open(std::string_view bytes, const std::string& filename) {
  OleFile file;
  file.bytes_ = bytes;
  file.filename_ = filename;
  const unsigned shift = u16_at(bytes, 30), small_shift = u16_at(bytes, 32);
  if (!is_one(bytes) || bytes.size() < kHeader || (shift != 9 && shift != 12) || small_shift != 6)
    return file.damaged("it has no header");
  file.sector_size_ = std::uint64_t{1} << shift;
  file.cutoff_ = u32_at(bytes, 56);
  LACUNA_RETURN_IF_ERROR(file.read_tables(u32_at(bytes, 68)));
  LACUNA_RETURN_IF_ERROR(file.read_directory(u32_at(bytes, 48)));
  if (const std::uint32_t first = u32_at(bytes, 60); first < kLastSector) {
    LACUNA_TRY(const std::string table, file.chain(first, ~std::uint64_t{0}));
    file.small_next_ = numbers_of(table);
  }
  for (const Entry& entry : file.entries_) {
    if (entry.kind == kRoot && entry.start < kLastSector && file.small_.empty()) {
      LACUNA_TRY(file.small_, file.chain(entry.start, entry.size));
    }
  }
  return file;
}

// Empty beyond the end of the file; its last sector may be short.
std::string_view OleFile::sector(std::uint32_t number) const {
  const std::uint64_t at = (std::uint64_t{number} + 1) * sector_size_;
  return at < bytes_.size() ? bytes_.substr(at, sector_size_) : std::string_view();
}

// Which sector follows which: in sectors that the header lists, the first 109, and a chain of
// lists.
Status OleFile::read_tables(std::uint32_t first_more) {
  std::vector<std::uint32_t> tables = numbers_of(bytes_.substr(76, kHeader - 76));
  const std::uint64_t most = bytes_.size() / sector_size_ + 1;
  std::uint64_t lists = 0;
  for (std::uint32_t list = first_more; list < kLastSector;) {
    const std::vector<std::uint32_t> more = numbers_of(sector(list));
    if (more.size() < sector_size_ / 4 || ++lists > most)
      return damaged("the list of its sectors has no end");
    tables.insert(tables.end(), more.begin(), more.end() - 1);
    list = more.back();
  }
  for (const std::uint32_t table : tables) {
    if (table >= kLastSector)
      continue;
    const std::vector<std::uint32_t> part = numbers_of(sector(table));
    if (part.empty() || next_.size() > most + sector_size_)
      return damaged("the table of its sectors is not there");
    next_.insert(next_.end(), part.begin(), part.end());
  }
  return ok_status();
}

Status OleFile::read_directory(std::uint32_t first) {
  constexpr std::uint32_t kSize = 0xFFFFFFFF;
  LACUNA_TRY(const std::string directory, chain(first, ~std::uint64_t{0}));
  for (std::uint64_t at = 0; at + kEntry <= directory.size(); at += kEntry) {
    const std::string_view bytes = std::string_view(directory).substr(at, kEntry);
    Entry entry;
    entry.kind = static_cast<std::uint8_t>(bytes[66]);
    const std::uint64_t length = std::min<std::uint64_t>(u16_at(bytes, 64), 64);
    for (std::uint64_t i = 0; i + 2 < length; i += 2) {
      const std::uint16_t letter = u16_at(bytes, i);
      entry.name += letter < 128 ? static_cast<char>(letter) : '?';
    }
    entry.start = u32_at(bytes, 116);
    entry.size = number_at(bytes, 120, 8);
    if (sector_size_ == 512)
      entry.size &= kSize;  // the other half is not always zero
    if (entry.kind == kStream || entry.kind == kRoot)
      entries_.push_back(std::move(entry));
  }
  return ok_status();
}

const OleFile::Entry* OleFile::find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.kind == kStream && base::lower_case(entry.name) == base::lower_case(name))
      return &entry;
  }
  return nullptr;
}

// Up to so many bytes; a chain that ends earlier is cut off, unless nobody says how long it is.
Result<std::string> OleFile::chain(std::uint32_t first, std::uint64_t size) const {
  std::string all;
  std::uint64_t steps = 0;
  for (std::uint32_t at = first; all.size() < size && at < kLastSector; at = next_[at]) {
    if (at >= next_.size() || ++steps > next_.size())
      return damaged("a chain of its sectors has no end");
    const std::string_view part = sector(at);
    all += part;
    if (part.size() < sector_size_)
      break;
  }
  if (size != ~std::uint64_t{0} && all.size() < size)
    return damaged("it ends before its content does");
  all.resize(std::min<std::uint64_t>(all.size(), size));
  return all;
}

Result<std::string> OleFile::small_chain(std::uint32_t first, std::uint64_t size) const {
  std::string all;
  std::uint64_t steps = 0;
  for (std::uint32_t at = first; all.size() < size && at < kLastSector; at = small_next_[at]) {
    const std::uint64_t from = at * small_size_;
    if (at >= small_next_.size() || ++steps > small_next_.size() || from >= small_.size())
      return damaged("a chain of its sectors has no end");
    all += std::string_view(small_).substr(from, small_size_);
  }
  if (all.size() < size)
    return damaged("it ends before its content does");
  all.resize(size);
  return all;
}

Result<std::string> OleFile::stream(std::string_view name) const {
  const Entry* entry = find(name);
  if (entry == nullptr)
    return damaged("a part of it is not there");
  if (entry->size > bytes_.size())
    return damaged("it ends before its content does");
  return entry->size < cutoff_ ? small_chain(entry->start, entry->size)
                               : chain(entry->start, entry->size);
}

}  // namespace lacuna::formats
