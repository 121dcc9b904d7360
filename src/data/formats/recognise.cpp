// SPDX-License-Identifier: Apache-2.0
#include "data/formats/recognise.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "core/base/text.h"
#include "data/files/packed_beginning.h"
#include "data/files/zip_reader.h"
#include "data/formats/bytes.h"
#include "data/formats/ole_file.h"

namespace lacuna::formats {
namespace {

using namespace std::string_view_literals;

struct Named {
  Format format;
  std::string_view name;
  std::string_view remedy;  // empty: there is a reader
};

constexpr std::string_view kSaveCsv = "open it in its program and save the table as .csv or .xlsx";
constexpr std::array kNamed{
    Named{Format::kXlsx, "an Excel workbook (.xlsx)", ""},
    Named{Format::kXls, "an Excel workbook (.xls)", ""},
    Named{Format::kOds, "an OpenDocument workbook (.ods)", ""},
    Named{Format::kSas7bdat, "a SAS data set (.sas7bdat)", ""},
    Named{Format::kSasXport, "a SAS transport file (.xpt)", ""},
    Named{Format::kStata, "a Stata data set (.dta)", ""},
    Named{Format::kSpss, "an SPSS data set (.sav)", ""},
    Named{Format::kSpssPortable, "an SPSS portable file (.por)", ""},
    Named{Format::kPx, "a PX file", ""},
    Named{Format::kSdmxJson, "an SDMX-JSON message", ""},
    Named{Format::kJsonStat, "a JSON-stat data set", ""},
    Named{Format::kSdmxCsv, "an SDMX-CSV file", ""},
    Named{Format::kEurostatTsv, "a TSV file of Eurostat", ""},
    Named{Format::kJson, "a JSON file", ""},
    Named{Format::kParquet, "a Parquet file", ""},
    Named{Format::kArrow, "an Arrow file", ""},
    Named{Format::kXlsb, "a binary Excel workbook (.xlsb)", "save it as .xlsx"},
    Named{Format::kEncryptedWorkbook, "an encrypted Office file", "save it without a password"},
    Named{Format::kWord, "a Word document", "copy its table into a spreadsheet and save that"},
    Named{Format::kPowerPoint,
          "a PowerPoint file",
          "copy its table into a spreadsheet and save that"},
    Named{Format::kOpenDocument,
          "an OpenDocument file that is not a workbook",
          "copy its table into a spreadsheet and save that"},
    Named{Format::kZip, "a ZIP archive", "unpack it and name the file inside"},
    Named{Format::kOle, "a file of an old Office program that is not a workbook", kSaveCsv},
    Named{Format::kPdf, "a PDF file", "ask its publisher for the table as .csv or .xlsx"},
    Named{Format::kHtml,
          "a web page",
          "open it in a spreadsheet program and save the table as .csv or .xlsx"},
    Named{Format::kSpreadsheetXml, "a workbook in the XML of Excel 2003", "save it as .xlsx"},
    Named{Format::kSdmxXml, "an SDMX-ML message", "ask its publisher for SDMX-CSV or SDMX-JSON"},
    Named{Format::kXml, "an XML file", kSaveCsv},
    Named{Format::kAccess, "a database of Access", "export the table as .csv or .xlsx"},
    Named{Format::kSqlite,
          "a database of SQLite",
          "export the table: sqlite3 FILE -csv -header \"select * from TABLE\""},
    Named{Format::kRds,
          "an R data file",
          "in R, write.csv(x, \"table.csv\", row.names = FALSE), or hand the data frame to the R "
          "package"},
    Named{Format::kSasCatalog,
          "a SAS catalogue of formats",
          "name the data set (.sas7bdat) next to it"},
    Named{Format::kDbf, "a dBASE table (.dbf)", kSaveCsv},
    Named{Format::kOrc, "an ORC file", "write it as Parquet"},
    Named{Format::kAvro, "an Avro file", "write it as Parquet"},
    Named{Format::kHdf5, "an HDF5 file", "write the table as .csv or Parquet"},
    Named{Format::kMatlab, "a file of MATLAB", "write the table with writetable(t, \"table.csv\")"},
    Named{Format::kNumpy,
          "a NumPy array",
          "write it with numpy.savetxt(..., delimiter=\",\"), with a header"},
    Named{Format::kPickle,
          "a Python pickle",
          "write the data frame with to_csv or to_parquet, or hand it to the Python package"},
    Named{Format::kZstd, "a file packed by Zstandard", "unpack it, or pack it by gzip or xz"},
    Named{Format::kBzip2, "a file packed by bzip2", "unpack it, or pack it by gzip or xz"},
    Named{Format::kSevenZip, "a 7z archive", "unpack it and name the file inside"},
    Named{Format::kRar, "a RAR archive", "unpack it and name the file inside"},
    Named{Format::kTar, "a tar archive", "unpack it and name the file inside"},
    Named{Format::kImage, "an image", "ask its publisher for the table as .csv or .xlsx"},
};

struct Beginning {
  std::string_view bytes;
  Format format;
  std::size_t at = 0;
};

constexpr std::string_view kSas = "\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81"sv;
constexpr std::array kBeginnings{
    Beginning{"<stata_dta>"sv, Format::kStata},
    Beginning{"$FL2"sv, Format::kSpss},
    Beginning{"$FL3"sv, Format::kSpss},
    Beginning{"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!"sv, Format::kSasXport},
    Beginning{"HEADER RECORD*******LIBV8   HEADER RECORD!!!!!!!"sv, Format::kSasXport},
    Beginning{"PAR1"sv, Format::kParquet},
    Beginning{"ARROW1"sv, Format::kArrow},
    Beginning{"%PDF-"sv, Format::kPdf},
    Beginning{"Standard Jet DB"sv, Format::kAccess, 4},
    Beginning{"Standard ACE DB"sv, Format::kAccess, 4},
    Beginning{"SQLite format 3\0"sv, Format::kSqlite},
    Beginning{"RDX2\n"sv, Format::kRds},
    Beginning{"RDX3\n"sv, Format::kRds},
    Beginning{"X\n\0\0\0\2"sv, Format::kRds},
    Beginning{"X\n\0\0\0\3"sv, Format::kRds},
    Beginning{"ORC"sv, Format::kOrc},
    Beginning{"Obj\1"sv, Format::kAvro},
    Beginning{"\x89HDF\r\n\x1A\n"sv, Format::kHdf5},
    Beginning{"MATLAB 5.0 MAT-file"sv, Format::kMatlab},
    Beginning{"\x93NUMPY"sv, Format::kNumpy},
    Beginning{"\x28\xB5\x2F\xFD"sv, Format::kZstd},
    Beginning{"BZh"sv, Format::kBzip2},
    Beginning{"7z\xBC\xAF\x27\x1C"sv, Format::kSevenZip},
    Beginning{"Rar!\x1A\x07"sv, Format::kRar},
    Beginning{"ustar"sv, Format::kTar, 257},
    Beginning{"\x89PNG\r\n"sv, Format::kImage},
    Beginning{"\xFF\xD8\xFF"sv, Format::kImage},
    Beginning{"GIF8"sv, Format::kImage},
    Beginning{"II*\0"sv, Format::kImage},
    Beginning{"MM\0*"sv, Format::kImage},
};

// ---- archives

// By the names of the members, or of the first one where the archive is cut off.
Format zip_format(std::string_view bytes) {
  std::vector<std::string> names;
  constexpr std::uint64_t kHeader = 30;
  const std::string first(
      bytes.substr(std::min<std::size_t>(kHeader, bytes.size()), u16_at(bytes, 26)));
  std::string mime;
  const auto zip = files::ZipReader::open(bytes, "");
  if (zip) {
    for (const files::ZipMember& member : zip->members())
      names.push_back(base::lower_case(member.name));
  } else {
    names.push_back(base::lower_case(first));
  }
  if (first == "mimetype")
    mime = bytes.substr(std::min<std::size_t>(kHeader + first.size(), bytes.size()),
                        u32_at(bytes, 18));
  const auto has = [&](std::string_view start) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name.starts_with(start);
    });
  };
  if (mime.starts_with("application/vnd.oasis.opendocument.spreadsheet"))
    return Format::kOds;
  if (mime.starts_with("application/vnd.oasis.opendocument"))
    return Format::kOpenDocument;
  if (has("xl/workbook.bin"))
    return Format::kXlsb;
  if (has("xl/"))
    return Format::kXlsx;
  if (has("word/"))
    return Format::kWord;
  if (has("ppt/"))
    return Format::kPowerPoint;
  if (has("content.xml") && has("meta-inf/manifest.xml"))
    return Format::kOds;
  return !zip && first == "[Content_Types].xml" ? Format::kXlsx : Format::kZip;
}

