// SPDX-License-Identifier: Apache-2.0
#include "data/formats/read_xls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "data/files/text_encoding.h"
#include "data/formats/bytes.h"
#include "data/formats/ole_file.h"
#include "data/formats/sheet_cells.h"

namespace lacuna::formats {
namespace {

enum Record : std::uint16_t {
  kFormula = 0x0006,
  kEof = 0x000A,
  kDateMode = 0x0022,
  kFilePass = 0x002F,
  kContinue = 0x003C,
  kCodePage = 0x0042,
  kBoundSheet = 0x0085,
  kMulRk = 0x00BD,
  kRString = 0x00D6,
  kXf = 0x00E0,
  kMergedCells = 0x00E5,
  kSst = 0x00FC,
  kLabelSst = 0x00FD,
  kNumber = 0x0203,
  kLabel = 0x0204,
  kBoolErr = 0x0205,
  kString = 0x0207,
  kRk = 0x027E,
  kFormat = 0x041E,
  kBof = 0x0809,
};

// A record with those that continue it. Text that is cut goes on behind a byte of its own, which
// says whether its characters have 8 or 16 bits from there on.
class Pieces {
 public:
  explicit Pieces(std::vector<std::string_view> parts) : parts_(std::move(parts)) {}
  bool failed() const { return failed_; }
  bool at_end() { return !step(); }
  std::uint64_t number(unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  void skip(std::uint64_t count) {
    while (count > 0 && step()) {
      const std::uint64_t here = std::min<std::uint64_t>(count, parts_[part_].size() - at_);
      at_ += here;
      count -= here;
    }
    failed_ = failed_ || count > 0;
  }
  std::string text(std::uint64_t characters, bool is_wide) {
    Utf16Text text;
    bool is_first = true;
    while (characters > 0) {
      const bool is_new = part_ < parts_.size() && at_ == parts_[part_].size();
      if (!step()) {
        failed_ = true;
        break;
      }
      if (is_new && !is_first)
        is_wide = (byte() & 1U) != 0;
      is_first = false;
      const std::uint64_t width = is_wide ? 2 : 1;
      const std::uint64_t here =
          std::min<std::uint64_t>(characters, (parts_[part_].size() - at_) / width);
      if (here == 0) {
        failed_ = true;
        break;
      }
      for (std::uint64_t i = 0; i < here; ++i)
        text.add(static_cast<std::uint32_t>(number(static_cast<unsigned>(width))));
      characters -= here;
    }
    return text.take();
  }
  // XLUnicodeRichExtendedString: text, then runs of formats and phonetic readings, which are
  // skipped.
  std::string rich_text() {
    const std::uint64_t characters = number(2);
    const std::uint64_t flags = number(1);
    const std::uint64_t runs = (flags & 8U) != 0 ? number(2) : 0;
    const std::uint64_t reading = (flags & 4U) != 0 ? number(4) : 0;
    std::string read = text(characters, (flags & 1U) != 0);
    skip(4 * runs);
    skip(reading);
    return read;
  }

 private:
  bool step() {
    while (part_ < parts_.size() && at_ == parts_[part_].size()) {
      ++part_;
      at_ = 0;
    }
    return part_ < parts_.size();
  }
  unsigned char byte() {
    if (!step()) {
      failed_ = true;
      return 0;
    }
    return static_cast<unsigned char>(parts_[part_][at_++]);
  }
  std::vector<std::string_view> parts_;
  std::size_t part_ = 0;
  std::uint64_t at_ = 0;
  bool failed_ = false;
};

std::string error_sign(unsigned code) {
  switch (code) {
    case 0x00:
      return "#NULL!";
    case 0x07:
      return "#DIV/0!";
    case 0x0F:
      return "#VALUE!";
    case 0x17:
      return "#REF!";
    case 0x1D:
      return "#NAME?";
    case 0x24:
      return "#NUM!";
    case 0x2A:
      return "#N/A";
    default:
      return "#ERROR!";
  }
}

// Four bytes for a number: an integer of 30 bits or the upper bits of a double, perhaps times 100.
double rk_number(std::uint32_t rk) {
  const double value = (rk & 2U) != 0
                           ? static_cast<double>(static_cast<std::int32_t>(rk) >> 2)
                           : std::bit_cast<double>(std::uint64_t{rk & 0xFFFFFFFCU} << 32U);
  return (rk & 1U) != 0 ? value / 100 : value;
}

struct Sheet {
  std::string name;
  std::uint64_t start = 0;
  bool is_hidden = false;
};

class XlsReader {
 public:
  XlsReader(std::string book, std::uint64_t file_size, const std::string& filename)
      : book_(std::move(book)), filename_(filename), budget_(file_size) {}

