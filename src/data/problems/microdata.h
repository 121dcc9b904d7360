// SPDX-License-Identifier: Apache-2.0
// Microdata files as sources of records, read in blocks so that they need not fit memory: separated
// text (RFC 4180; a quote may stand only at the ends of a field) and fixed width (each column at
// the same characters of every line). UTF-8; .gz and .xz are unpacked on the way.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "data/files/byte_stream.h"
#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::problems {

struct CsvRecordsOptions {
  char separator = ',';
  std::vector<std::string> header = {};  // names of the columns of a file without a header line
  bool trim = false;                     // blanks at the ends of fields are no part of them
  std::size_t block_bytes = std::size_t{1} << 20U;
};

struct FixedColumn {
  std::string name;
  std::size_t start = 1;   // character, from 1
  std::size_t length = 1;  // characters, at least 1
};

struct FixedRecordsOptions {
  std::vector<FixedColumn> columns;
  bool trim = true;  // blanks at the ends of fields are no part of them
  std::size_t block_bytes = std::size_t{1} << 20U;
};

Result<std::unique_ptr<RecordSource>> open_csv_records(const std::string& path,
                                                       const CsvRecordsOptions& options);
Result<std::unique_ptr<RecordSource>> open_fixed_records(const std::string& path,
                                                         const FixedRecordsOptions& options);

// The same from any stream; `name` is for messages.
Result<std::unique_ptr<RecordSource>> csv_records(std::unique_ptr<files::ByteStream> stream,
                                                  const std::string& name,
                                                  const CsvRecordsOptions& options);
Result<std::unique_ptr<RecordSource>> fixed_records(std::unique_ptr<files::ByteStream> stream,
                                                    const std::string& name,
                                                    const FixedRecordsOptions& options);

}  // namespace lacuna::problems