Format ole_format(std::string_view bytes) {
  const auto file = OleFile::open(bytes, "");
  if (!file || file->has("Workbook") || file->has("Book"))
    return Format::kXls;
  return file->has("EncryptedPackage") ? Format::kEncryptedWorkbook : Format::kOle;
}

// ---- texts

// The keys of the outermost object and of those directly in it, as "dataSets" and "data/dataSets",
// and the texts that stand with the former, as "class=dataset".
class JsonKeys {
 public:
  explicit JsonKeys(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at)
      at = step(text, at);
  }
  bool has(std::string_view key) const {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  }

 private:
  std::size_t step(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (c == '{' || c == '[') {
      is_object_.push_back(c == '{');
    } else if ((c == '}' || c == ']') && !is_object_.empty()) {
      is_object_.pop_back();
    } else if (c == '"') {
      const std::size_t begin = ++at;
      while (at < text.size() && text[at] != '"')
        at += text[at] == '\\' ? 2U : 1U;
      if (is_object_.size() <= 2 && at < text.size())
        add(text.substr(begin, at - begin), text.substr(at + 1));
    }
    return at;
  }
  void add(std::string_view word, std::string_view rest) {
    constexpr std::size_t kMostKeys = 1'000, kLongest = 60;
    const std::size_t next = rest.find_first_not_of(" \t\r\n");
    const bool is_key = next != std::string_view::npos && rest[next] == ':';
    const std::string text(word.substr(0, kLongest));
    if (is_object_.empty() || !is_object_.back() || keys_.size() >= kMostKeys)
      return;
    if (is_object_.size() == 2)
      keys_.push_back(last_ + "/" + text);
    else if (is_key)
      keys_.push_back(last_ = text);
    else
      keys_.push_back(last_ + "=" + text);
  }
  std::vector<bool> is_object_;
  std::vector<std::string> keys_;
  std::string last_;
};