  Result<std::vector<Grid>> read() {
    LACUNA_RETURN_IF_ERROR(read_globals());
    std::vector<Grid> grids;
    for (const Sheet& sheet : sheets_) {
      SheetCells cells(filename_, sheet.name, budget_);
      LACUNA_RETURN_IF_ERROR(read_sheet(sheet, cells));
      if (cells.empty())
        continue;
      LACUNA_TRY(Grid grid, cells.grid(sheet.is_hidden));
      grids.push_back(std::move(grid));
    }
    return grids;
  }

 private:
  Error damaged(const char* what) const {
    return {ErrorCode::kDamaged, std::string("the workbook is damaged: ") + what, filename_};
  }

  // The record at `at_`, which goes behind it; false at the end.
  bool next() {
    if (at_ + 4 > book_.size())
      return false;
    kind_ = u16_at(book_, at_);
    const std::uint64_t size = u16_at(book_, at_ + 2);
    if (size > book_.size() - at_ - 4)
      return false;
    data_ = std::string_view(book_).substr(at_ + 4, size);
    at_ += 4 + size;
    return true;
  }
  Pieces pieces(std::uint64_t from) {
    std::vector<std::string_view> parts{data_.substr(std::min<std::uint64_t>(from, data_.size()))};
    while (at_ + 4 <= book_.size() && u16_at(book_, at_) == kContinue && next())
      parts.push_back(data_);
    return Pieces(std::move(parts));
  }
  // A text of a record: its length in so many bytes, then what the version has.
  std::string text_at(std::uint64_t at, unsigned length_size) {
    const std::uint64_t length = number_at(data_, at, length_size);
    if (is_new_) {
      Pieces rest = pieces(at + length_size);
      const bool is_wide = (rest.number(1) & 1U) != 0;
      return rest.text(length, is_wide);
    }
    const std::uint64_t from = std::min<std::uint64_t>(at + length_size, data_.size());
    // A byte that the encoding does not have makes no text: then it is damaged.
    auto text = files::to_utf8(
        std::string(data_.substr(from, length)), files::Encoding::kWindows1252, filename_);
    bad_text_ = bad_text_ || !text;
    return text ? std::move(text).value() : std::string();
  }

  Status read_globals() {
    at_ = 0;
    if (!next() || kind_ != kBof)
      return damaged("it does not begin as one");
    const std::uint16_t version = u16_at(data_, 0);
    if (version != 0x0600 && version != 0x0500)
      return Error{ErrorCode::kOtherFormat,
                   "this is a workbook of a version of Excel before 5.0: save it as .xlsx",
                   filename_};
    is_new_ = version == 0x0600;
    while (next() && kind_ != kEof)
      LACUNA_RETURN_IF_ERROR(read_global());
    if (kind_ != kEof)
      return damaged("it ends too early");
    return bad_text_ ? Status(damaged("a text is not in the encoding that it says")) : ok_status();
  }

  Status read_global() {
    switch (kind_) {
      case kFilePass:
        return Error{ErrorCode::kOtherFormat,
                     "the workbook is encrypted: save it without a password",
                     filename_};
      case kDateMode:
        from_1904_ = u16_at(data_, 0) == 1;
        break;
      case kCodePage:
        return check_code_page(u16_at(data_, 0));
      case kFormat: {
        const std::uint16_t id = u16_at(data_, 0);
        formats_[id] = number_format(text_at(2, is_new_ ? 2 : 1));
        break;
      }
      case kXf:
        styles_.push_back(u16_at(data_, 2));
        break;
      case kBoundSheet:
        add_sheet();
        break;
      case kSst:
        return read_strings();
      default:
        break;
    }
    return ok_status();
  }

