// SPDX-License-Identifier: Apache-2.0
#include "data/formats/xml_books/edit_xlsx.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/base/quotes.h"
#include "core/base/text.h"
#include "data/formats/xml_books/leftover_numbers.h"
#include "data/formats/xml_books/read_xlsx.h"
#include "data/formats/xml_books/xlsx_parts.h"
#include "data/formats/xml_books/xml_edit.h"

namespace lacuna::formats {
namespace {

using Place = std::pair<std::uint64_t, std::uint64_t>;  // row and column

std::string place_text(const Place& place) {
  return column_letters(place.second) + std::to_string(place.first + 1);
}

bool is_plain_number(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  return !digits.empty() && digits.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::count(digits.begin(), digits.end(), '.') < 2 && digits.front() != '.' &&
         digits.back() != '.';
}

// Parts that keep nothing of the cells, by how their names begin.
constexpr std::array<std::string_view, 17> kHarmless{"[content_types].xml",
                                                     "_rels/",
                                                     "docprops/app.xml",
                                                     "docprops/core.xml",
                                                     "docprops/custom.xml",
                                                     "xl/_rels/",
                                                     "xl/workbook.xml",
                                                     "xl/worksheets/",
                                                     "xl/styles.xml",
                                                     "xl/theme/",
                                                     "xl/sharedstrings.xml",
                                                     "xl/printersettings/",
                                                     "xl/media/",
                                                     "xl/drawings/",
                                                     "xl/tables/",
                                                     "xl/chartsheets/",
                                                     "xl/metadata.xml"};

struct Doubtful {
  std::string_view begin;
  std::string_view what;
};
constexpr std::array<Doubtful, 19> kDoubtful{{
    {"xl/pivot", "a pivot table, which keeps a copy of the records it was made from"},
    {"xl/externallinks/", "links to other workbooks, which keep what they have read"},
    {"xl/querytables/", "a query, which keeps what it has read"},
    {"xl/connections", "a connection to a database"},
    {"xl/model/", "a data model, which keeps a copy of its tables"},
    {"xl/embeddings/", "an embedded file"},
    {"xl/activex/", "controls"},
    {"xl/ctrlprops/", "controls"},
    {"xl/vba", "macros"},
    {"xl/macrosheets/", "macros"},
    {"xl/dialogsheets/", "a dialog"},
    {"xl/revisions/", "a history of changes"},
    {"xl/slicer", "a slicer, which keeps a list of values"},
    {"xl/timeline", "a timeline"},
    {"xl/richdata/", "linked data types"},
    {"xl/charts/chartex", "a chart of a new kind, which keeps its numbers"},
    {"xl/charts/style", ""},
    {"xl/charts/colors", ""},
    {"customxml/", "data of its own (customXml)"},
}};

// The list of shared texts, and what is done to the cells that have them.
struct SharedTexts {
  std::vector<std::string> all;
  std::vector<char> used, freed;  // by a cell that stays, by one that is replaced
};

struct Formulas {
  std::size_t left = 0;  // that were not judged
  std::string first_left;
  bool any_replaced = false;
};

struct PartChanges {
  std::map<std::string, std::string> changed;  // by name of the part
  std::set<std::string> removed;
};

class XlsxEditor {
 public:
  XlsxEditor(files::ZipReader zip, std::string_view bytes, const std::string& filename)
      : zip_(std::move(zip)), bytes_(bytes), filename_(filename) {}

  Result<EditedWorkbook> edit(std::span<const CellEdit> edits) {
    LACUNA_TRY(parts_, read_parts(zip_, filename_));
    LACUNA_TRY(shown_, read_xlsx(bytes_, filename_));
    LACUNA_TRY(texts_.all, read_shared_strings(zip_, parts_, filename_));
    texts_.used.assign(texts_.all.size(), 0);
    texts_.freed.assign(texts_.all.size(), 0);
    LACUNA_RETURN_IF_ERROR(take_edits(edits));
    LACUNA_RETURN_IF_ERROR(check_parts());
    for (const XlsxSheet& sheet : parts_.sheets)
      LACUNA_RETURN_IF_ERROR(edit_sheet(sheet));
    LACUNA_RETURN_IF_ERROR(check_formulas());
    LACUNA_RETURN_IF_ERROR(free_strings());
    LACUNA_RETURN_IF_ERROR(empty_charts());
    LACUNA_RETURN_IF_ERROR(remove_parts());
    LACUNA_RETURN_IF_ERROR(look_for_leftovers());
    auto packed = zip_.with(changes_.changed, changes_.removed);
    if (!packed)
      return packed.error();
    return EditedWorkbook{std::move(packed).value(), std::move(notes_)};
  }

