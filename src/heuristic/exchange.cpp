// SPDX-License-Identifier: Apache-2.0
#include "heuristic/exchange.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna {
namespace {

// Needs behind one cell beyond which an exchange is hardly ever possible.
constexpr std::size_t kMostNeeds = 200;

std::vector<std::int32_t> shapes_in_use(const Ledger& ledger, CellId cell) {
  std::vector<std::int32_t> shapes;
  for (const std::int32_t index : ledger.through(cell)) {
    const Shape& shape = ledger.shape(index);
    if (shape.alive && !shape.users.empty())
      shapes.push_back(index);
  }
  return shapes;
}

std::vector<std::int32_t> users_of(const Ledger& ledger, const std::vector<std::int32_t>& shapes) {
  std::vector<std::int32_t> users;
  for (const std::int32_t index : shapes) {
    const auto& more = ledger.shape(index).users;
    users.insert(users.end(), more.begin(), more.end());
  }
  std::sort(users.begin(), users.end());
  return users;
}

// Marks what is given up with the shapes and returns what that would save.
double give_up(const Ledger& ledger, const std::vector<std::int32_t>& shapes, Overlay& overlay) {
  std::unordered_map<std::int32_t, std::int32_t> lost;
  for (const std::int32_t index : shapes) {
    for (const Step& step : ledger.shape(index).steps)
      ++lost[step.cell.value];
  }
  std::vector<CellId> released;
  for (const auto& [value, count] : lost) {
    const CellId cell{value};
    if (count == ledger.uses(cell) && !ledger.board().permanent(cell))
      released.push_back(cell);
  }
  std::sort(released.begin(), released.end());  // sums in a fixed order
  double saved = 0;
  for (const CellId cell : released) {
    overlay.set(cell, Overlay::Mark::kReleased);
    saved += ledger.board().cost(cell);
  }
  return saved;
}

class Planner {
 public:
  Planner(const Ledger& ledger, Lane& lane, Exchange& exchange)
      : ledger_(ledger), lane_(lane), exchange_(exchange) {}

  bool run() {
    lane_.overlay.clear();
    const std::vector<std::int32_t> shapes = shapes_in_use(ledger_, exchange_.cell);
    exchange_.needs = users_of(ledger_, shapes);
    if (exchange_.needs.size() > kMostNeeds)
      return false;
    budget_ = give_up(ledger_, shapes, lane_.overlay);
    lane_.overlay.set(exchange_.cell, Overlay::Mark::kBanned);
    for (const std::int32_t need : exchange_.needs) {
      if (!meet(need))
        return false;
    }
    return spent_ < budget_;
  }

 private:
  bool all_taken(const Steps& steps) const {
    return std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
      return lane_.overlay.place(ledger_.board(), step.cell) == Place::kTaken;
    });
  }

  bool meet(std::int32_t need) {
    for (std::size_t r = exchange_.routes.size(); r-- > 0;) {
      if (ledger_.fits(exchange_.routes[r], ledger_.need(need))) {
        exchange_.shapes.push_back(-1 - static_cast<std::int32_t>(r));
        return true;
      }
    }
    const std::int32_t shape =
        ledger_.serving(need, [&](const Shape& each) { return all_taken(each.steps); });
    if (shape >= 0) {
      exchange_.shapes.push_back(shape);
      return true;
    }
    const Need& what = ledger_.need(need);
    const bool mirrored =
        what.twin >= 0 &&
        std::binary_search(exchange_.needs.begin(), exchange_.needs.end(), what.twin) &&
        what.twin > need;
    if (!lane_.find(what, mirrored, budget_ - spent_, false))
      return false;
    exchange_.shapes.push_back(-1 - static_cast<std::int32_t>(exchange_.routes.size()));
    exchange_.routes.push_back(lane_.router.steps());
    for (const Step& step : exchange_.routes.back()) {
      if (lane_.overlay.place(ledger_.board(), step.cell) == Place::kTaken)
        continue;
      spent_ += ledger_.board().cost(step.cell);
      lane_.overlay.set(step.cell, Overlay::Mark::kTaken);
    }
    return spent_ < budget_;
  }

  const Ledger& ledger_;
  Lane& lane_;
  Exchange& exchange_;
  double budget_ = 0, spent_ = 0;
};

}  // namespace

// Withheld cells at a higher price keep the search nearer to the cell: less good, but quicker.
bool Lane::find(const Need& need, bool mirrored, double budget, bool insist) {
  struct Effort {
    std::int32_t steps;
    double share, room;
  };
  static constexpr Effort kEfforts[] = {
      {250, 1.0 / 16, 1.0 / 32}, {800, 1, 1.0 / 128}, {6000, 4, 0}};
  RouteQuery query{need.cell, need.direction, need.level, need.attacker, budget, mirrored};
  bool try_mirrored = mirrored;
  for (std::size_t e = 0; e < std::size(kEfforts); ++e) {
    router.set_effort(kEfforts[e].steps, kEfforts[e].share, kEfforts[e].room);
    query.mirrored = try_mirrored;
    ++searches;
    RouteOutcome outcome = router.find(query);
    if (outcome != RouteOutcome::kFound && try_mirrored &&
        (outcome == RouteOutcome::kTooDear || e > 0)) {
      try_mirrored = query.mirrored = false;
      ++searches;
      outcome = router.find(query);
    }
    if (outcome == RouteOutcome::kFound)
      return true;
    if (!insist)
      return false;
  }
  return false;
}

void plan_exchange(const Ledger& ledger, Lane& lane, Exchange& exchange) {
  exchange.found = Planner(ledger, lane, exchange).run();
}

bool carry_out(Ledger& ledger, const Exchange& exchange) {
  Board& board = ledger.board();
  if (board.place(exchange.cell) != Place::kTaken)
    return false;
  const std::vector<std::int32_t> users = users_of(ledger, shapes_in_use(ledger, exchange.cell));
  if (users != exchange.needs)
    return false;  // an earlier exchange of the batch came between
  for (const std::int32_t shape : exchange.shapes) {
    if (shape >= 0 && !ledger.shape(shape).alive)
      return false;
  }
  for (const CellId cell : ledger.idle())
    ledger.open(cell);
  std::vector<CellId> taken;
  double spent = 0;
  for (const Steps& steps : exchange.routes) {
    for (const Step& step : steps) {
      if (board.place(step.cell) != Place::kOpen)
        continue;
      taken.push_back(step.cell);
      spent += board.cost(step.cell);
      ledger.take(step.cell);
    }
  }
  std::vector<std::int32_t> before;
  std::vector<std::int32_t> routes;
  for (const Steps& steps : exchange.routes)
    routes.push_back(ledger.add_shape(steps));
  for (std::size_t i = 0; i < users.size(); ++i) {
    before.push_back(ledger.shape_of(users[i]));
    ledger.release(users[i]);
    const std::int32_t shape = exchange.shapes[i];
    ledger.assign(users[i], shape >= 0 ? shape : routes[static_cast<std::size_t>(-1 - shape)]);
  }
  const std::vector<CellId> idle = ledger.idle();
  double saved = 0;
  for (const CellId cell : idle)
    saved += board.cost(cell);
  if (spent < saved || (spent == saved && taken.size() < idle.size())) {
    for (const CellId cell : idle)
      ledger.open(cell);
    return true;
  }
  for (std::size_t i = 0; i < users.size(); ++i) {
    ledger.release(users[i]);
    ledger.assign(users[i], before[i]);
  }
  for (const CellId cell : ledger.idle())
    ledger.open(cell);
  return false;
}

}  // namespace lacuna
