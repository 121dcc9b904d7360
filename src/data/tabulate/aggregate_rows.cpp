// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/aggregate_rows.h"

#include "core/base/confidential.h"
#include "core/base/quotes.h"
#include "data/tabulate/number.h"

namespace lacuna::tabulation {

Status for_each_row(RecordSource& source,
                    const std::vector<std::string>& columns,
                    const RunContext& run,
                    const std::function<Status(const RecordPlace&)>& use,
                    const std::function<void()>& end_block) {
  LACUNA_RETURN_IF_ERROR(source.select(columns));
  RecordBlock block;
  for (;;) {
    if (run.should_stop())
      return Error{ErrorCode::kStopped, "the tabulation was stopped before it was complete", ""};
    LACUNA_TRY(const bool more, source.read(block));
    if (!more)
      return ok_status();
    LACUNA_RETURN_IF_ERROR(source.split(block));
    for (std::size_t row = 0; row < block.num_records; ++row)
      LACUNA_RETURN_IF_ERROR(use({source, block, row, columns.size()}));
    if (end_block)
      end_block();
  }
}

Result<Units> whole_number(const RecordPlace& place, std::size_t column, Units least) {
  Units number = 0;
  const NumberFormat format;
  if (parse_number(place.field(column), format, number) != NumberOutcome::kDone || number < least)
    return place.error(column,
                       base::confidential(base::in_quotes(place.field(column))) +
                           " is not a whole number" + (least == 0 ? " of at least 0" : ""));
  return number;
}

Result<bool> truth(const RecordPlace& place, std::size_t column) {
  const std::string_view text = place.field(column);
  if (text != "0" && text != "1")
    return place.error(column, base::confidential(base::in_quotes(text)) + " is neither 0 nor 1");
  return text == "1";
}

Result<Share> share_of_row(const RecordPlace& place, std::size_t first) {
  Share share;
  LACUNA_TRY(share.amount, whole_number(place, first, -kMaxUnits));
  LACUNA_TRY(const bool requested, truth(place, first + 1));
  LACUNA_TRY(const bool waived, truth(place, first + 2));
  share.flags = (requested ? Share::kRequested : 0U) | (waived ? 0U : Share::kNotWaived);
  return share;
}

}  // namespace lacuna::tabulation
