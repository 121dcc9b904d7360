// SPDX-License-Identifier: Apache-2.0
#include "protect/start/exchange.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/base/random.h"
#include "core/base/work.h"
#include "protect/start/giants.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

// Shapes in use through the secondaries that share an equation with the cell, nearest first, as
// long as the needs behind them are not too many.
std::vector<std::int32_t> shapes_around(const Ledger& ledger, CellId cell, std::uint64_t salt) {
  const Table& table = ledger.board().table();
  std::vector<std::int32_t> shapes = shapes_in_use(ledger, cell);
  std::size_t needs = 0;
  for (const std::int32_t index : shapes)
    needs += ledger.shape(index).users.size();
  std::vector<CellId> near;
  for (const Incidence& incidence : table.equations_of(cell)) {
    for (const Term& term : table.equation(incidence.equation)) {
      if (ledger.uses(term.cell) > 0 && !ledger.board().permanent(term.cell))
        near.push_back(term.cell);
    }
  }
  if (near.empty())
    return shapes;
  std::rotate(
      near.begin(), near.begin() + static_cast<std::ptrdiff_t>(salt % near.size()), near.end());
  for (const CellId other : near) {
    for (const std::int32_t index : shapes_in_use(ledger, other)) {
      if (std::find(shapes.begin(), shapes.end(), index) != shapes.end())
        continue;
      needs += ledger.shape(index).users.size();
      if (needs > kTuning.exchange.most_needs_around)
        return shapes;
      shapes.push_back(index);
    }
  }
  return shapes;
}