Format json_format(std::string_view text) {
  const JsonKeys keys(text);
  if (keys.has("dataSets") || keys.has("data/dataSets") ||
      (keys.has("meta") && keys.has("data/structures")))
    return Format::kSdmxJson;
  if (keys.has("format"))
    return Format::kJson;
  const bool is_dataset = keys.has("class=dataset") || keys.has("class=collection");
  if (is_dataset || (keys.has("dimension") && keys.has("value") && keys.has("size")) ||
      keys.has("dataset/dimension"))
    return Format::kJsonStat;
  return Format::kJson;
}

Format xml_format(std::string_view text) {
  constexpr std::size_t kEnough = 4'000;
  const std::string head = base::lower_case(text.substr(0, kEnough));
  if (head.starts_with("<!doctype html") || head.find("<html") != std::string::npos ||
      head.starts_with("<table"))
    return Format::kHtml;
  if (head.find("urn:schemas-microsoft-com:office:spreadsheet") != std::string::npos)
    return Format::kSpreadsheetXml;
  if (head.find("sdmx.org/") != std::string::npos)
    return Format::kSdmxXml;
  // "a<b" may begin a text; a name behind the bracket does not.
  const bool is_markup =
      text.size() > 1 &&
      (std::isalpha(static_cast<unsigned char>(text[1])) != 0 || text[1] == '?' || text[1] == '!');
  return is_markup && text.find('>') != std::string_view::npos ? Format::kXml : Format::kUnknown;
}

// KEYWORD, [language] and ("name") perhaps, and an equals sign; and somewhere the cells.
bool is_px_text(std::string_view text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789";
  const std::size_t end = text.find_first_not_of(kLetters);
  if (end == 0 || end == std::string_view::npos || end > 40)
    return false;
  const std::string_view keyword = text.substr(0, end);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos ||
      std::string_view("=[( \t").find(text[end]) == std::string_view::npos ||
      text.substr(end, equals - end).find('\n') != std::string_view::npos)
    return false;
  if (keyword == "CHARSET" || keyword == "AXIS-VERSION")
    return true;
  const std::string_view head = text.substr(0, 100'000);
  return (head.find("\nSTUB") != std::string_view::npos ||
          head.find("\nHEADING") != std::string_view::npos) &&
         (text.find("\nDATA=") != std::string_view::npos ||
          text.find("\nDATA =") != std::string_view::npos);
}

std::vector<std::string> header_fields(std::string_view line, char separator) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t end = line.find(separator);
    std::string field(base::trimmed(line.substr(0, end)));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
      field = field.substr(1, field.size() - 2);
    fields.push_back(std::move(field));
    if (end == std::string_view::npos)
      return fields;
    line.remove_prefix(end + 1);
  }
}

