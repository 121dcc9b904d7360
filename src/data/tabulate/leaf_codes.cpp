// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/leaf_codes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/confidential.h"
#include "core/base/spelling.h"
#include "data/tabulate/code_lists.h"

namespace lacuna::tabulation {

Result<LeafCodes> LeafCodes::make(std::vector<const CodeReader*> readers,
                                  const TabulateOptions& options) {
  LeafCodes codes;
  codes.readers_ = std::move(readers);
  for (std::size_t d = 0; d < options.dimensions.size(); ++d)
    LACUNA_RETURN_IF_ERROR(codes.add_dimension(options.dimensions[d], d));
  return codes;
}

Status LeafCodes::add_dimension(const DimensionSpec& spec, std::size_t d) {
  std::vector<std::string> texts;
  bool has_missing = false;
  for (const CodeReader* reader : readers_) {
    for (std::uint32_t id = 0; id < reader->texts(d).size(); ++id) {
      if (reader->is_missing(d, id))
        has_missing = true;
      else if (!reader->is_dropped(d, id))
        texts.push_back(reader->texts(d).text(id));
    }
  }
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  LACUNA_RETURN_IF_ERROR(note_cut(spec, texts));
  LACUNA_TRY(Dimension dimension, dimension_of_texts(spec, texts, has_missing));
  LACUNA_RETURN_IF_ERROR(map_texts(spec, d, dimension));
  dimensions_.push_back(std::move(dimension));
  return ok_status();
}

// Codes with more characters than the levels are cut: that they are all as long shows that it is
// meant; else somebody has to say so.
Status LeafCodes::note_cut(const DimensionSpec& spec, const std::vector<std::string>& texts) {
  if (spec.kind != DimensionSpec::Kind::kDigits)
    return ok_status();
  const std::size_t wanted = length_of_levels(spec);
  std::map<std::size_t, std::pair<std::size_t, std::string>> lengths;  // how many, and one of them
  std::size_t longer = 0;
  for (const std::string& text : texts) {
    auto& [count, example] = lengths[count_characters(text)];
    longer += count_characters(text) > wanted ? 1U : 0U;
    if (++count == 1)
      example = text;
  }
  if (longer == 0)
    return ok_status();
  std::string found;
  for (const auto& [length, which] : lengths)
    found += (found.empty() ? "" : ", ") + std::to_string(which.first) + " of " +
             std::to_string(length) + " characters (such as " +
             base::confidential(quoted(std::string_view(which.second))) + ")";
  if (lengths.size() > 1 && spec.longer == LongerPolicy::kAuto) {
    return Error{ErrorCode::kBadField,
                 "the levels have " + std::to_string(wanted) + " characters, but the codes are " +
                     found + ": say " +
                     base::named_setting("its [[dimension]]", "longer", "\"cut\"") +
                     " if the table is coarser than the records, or " + remedy_of_unknown_code() +
                     " with " + base::named_setting("longer", "\"error\""),
                 "dimension " + spec.name};
  }
  notes_.push_back("dimension " + spec.name + ": " + std::to_string(longer) +
                   (longer == 1 ? " code is" : " codes are") + " cut to the " +
                   std::to_string(wanted) +
                   " characters of its levels: the table is coarser than the records");
  return ok_status();
}

Status LeafCodes::map_texts(const DimensionSpec& spec, std::size_t d, const Dimension& dimension) {
  auto& of_readers = codes_.emplace_back();
  for (const CodeReader* reader : readers_) {
    std::vector<std::int32_t>& codes = of_readers.emplace_back();
    for (std::uint32_t id = 0; id < reader->texts(d).size(); ++id) {
      const std::string leaf = reader->is_missing(d, id)
                                   ? spec.missing.code
                                   : leaf_of_text(spec, reader->texts(d).text(id));
      codes.push_back(reader->is_dropped(d, id) ? -1 : dimension.find(leaf));
      if (codes.back() >= 0 && !dimension.is_leaf(codes.back())) {
        return Error{ErrorCode::kBadHierarchy,
                     "the code '" + leaf + "' has records of its own and codes below it",
                     "dimension " + spec.name};
      }
    }
  }
  return ok_status();
}

}  // namespace lacuna::tabulation
