// SPDX-License-Identifier: Apache-2.0
#include "data/argus/order.h"

#include <string>

namespace lacuna::argus {
namespace {

enum class Stage : std::uint8_t { kStart, kData, kMetadata, kTable, kRules };

class OrderCheck {
 public:
  explicit OrderCheck(const Batch& batch) : batch_(batch) {}

  Status run() {
    for (const Command& command : batch_.commands) {
      now_ = &command;
      LACUNA_RETURN_IF_ERROR(
          std::visit([&](const auto& action) { return see(action); }, command.action));
      if (std::holds_alternative<GoInteractive>(command.action))
        break;  // nothing after it is run
    }
    return ok_status();
  }

 private:
  template <class Action>
  Status see(const Action&) {
    return ok_status();  // allowed anywhere
  }

  Status see(const OpenMicrodata&) {
    microdata_ = true;
    return move(
        stage_ == Stage::kStart, "data are open already; <CLEAR> closes them", Stage::kData);
  }
  Status see(const OpenTableData&) {
    if (stage_ != Stage::kStart && microdata_)
      return wrong(
          "a job over microdata cannot read a ready table as well; <CLEAR> ends the first");
    microdata_ = false;
    return move(stage_ == Stage::kStart || stage_ == Stage::kRules,
                "the table that was opened before is not yet specified",
                Stage::kData);
  }
  Status see(const OpenMetadata&) {
    return move(stage_ == Stage::kData,
                "<OPENMICRODATA> or <OPENTABLEDATA> must come right before it",
                Stage::kMetadata);
  }
  Status see(const SpecifyTable&) {
    LACUNA_RETURN_IF_ERROR(move(stage_ == Stage::kMetadata || stage_ == Stage::kRules,
                                stage_ == Stage::kTable ? "the table before it has no <SAFETYRULE>"
                                                        : "<OPENMETADATA> comes before it",
                                Stage::kTable));
    if (microdata_ && tables_ > 0 && read_ == tables_)
      return wrong("the microdata have been read: all tables are specified before <READMICRODATA>");
    ++tables_;
    return ok_status();
  }
  Status see(const SafetyRule&) {
    return move(stage_ == Stage::kTable, "<SPECIFYTABLE> must come right before it", Stage::kRules);
  }
  Status see(const ReadMicrodata&) {
    if (!microdata_ && stage_ != Stage::kStart)
      return wrong("the data are a ready table: <READTABLE>");
    return read_all(stage_ == Stage::kRules);
  }
  Status see(const ReadTable&) {
    if (microdata_ && stage_ != Stage::kStart)
      return wrong("the data are records: <READMICRODATA>");
    return read_all(stage_ == Stage::kTable || stage_ == Stage::kRules);
  }
  Status see(const Apriori& apriori) { return number(apriori.table, 1); }
  Status see(const Recode& recode) {
    if (!microdata_)
      return wrong("codes of a ready table cannot be recoded");
    return number(recode.table, 1);
  }
  Status see(const Suppress& suppress) { return number(suppress.table, 0); }
  Status see(const WriteTable& write) { return number(write.table, 1); }
  Status see(const Clear&) {
    stage_ = Stage::kStart;
    tables_ = read_ = 0;
    microdata_ = false;
    return ok_status();
  }

  Status move(bool allowed, const std::string& why, Stage next) {
    if (!allowed)
      return wrong(why);
    stage_ = next;
    return ok_status();
  }

  Status read_all(bool allowed) {
    LACUNA_RETURN_IF_ERROR(
        move(allowed, "a table and its rules are specified before it", Stage::kRules));
    read_ = tables_;
    return ok_status();
  }

  Status number(int table, int least) const {
    if (read_ == 0)
      return wrong(microdata_ ? "no table has been computed yet: <READMICRODATA> comes before it"
                              : "no table has been read yet: <READTABLE> comes before it");
    if (table < least || table > read_)
      return wrong("there is no table " + std::to_string(table) + "; the job has " +
                   std::to_string(read_));
    return ok_status();
  }

  Error wrong(const std::string& why) const {
    return {ErrorCode::kArgusCommand,
            now_->keyword + " is not allowed here: " + why,
            files::location(batch_.filename, now_->place)};
  }

  const Batch& batch_;
  const Command* now_ = nullptr;
  Stage stage_ = Stage::kStart;
  bool microdata_ = false;
  int tables_ = 0, read_ = 0;
};

}  // namespace

Status check_order(const Batch& batch) {
  return OrderCheck(batch).run();
}

}  // namespace lacuna::argus