 private:
  Error refuse(const std::string& what, const std::string& where = "") const {
    return {ErrorCode::kUnsupported, what, where.empty() ? filename_ : filename_ + ", " + where};
  }
  static std::string cell_of(const std::string& sheet, const Place& place) {
    return "sheet " + sheet + ", cell " + place_text(place);
  }

  // ---- what is asked

  Status take_edits(std::span<const CellEdit> edits) {
    for (const CellEdit& edit : edits) {
      const Place place{edit.row, edit.column};
      const std::string where = filename_ + ", " + cell_of(edit.sheet, place);
      const bool is_sheet =
          std::any_of(parts_.sheets.begin(), parts_.sheets.end(), [&](const XlsxSheet& sheet) {
            return sheet.name == edit.sheet;
          });
      if (!is_sheet)
        return Error{ErrorCode::kNoSuchThing,
                     "the workbook has no sheet " + base::in_quotes(edit.sheet),
                     filename_};
      if (!edits_[edit.sheet].emplace(place, &edit).second)
        return Error{ErrorCode::kRepeatedCell, "the cell is to be replaced twice", where};
      if (edit.is_number && !is_plain_number(edit.text))
        return Error{ErrorCode::kBadNumber, "the text to be written is not a number", where};
      if (edit.is_number && !fits_double(edit.text))
        return Error{ErrorCode::kCannotHold,
                     "a workbook holds no number of more than 15 digits: write .csv",
                     where};
    }
    return ok_status();
  }

  std::string_view shown_text(const std::string& sheet, const Place& place) const {
    for (const Grid& grid : shown_) {
      if (grid.name != sheet || place.first < grid.first_row || place.second < grid.first_column)
        continue;
      const std::uint64_t row = place.first - grid.first_row;
      const std::uint64_t column = place.second - grid.first_column;
      if (row < grid.rows.size() && column < grid.rows[row].size())
        return grid.rows[row][column];
    }
    return {};
  }

  // ---- parts beside the sheets

  Status check_parts() {
    for (const files::ZipMember& member : zip_.members()) {
      const std::string name = base::lower_case(member.name);
      const auto begins = [&](std::string_view begin) { return name.starts_with(begin); };
      if (begins("xl/drawings/"))
        LACUNA_RETURN_IF_ERROR(check_drawing(member));
      if (begins("xl/media/") && pictures_++ == 0)
        notes_.push_back("pictures of the workbook are unchanged, and nothing has checked them");
      if (name.ends_with('/') || std::any_of(kHarmless.begin(), kHarmless.end(), begins) ||
          name == "xl/calcchain.xml" || name.starts_with("docprops/thumbnail"))
        continue;
      const auto doubtful = std::find_if(kDoubtful.begin(),
                                         kDoubtful.end(),
                                         [&](const Doubtful& each) { return begins(each.begin); });
      if (doubtful != kDoubtful.end() && doubtful->what.empty())
        continue;
      if (doubtful != kDoubtful.end())
        return refuse(
            "the workbook has " + std::string(doubtful->what) + " (" + member.name +
            "), and it may hold what is now withheld: remove it and save the workbook, or "
            "write another format");
      if (begins("xl/charts/")) {
        charts_.push_back(member.name);
      } else if (begins("xl/comments") || begins("xl/threadedcomments/") || begins("xl/persons/")) {
        LACUNA_RETURN_IF_ERROR(check_comment(member));
      } else {
        return refuse("the workbook has a part " + base::in_quotes(member.name) +
                      ", and it is not known whether it holds what is now withheld: remove it and "
                      "save the workbook, or write another format");
      }
    }
    return ok_status();
  }

