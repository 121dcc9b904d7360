// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include <array>
#include <utility>

#include "core/base/call_words.h"
#include "data/spec/spec_text.h"
#include "data/spec/value.h"
#include "errors.h"
#include "frames.h"

namespace lacuna::python {
namespace {

// ---- values

std::string class_name(nb::handle value) {
  return text_of(nb::handle(value.type()).attr("__name__"));
}

// As it is written, without an exponent, which a job does not take.
std::string number_text(nb::handle number) {
  const nb::str text(number);
  if (text_of(text).find_first_of("eE") == std::string::npos)
    return text_of(text);
  const nb::object decimal = nb::module_::import_("decimal").attr("Decimal");
  return text_of(nb::module_::import_("builtins").attr("format")(decimal(text), "f"));
}

class JobValues {
 public:
  explicit JobValues(const nb::dict& arguments) : arguments_(arguments) {}

  // `around` is the argument of what the value stands in.
  spec::SpecValue read(nb::handle given, const std::string& path, const std::string& around) const {
    const std::string where = argument_of(path, around);
    spec::SpecValue value = read_kind(given, path, where);
    value.where = where;
    return value;
  }

 private:
  std::string argument_of(const std::string& path, const std::string& around) const {
    const nb::str key(path.c_str(), path.size());
    return arguments_.contains(key) ? text_of(arguments_[key]) : around;
  }

  spec::SpecValue read_kind(nb::handle given,
                            const std::string& path,
                            const std::string& where) const {
    if (nb::isinstance<nb::bool_>(given))
      return spec::truth_value(nb::cast<bool>(given));
    if (nb::isinstance<nb::str>(given))
      return spec::text_value(text_of(given));
    if (nb::isinstance<nb::int_>(given) || nb::isinstance<nb::float_>(given) ||
        class_name(given) == "Decimal")
      return spec::number_value(number_text(given));
    if (nb::hasattr(given, "__fspath__"))
      return spec::text_value(text_of(given.attr("__fspath__")()));
    if (nb::hasattr(given, "items"))
      return read_table(given, path, where);
    if (nb::hasattr(given, "tolist"))  // of NumPy
      return read_kind(given.attr("tolist")(), path, where);
    if (!nb::hasattr(given, "__iter__") || nb::isinstance<nb::bytes>(given))
      raise({ErrorCode::kJobValue,
             class_name(given) + " is neither text, number, truth value nor list",
             where});
    spec::SpecValue list = spec::list_value();
    for (const nb::handle item : given)
      list.items.push_back(read(item, path + "[" + std::to_string(list.items.size()) + "]", where));
    return list;
  }

  spec::SpecValue read_table(nb::handle given,
                             const std::string& path,
                             const std::string& where) const {
    spec::SpecValue table = spec::table_value();
    for (const nb::handle item : given.attr("items")()) {
      const nb::tuple pair = nb::cast<nb::tuple>(item);
      const nb::object name = pair[0], below = pair[1];
      const std::string key = text_of(nb::str(name));
      spec::SpecValue value = read(below, path.empty() ? key : path + "." + key, where);
      table.members.push_back({key, value, value.where});
    }
    return table;
  }

  const nb::dict& arguments_;
};

// ---- words

using Pair = std::pair<std::string_view, std::string_view>;

// Sections that have another name as an argument, or none.
constexpr std::array<Pair, 6> kSections{{{"[[dimension]]", "dims"},
                                         {"[[rule]]", "rules"},
                                         {"[[attacker]]", "attackers"},
                                         {"[[table]]", "tables"},
                                         {"[columns]", "the call"},
                                         {"[input]", "the call"}}};
constexpr std::array<Pair, 3> kKeys{
    {{"respondent", "unit"}, {"records", "data"}, {"table", "data"}}};

class WordsOfPython : public base::CallWords {
 public:
  WordsOfPython() : CallWords(kSections, kKeys, "=") {}

 private:
  std::string value(const std::string& text) const override {
    if (text == "true" || text == "false")
      return text == "true" ? "True" : "False";
    return text;
  }

  std::string dimension_key(const base::NamedSetting& named) const override {
    return named.name == "missing" ? "with_missing(" + named.value + ") of a hierarchy"
                                   : argument(named.name, named.value) + " of its hierarchy";
  }
};

// Keys stay as they are: the job is a file.
std::string word_beside_files(const base::NamedSetting& named) {
  return WordsOfPython().word_beside_files(named);
}

}  // namespace

ArgumentJob::ArgumentJob(const nb::dict& sections, const nb::dict& arguments) {
  auto read = spec::read_spec(JobValues(arguments).read(sections, "", ""), "");
  if (!read)
    raise(as_arguments(read.error()));
  spec_ = std::make_shared<const spec::ReadSpec>(std::move(read).value());
}

std::string ArgumentJob::toml() const {
  return spec::spec_toml(spec_->job);
}

std::string with_keywords(std::string_view message) {
  return base::spelled(message, word_beside_files);
}

std::string with_keywords_in_json(std::string_view json) {
  return base::spelled(json, [](const base::NamedSetting& named) {
    std::string word;
    for (const char sign : word_beside_files(named)) {
      // Keys are escaped already, with the text that they stand in.
      if (sign == '"' && named.kind == base::NamedSetting::Kind::kOption)
        word += '\\';
      word += sign;
    }
    return word;
  });
}

std::string as_arguments(std::string_view message) {
  return base::spelled(message,
                       [](const base::NamedSetting& named) { return WordsOfPython().word(named); });
}

Error as_arguments(Error error) {
  error.message = as_arguments(error.message);
  error.where = as_arguments(error.where);
  return error;
}

void bind_job(nb::module_& module) {
  nb::class_<ArgumentJob>(module, "Job", "The arguments of a call, as a job.")
      .def(nb::init<const nb::dict&, const nb::dict&>(),
           nb::arg("sections"),
           nb::arg("arguments"),
           nb::sig("def __init__(self, sections: dict[str, typing.Any], arguments: dict[str, str]) "
                   "-> None"))
      .def_prop_ro("toml", [](const ArgumentJob& job) { return str_of(job.toml()); });
}

}  // namespace lacuna::python