  Status check_code_page(std::uint16_t page) const {
    constexpr std::uint16_t kAscii = 367, kUtf16 = 1200, kWindows = 1252, kOldWindows = 0x8001;
    if (is_new_ || page == kAscii || page == kUtf16 || page == kWindows || page == kOldWindows)
      return ok_status();
    return Error{ErrorCode::kOtherFormat,
                 "the workbook is of Excel 95 or older with texts in code page " +
                     std::to_string(page) + ", which is not read: save it as .xlsx",
                 filename_};
  }

  void add_sheet() {
    constexpr unsigned kWorksheet = 0;
    Sheet sheet;
    sheet.start = u32_at(data_, 0);
    sheet.is_hidden = (number_at(data_, 4, 1) & 3U) != 0;
    const bool is_sheet = number_at(data_, 5, 1) == kWorksheet;
    sheet.name = text_at(6, 1);
    if (is_sheet)
      sheets_.push_back(std::move(sheet));
  }

  Status read_strings() {
    Pieces list = pieces(0);
    list.number(4);  // how often they are used
    const std::uint64_t count = list.number(4);
    std::uint64_t size = 0;
    for (std::uint64_t i = 0; i < count && !list.at_end(); ++i) {
      strings_.push_back(list.rich_text());
      size += strings_.back().size();
      if (list.failed() || size > SheetBudget::kText)
        return damaged("its list of texts is cut off");
    }
    return ok_status();
  }

  Status read_sheet(const Sheet& sheet, SheetCells& cells) {
    at_ = sheet.start;
    if (!next() || kind_ != kBof)
      return damaged("a sheet is not where it should be");
    for (int depth = 1; depth > 0;) {  // charts stand within sheets
      if (!next())
        return damaged("a sheet ends too early");
      if (kind_ == kBof)
        ++depth;
      else if (kind_ == kEof)
        --depth;
      else if (depth == 1)
        LACUNA_RETURN_IF_ERROR(read_record(cells));
    }
    return bad_text_ ? Status(damaged("a text is not in the encoding that it says")) : ok_status();
  }

  Status read_record(SheetCells& cells) {
    const std::uint16_t row = u16_at(data_, 0), column = u16_at(data_, 2), style = u16_at(data_, 4);
    switch (kind_) {
      case kNumber:
        return data_.size() < 14 ? too_short()
                                 : number(row, column, style, double_at(data_, 6), cells);
      case kRk:
        return data_.size() < 10 ? too_short()
                                 : number(row, column, style, rk_number(u32_at(data_, 6)), cells);
      case kMulRk:
        for (std::uint64_t at = 4, c = column; at + 8 <= data_.size(); at += 6, ++c)
          LACUNA_RETURN_IF_ERROR(
              number(row, c, u16_at(data_, at), rk_number(u32_at(data_, at + 2)), cells));
        return ok_status();
      case kLabelSst: {
        const std::uint32_t index = u32_at(data_, 6);
        if (data_.size() < 10 || index >= strings_.size())
          return damaged("a cell holds a text that its list does not have");
        return cells.add(row, column, strings_[index]);
      }
      case kLabel:
      case kRString:
        return cells.add(row, column, text_at(6, 2));
      case kBoolErr:
        return data_.size() < 8 ? too_short()
                                : cells.add(row, column, truth_or_error(data_[6], data_[7] != 0));
      case kFormula:
        return formula(row, column, style, cells);
      case kMergedCells:
        for (std::uint64_t at = 2; at + 8 <= data_.size(); at += 8)
          LACUNA_RETURN_IF_ERROR(merge(at, cells));
        return ok_status();
      default:
        return ok_status();
    }
  }

  Status too_short() const { return damaged("a cell is cut off"); }

