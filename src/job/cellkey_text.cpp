// SPDX-License-Identifier: Apache-2.0
#include "job/cellkey_text.h"

#include <fmt/core.h>

#include "base/decimal.h"

namespace lacuna::inline job {
namespace {

template <class Numbers>
std::string numbers_json(const Numbers& numbers) {
  std::string list;
  for (const auto number : numbers) {
    list += list.empty() ? "" : ",";
    if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(number)>>)
      list += format_double(number);
    else
      list += std::to_string(number);
  }
  return "[" + list + "]";
}

std::string left_json(const LeftVariance& left) {
  std::string out = "{\"mean\":" + format_double(left.mean);
  if (left.by_cell) {
    out += ",\"min\":" + format_double(left.least) + ",\"quantiles\":" +
           numbers_json(std::array<double, 5>{
               left.least, left.lower_quartile, left.median, left.upper_quartile, left.most});
  }
  if (left.by_cell && left.noise > 0) {
    out += ",\"variance\":" + format_double(left.noise) +
           ",\"right\":{\"before\":" + format_double(left.right_before) +
           ",\"mean\":" + format_double(left.right_after) +
           ",\"quantiles\":" + numbers_json(left.right) + "}";
  }
  return out + "}";
}

std::string certain_json(const CertainInference& certain) {
  return fmt::format("{{\"cells\":{},\"small\":{},\"narrowed\":{},\"complete\":{}}}",
                     certain.cells,
                     certain.small,
                     certain.narrowed,
                     certain.complete);
}

std::string members(const CertainInference& certain, const LeftVariance& left) {
  return ",\"by\":\"cellkey\",\"left_variance\":" + left_json(left) +
         ",\"certain\":" + certain_json(certain);
}

constexpr const char* kNotJudged =
    "not judged: that the keys of the parts add up to the key of the total, which can rule out "
    "more (docs/threats.md)\n";

std::string words(const CertainInference& certain, const LeftVariance& left) {
  // A search that was cut short has not looked at every number that seems to be left.
  std::string text = fmt::format(
      "by cell keys: {}{} cells are certain to who knows the table of perturbations ({} "
      "small), {} narrower than it leaves them; averaging over the sums leaves {:.3g} "
      "of the variance of the noise",
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

std::string cell_key_json(const Problem& problem, const Draft& draft) {
  if (!draft.by_keys())
    return "";
  return members(certain_inference(problem, draft), left_variance(problem.table(), 0));
}

std::string cell_key_text(const Problem& problem, const Draft& draft) {
  if (!draft.by_keys())
    return "";
  return words(certain_inference(problem, draft), left_variance(problem.table(), 0));
}

std::string cell_key_json(const CellKeyResult& found) {
  if (found.certain.ranges.empty())
    return "";  // magnitudes
  std::string rows;
  for (const Posterior& each : found.posterior)
    rows += fmt::format("{}{{\"published\":{},\"counts\":{},\"shares\":{}}}",
                        rows.empty() ? "" : ",",
                        each.published,
                        numbers_json(each.counts),
                        numbers_json(each.shares));
  return members(found.certain, found.left) +
         ",\"unchanged\":" + format_double(found.unchanged_expected) +
         ",\"posterior\":{\"prior\":\"every count equally likely\",\"table\":[" + rows + "]}";
}

std::string cell_key_text(const CellKeyResult& found) {
  if (found.certain.ranges.empty())
    return kNotJudged;  // magnitudes
  std::string text = words(found.certain, found.left);
  text += fmt::format(
      "{:.3g}% of the counts are expected to be published as they are; what a "
      "published number says, every count being equally likely before:\n",
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

}  // namespace lacuna::inline job
