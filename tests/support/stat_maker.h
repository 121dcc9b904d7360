// SPDX-License-Identifier: Apache-2.0
// Data sets of SAS, Stata and SPSS for tests, by ReadStat's own writers. A text where a number
// should stand is a number; an empty one is missing.
#pragma once

#include <readstat.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/formats/stat_files.h"

namespace lacuna::testing {

class StatMaker {
 public:
  struct Field {
    std::size_t column;
    std::string text;
  };
  readstat_compress_t compression = READSTAT_COMPRESS_NONE;

  std::size_t number(const std::string& name, const std::string& labels = "") {
    columns_.push_back({name, "", labels, 0, false, 0, 0});
    return columns_.size() - 1;
  }
  std::size_t text(const std::string& name, std::size_t width) {
    columns_.push_back({name, "", "", width, false, 0, 0});
    return columns_.size() - 1;
  }
  void format(std::size_t column, const std::string& format) { columns_[column].format = format; }
  void missing(std::size_t column, double low, double high) {
    columns_[column].has_missing = true;
    columns_[column].low = low;
    columns_[column].high = high;
  }
  void label(const std::string& set, int value, const std::string& label) {
    labels_[set].emplace_back(value, label);
  }
  void row(const std::vector<Field>& fields) {
    std::vector<std::string> texts(columns_.size());
    for (const Field& field : fields)
      texts[field.column] = field.text;
    rows_.push_back(std::move(texts));
  }

  std::string write(formats::StatKind kind) const {
    std::string bytes;
    readstat_writer_t* writer = readstat_writer_init();
    readstat_set_data_writer(writer, append);
    if (compression != READSTAT_COMPRESS_NONE)
      require(readstat_writer_set_compression(writer, compression));
    if (kind == formats::StatKind::kSasXport)
      readstat_writer_set_file_format_version(writer, 8);
    if (kind == formats::StatKind::kSpss)
      readstat_writer_set_file_format_version(writer,
                                              compression == READSTAT_COMPRESS_BINARY ? 3 : 2);
    std::map<std::string, readstat_label_set_t*> sets;
    const bool is_stata = kind == formats::StatKind::kStata;  // whose labels are of whole numbers
    for (const auto& [name, labels] : labels_) {
      sets[name] = readstat_add_label_set(
          writer, is_stata ? READSTAT_TYPE_INT32 : READSTAT_TYPE_DOUBLE, name.c_str());
      for (const auto& [value, label] : labels) {
        if (is_stata)
          readstat_label_int32_value(sets[name], value, label.c_str());
        else
          readstat_label_double_value(sets[name], value, label.c_str());
      }
    }
    std::vector<readstat_variable_t*> variables;
    for (const Column& column : columns_) {
      const bool is_labelled = !column.labels.empty();
      const readstat_type_t type = column.width > 0          ? READSTAT_TYPE_STRING
                                   : is_labelled && is_stata ? READSTAT_TYPE_INT32
                                                             : READSTAT_TYPE_DOUBLE;
      variables.push_back(readstat_add_variable(writer, column.name.c_str(), type, column.width));
      if (!column.format.empty())
        readstat_variable_set_format(variables.back(), column.format.c_str());
      if (is_labelled)
        readstat_variable_set_label_set(variables.back(), sets.at(column.labels));
      if (column.has_missing)
        require(
            readstat_variable_add_missing_double_range(variables.back(), column.low, column.high));
    }
    begin(writer, kind, bytes);
    for (const auto& row : rows_)
      write_row(writer, variables, row);
    require(readstat_end_writing(writer));
    readstat_writer_free(writer);
    return bytes;
  }

 private:
  struct Column {
    std::string name, format, labels;
    std::size_t width = 0;  // 0: numbers
    bool has_missing = false;
    double low = 0, high = 0;
  };
  static void require(readstat_error_t outcome) {
    if (outcome != READSTAT_OK)
      throw std::runtime_error(readstat_error_message(outcome));
  }
  static ssize_t append(const void* data, std::size_t size, void* context) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), size);
    return static_cast<ssize_t>(size);
  }
  void begin(readstat_writer_t* writer, formats::StatKind kind, std::string& bytes) const {
    const auto rows = static_cast<int>(rows_.size());
    switch (kind) {
      case formats::StatKind::kSas7bdat:
        return require(readstat_begin_writing_sas7bdat(writer, &bytes, rows));
      case formats::StatKind::kSasXport:
        return require(readstat_begin_writing_xport(writer, &bytes, rows));
      case formats::StatKind::kStata:
        return require(readstat_begin_writing_dta(writer, &bytes, rows));
      case formats::StatKind::kSpss:
        return require(readstat_begin_writing_sav(writer, &bytes, rows));
      case formats::StatKind::kSpssPortable:
        return require(readstat_begin_writing_por(writer, &bytes, rows));
    }
  }
  void write_row(readstat_writer_t* writer,
                 const std::vector<readstat_variable_t*>& variables,
                 const std::vector<std::string>& row) const {
    require(readstat_begin_row(writer));
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const readstat_type_t type = readstat_variable_get_type(variables[i]);
      if (type == READSTAT_TYPE_STRING)
        require(readstat_insert_string_value(writer, variables[i], row[i].c_str()));
      else if (row[i].empty())
        require(readstat_insert_missing_value(writer, variables[i]));
      else if (type == READSTAT_TYPE_INT32)
        require(readstat_insert_int32_value(writer, variables[i], std::stoi(row[i])));
      else
        require(readstat_insert_double_value(writer, variables[i], std::stod(row[i])));
    }
    require(readstat_end_row(writer));
  }

  std::vector<Column> columns_;
  std::map<std::string, std::vector<std::pair<int, std::string>>> labels_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lacuna::testing