  // A shape may show the text of a cell, and keeps a copy.
  Status check_drawing(const files::ZipMember& member) {
    LACUNA_TRY(const std::string text, zip_.read(member));
    constexpr std::string_view kLink = "textlink=\"";
    for (std::size_t at = text.find(kLink); at != std::string::npos;
         at = text.find(kLink, at + 1)) {
      if (text.substr(at + kLink.size(), 1) != "\"")
        return refuse("the workbook has a shape that shows the text of a cell (" + member.name +
                      "), which may be what is now withheld: remove it and save the workbook");
    }
    return ok_status();
  }

  Status check_comment(const files::ZipMember& member) {
    if (base::lower_case(member.name).starts_with("xl/persons/"))
      return ok_status();
    LACUNA_TRY(const auto xml, read_xml(zip_, member.name, filename_));
    struct Digits : pugi::xml_tree_walker {
      bool found = false;
      bool for_each(pugi::xml_node& node) override {
        found = found || std::string_view(node.value()).find_first_of("0123456789") !=
                             std::string_view::npos;
        return !found;
      }
    } digits;
    xml->tree.traverse(digits);
    if (digits.found)
      return refuse(
          "the workbook has comments with digits (" + member.name +
          "), which may disclose what is now withheld: remove them and save the workbook");
    return ok_status();
  }

  // Kept numbers of charts: the program reads them from the cells again.
  Status empty_charts() {
    for (const std::string& name : charts_) {
      LACUNA_TRY(std::string text, zip_.read(*zip_.find(name)));
      LACUNA_TRY(XmlText xml, parsed(std::move(text), name));
      std::vector<pugi::xml_node> open{xml.root()};
      while (!open.empty()) {
        const pugi::xml_node node = open.back();
        open.pop_back();
        const std::string_view kind = local_name(node.name());
        if (kind == "numLit" || kind == "strLit")
          return refuse("the chart " + base::in_quotes(name) +
                        " holds numbers of its own, which may be what is now withheld: remove it "
                        "and save the workbook");
        if (kind == "numCache" || kind == "strCache" || kind == "multiLvlStrCache") {
          xml.replace(node, "");
          continue;
        }
        for (const pugi::xml_node child : node.children())
          open.push_back(child);
      }
      if (xml.is_changed())
        changes_.changed[name] = xml.changed();
    }
    return ok_status();
  }

  Result<XmlText> parsed(std::string text, const std::string& name) const {
    auto xml = XmlText::parse(std::move(text), name);
    if (!xml)
      return Error{xml.error().code, xml.error().message, filename_};
    return xml;
  }

  // ---- sheets

  Status edit_sheet(const XlsxSheet& sheet) {
    const files::ZipMember* member = zip_.find(sheet.part);
    if (member == nullptr)
      return Error{ErrorCode::kDamaged, "the workbook is damaged: a sheet is missing", filename_};
    LACUNA_TRY(std::string text, zip_.read(*member));
    LACUNA_TRY(XmlText xml, parsed(std::move(text), sheet.part));
    if (child_of(xml.root(), "scenarios"))
      return refuse(
          "the sheet has scenarios, which keep numbers: remove them and save the workbook",
          "sheet " + sheet.name);
    std::map<Place, const CellEdit*> open = edits_[sheet.name];
    std::size_t numbers = 0;
    Place first_number;
    const auto visit = [&](pugi::xml_node cell, std::uint64_t row, std::uint64_t column) {
      const Place place{row, column};
      const auto edit = open.find(place);
      if (edit != open.end()) {
        replace_cell(sheet, cell, *edit->second, xml);
        open.erase(edit);
        return ok_status();
      }
      keep_cell(sheet, cell, place);
      const std::string_view type = attribute_of(cell, "t");
      if ((type.empty() || type == "n") && child_of(cell, "v") && numbers++ == 0)
        first_number = place;
      return ok_status();
    };
    const pugi::xml_node data = child_of(xml.root(), "sheetData");
    LACUNA_RETURN_IF_ERROR(each_cell(data, filename_ + ", sheet " + sheet.name, visit));
    LACUNA_RETURN_IF_ERROR(insert_cells(sheet, data, open, xml));
    if (numbers > 0 && sheet.is_hidden)
      return refuse("the sheet is hidden and holds numbers that were not judged (first: " +
                        place_text(first_number) + "): remove the sheet and save the workbook",
                    "sheet " + sheet.name);
    if (numbers > 0)
      notes_.push_back("sheet " + sheet.name + ": " + std::to_string(numbers) +
                       (numbers == 1 ? " number was" : " numbers were") + " not judged and " +
                       (numbers == 1 ? "is" : "are") +
                       " as before (first: " + place_text(first_number) + ")");
    remember_rest(sheet, xml, data);
    if (xml.is_changed())
      changes_.changed[member->name] = xml.changed();
    return ok_status();
  }

