// SPDX-License-Identifier: Apache-2.0
#include "data/columns/parquet_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include "data/columns/duckdb_tables.h"
#include "data/columns/plain_values.h"

namespace lacuna::columns {
namespace {

using duckdb::Api;
using duckdb::TypeId;

constexpr std::uint32_t kInlined = 12;  // bytes of a short text, inside its entry
struct TextEntry {
  std::uint32_t length;
  char start[4];
  const char* letters;  // of a text that is longer than kInlined
};
static_assert(sizeof(TextEntry) == 16);

struct ParquetColumn {
  bool is_text = true;
  PlainColumn plain;     // else
  bool is_cast = false;  // to text, by DuckDB
  bool is_nested = false;
};

std::size_t plain_width(TypeId id) {
  switch (id) {
    case TypeId::kTinyint:
    case TypeId::kUtinyint:
    case TypeId::kBoolean:
      return 1;
    case TypeId::kSmallint:
    case TypeId::kUsmallint:
      return 2;
    case TypeId::kInteger:
    case TypeId::kUinteger:
    case TypeId::kFloat:
    case TypeId::kDate:
      return 4;
    case TypeId::kBigint:
    case TypeId::kUbigint:
    case TypeId::kDouble:
      return 8;
    default:
      return 16;  // of decimals
  }
}

ParquetColumn column_of(const Api& api, duckdb::LogicalType type) {
  ParquetColumn column;
  const auto id = static_cast<TypeId>(api.get_type_id(type));
  const auto plain = [&](PlainKind kind) {
    column.is_text = false;
    column.plain.kind = kind;
    column.plain.width = plain_width(id);
  };
  switch (id) {
    case TypeId::kVarchar:
      break;
    case TypeId::kBoolean:
      plain(PlainKind::kBooleanBytes);
      break;
    case TypeId::kTinyint:
    case TypeId::kSmallint:
    case TypeId::kInteger:
    case TypeId::kBigint:
      plain(PlainKind::kSigned);
      break;
    case TypeId::kUtinyint:
    case TypeId::kUsmallint:
    case TypeId::kUinteger:
    case TypeId::kUbigint:
      plain(PlainKind::kUnsigned);
      break;
    case TypeId::kFloat:
    case TypeId::kDouble:
      plain(PlainKind::kFloat);
      break;
    case TypeId::kDate:
      plain(PlainKind::kDate);
      break;
    case TypeId::kDecimal:
      plain(PlainKind::kDecimal);
      column.plain.width = plain_width(static_cast<TypeId>(api.decimal_internal_type(type)));
      column.plain.scale = api.decimal_scale(type);
      break;
    case TypeId::kBlob:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kMap:
    case TypeId::kUnion:
    case TypeId::kArray:
      column.is_nested = true;
      break;
    default:
      column.is_cast = true;  // times, large integers and the like: DuckDB's own text
  }
  return column;
}

class ParquetBatch : public ColumnBatch {
 public:
  ParquetBatch(const Api& api, duckdb::Chunk chunk, std::vector<ParquetColumn> columns)
      : api_(api), chunk_(chunk), columns_(std::move(columns)) {
    num_rows_ = api_.data_chunk_get_size(chunk_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const duckdb::Vector vector = api_.data_chunk_get_vector(chunk_, i);
      PlainColumn& plain = columns_[i].plain;
      plain.values = static_cast<const unsigned char*>(api_.vector_get_data(vector));
      plain.validity = reinterpret_cast<const unsigned char*>(  // NOLINT: the same bits
          api_.vector_get_validity(vector));
    }
  }
  ParquetBatch(const ParquetBatch&) = delete;
  ParquetBatch& operator=(const ParquetBatch&) = delete;
  ~ParquetBatch() override { api_.destroy_data_chunk(&chunk_); }

