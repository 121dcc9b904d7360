// SPDX-License-Identifier: Apache-2.0
// ReadStat pushes values, and whoever reads records pulls batches: the parser runs in a thread of
// its own, one batch ahead, and is stopped when nobody wants more. So the file is read once, from
// the front, whatever its format can skip.
#include "data/formats/stat_library/stat_source.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "core/base/quotes.h"
#include "core/base/utf8.h"
#include "data/formats/recognise.h"

namespace lacuna::formats {
namespace {

constexpr std::size_t kRowsOfBatch = 32'768;
constexpr std::size_t kBytesOfBatch = std::size_t{16} << 20U;

using Labels = std::map<std::string, std::string, std::less<>>;

class StatBatch : public columns::ColumnBatch {
 public:
  explicit StatBatch(std::size_t columns) : columns_(columns) {}
  std::size_t num_rows() const override { return rows_; }
  std::optional<columns::ColumnTrouble> texts(std::size_t column,
                                              columns::RowRange rows,
                                              columns::TextArena&,
                                              std::string_view* target,
                                              std::size_t stride) const override {
    const Column& held = columns_[column];
    for (std::size_t i = 0; i < rows.count; ++i, target += stride) {
      const std::size_t row = rows.first + i;
      const std::size_t begin = row == 0 ? 0 : held.ends[row - 1];
      *target = std::string_view(held.bytes).substr(begin, held.ends[row] - begin);
      if (held.trouble && held.trouble->row == row)
        return held.trouble;
    }
    return std::nullopt;
  }

  void add(std::size_t column, std::string_view text) {
    columns_[column].bytes += text;
    columns_[column].ends.push_back(columns_[column].bytes.size());
    bytes_ += text.size();
  }
  void add_trouble(std::size_t column, std::string message) {
    Column& held = columns_[column];
    if (!held.trouble)
      held.trouble = columns::ColumnTrouble{held.ends.size(), std::move(message)};
    add(column, "");
  }
  void end_row() { ++rows_; }
  bool is_full() const { return rows_ >= kRowsOfBatch || bytes_ >= kBytesOfBatch; }

 private:
  struct Column {
    std::string bytes;
    std::vector<std::size_t> ends;
    std::optional<columns::ColumnTrouble> trouble;  // the first
  };
  std::vector<Column> columns_;
  std::size_t rows_ = 0, bytes_ = 0;
};

using Batch = std::shared_ptr<const columns::ColumnBatch>;

// Rows that arrive value by value, as batches. A column may be chosen more than once.
class BatchMaker {
 public:
  BatchMaker(const StatFileHead& head,
             std::vector<std::vector<std::size_t>> places,  // by variable: columns of the batch
             const std::vector<Labels>& labels,
             std::size_t columns,
             std::size_t last)
      : head_(head), places_(std::move(places)), labels_(labels), columns_(columns), last_(last) {}

  // The batch that is full with this value, or null.
  Batch add(std::size_t variable, readstat_variable_t* told, const readstat_value_t& value) {
    if (!batch_)
      batch_ = std::make_shared<StatBatch>(columns_);
    if (!places_[variable].empty())
      add_text(variable, stat_text(head_.kind, head_.variables[variable].time, told, value));
    if (variable != last_)
      return nullptr;
    batch_->end_row();
    return batch_->is_full() ? take() : nullptr;
  }
  Batch take() { return std::exchange(batch_, nullptr); }

 private:
  void add_text(std::size_t variable, const std::string& text) {
    const Labels& labels = labels_[variable];
    const auto label = labels.find(text);
    const bool is_other_label = label == labels.end() && taken(variable, text);
    for (const std::size_t place : places_[variable]) {
      if (base::find_bad_utf8(text) != std::string::npos)
        batch_->add_trouble(place, "the text is not in the encoding that the data set says");
      else if (is_other_label)
        batch_->add_trouble(place,
                            "the value " + base::in_quotes(text) +
                                " has no label and is itself the label of another value: read the "
                                "codes (labels = codes)");
      else
        batch_->add(place, label == labels.end() ? text : label->second);
    }
  }
  bool taken(std::size_t variable, const std::string& text) {
    const Labels& labels = labels_[variable];
    if (labels.empty() || text.empty())
      return false;
    std::set<std::string>& texts = label_texts_[variable];
    if (texts.empty()) {
      for (const auto& [value, label] : labels)
        texts.insert(label);
    }
    return texts.contains(text);
  }

  const StatFileHead& head_;
  std::vector<std::vector<std::size_t>> places_;
  const std::vector<Labels>& labels_;
  std::size_t columns_, last_;
  std::map<std::size_t, std::set<std::string>> label_texts_;
  std::shared_ptr<StatBatch> batch_;
};

class StatSource : public columns::ColumnSource {
 public:
  StatSource(std::unique_ptr<columns::ByteInput> input,
             StatFileHead head,
             std::vector<Labels> labels,
             std::vector<std::string> troubles,
             std::string encoding)
      : input_(std::move(input)),
        head_(std::move(head)),
        labels_(std::move(labels)),
        run_(*input_, head_.kind, encoding) {
    for (std::size_t i = 0; i < head_.variables.size(); ++i)
      infos_.push_back({head_.variables[i].column.name, troubles[i]});
  }
  ~StatSource() override { stop(); }
  StatSource(const StatSource&) = delete;
  StatSource& operator=(const StatSource&) = delete;

