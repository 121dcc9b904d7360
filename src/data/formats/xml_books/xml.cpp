// SPDX-License-Identifier: Apache-2.0
#include "data/formats/xml_books/xml.h"

#include <charconv>

#include "core/base/quotes.h"

namespace lacuna::formats {

Result<std::unique_ptr<XmlPart>> read_xml(files::ZipReader& zip,
                                          std::string_view member,
                                          const std::string& filename) {
  const files::ZipMember* found = zip.find(member);
  if (found == nullptr) {
    return Error{ErrorCode::kDamaged,
                 "the workbook is damaged: it has no part " + base::in_quotes(member),
                 filename};
  }
  LACUNA_TRY(std::string text, zip.read(*found));
  auto part = std::make_unique<XmlPart>();
  part->text = std::move(text);
  constexpr unsigned kHow = pugi::parse_default | pugi::parse_ws_pcdata_single;
  const pugi::xml_parse_result parsed =
      part->tree.load_buffer_inplace(part->text.data(), part->text.size(), kHow);
  if (!parsed) {
    return Error{ErrorCode::kDamaged,
                 "the workbook is damaged: its part " + base::in_quotes(member) +
                     " is not XML (byte " + std::to_string(parsed.offset) + ": " +
                     parsed.description() + ")",
                 filename};
  }
  return part;
}

std::uint64_t whole_number(std::string_view text, std::uint64_t absent) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? value : absent;
}

}  // namespace lacuna::formats