  std::size_t num_rows() const override { return num_rows_; }
  std::optional<ColumnTrouble> texts(std::size_t number,
                                     RowRange rows,
                                     TextArena& arena,
                                     std::string_view* target,
                                     std::size_t stride) const override {
    const ParquetColumn& column = columns_[number];
    if (!column.is_text) {
      plain_texts(column.plain, rows, arena, target, stride);
      return std::nullopt;
    }
    const auto* entries =  // NOLINTNEXTLINE: the library's layout
        reinterpret_cast<const TextEntry*>(column.plain.values);
    for (std::size_t i = rows.first; i < rows.first + rows.count; ++i, target += stride) {
      const TextEntry& entry = entries[i];
      if (!is_valid(column.plain.validity, i))
        *target = {};
      else if (entry.length <= kInlined)
        *target = {entry.start, entry.length};
      else
        *target = {entry.letters, entry.length};
    }
    return std::nullopt;
  }

 private:
  const Api& api_;
  duckdb::Chunk chunk_;
  std::vector<ParquetColumn> columns_;
  std::size_t num_rows_ = 0;
};

// The function that reads one file and no other: characters that would stand for several names are
// put into brackets, and the folders of a path are no columns.
std::string read_function(const std::string& path) {
  std::string exact;
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '*' || c == '?' || c == '[')
      exact += std::string("[") + c + "]";
    else
      exact += c;
  }
  return "read_parquet(" + duckdb::sql_text(exact) +
         ", hive_partitioning = false, binary_as_string = true)";
}

class ParquetSource : public ColumnSource {
 public:
  ParquetSource(std::shared_ptr<const duckdb::Session> session, std::string from)
      : session_(std::move(session)), function_(std::move(from)) {}
  ParquetSource(const ParquetSource&) = delete;
  ParquetSource& operator=(const ParquetSource&) = delete;
  ~ParquetSource() override { end(); }

  Status open() {
    const Api& api = session_->api();
    duckdb::QueryResult result;
    const std::string sql = "SELECT * FROM " + function_ + " LIMIT 0";
    if (api.query(session_->connection(), sql.c_str(), &result) != 0) {
      Error error = duckdb::query_error(api.result_error(&result));
      api.destroy_result(&result);
      return error;
    }
    for (duckdb::Rows i = 0; i < api.column_count(&result); ++i) {
      duckdb::LogicalType type = api.column_logical_type(&result, i);
      types_.push_back(column_of(api, type));
      api.destroy_logical_type(&type);
      columns_.push_back({api.column_name(&result, i),
                          types_.back().is_nested ? "holds lists, records or bytes" : ""});
    }
    api.destroy_result(&result);
    return count_rows();
  }

  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  double fraction() const override {
    return num_rows_ == 0 ? 1.0 : static_cast<double>(num_read_) / static_cast<double>(num_rows_);
  }

  Status select(std::span<const std::size_t> columns) override {
    end();
    selected_.clear();
    std::string list;
    for (const std::size_t column : columns) {
      selected_.push_back(types_[column]);
      const std::string name = duckdb::sql_name(columns_[column].name);
      list += (list.empty() ? "" : ", ") +
              (types_[column].is_cast ? "CAST(" + name + " AS VARCHAR)" : name);
    }
    const std::string sql = "SELECT " + (list.empty() ? "1" : list) + " FROM " + function_;
    const Api& api = session_->api();
    num_read_ = 0;
    if (api.prepare(session_->connection(), sql.c_str(), &statement_) != 0)
      return duckdb::query_error(api.prepare_error(statement_));
    is_open_ = true;
    if (api.execute_prepared_streaming(statement_, &result_) != 0)
      return duckdb::query_error(api.result_error(&result_));
    return ok_status();
  }