  const std::vector<columns::ColumnInfo>& columns() const override { return infos_; }
  Status select(std::span<const std::size_t> columns) override {
    stop();
    selected_.assign(columns.begin(), columns.end());
    return ok_status();
  }

  Result<Batch> next() override {
    if (!thread_.joinable() && !is_done_)
      start();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ready_ != nullptr || is_done_; });
    if (ready_ != nullptr) {
      Batch batch = std::exchange(ready_, nullptr);
      changed_.notify_all();
      return batch;
    }
    if (error_)
      return *error_;
    return Batch();
  }
  double fraction() const override { return is_done_ ? 1 : run_.fraction(); }

 private:
  void start() {
    is_stopped_ = false;
    thread_ = std::thread([this] { work(); });
  }

  void work() {
    std::vector<char> wanted(head_.variables.size(), 0);
    std::vector<std::vector<std::size_t>> places(head_.variables.size());
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      wanted[selected_[i]] = 1;
      places[selected_[i]].push_back(i);
    }
    if (selected_.empty() && !wanted.empty())
      wanted[0] = 1;  // rows are counted all the same
    std::size_t last = wanted.size();
    while (last > 0 && wanted[last - 1] == 0)
      --last;
    BatchMaker maker(head_, std::move(places), labels_, selected_.size(), last == 0 ? 0 : last - 1);
    const auto outcome = run_.rows(
        wanted, [&](int, std::size_t variable, readstat_variable_t* told, const auto& value) {
          if (variable >= wanted.size())
            return false;
          const Batch batch = maker.add(variable, told, value);
          return batch == nullptr || hand_over(batch);
        });
    if (outcome && *outcome) {
      if (Batch rest = maker.take())
        hand_over(std::move(rest));
    }
    const std::scoped_lock lock(mutex_);
    if (!outcome)
      error_ = outcome.error();
    is_done_ = true;
    changed_.notify_all();
  }

  // Waits until the batch before has been taken. False: nobody wants more.
  bool hand_over(Batch batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ready_ == nullptr || is_stopped_; });
    if (is_stopped_)
      return false;
    ready_ = std::move(batch);
    changed_.notify_all();
    return true;
  }

  void stop() {
    {
      const std::scoped_lock lock(mutex_);
      is_stopped_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable())
      thread_.join();
    ready_ = nullptr;
    error_.reset();
    is_done_ = false;
  }

  std::unique_ptr<columns::ByteInput> input_;
  StatFileHead head_;
  std::vector<Labels> labels_;
  std::vector<columns::ColumnInfo> infos_;
  StatRun run_;
  std::vector<std::size_t> selected_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Batch ready_;
  std::optional<Error> error_;
  std::atomic<bool> is_done_ = false;
  bool is_stopped_ = false;
};

}  // namespace

Result<StatKind> stat_kind(columns::ByteInput& input) {
  constexpr std::uint64_t kEnough = 1'024;
  std::string head(std::min(input.size(), kEnough), '\0');
  LACUNA_RETURN_IF_ERROR(input.read(0, head.data(), head.size()));
  constexpr std::array kKinds{std::pair{Format::kSas7bdat, StatKind::kSas7bdat},
                              std::pair{Format::kSasXport, StatKind::kSasXport},
                              std::pair{Format::kStata, StatKind::kStata},
                              std::pair{Format::kSpss, StatKind::kSpss},
                              std::pair{Format::kSpssPortable, StatKind::kSpssPortable}};
  const Format format = recognise(head);
  for (const auto& [known, kind] : kKinds) {
    if (format == known)
      return kind;
  }
  if (format != Format::kUnknown && !is_read(format))
    return not_read(format, "");
  return Error{ErrorCode::kOtherFormat, "this is not a data set of SAS, Stata or SPSS", ""};
}

Result<StatFileHead> stat_head(columns::ByteInput& input, const StatOptions& options) {
  LACUNA_TRY(const StatKind kind, stat_kind(input));
  return StatRun(input, kind, options.encoding).head();
}

Result<Labels> stat_labels(const StatVariable& variable, StatLabels labels) {
  Labels found;
  if (labels == StatLabels::kCodes)
    return found;
  std::map<std::string, std::string> values;  // by label
  for (const auto& [value, label] : variable.column.labels) {
    const auto [first, is_new] = values.emplace(label, value);
    if (!is_new && first->second != value)
      return Error{ErrorCode::kOtherContent,
                   "has the values " + base::in_quotes(first->second) + " and " +
                       base::in_quotes(value) + " under one label, " + base::in_quotes(label),
                   ""};
    found.emplace(value, label);
  }
  return found;
}

Result<std::unique_ptr<columns::ColumnSource>> stat_source(
    std::unique_ptr<columns::ByteInput> input, const StatOptions& options) {
  LACUNA_TRY(StatFileHead head, stat_head(*input, options));
  std::vector<Labels> labels;
  std::vector<std::string> troubles;
  for (const StatVariable& variable : head.variables) {
    auto found = stat_labels(variable, options.labels);
    troubles.push_back(found ? "" : found.error().message);
    labels.push_back(found ? std::move(found).value() : Labels());
  }
  return std::unique_ptr<columns::ColumnSource>(std::make_unique<StatSource>(
      std::move(input), std::move(head), std::move(labels), std::move(troubles), options.encoding));
}

}  // namespace lacuna::formats
