// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/published_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/number_text.h"
#include "data/formats/agency_signs.h"
#include "data/infer/csv_guess.h"
#include "data/infer/flag_words.h"
#include "data/infer/shape_choice.h"
#include "data/jobfile/job_columns.h"
#include "data/jobfile/job_dimension.h"
#include "data/jobfile/job_input.h"

namespace lacuna::jobfile {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

Result<PublishedDimension> dimension_of(const JobSpec::Dimension& given,
                                        const std::string& path,
                                        const DimensionReader& reader) {
  PublishedDimension dimension{given.name, given.total, {}};
  LACUNA_TRY(const DimensionPlan plan, reader.read(given, path));
  for (const files::CodeTree& tree : plan.trees)
    dimension.relations.insert(
        dimension.relations.end(), tree.relations.begin(), tree.relations.end());
  if (!dimension.relations.empty() && dimension.total.empty())
    dimension.total = plan.total.empty() ? dimension.relations.front().parent : plan.total;
  return dimension;
}

// The rows of one file.
class RowReader {
 public:
  RowReader(const files::CsvFile& file,
            const infer::ShapedTable& shape,
            const spec::ReadSpec& spec,
            const TableColumnSection& columns)
      : file_(file), shape_(shape), spec_(spec), columns_(columns) {}

  Result<PublishedTable> read(std::vector<PublishedDimension> dimensions, std::string name) {
    table_.file = std::move(name);
    table_.dimensions = std::move(dimensions);
    LACUNA_RETURN_IF_ERROR(find_columns());
    for (std::size_t r = 0; r < file_.num_rows(); ++r)
      LACUNA_RETURN_IF_ERROR(read_row(r));
    complete_flat();
    find_constants();
    return std::move(table_);
  }

 private:
  Result<std::size_t> column(const std::string& name) const {
    const std::size_t found = file_.find_column(name);
    if (found < file_.num_columns())
      return found;
    return Error{ErrorCode::kMissingColumn,
                 "there is no column " + base::in_quotes(name),
                 file_.where_header()};
  }

  Status find_columns() {
    const std::string& value =
        columns_.names.value.empty() ? columns_.names.frequency : columns_.names.value;
    LACUNA_TRY(value_, column(value));
    table_.column = value_;
    table_.value = value;
    table_.counted = columns_.counted || columns_.names.value.empty();
    for (std::size_t d = 0; d < table_.dimensions.size(); ++d) {
      const JobSpec::Dimension& given = spec_.job.dimensions[d];
      const std::size_t at = file_.find_column(given.column.empty() ? given.name : given.column);
      dimensions_.push_back(at < file_.num_columns() ? at : kNone);
    }
    const std::size_t sign = file_.find_column("flag of " + value);
    if (sign < file_.num_columns())
      sign_ = sign;
    else if (shape_.is_wide() && shape_.roles.size() == file_.num_columns() &&
             shape_.roles.back() == formats::ColumnRole::kObservationStatus)
      sign_ = file_.num_columns() - 1;
    find_flags();
    return ok_status();
  }

  bool is_taken(std::size_t at) const {
    return at == value_ || at == sign_ ||
           std::find(dimensions_.begin(), dimensions_.end(), at) != dimensions_.end();
  }

  // Columns that say that a number is withheld. Words of no known set may be so, too, if some
  // agency means that by them: QCEW writes 0 and N.
  void find_flags() {
    const infer::StatusWords own = infer::flag_words_in(spec_.job.input.means);
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      const auto others = [&](std::size_t at) { return at != c || is_taken(at); };
      auto found = infer::find_flags(file_, others, own);
      if (found) {
        for (auto& each : *found)
          flags_.push_back(std::move(each));
      } else {
        doubtful_.push_back(c);
      }
    }
  }

  bool is_flagged(std::size_t row) const {
    const auto says = [&](const auto& each) {
      return each.second.says_withheld(file_.field(row, each.first));
    };
    return std::any_of(flags_.begin(), flags_.end(), says) ||
           std::any_of(doubtful_.begin(), doubtful_.end(), [&](std::size_t c) {
             const auto meanings = formats::meanings_of(file_.field(row, c));
             return std::any_of(meanings.begin(), meanings.end(), [](const auto& each) {
               return each.meaning == formats::SignMeaning::kWithheld;
             });
           });
  }

  // The words of a row behind its blank: what stands in the place of the number, else its flag.
  std::string sign_of(std::size_t row) const {
    if (sign_ != kNone && !base::trimmed(file_.field(row, sign_)).empty())
      return std::string(base::trimmed(file_.field(row, sign_)));
    const std::string_view value = base::trimmed(file_.field(row, value_));
    if (!value.empty() && infer::is_missing_text(value))
      return std::string(value);
    for (const auto& [c, words] : flags_) {
      if (words.says_withheld(file_.field(row, c)))
        return std::string(base::trimmed(file_.field(row, c)));
    }
    for (const std::size_t c : doubtful_) {
      if (!base::trimmed(file_.field(row, c)).empty())
        return std::string(base::trimmed(file_.field(row, c)));
    }
    return "";
  }