bool is_eurostat_header(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos)
    return false;
  const std::string_view names = line.substr(0, tab);
  const std::size_t slash = names.find('\\');
  const std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,\\- \"";
  return slash != std::string_view::npos && slash > 0 && slash + 1 < names.size() &&
         names.find('\\', slash + 1) == std::string_view::npos &&
         names.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_sdmx_header(std::string_view line) {
  for (const char separator : {',', ';', '\t'}) {
    const std::vector<std::string> fields = header_fields(line, separator);
    const std::string& first = fields.front();
    const bool has_value = std::any_of(fields.begin(), fields.end(), [](const std::string& field) {
      return field == "OBS_VALUE" || field.starts_with("OBS_VALUE:");
    });
    if ((first == "DATAFLOW" && has_value) ||
        ((first == "STRUCTURE" || first.starts_with("STRUCTURE[")) && fields.size() > 2 &&
         (has_value || fields[1] == "STRUCTURE_ID")))
      return true;
  }
  return false;
}

Format text_format(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    text.remove_prefix(3);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return Format::kUnknown;
  const std::string_view content = text.substr(begin);
  if (content.front() == '{')
    return json_format(content);
  if (content.front() == '<')
    return xml_format(content);
  const std::string_view line =
      content.substr(0, std::min(content.find('\n'), std::size_t{100'000}));
  if (is_eurostat_header(line))
    return Format::kEurostatTsv;
  if (is_sdmx_header(line))
    return Format::kSdmxCsv;
  return is_px_text(content) ? Format::kPx : Format::kUnknown;
}

// ---- the rest

// Versions 104 to 115: number, order of bytes, 1, 0.
bool is_old_stata(std::string_view bytes) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  return bytes.size() > 100 && byte(0) >= 104 && byte(0) <= 115 && (byte(1) == 1 || byte(1) == 2) &&
         byte(2) == 1 && byte(3) == 0;
}

// Lines of 80 characters; the sign stands behind 200 of greeting and 256 of the character set.
bool is_portable(std::string_view bytes) {
  constexpr std::size_t kEnough = 700, kSignAt = 456;
  std::string head;
  for (const char c : bytes.substr(0, kEnough))
    head += c == '\n' || c == '\r' ? "" : std::string(1, c);
  return head.size() > kSignAt + 8 && head.compare(kSignAt, 8, "SPSSPORT") == 0;
}

bool is_dbase(std::string_view bytes) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  if (bytes.size() < 65 ||
      (byte(0) != 0x03 && byte(0) != 0x30 && byte(0) != 0x83 && byte(0) != 0x8B))
    return false;
  const std::size_t header = u16_at(bytes, 8);
  return byte(2) >= 1 && byte(2) <= 12 && byte(3) >= 1 && byte(3) <= 31 && header >= 65 &&
         header <= bytes.size() && byte(header - 1) == 0x0D;
}

bool is_pickle(std::string_view bytes) {
  return bytes.size() > 3 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 &&
         bytes.back() == '.';
}

Format format_of(std::string_view bytes) {
  for (const Beginning& each : kBeginnings) {
    if (bytes.size() > each.at && bytes.substr(each.at).starts_with(each.bytes))
      return each.format;
  }
  if (bytes.starts_with("PK\x03\x04"))
    return zip_format(bytes);
  if (OleFile::is_one(bytes))
    return ole_format(bytes);
  if (bytes.starts_with(kSas) && bytes.size() > kSas.size())
    return bytes[kSas.size()] == '\x63' ? Format::kSasCatalog : Format::kSas7bdat;
  if (is_old_stata(bytes))
    return Format::kStata;
  if (is_portable(bytes))
    return Format::kSpssPortable;
  if (bytes.starts_with("\xFF\xFF\xFF\xFF") && bytes.size() > 8 && u32_at(bytes, 4) < bytes.size())
    return Format::kArrow;  // a stream
  if (is_dbase(bytes))
    return Format::kDbf;
  if (is_pickle(bytes))
    return Format::kPickle;
  return text_format(bytes);
}

const Named* named(Format format) {
  const auto at = std::find_if(
      kNamed.begin(), kNamed.end(), [&](const Named& each) { return each.format == format; });
  return at == kNamed.end() ? nullptr : &*at;
}

}  // namespace

Format recognise(std::string_view bytes) {
  constexpr std::size_t kEnough = std::size_t{1} << 20U;
  if (files::is_packed(bytes))
    return format_of(files::packed_beginning(bytes, kEnough));
  return format_of(bytes);
}

std::string_view format_name(Format format) {
  const Named* found = named(format);
  return found == nullptr ? std::string_view() : found->name;
}

bool is_read(Format format) {
  const Named* found = named(format);
  return found != nullptr && found->remedy.empty();
}

Error not_read(Format format, const std::string& filename) {
  const Named* found = named(format);
  return {ErrorCode::kOtherFormat,
          "this is " + std::string(found == nullptr ? "of an unknown format" : found->name) +
              ", which is not read: " +
              std::string(found == nullptr || found->remedy.empty() ? kSaveCsv : found->remedy),
          filename};
}

}  // namespace lacuna::formats