  static std::string truth_or_error(char value, bool is_error) {
    if (is_error)
      return error_sign(static_cast<unsigned char>(value));
    return value != 0 ? "TRUE" : "FALSE";
  }

  Status merge(std::uint64_t at, SheetCells& cells) const {
    const std::uint64_t top = u16_at(data_, at), bottom = u16_at(data_, at + 2);
    const std::uint64_t left = u16_at(data_, at + 4), right = u16_at(data_, at + 6);
    if (bottom < top || right < left)
      return ok_status();
    return cells.merge(top, left, bottom - top + 1, right - left + 1);
  }

  Status number(std::uint64_t row,
                std::uint64_t column,
                std::uint16_t style,
                double value,
                SheetCells& cells) const {
    if (!std::isfinite(value))
      return damaged("a cell holds no number");
    NumberFormat format;
    if (style < styles_.size()) {
      const auto found = formats_.find(styles_[style]);
      format = found != formats_.end() ? found->second : built_in_format(styles_[style]);
    }
    if (format.has_date || format.has_time)
      return cells.add(row, column, excel_time(value, format, from_1904_));
    return cells.add(row, column, plain_number(value), format.decimals);
  }

  Status formula(std::uint16_t row, std::uint16_t column, std::uint16_t style, SheetCells& cells) {
    constexpr std::uint16_t kNotANumber = 0xFFFF, kOnLoad = 2;
    if (data_.size() < 16)
      return too_short();
    if (u16_at(data_, 12) != kNotANumber) {
      const double value = double_at(data_, 6);
      // Programs that cannot compute store 0 and let Excel compute when it loads the file.
      if (value == 0 && (u16_at(data_, 14) & kOnLoad) != 0) {
        cells.formula_without_value(row, column);
        return cells.add(row, column, "=");
      }
      return number(row, column, style, value, cells);
    }
    switch (data_[6]) {
      case 0:
        return formula_text(row, column, cells);
      case 1:
      case 2:
        return cells.add(row, column, truth_or_error(data_[8], data_[6] == 2));
      default:
        return ok_status();  // an empty text
    }
  }

  // The text stands in a record behind, perhaps behind the parts of a formula for many cells.
  Status formula_text(std::uint16_t row, std::uint16_t column, SheetCells& cells) {
    constexpr int kMostBetween = 4;
    for (int i = 0; i < kMostBetween; ++i) {
      const std::uint64_t back = at_;
      if (!next())
        return damaged("a sheet ends too early");
      if (kind_ == kString)
        return cells.add(row, column, text_at(0, 2));
      const bool is_formula =
          kind_ == 0x0221 || kind_ == 0x04BC || kind_ == 0x0236 || kind_ == kContinue;
      if (!is_formula) {
        at_ = back;
        break;
      }
    }
    return damaged("a formula has no result");
  }

  std::string book_;
  const std::string& filename_;
  SheetBudget budget_;
  std::uint64_t at_ = 0;
  std::uint16_t kind_ = 0;
  std::string_view data_;
  bool is_new_ = true, from_1904_ = false, bad_text_ = false;
  std::map<std::uint16_t, NumberFormat> formats_;
  std::vector<std::uint16_t> styles_;  // number formats by the style of a cell
  std::vector<std::string> strings_;
  std::vector<Sheet> sheets_;
};

}  // namespace

Result<std::vector<Grid>> read_xls(std::string_view bytes, const std::string& filename) {
  LACUNA_TRY(const OleFile file, OleFile::open(bytes, filename));
  if (file.has("EncryptedPackage"))
    return Error{
        ErrorCode::kOtherFormat, "the workbook is encrypted: save it without a password", filename};
  const bool is_new = file.has("Workbook");
  if (!is_new && !file.has("Book"))
    return Error{ErrorCode::kOtherFormat,
                 "this is a file of an old Office program and not an Excel workbook",
                 filename};
  LACUNA_TRY(std::string book, file.stream(is_new ? "Workbook" : "Book"));
  return XlsReader(std::move(book), bytes.size(), filename).read();
}

}  // namespace lacuna::formats