  // What a sheet says beside its cells: filters, validations, headers of pages.
  void remember_rest(const XlsxSheet& sheet, const XmlText& xml, pugi::xml_node data) {
    std::string rest;
    for (const pugi::xml_node node : xml.root().children()) {
      if (node != data && node.type() == pugi::node_element)
        rest += std::string(xml.element(node)) + "\n";
    }
    rest_.emplace_back("sheet " + sheet.name, std::move(rest));
  }

  std::uint64_t string_of(pugi::xml_node cell) const {
    if (attribute_of(cell, "t") != "s")
      return texts_.all.size();
    return whole_number(child_of(cell, "v").text().get(), texts_.all.size());
  }

  void keep_cell(const XlsxSheet& sheet, pugi::xml_node cell, const Place& place) {
    if (child_of(cell, "f") && formulas_.left++ == 0)
      formulas_.first_left = cell_of(sheet.name, place);
    if (const std::uint64_t text = string_of(cell); text < texts_.all.size())
      texts_.used[text] = 1;
    kept_.push_back({&sheet, place});
  }

  void replace_cell(const XlsxSheet& sheet,
                    pugi::xml_node cell,
                    const CellEdit& edit,
                    XmlText& xml) {
    const Place place{edit.row, edit.column};
    const std::string_view shown = shown_text(sheet.name, place);
    const std::uint64_t old = string_of(cell);
    const bool has_formula = static_cast<bool>(child_of(cell, "f"));
    const bool is_same =
        !has_formula && shown == (edit.is_number ? plain_number_text(edit.text) : edit.text);
    if (is_same) {
      if (old < texts_.all.size())
        texts_.used[old] = 1;
      return;
    }
    formulas_.any_replaced = formulas_.any_replaced || has_formula;
    if (old < texts_.all.size())
      texts_.freed[old] = 1;
    if (shown != (edit.is_number ? plain_number_text(edit.text) : edit.text))
      leftovers_.add(shown);
    xml.replace(cell, cell_xml(cell.name(), place, attribute_of(cell, "s"), edit));
  }

  static std::string cell_xml(std::string_view name,
                              const Place& place,
                              std::string_view style,
                              const CellEdit& edit) {
    const std::string tag(name);
    const std::string prefix =
        tag.substr(0, tag.find(':') == std::string::npos ? 0 : tag.find(':') + 1);
    std::string xml = "<" + tag + " r=\"" + place_text(place) + "\"";
    if (!style.empty())
      xml += " s=\"" + xml_escaped(style) + "\"";
    if (edit.text.empty())
      return xml + "/>";
    if (edit.is_number)
      return xml + "><" + prefix + "v>" + plain_number_text(edit.text) + "</" + prefix + "v></" +
             tag + ">";
    return xml + " t=\"inlineStr\"><" + prefix + "is><" + prefix + "t xml:space=\"preserve\">" +
           xml_escaped(edit.text) + "</" + prefix + "t></" + prefix + "is></" + tag + ">";
  }