  Status read_row(std::size_t r) {
    PublishedRow row;
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      row.codes.emplace_back(dimensions_[d] == kNone ? std::string_view()
                                                     : file_.field(r, dimensions_[d]));
    for (std::size_t d = 0; d < row.codes.size(); ++d) {
      if (row.codes[d].empty())
        row.codes[d] = table_.dimensions[d].total;
    }
    const std::string_view text = base::trimmed(file_.field(r, value_));
    const bool is_number = !infer::is_missing_text(text);
    const bool is_placeholder = is_number && files::is_zero_number(text) && is_flagged(r);
    if (is_number && !is_placeholder) {
      row.number = text;
    } else {
      row.sign = sign_of(r);
      if (const auto meaning = infer::meaning_of_sign(row.sign, choice(), shape_.signs);
          meaning == formats::SignMeaning::kZero && !is_placeholder)
        row.number = "0";
      LACUNA_RETURN_IF_ERROR(read_range(r, row));
    }
    table_.rows.push_back(std::move(row));
    return ok_status();
  }

  const infer::ShapeChoice& choice() {
    if (!choice_)
      choice_ = infer::shape_choice_of(spec_.job);
    return *choice_;
  }

  Status read_range(std::size_t r, PublishedRow& row) {
    row.range = infer::range_of(row.sign);
    if (!row.range)
      return ok_status();
    for (std::string* end : {&row.range->lower, &row.range->upper}) {
      if (end->empty())
        continue;
      const auto style = files::style_of(*end);
      const auto plain = style ? files::plain_number(*end, *style) : std::nullopt;
      if (!plain)
        return file_.error(
            r, value_, base::in_quotes(row.sign) + " is no range: its ends are no numbers");
      *end = *plain;
    }
    return ok_status();
  }

  // Flat dimensions have the codes of the rows.
  void complete_flat() {
    for (std::size_t d = 0; d < table_.dimensions.size(); ++d) {
      PublishedDimension& dimension = table_.dimensions[d];
      if (dimension.total.empty() || !dimension.relations.empty())
        continue;
      files::NamedRelation all{dimension.total, {}};
      std::set<std::string_view> seen{dimension.total};
      for (const PublishedRow& row : table_.rows) {
        if (seen.insert(row.codes[d]).second)
          all.children.push_back(row.codes[d]);
      }
      if (!all.children.empty())
        dimension.relations.push_back(std::move(all));
    }
  }

  void find_constants() {
    for (std::size_t c = 0; c < file_.num_columns() && file_.num_rows() > 0; ++c) {
      if (is_taken(c))
        continue;
      bool same = !base::trimmed(file_.field(0, c)).empty();
      for (std::size_t r = 1; r < file_.num_rows() && same; ++r)
        same = file_.field(r, c) == file_.field(0, c);
      if (same)
        table_.constants.emplace_back(file_.header(c), file_.field(0, c));
    }
  }

  const files::CsvFile& file_;
  const infer::ShapedTable& shape_;
  const spec::ReadSpec& spec_;
  const TableColumnSection& columns_;
  PublishedTable table_;
  std::size_t value_ = kNone;
  std::size_t sign_ = kNone;
  std::vector<std::size_t> dimensions_;  // kNone: the file has no such column
  infer::FlagColumns flags_;
  std::vector<std::size_t> doubtful_;
  std::optional<infer::ShapeChoice> choice_;
};

}  // namespace

Result<std::vector<PublishedTable>> read_published(const spec::ReadSpec& spec,
                                                   const FileLoader& load) {
  LACUNA_TRY(TableInput input, read_table_input(spec, load, TableKind::kPublished));
  LACUNA_TRY(const TableColumnSection columns, read_column_section(spec, load));
  LACUNA_RETURN_IF_ERROR(make_numbers_plain(number_columns(columns.names), input));
  const DimensionReader reader(spec.places, load, input.style.separator);
  std::vector<PublishedDimension> dimensions;
  for (std::size_t d = 0; d < spec.job.dimensions.size(); ++d) {
    const std::string path = "dimension[" + std::to_string(d) + "]";
    LACUNA_TRY(PublishedDimension dimension, dimension_of(spec.job.dimensions[d], path, reader));
    dimensions.push_back(std::move(dimension));
  }
  std::vector<PublishedTable> tables;
  for (std::size_t f = 0; f < input.files.size(); ++f) {
    RowReader rows(input.files[f], input.shapes[f], spec, columns);
    LACUNA_TRY(PublishedTable table, rows.read(dimensions, input.names[f]));
    table.path = f < spec.job.input.table.size() ? spec.job.input.table[f].name
                                                 : spec.job.input.table.front().name;
    table.notes = input.shapes[f].notes;
    table.text = std::make_shared<const files::CsvFile>(std::move(input.files[f]));
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace lacuna::jobfile
