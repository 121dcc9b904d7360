// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_tables.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "data/jobfile/job_differencing.h"
#include "data/jobfile/job_dimension.h"

namespace lacuna::jobfile {
namespace {

// The total first, then the codes in the order of the rows.
std::vector<std::string> codes_seen(const DimensionPlan& plan,
                                    const std::vector<files::CsvFile>& files) {
  std::vector<std::string> codes{plan.total};
  std::unordered_set<std::string_view> seen{plan.total};
  for (const files::CsvFile& file : files) {
    const std::size_t column = file.find_column(plan.column);
    if (column == file.num_columns())
      continue;  // reported when the columns are bound
    for (std::size_t r = 0; r < file.num_rows(); ++r) {
      const std::string_view code = file.field(r, column);
      if (!code.empty() && seen.insert(code).second)
        codes.emplace_back(code);
    }
  }
  return codes;
}

std::vector<std::int32_t> all_of(const std::vector<Dimension>& dimensions) {
  std::vector<std::int32_t> indices(dimensions.size());
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

Result<std::int32_t> find_dimension(const std::string& name,
                                    const std::vector<Dimension>& dimensions,
                                    const std::string& path,
                                    const spec::SpecPlaces& places) {
  std::vector<std::string_view> names;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d].name() == name)
      return static_cast<std::int32_t>(d);
    names.push_back(dimensions[d].name());
  }
  return places.error(
      path, "there is no dimension " + base::in_quotes(name) + base::did_you_mean(name, names));
}

Result<LinkedTable> read_table(const JobSpec::Table& given,
                               const std::string& path,
                               const std::vector<Dimension>& dimensions,
                               const spec::SpecPlaces& places) {
  LinkedTable table;
  table.stops_above_leaves = given.open;
  table.name = given.name;
  const std::string place = path + ".dimensions";
  if (given.dimensions.empty() && !places.has(place))
    return places.error(path,
                        "a table needs " + base::named_setting("dimensions", "[\"<name>\", ...]"),
                        ErrorCode::kMissingKey);
  for (const std::string& name : given.dimensions) {
    LACUNA_TRY(const std::int32_t index, find_dimension(name, dimensions, place, places));
    if (std::find(table.dimensions.begin(), table.dimensions.end(), index) !=
        table.dimensions.end())
      return places.error(place, "dimension " + base::in_quotes(name) + " is listed twice");
    table.dimensions.push_back(index);
  }
  return table;
}

// A table per file, with the dimensions that the file has; empty if all files have the same.
std::vector<LinkedTable> table_per_file(const TableInput& input,
                                        const TableDimensions& dimensions) {
  std::vector<LinkedTable> tables;
  bool same = true;
  for (std::size_t f = 0; f < input.files.size(); ++f) {
    const files::CsvFile& file = input.files[f];
    LinkedTable table{input.names[f], {}};
    for (std::size_t d = 0; d < dimensions.columns.size(); ++d) {
      if (file.find_column(dimensions.columns[d]) < file.num_columns())
        table.dimensions.push_back(static_cast<std::int32_t>(d));
    }
    same = same && (tables.empty() || tables.front().dimensions == table.dimensions);
    tables.push_back(std::move(table));
  }
  return same ? std::vector<LinkedTable>() : tables;
}

}  // namespace

Result<TableDimensions> read_dimensions(const spec::ReadSpec& spec,
                                        const TableInput& input,
                                        const FileLoader& load) {
  if (spec.job.dimensions.empty())
    return Error{ErrorCode::kMissingKey,
                 "the job has no " + base::named_section("[[dimension]]"),
                 spec.places.filename()};
  const DimensionReader reader(spec.places, load, input.style.separator);
  TableDimensions read;
  std::unordered_set<std::string> names;
  for (std::size_t d = 0; d < spec.job.dimensions.size(); ++d) {
    const std::string path = "dimension[" + std::to_string(d) + "]";
    LACUNA_TRY(DimensionPlan plan, reader.read(spec.job.dimensions[d], path));
    if (!names.insert(plan.name).second)
      return spec.places.error(path, "two dimensions are called " + base::in_quotes(plan.name));
    if (plan.flat)
      plan.trees.push_back(flat_tree(codes_seen(plan, input.files), plan.total));
    LACUNA_TRY(Dimension dimension, reader.build(plan));
    read.columns.push_back(plan.column);
    read.dimensions.push_back(std::move(dimension));
  }
  return read;
}

Result<std::vector<LinkedTable>> read_tables(const spec::ReadSpec& spec,
                                             const TableInput& input,
                                             const TableDimensions& dimensions) {
  std::vector<LinkedTable> tables;
  for (std::size_t i = 0; i < spec.job.tables.size(); ++i) {
    LACUNA_TRY(LinkedTable table,
               read_table(spec.job.tables[i],
                          "table[" + std::to_string(i) + "]",
                          dimensions.dimensions,
                          spec.places));
    tables.push_back(std::move(table));
  }
  if (tables.empty())
    tables = table_per_file(input, dimensions);
  if (tables.empty())
    tables.push_back({"", all_of(dimensions.dimensions)});
  return tables;
}

LinkedTable atom_table(const std::vector<Dimension>& dimensions) {
  return {kAtomTable, all_of(dimensions)};
}

}  // namespace lacuna::jobfile