  // Cells that the sheet does not have yet go into their rows, which it must have.
  Status insert_cells(const XlsxSheet& sheet,
                      pugi::xml_node data,
                      const std::map<Place, const CellEdit*>& open,
                      XmlText& xml) const {
    std::map<std::uint64_t, pugi::xml_node> rows;
    std::uint64_t next = 0;
    for (const pugi::xml_node row : data.children()) {
      if (!is_named(row, "row"))
        continue;
      next = whole_number(attribute_of(row, "r"), next + 1);
      rows[next - 1] = row;
    }
    for (const auto& [place, edit] : open) {
      if (edit->text.empty())
        continue;
      const auto row = rows.find(place.first);
      if (row == rows.end() || !row->second.first_child())
        return refuse("the row has no cells, and none can be added", cell_of(sheet.name, place));
      pugi::xml_node before, last;
      std::uint64_t column = 0;
      for (const pugi::xml_node cell : row->second.children()) {
        if (!is_named(cell, "c"))
          continue;
        std::uint64_t at_row = place.first;
        if (!read_place(attribute_of(cell, "r"), at_row, column))
          return refuse(
              "the cells of the row do not say where they are, so none can be added between them",
              cell_of(sheet.name, place));
        last = cell;
        if (column > place.second && !before)
          before = cell;
      }
      const pugi::xml_node beside = before ? before : last;
      if (!beside)
        return refuse("the row has no cells, and none can be added", cell_of(sheet.name, place));
      const std::size_t at = xml.begin_of(beside) + (before ? 0 : xml.element(beside).size());
      xml.insert(at, cell_xml(beside.name(), place, "", *edit));
    }
    return ok_status();
  }

  Status check_formulas() const {
    if (formulas_.left == 0)
      return ok_status();
    return refuse(
        (formulas_.left == 1 ? "a formula was not judged"
                             : std::to_string(formulas_.left) + " formulas were not judged") +
            std::string(" and may show what is now withheld: replace formulas outside the "
                        "table by their values (copy, paste as values) or remove them, and "
                        "save the workbook"),
        formulas_.first_left);
  }

  // ---- shared texts, and parts that go

  // A text that only replaced cells had is emptied where it stands: the numbers of others stay.
  Status free_strings() {
    const bool any = std::any_of(texts_.freed.begin(), texts_.freed.end(), [&](const char& freed) {
      return freed != 0 && texts_.used[static_cast<std::size_t>(&freed - texts_.freed.data())] == 0;
    });
    if (!any)
      return ok_status();
    const files::ZipMember* member = zip_.find(parts_.part_of("sharedStrings"));
    LACUNA_TRY(std::string text, zip_.read(*member));
    LACUNA_TRY(XmlText xml, parsed(std::move(text), member->name));
    std::size_t index = 0;
    for (const pugi::xml_node item : xml.root().children()) {
      if (!is_named(item, "si"))
        continue;
      if (index < texts_.freed.size() && texts_.freed[index] != 0 && texts_.used[index] == 0) {
        const std::string tag = item.name();
        const std::string prefix = tag.substr(0, tag.size() - 2);
        xml.replace(item, "<" + tag + "><" + prefix + "t/></" + tag + ">");
      }
      ++index;
    }
    changes_.changed[member->name] = xml.changed();
    return ok_status();
  }

  Status remove_parts() {
    std::set<std::string> gone;  // in small letters
    for (const files::ZipMember& member : zip_.members()) {
      const std::string name = base::lower_case(member.name);
      if (name.starts_with("docprops/thumbnail") ||
          (name == "xl/calcchain.xml" && formulas_.any_replaced)) {
        changes_.removed.insert(member.name);
        gone.insert(name);
      }
    }
    if (gone.empty())
      return ok_status();
    LACUNA_RETURN_IF_ERROR(remove_mentions("[Content_Types].xml", "PartName", "", gone));
    LACUNA_RETURN_IF_ERROR(remove_mentions("_rels/.rels", "Target", "", gone));
    const std::string folder = parts_.workbook.substr(0, parts_.workbook.rfind('/') + 1);
    return remove_mentions(folder + "_rels/" + parts_.workbook.substr(folder.size()) + ".rels",
                           "Target",
                           base::lower_case(folder),
                           gone);
  }