std::vector<std::int32_t> given_up(const Ledger& ledger, const Exchange& exchange) {
  if (exchange.kind == ExchangeKind::kTogether) {
    std::vector<std::int32_t> shapes = exchange.group;
    std::erase_if(shapes, [&](std::int32_t shape) { return !ledger.shape(shape).alive; });
    return shapes;
  }
  return exchange.kind == ExchangeKind::kAround
             ? shapes_around(ledger, exchange.cell, exchange.salt)
             : shapes_in_use(ledger, exchange.cell);
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
    base::count_work(60 * ledger.shape(index).steps.size());
    for (const RouteStep& step : ledger.shape(index).steps)
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
    if (exchange_.kind == ExchangeKind::kDetour)
      return run_detours();
    const std::vector<std::int32_t> shapes = given_up(ledger_, exchange_);
    exchange_.needs = users_of(ledger_, shapes);
    if (exchange_.needs.size() >
        (exchange_.decisive ? kTuning.exchange.decisive_needs : kTuning.exchange.most_needs))
      return false;
    budget_ = give_up(ledger_, shapes, lane_.overlay);
    if (!is_around())
      lane_.overlay.set(exchange_.cell, Overlay::Mark::kBanned);
    lane_.router.set_salt(exchange_.salt, is_around() ? kTuning.exchange.noise : 0);
    exchange_.shapes.assign(exchange_.needs.size(), -1);
    for (const std::size_t i : order()) {
      if (!meet(i))
        return false;
    }
    return spent_ < budget_;
  }

  // All shapes of the group by one program, each in the place of one that was there.
  bool run_together(const RunContext& run) {
    lane_.overlay.clear();
    exchange_.needs = users_of(ledger_, exchange_.group);
    exchange_.shapes.assign(exchange_.needs.size(), -1);
    budget_ = give_up(ledger_, exchange_.group, lane_.overlay);
    std::vector<JointRoute> asked;
    for (const std::int32_t shape : exchange_.group)
      asked.push_back(joint_route_of(ledger_, ledger_.shape(shape)));
    ++lane_.searches;
    if (!lane_.joint.find(asked, budget_, run))
      return false;
    exchange_.routes = lane_.joint.routes();
    for (std::size_t k = 0; k < asked.size(); ++k) {
      for (const std::int32_t need : ledger_.shape(exchange_.group[k]).users) {
        if (!ledger_.fits(exchange_.routes[k], ledger_.need(need)))
          return false;
        exchange_.shapes[place_of(need)] = -1 - static_cast<std::int32_t>(k);
      }
    }
    return std::all_of(exchange_.routes.begin(), exchange_.routes.end(), [&](const Steps& steps) {
      return pay(steps);
    });
  }

 private:
  bool is_around() const { return exchange_.kind == ExchangeKind::kAround; }

  // Every shape through the cell goes round it, over what is withheld and what costs less than it.
  bool run_detours() {
    const std::vector<std::int32_t> shapes = shapes_in_use(ledger_, exchange_.cell);
    exchange_.needs = users_of(ledger_, shapes);
    if (shapes.size() > kTuning.exchange.most_detours)
      return false;
    budget_ = ledger_.board().cost(exchange_.cell);
    lane_.overlay.set(exchange_.cell, Overlay::Mark::kBanned);
    lane_.router.set_salt(exchange_.salt, 0);
    exchange_.shapes.assign(exchange_.needs.size(), -1);
    return std::all_of(
        shapes.begin(), shapes.end(), [&](std::int32_t shape) { return go_round(shape); });
  }

  // The users of the shape that nothing at hand serves get one that goes round the cell.
  bool go_round(std::int32_t shape) {
    std::vector<std::int32_t> users = ledger_.shape(shape).users;
    std::erase_if(users, [&](std::int32_t need) { return served_by_another(need); });
    if (users.empty())
      return true;
    const Underlay under = underlay_for(ledger_.shape(shape).steps, users);
    const SearchEffort& how =
        exchange_.thorough ? kTuning.exchange.long_detour : kTuning.exchange.detour;
    lane_.router.set_effort(how.steps, how.share, how.room);
    ++lane_.searches;
    const RouteOutcome outcome = lane_.router.find_beside(under, exchange_.cell, budget_ - spent_);
    lane_.router.append_touched(exchange_.touched);
    if (outcome != RouteOutcome::kFound)
      return false;
    const auto route = static_cast<std::int32_t>(exchange_.routes.size());
    exchange_.routes.push_back(lane_.router.steps());
    for (const std::int32_t need : users) {
      if (!ledger_.fits(exchange_.routes.back(), ledger_.need(need)))
        return false;
      exchange_.shapes[place_of(need)] = -1 - route;
    }
    return pay(exchange_.routes.back());
  }

  std::size_t place_of(std::int32_t need) const {
    return static_cast<std::size_t>(
        std::lower_bound(exchange_.needs.begin(), exchange_.needs.end(), need) -
        exchange_.needs.begin());
  }

  bool served_by_another(std::int32_t need) {
    for (std::size_t r = exchange_.routes.size(); r-- > 0;) {
      if (ledger_.fits(exchange_.routes[r], ledger_.need(need))) {
        exchange_.shapes[place_of(need)] = -1 - static_cast<std::int32_t>(r);
        return true;
      }
    }
    const std::int32_t shape = ledger_.serving(need, [&](const Shape& each) {
      return move_of(each.steps, exchange_.cell) == 0 && all_taken(each.steps);
    });
    if (shape >= 0)
      exchange_.shapes[place_of(need)] = shape;
    return shape >= 0;
  }

  Underlay underlay_for(const Steps& steps, const std::vector<std::int32_t>& users) const {
    Underlay under{&steps, {}, {}};
    for (const std::int32_t user : users) {
      const Need& need = ledger_.need(user);
      const Units own = move_of(steps, need.cell);
      const Underlay::Use use{need.attacker,
                              (own > 0 ? 1 : -1) * sign(need.direction),
                              own > 0 ? own : -own,
                              need.level};
      under.fixed.push_back(need.cell);
      const auto same = std::find_if(under.uses.begin(), under.uses.end(), [&](const auto& each) {
        return each.attacker == use.attacker && each.turn == use.turn;
      });
      if (same == under.uses.end())
        under.uses.push_back(use);
      else if (Wide{use.level} * same->own > Wide{same->level} * use.own)
        *same = use;
    }
    std::sort(under.fixed.begin(), under.fixed.end());
    return under;
  }

  bool pay(const Steps& steps) {
    for (const RouteStep& step : steps) {
      if (lane_.overlay.place(ledger_.board(), step.cell) == Place::kTaken)
        continue;
      spent_ += ledger_.board().cost(step.cell);
      lane_.overlay.set(step.cell, Overlay::Mark::kTaken);
    }
    return spent_ < budget_;
  }

  bool all_taken(const Steps& steps) const {
    return std::all_of(steps.begin(), steps.end(), [&](const RouteStep& step) {
      return lane_.overlay.place(ledger_.board(), step.cell) == Place::kTaken;
    });
  }

  // By falling level, or in some order that the salt decides.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> places(exchange_.needs.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (is_around()) {
      base::Random random(exchange_.salt);
      for (std::size_t i = places.size(); i > 1; --i) {
        const auto other = random.between(0, static_cast<std::int64_t>(i) - 1);
        std::swap(places[i - 1], places[static_cast<std::size_t>(other)]);
      }
    }
    return places;
  }

  bool meet(std::size_t place) {
    const std::int32_t need = exchange_.needs[place];
    for (std::size_t r = exchange_.routes.size(); r-- > 0;) {
      if (ledger_.fits(exchange_.routes[r], ledger_.need(need))) {
        exchange_.shapes[place] = -1 - static_cast<std::int32_t>(r);
        return true;
      }
    }
    const std::int32_t shape =
        ledger_.serving(need, [&](const Shape& each) { return all_taken(each.steps); });
    if (shape >= 0) {
      exchange_.shapes[place] = shape;
      return true;
    }
    const Need& what = ledger_.need(need);
    const bool mirrored =
        what.twin >= 0 &&
        std::binary_search(exchange_.needs.begin(), exchange_.needs.end(), what.twin) &&
        (is_around() || what.twin > need);
    const double left = budget_ - spent_;
    const bool found = find(what, mirrored, left);
    lane_.router.append_touched(exchange_.touched);
    if (!found)
      return false;
    exchange_.shapes[place] = -1 - static_cast<std::int32_t>(exchange_.routes.size());
    exchange_.routes.push_back(lane_.router.steps());
    return pay(exchange_.routes.back());
  }

  bool find(const Need& what, bool mirrored, double left) {
    bool found = lane_.find(what, mirrored, left, Lane::kBriefly) ||
                 (exchange_.thorough && lane_.find(what, mirrored, left, Lane::kThorough));
    for (std::size_t effort = Lane::kAlone; exchange_.decisive && !found && effort < Lane::kLast;
         ++effort)
      found = lane_.find(what, mirrored, left, effort);
    return found;
  }

  const Ledger& ledger_;
  Lane& lane_;
  Exchange& exchange_;
  double budget_ = 0, spent_ = 0;
};

}  // namespace

