// SPDX-License-Identifier: Apache-2.0
#include "app/job/cellkey_text.h"

#include <fmt/core.h>

namespace lacuna::job {
namespace {

void write_left(base::JsonWriter& json, const LeftVariance& left) {
  json.object([&] {
    json.member("mean", left.mean);
    if (left.by_cell) {
      json.member("min", left.least);
      json.key("quantiles")
          .values(std::array<double, 5>{
              left.least, left.lower_quartile, left.median, left.upper_quartile, left.most});
    }
    if (left.by_cell && left.noise > 0) {
      json.member("variance", left.noise).key("right").object([&] {
        json.member("before", left.right_before).member("mean", left.right_after);
        json.key("quantiles").values(left.right);
      });
    }
  });
}

void write_members(base::JsonWriter& json,
                   const CertainInference& certain,
                   const LeftVariance& left) {
  json.member("by", "cellkey");
  write_left(json.key("left_variance"), left);
  json.key("certain").object([&] {
    json.member("cells", certain.cells).member("small", certain.small);
    json.member("narrowed", certain.narrowed).member("complete", certain.complete);
  });
}

constexpr const char* kNotJudged =
    "not judged: that the keys of the parts add up to the key of the total, which can rule out "
    "more (docs/threats.md)\n";

std::string words(const CertainInference& certain, const LeftVariance& left) {
  // A search that was cut short has not looked at every number that seems to be left.
  std::string text = fmt::format(
      "by cell keys: {}{} cells are certain for a reader who knows the perturbation table ({} "
      "small), {} have a narrower range than that table alone leaves; averaging over the sums "
      "leaves {:.3g} of the variance of the noise",
      certain.complete ? "" : "at least ",
      certain.cells,
      certain.small,
      certain.narrowed,
      left.mean);
  if (left.by_cell)
    text += fmt::format(" on average, {:.3g} to {:.3g}", left.least, left.most);
  if (left.by_cell && left.noise > 0)
    text += fmt::format("; rounding then finds {:.3g}% of the counts, {:.3g}% without it",
                        100 * left.right_after,
                        100 * left.right_before);
  return text + "\n" + kNotJudged;
}

}  // namespace

void write_cell_keys(base::JsonWriter& json, const Problem& problem, const Draft& draft) {
  if (draft.by_keys())
    write_members(json, certain_inference(problem, draft), left_variance(problem.table(), 0));
}

std::string cell_key_text(const Problem& problem, const Draft& draft) {
  if (!draft.by_keys())
    return "";
  return words(certain_inference(problem, draft), left_variance(problem.table(), 0));
}

std::string cell_key_json(const CellKeyResult& found) {
  if (found.certain.ranges.empty())
    return "";  // magnitudes
  return base::json_object([&](base::JsonWriter& json) {
    write_members(json, found.certain, found.left);
    json.member("unchanged", found.unchanged_expected).key("posterior").object([&] {
      json.member("prior", "every count equally likely");
      json.key("table").list(found.posterior, [&](const Posterior& each) {
        json.object([&] {
          json.member("published", each.published);
          json.key("counts").values(each.counts).key("shares").values(each.shares);
        });
      });
    });
  });
}

std::string cell_key_text(const CellKeyResult& found) {
  if (found.certain.ranges.empty())
    return kNotJudged;  // magnitudes
  std::string text = words(found.certain, found.left);
  text += fmt::format(
      "{:.3g}% of the counts are expected to be published as they are; what a published number "
      "says if every count was equally likely before:\n",
      100 * found.unchanged_expected);
  constexpr std::size_t kRowsShown = 8;
  for (std::size_t i = 0; i < found.posterior.size() && i < kRowsShown; ++i) {
    const Posterior& each = found.posterior[i];
    text += fmt::format("  {}:", each.published);
    for (std::size_t k = 0; k < each.counts.size(); ++k)
      text += fmt::format(" {} {:.3g}%{}",
                          each.counts[k],
                          100 * each.shares[k],
                          k + 1 < each.counts.size() ? "," : "");
    text += "\n";
  }
  return found.posterior.size() > kRowsShown ? text + "  ... (more with --json)\n" : text;
}

}  // namespace lacuna::job