  // Elements of a list that name one of the parts.
  Status remove_mentions(const std::string& list,
                         const char* attribute,
                         const std::string& folder,
                         const std::set<std::string>& gone) {
    const files::ZipMember* member = zip_.find(list);
    if (member == nullptr)
      return ok_status();
    LACUNA_TRY(std::string text, zip_.read(*member));
    LACUNA_TRY(XmlText xml, parsed(std::move(text), list));
    for (const pugi::xml_node node : xml.root().children()) {
      const std::string target = base::lower_case(attribute_of(node, attribute));
      const std::string name = target.starts_with('/') ? target.substr(1) : folder + target;
      if (gone.contains(name))
        xml.replace(node, "");
    }
    if (xml.is_changed())
      changes_.changed[member->name] = xml.changed();
    return ok_status();
  }

  // ---- the last look

  Status look_for_leftovers() {
    if (leftovers_.empty())
      return ok_status();
    for (const auto& [sheet, place] : kept_) {
      const std::string_view shown = shown_text(sheet->name, place);
      if (leftovers_.has(shown) || (!is_plain_number(shown) && leftovers_.find_in(shown)))
        return refuse(
            "the cell was not judged and shows a number that is now withheld elsewhere: "
            "name it as part of the table, or remove it and save the workbook",
            cell_of(sheet->name, place));
    }
    for (const auto& [where, text] : rest_) {
      if (leftovers_.find_in(text))
        return refuse(
            "what the sheet says outside its cells (filters, rules, headers) has a number that is "
            "now withheld: remove it and save the workbook",
            where);
    }
    for (const files::ZipMember& member : zip_.members()) {
      const std::string name = base::lower_case(member.name);
      const bool is_text =
          name.ends_with(".xml") || name.ends_with(".rels") || name.ends_with(".vml");
      const bool is_sheet =
          std::any_of(parts_.sheets.begin(), parts_.sheets.end(), [&](const XlsxSheet& sheet) {
            return base::lower_case(sheet.part) == name;
          });
      const bool is_seen = is_sheet || changes_.removed.contains(member.name);
      if (!is_text || is_seen)
        continue;
      LACUNA_RETURN_IF_ERROR(look_into(member));
    }
    return ok_status();
  }

  Status look_into(const files::ZipMember& member) {
    const auto changed = changes_.changed.find(member.name);
    std::string text;
    if (changed != changes_.changed.end()) {
      text = changed->second;
    } else {
      LACUNA_TRY(text, zip_.read(member));
    }
    if (base::lower_case(member.name) == base::lower_case(parts_.part_of("sharedStrings")))
      text = unjudged_strings();
    if (leftovers_.find_in(text))
      return refuse("the part " + base::in_quotes(member.name) +
                    " of the workbook has a number that is now withheld: remove what holds it and "
                    "save the workbook, or write another format");
    return ok_status();
  }

  // Texts that no judged cell shows.
  std::string unjudged_strings() const {
    std::string text;
    for (std::size_t i = 0; i < texts_.all.size(); ++i)
      text += texts_.used[i] == 0 && texts_.freed[i] == 0 ? texts_.all[i] + "\n" : "";
    return text;
  }

  files::ZipReader zip_;
  std::string_view bytes_;
  const std::string& filename_;
  XlsxParts parts_;
  std::vector<Grid> shown_;
  SharedTexts texts_;
  std::map<std::string, std::map<Place, const CellEdit*>> edits_;
  std::vector<std::string> charts_, notes_;
  std::vector<std::pair<const XlsxSheet*, Place>> kept_;   // cells that were not judged
  std::vector<std::pair<std::string, std::string>> rest_;  // place and text
  PartChanges changes_;
  LeftoverNumbers leftovers_;
  Formulas formulas_;
  std::size_t pictures_ = 0;
};

}  // namespace

Result<EditedWorkbook> edit_xlsx(std::string_view bytes,
                                 std::span<const CellEdit> edits,
                                 const std::string& filename) {
  files::ZipLimits limits;
  limits.all *= 4;  // parts are looked at more than once
  LACUNA_TRY(files::ZipReader zip, files::ZipReader::open(bytes, filename, limits));
  return XlsxEditor(std::move(zip), bytes, filename).edit(edits);
}

}  // namespace lacuna::formats