// Withheld cells at a higher price keep the search nearer to the cell: less good, but quicker. And
// where small cells cannot carry a level, those that can alone are few.
bool Lane::find(const Need& need, bool mirrored, double budget, std::size_t effort) {
  const SearchEffort& how = kTuning.exchange.efforts[effort];
  router.set_effort(how.steps, how.share, how.room);
  RouteQuery query{need.cell, need.direction, need.level, need.attacker, budget, mirrored};
  ++searches;
  const RouteOutcome outcome = router.find(query);
  if (outcome == RouteOutcome::kFound)
    return true;
  // What is lost in one direction is mostly lost in the other, too.
  if (!mirrored || (effort == kBriefly && outcome == RouteOutcome::kGivenUp))
    return false;
  query.mirrored = false;
  ++searches;
  return router.find(query) == RouteOutcome::kFound;
}

void plan_exchange(const Ledger& ledger, Lane& lane, Exchange& exchange) {
  exchange.found = Planner(ledger, lane, exchange).run();
}

void plan_together(const Ledger& ledger, Lane& lane, Exchange& exchange, const RunContext& run) {
  exchange.found = Planner(ledger, lane, exchange).run_together(run);
}

bool carry_out(Ledger& ledger, const Exchange& exchange) {
  Board& board = ledger.board();
  if (board.place(exchange.cell) != Place::kTaken)
    return false;
  const std::vector<std::int32_t> users = users_of(ledger, given_up(ledger, exchange));
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
    for (const RouteStep& step : steps) {
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

}  // namespace lacuna::start
