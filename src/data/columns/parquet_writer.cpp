// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "data/columns/duckdb_library.h"
#include "core/platform/memory_file.h"
#include "data/columns/output_table.h"

namespace lacuna::columns {
namespace {

using duckdb::Api;
using duckdb::TypeId;

struct Hugeint {
  std::uint64_t lower;
  std::int64_t upper;
};

TypeId type_id(const OutputColumn& column) {
  switch (column.kind) {
    case OutputKind::kText:
      return TypeId::kVarchar;
    case OutputKind::kNumber:
      return column.is_decimal() ? TypeId::kDecimal : TypeId::kBigint;
    case OutputKind::kReal:
      return TypeId::kDouble;
    case OutputKind::kTruth:
      return TypeId::kBoolean;
  }
  return TypeId::kVarchar;
}

std::string type_text(const OutputColumn& column) {
  switch (type_id(column)) {
    case TypeId::kVarchar:
      return "VARCHAR";
    case TypeId::kBigint:
      return "BIGINT";
    case TypeId::kDouble:
      return "DOUBLE";
    case TypeId::kBoolean:
      return "BOOLEAN";
    default:
      break;
  }
  return "DECIMAL(" + std::to_string(column.precision()) + ", " + std::to_string(column.decimals) +
         ")";
}

// The rows of the table, appended chunk by chunk to a table of the library's.
class ParquetRows {
 public:
  ParquetRows(const duckdb::Session& session, const OutputTable& table)
      : session_(session), api_(session.api()), table_(table) {}
  ParquetRows(const ParquetRows&) = delete;
  ParquetRows& operator=(const ParquetRows&) = delete;
  ~ParquetRows() {
    if (chunk_ != nullptr)
      api_.destroy_data_chunk(&chunk_);
    if (appender_ != nullptr)
      api_.appender_destroy(&appender_);
    for (duckdb::LogicalType& type : types_)
      api_.destroy_logical_type(&type);
  }

  Status append() {
    for (const OutputColumn& column : table_.columns) {
      is_wide_.push_back(column.is_decimal() && column.precision() > 18);
      types_.push_back(type_of(column));
    }
    chunk_ = api_.create_data_chunk(types_.data(), types_.size());
    if (chunk_ == nullptr ||
        api_.appender_create(session_.connection(), nullptr, "t", &appender_) != 0)
      return failed();
    const std::size_t most = api_.vector_size();
    for (std::size_t first = 0; first < table_.num_rows(); first += most) {
      const std::size_t count = std::min(most, table_.num_rows() - first);
      api_.data_chunk_reset(chunk_);
      for (std::size_t c = 0; c < table_.columns.size(); ++c)
        fill(c, first, count);
      api_.data_chunk_set_size(chunk_, count);
      if (api_.append_data_chunk(appender_, chunk_) != 0)
        return failed();
    }
    return api_.appender_destroy(&appender_) == 0 ? ok_status() : failed();
  }

 private:
  static Status failed() {
    return Error{ErrorCode::kFileUnwritable, "DuckDB's library did not take the rows", ""};
  }

  duckdb::LogicalType type_of(const OutputColumn& column) const {
    if (column.is_decimal())
      return api_.create_decimal_type(static_cast<std::uint8_t>(column.precision()),
                                      static_cast<std::uint8_t>(column.decimals));
    return api_.create_logical_type(static_cast<int>(type_id(column)));
  }

  void fill(std::size_t number, std::size_t first, std::size_t count) const {
    const OutputColumn& column = table_.columns[number];
    const duckdb::Vector vector = api_.data_chunk_get_vector(chunk_, number);
    auto* data = static_cast<char*>(api_.vector_get_data(vector));
    for (std::size_t i = 0; i < count; ++i) {
      if (column.is_null(first + i)) {
        api_.vector_ensure_validity_writable(vector);
        api_.vector_get_validity(vector)[i / 64] &= ~(std::uint64_t{1} << (i % 64));
      } else if (column.kind == OutputKind::kText) {
        const std::string& text = column.texts[first + i];
        api_.vector_assign_string_element_len(vector, i, text.data(), text.size());
      } else if (column.kind == OutputKind::kReal) {
        std::memcpy(data + i * sizeof(double), &column.reals[first + i], sizeof(double));
      } else if (column.kind == OutputKind::kTruth) {
        data[i] = column.numbers[first + i] != 0 ? 1 : 0;
      } else if (is_wide_[number]) {
        const Units value = column.numbers[first + i];
        const Hugeint wide{static_cast<std::uint64_t>(value), value < 0 ? -1 : 0};
        std::memcpy(data + i * sizeof(wide), &wide, sizeof(wide));
      } else {
        std::memcpy(data + i * sizeof(Units), &column.numbers[first + i], sizeof(Units));
      }
    }
  }

  const duckdb::Session& session_;
  const Api& api_;
  const OutputTable& table_;
  std::vector<duckdb::LogicalType> types_;
  std::vector<bool> is_wide_;  // per column: numbers of 128 bits
  duckdb::Chunk chunk_ = nullptr;
  duckdb::Appender appender_ = nullptr;
};

}  // namespace

Result<std::string> write_parquet(const OutputTable& table) {
  LACUNA_TRY(const duckdb::Session session, duckdb::Session::open(1));
  std::string sql;
  for (const OutputColumn& column : table.columns)
    sql += (sql.empty() ? "" : ", ") + duckdb::sql_name(column.name) + " " + type_text(column);
  LACUNA_RETURN_IF_ERROR(session.run("CREATE TABLE t (" + sql + ")"));
  LACUNA_RETURN_IF_ERROR(ParquetRows(session, table).append());
  std::string pairs;
  for (const auto& [key, value] : table.key_values)
    pairs += (pairs.empty() ? "" : ", ") + duckdb::sql_name(key) + ": " + duckdb::sql_text(value);
  LACUNA_TRY(const platform::MemoryFile file, platform::MemoryFile::make({}));
  LACUNA_RETURN_IF_ERROR(session.run("COPY t TO " + duckdb::sql_text(file.path()) +
                                     " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false" +
                                     (pairs.empty() ? "" : ", KV_METADATA {" + pairs + "}") + ")"));
  return file.bytes();
}

}  // namespace lacuna::columns