  Result<std::shared_ptr<const ColumnBatch>> next() override {
    const Api& api = session_->api();
    const duckdb::Chunk chunk = api.fetch_chunk(result_);
    if (chunk == nullptr) {
      if (const char* message = api.result_error(&result_); message != nullptr && *message != '\0')
        return duckdb::query_error(message);
      if (num_read_ != num_rows_)
        return Error{ErrorCode::kDamaged, "the file ends before all its rows were read", ""};
      return std::shared_ptr<const ColumnBatch>();
    }
    auto batch = std::make_shared<ParquetBatch>(api, chunk, selected_);
    num_read_ += batch->num_rows();
    return std::shared_ptr<const ColumnBatch>(std::move(batch));
  }

 private:
  void end() {
    const Api& api = session_->api();
    if (is_open_)
      api.destroy_result(&result_);
    result_ = {};
    is_open_ = false;
    if (statement_ != nullptr)
      api.destroy_prepare(&statement_);
  }

  Status count_rows() {
    const Api& api = session_->api();
    const std::string sql = "SELECT COUNT(*)::BIGINT FROM " + function_;
    duckdb::QueryResult result;
    Status status = ok_status();
    if (api.query(session_->connection(), sql.c_str(), &result) != 0) {
      status = duckdb::query_error(api.result_error(&result));
    } else if (duckdb::Chunk chunk = api.fetch_chunk(result); chunk != nullptr) {
      const void* data = api.vector_get_data(api.data_chunk_get_vector(chunk, 0));
      std::memcpy(&num_rows_, data, sizeof(num_rows_));
      api.destroy_data_chunk(&chunk);
    }
    api.destroy_result(&result);
    return status;
  }

  std::shared_ptr<const duckdb::Session> session_;
  std::string function_;
  std::vector<ColumnInfo> columns_;
  std::vector<ParquetColumn> types_;
  std::vector<ParquetColumn> selected_;
  duckdb::Statement statement_ = nullptr;
  duckdb::QueryResult result_;
  bool is_open_ = false;
  std::uint64_t num_rows_ = 0;
  std::uint64_t num_read_ = 0;
};

DuckdbKind kind_of(TypeId id) {
  switch (id) {
    case TypeId::kTinyint:
    case TypeId::kSmallint:
    case TypeId::kInteger:
    case TypeId::kBigint:
    case TypeId::kUtinyint:
    case TypeId::kUsmallint:
    case TypeId::kUinteger:
    case TypeId::kUbigint:
    case TypeId::kDecimal:
      return DuckdbKind::kExact;
    case TypeId::kBoolean:
      return DuckdbKind::kTruth;
    default:
      return DuckdbKind::kOther;
  }
}

}  // namespace

Result<std::vector<DuckdbColumn>> duckdb_columns(const duckdb::Session& session,
                                                 const std::string& from) {
  const Api& api = session.api();
  duckdb::QueryResult result;
  const std::string sql = "SELECT * FROM " + from + " LIMIT 0";
  if (api.query(session.connection(), sql.c_str(), &result) != 0) {
    Error error = duckdb::query_error(api.result_error(&result));
    api.destroy_result(&result);
    return error;
  }
  std::vector<DuckdbColumn> columns;
  for (duckdb::Rows i = 0; i < api.column_count(&result); ++i) {
    duckdb::LogicalType type = api.column_logical_type(&result, i);
    columns.push_back(
        {api.column_name(&result, i), kind_of(static_cast<TypeId>(api.get_type_id(type)))});
    api.destroy_logical_type(&type);
  }
  api.destroy_result(&result);
  return columns;
}

Result<std::unique_ptr<ColumnSource>> open_duckdb(std::shared_ptr<const duckdb::Session> session,
                                                  const std::string& from) {
  auto source = std::make_unique<ParquetSource>(std::move(session), from);
  LACUNA_RETURN_IF_ERROR(source->open());
  return std::unique_ptr<ColumnSource>(std::move(source));
}

Result<std::unique_ptr<ColumnSource>> open_parquet(const std::string& path, int threads) {
  LACUNA_TRY(duckdb::Session session, duckdb::Session::open(threads));
  return open_duckdb(std::make_shared<const duckdb::Session>(std::move(session)),
                     read_function(path));
}

}  // namespace lacuna::columns
