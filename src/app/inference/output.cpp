// SPDX-License-Identifier: Apache-2.0
#include "app/inference/output.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/inference/proof.h"
#include "core/base/decimal.h"
#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/json_writer.h"
#include "core/base/rational.h"

namespace lacuna::inference {
namespace {

constexpr std::size_t kRelationsListed = 12;
constexpr std::size_t kPartsListed = 6;
constexpr std::size_t kCorrectionsListed = 10;

std::string counted(std::size_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string units_text(const Inference& inference, Units units) {
  return base::format_units(units, inference.decimals);
}

// ---- what was read

std::size_t count_told(const System& system, Told told) {
  return static_cast<std::size_t>(
      std::count_if(system.cells.begin(), system.cells.end(), [&](const SystemCell& cell) {
        return cell.told == told;
      }));
}

std::string read_text(const Inference& inference) {
  const System& system = inference.system;
  std::string files;
  for (const std::string& file : system.files)
    files += (files.empty() ? "" : ", ") + file;
  const std::size_t cells = system.cells.size() - count_told(system, Told::kRest);
  std::string text = files + ": " + counted(cells, "cell", "cells") + ", " +
                     counted(count_told(system, Told::kBlank), "blank", "blanks");
  if (const std::size_t ranges = count_told(system, Told::kRange); ranges > 0)
    text += ", " + counted(ranges, "range", "ranges");
  return text + ", " + counted(system.sums.size(), "sum", "sums") + "\n";
}

std::string relations_text(const Inference& inference) {
  std::string text;
  std::size_t listed = 0, all = 0;
  for (const SystemDimension& dimension : inference.system.dimensions) {
    all += dimension.relations.size();
    if (dimension.relations.empty())
      text += "  no sums over " + dimension.name + "\n";
    for (const Relation& relation : dimension.relations) {
      if (listed == kRelationsListed)
        break;
      ++listed;
      text += "  " + relation_text(dimension, relation) + "\n";
    }
  }
  if (all > listed)
    text += "  and " + counted(all - listed, "more sum of codes", "more sums of codes") + "\n";
  return "sums that were used:\n" + text;
}

std::string told_text(const Inference& inference, const Correction& each) {
  if (each.told.is_point())
    return units_text(inference, each.told.lower);
  return (each.told.has_lower() ? units_text(inference, each.told.lower) : "any") + " to " +
         (each.told.has_upper() ? units_text(inference, each.told.upper) : "any");
}

std::string corrections_text(const Inference& inference) {
  const Fit& fit = inference.fit;
  if (fit.corrections.empty())
    return "";
  std::string text = "THE PUBLISHED NUMBERS CONTRADICT EACH OTHER: no table has these sums; " +
                     std::string(fit.least ? "the least correction" : "a correction") +
                     " that mends them changes " +
                     counted(fit.corrections.size(), "number", "numbers") + " by " +
                     units_text(inference, fit.total) +
                     " in all. What follows holds for the numbers so corrected\n";
  for (std::size_t i = 0; i < std::min(fit.corrections.size(), kCorrectionsListed); ++i) {
    const Correction& each = fit.corrections[i];
    text += "  " + inference.system.label(each.cell) + " published " + told_text(inference, each) +
            ", corrected to " + units_text(inference, each.value) + "\n";
  }
  if (fit.corrections.size() > kCorrectionsListed)
    text += "  and " + std::to_string(fit.corrections.size() - kCorrectionsListed) + " more\n";
  return text;
}

// ---- what was found

std::string headline(const Inference& inference) {
  const auto sensitive = static_cast<std::size_t>(
      std::count_if(inference.cells.begin(), inference.cells.end(), [](const InferredCell& each) {
        return each.sensitive;
      }));
  const std::size_t exact = inference.count(Narrowness::kExact);
  const std::size_t narrow = inference.count(Narrowness::kNarrow);
  const std::size_t unclear = inference.count(Narrowness::kUnclear);
  if (inference.cells.empty())
    return "nothing is withheld in what was read: there is nothing to infer\n";
  std::string text = fmt::format("{} of {} can be computed exactly",
                                 exact,
                                 counted(sensitive, "withheld number", "withheld numbers"));
  if (!inference.protection.text.empty())
    text += fmt::format(", {} more {} known to within {}",
                        narrow,
                        narrow == 1 ? "is" : "are",
                        inference.protection.text);
  if (unclear > 0)
    text += fmt::format(", of {} it was not settled", unclear);
  return text + "\n";
}

std::string cell_line(const Inference& inference, const InferredCell& each) {
  std::string text = inference.system.label(each.cell) + "  " + range_text(inference, each.best());
  if (const std::string close = closeness_text(each.best());
      !close.empty() && each.narrowness != Narrowness::kExact)
    text += "  +-" + close;
  if (each.whole && range_text(inference, *each.whole) != range_text(inference, each.real))
    text += "  as real numbers " + range_text(inference, each.real);
  if (!each.best().exact())
    text += "  (may be narrower)";
  switch (each.narrowness) {
    case Narrowness::kExact:
      return text + "  exactly known";
    case Narrowness::kNarrow:
      return text + "  too narrow";
    case Narrowness::kUnclear:
      return text + "  not settled";
    case Narrowness::kWide:
      return text;
  }
  return text;
}

std::string proof_lines(const Inference& inference, const InferredCell& each) {
  std::string text;
  for (const Direction direction : {Direction::kLow, Direction::kHigh}) {
    const std::string proof = proof_text(inference, each, direction);
    if (!proof.empty())
      text += (direction == Direction::kLow ? "    at least " : "    at most  ") + proof + "\n";
  }
  return text;
}

// ---- JSON

void write_bound(base::JsonWriter& json, const Inference& inference, const InferredBound& bound) {
  if (!bound.at) {
    json.null();
    return;
  }
  const std::string text = bound_text(inference, bound);
  if (text.find('/') == std::string::npos)
    json.raw(text);
  else
    json.value(text);  // no decimal says it exactly
}

void write_range(base::JsonWriter& json, const Inference& inference, const InferredRange& range) {
  write_bound(json.key("lower"), inference, range.low);
  write_bound(json.key("upper"), inference, range.high);
  json.member("exact", range.exact());
}

void write_codes(base::JsonWriter& json, const System& system, std::int32_t cell) {
  json.object([&] {
    for (std::size_t d = 0; d < system.dimensions.size(); ++d) {
      const std::int32_t code = system.cells[base::at(cell)].codes[d];
      if (code >= 0)
        json.member(system.dimensions[d].name, system.dimensions[d].codes[base::at(code)]);
    }
  });
}

void write_cell(base::JsonWriter& json, const Inference& inference, const InferredCell& each) {
  const SystemCell& cell = inference.system.cells[base::at(each.cell)];
  json.line().object([&] {
    write_codes(json.key("codes"), inference.system, each.cell);
    json.member("sign", cell.sign).member("sensitive", each.sensitive);
    if (each.whole) {
      write_range(json, inference, *each.whole);
      json.key("real").object([&] { write_range(json, inference, each.real); });
    } else {
      write_range(json, inference, each.real);
    }
    json.member("narrowness", to_string(each.narrowness));
    json.member("why_lower", proof_text(inference, each, Direction::kLow));
    json.member("why_upper", proof_text(inference, each, Direction::kHigh));
  });
}

void write_relations(base::JsonWriter& json, const System& system) {
  json.list(system.dimensions, [&](const SystemDimension& dimension) {
    json.line().object([&] {
      const auto write_sum = [&](const Relation& each) {
        json.object([&] {
          json.member("total", dimension.codes[base::at(each.parent)]);
          json.key("parts").list(each.children, [&](std::int32_t child) {
            json.value(dimension.codes[base::at(child)]);
          });
        });
      };
      json.member("name", dimension.name).key("sums").list(dimension.relations, write_sum);
    });
  });
}

void write_corrections(base::JsonWriter& json, const Inference& inference) {
  json.list(inference.fit.corrections, [&](const Correction& each) {
    json.line().object([&] {
      write_codes(json.key("codes"), inference.system, each.cell);
      json.member("published", told_text(inference, each));
      json.key("corrected").raw(units_text(inference, each.value));
    });
  });
}

}  // namespace

std::string relation_text(const SystemDimension& dimension, const Relation& relation) {
  const auto code = [&](std::int32_t at) { return dimension.codes[base::at(at)]; };
  std::string text = dimension.name + ": " + code(relation.parent) + " = ";
  const std::size_t count = relation.children.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > kPartsListed && i >= kPartsListed / 2 && i + 1 < count) {
      text += i == kPartsListed / 2 ? " + ..." : "";
      continue;
    }
    text += (i > 0 ? " + " : "") + code(relation.children[i]);
  }
  return text + (count > kPartsListed ? " (" + std::to_string(count) + " parts)" : "");
}

