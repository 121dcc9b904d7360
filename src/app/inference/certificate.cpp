// SPDX-License-Identifier: Apache-2.0
#include "data/certificate/certificate.h"

#include "app/inference/output.h"
#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/json_writer.h"
#include "core/base/sha256.h"
#include "data/problems/problem_json.h"

namespace lacuna::inference {
namespace {

constexpr std::string_view kFormat = "lacuna-inference-1";

void write_knowledge(base::JsonWriter& json, const Inference& inference) {
  const KnowledgeOptions& known = inference.knowledge;
  const bool rounded = !known.rounded_to.empty() && known.rounded_to != "none";
  json.object([&] {
    json.member("decimals", inference.decimals).member("counts", inference.counts);
    json.key("lower").bound(inference.everywhere.lower);
    json.member("upper", known.upper == "none" ? "" : known.upper);
    json.key("withheld").values(known.withheld);
    json.member("rounded_to", rounded ? known.rounded_to : "");
    json.member("rounding", enum_names(known.rounding)[static_cast<std::size_t>(known.rounding)]);
    json.member("absent_is_zero", inference.system.absent_is_zero);
  });
}

void write_source(base::JsonWriter& json, const Inference& inference, RowAt at) {
  const jobfile::PublishedTable& table = inference.tables[at.table];
  const jobfile::PublishedRow& row = table.rows[at.row];
  json.object([&] {
    json.member("at", table.where(at.row)).member("number", row.number).member("sign", row.sign);
  });
}

void write_cell(base::JsonWriter& json, const Inference& inference, const SystemCell& cell) {
  const System& system = inference.system;
  json.line().object([&] {
    json.key("codes").list([&] {
      for (std::size_t d = 0; d < system.dimensions.size(); ++d) {
        if (cell.codes[d] < 0)
          json.null();
        else
          json.value(system.dimensions[d].codes[base::at(cell.codes[d])]);
      }
    });
    json.key("from").list(cell.rows, [&](RowAt at) { write_source(json, inference, at); });
  });
}

void write_end(base::JsonWriter& json, const Inference& inference, const InferredBound& bound) {
  if (bound.at)
    json.value(bound_text(inference, bound));
  else
    json.null();
}

void write_interval(base::JsonWriter& json,
                    const Inference& inference,
                    std::size_t finding,
                    const InferredCell& cell,
                    const InferredRange& range) {
  json.line().object([&] {
    json.member("finding", finding).member("cell", cell.cell);
    write_end(json.key("lower"), inference, range.low);
    write_end(json.key("upper"), inference, range.high);
    json.member("exact", range.exact());
  });
}

}  // namespace

std::string inference_certificate(const Inference& inference) {
  const std::size_t real = inference.report.of(Domain::kRational).size();
  const auto write = [&](base::JsonWriter& json) {
    json.member("format", kFormat);
    json.line().key("files").list(
        inference.tables, [&](const jobfile::PublishedTable& table) { json.value(table.path); });
    write_knowledge(json.line().key("knowledge"), inference);
    json.line().key("dimensions").list([&] {
      for (const SystemDimension& each : inference.system.dimensions)
        json.value(each.name);
    });
    json.line().key("cells").list(
        inference.system.cells, [&](const SystemCell& cell) { write_cell(json, inference, cell); });
    json.line().key("corrections").list(inference.fit.corrections, [&](const Correction& each) {
      json.object([&] { json.member("cell", each.cell).member("value", each.value); });
    });
    json.line().key("intervals").list([&] {
      for (const InferredCell& cell : inference.cells) {
        write_interval(json, inference, cell.finding, cell, cell.real);
        if (cell.whole)
          write_interval(json, inference, real + cell.finding, cell, *cell.whole);
      }
    });
    json.line().key("problem").raw(problems::write_problem_json(*inference.problem));
    json.line()
        .key("certificate")
        .raw(certificate::write_certificate(*inference.problem, inference.draft, inference.report));
  };
  return base::json_object(write) + "\n";
}

}  // namespace lacuna::inference