std::string knowledge_text(const Inference& inference) {
  const KnowledgeOptions& known = inference.knowledge;
  std::string text = "a reader knows: ";
  text += inference.everywhere.has_lower()
              ? "no number is below " + units_text(inference, inference.everywhere.lower)
              : "numbers may be negative";
  if (!known.upper.empty() && known.upper != "none")
    text += "; no blank is above " + known.upper;
  for (const std::string& each : known.withheld)
    text += "; blanks are " + each;
  if (!known.rounded_to.empty() && known.rounded_to != "none")
    text += "; numbers are rounded to " + known.rounded_to + ", " +
            std::string(enum_names(known.rounding)[static_cast<std::size_t>(known.rounding)]);
  return text + (inference.counts ? "; they are whole\n" : "\n");
}

std::string inference_text(const Inference& inference, std::size_t most, bool proofs) {
  std::string text = headline(inference) + read_text(inference) + relations_text(inference) +
                     knowledge_text(inference);
  for (const std::string& note : inference.system.notes)
    text += "note: " + note + "\n";
  text += corrections_text(inference);
  const std::size_t shown = std::min(most, inference.cells.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += cell_line(inference, inference.cells[i]) + "\n";
    if (proofs)
      text += proof_lines(inference, inference.cells[i]);
  }
  if (shown < inference.cells.size())
    text += fmt::format("and {} more, wider ones (--most)\n", inference.cells.size() - shown);
  return text;
}

std::string inference_json(const Inference& inference) {
  const auto write = [&](base::JsonWriter& json) {
    const System& system = inference.system;
    json.key("files").values(system.files);
    json.member("cells_read", system.cells.size() - count_told(system, Told::kRest));
    json.member("blanks", count_told(system, Told::kBlank));
    json.member("ranges", count_told(system, Told::kRange)).member("sums", system.sums.size());
    json.member("counts", inference.counts).member("decimals", inference.decimals);
    json.member("exact", inference.count(Narrowness::kExact));
    json.member("narrow", inference.count(Narrowness::kNarrow));
    json.member("unclear", inference.count(Narrowness::kUnclear));
    json.member("too_narrow", inference.is_too_narrow());
    write_relations(json.line().key("dimensions"), system);
    json.line().key("notes").values(system.notes);
    json.member("contradicted", !inference.fit.corrections.empty());
    json.member("least_correction", inference.fit.least);
    write_corrections(json.line().key("corrections"), inference);
    json.line().key("cells").list(
        inference.cells, [&](const InferredCell& each) { write_cell(json, inference, each); });
  };
  return base::json_object(write) + "\n";
}

}  // namespace lacuna::inference
