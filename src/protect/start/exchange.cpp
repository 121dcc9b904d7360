// SPDX-License-Identifier: Apache-2.0
#include "protect/start/exchange.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "core/base/random.h"
#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

// In use through the cell, ascending.
std::vector<std::int32_t> shared_routes_in_use(const RouteAssignment& assignment, CellId cell) {
  std::vector<std::int32_t> shared_routes;
  for (const std::int32_t index : assignment.through(cell)) {
    const SharedRoute& shared_route = assignment.shared_route(index);
    if (shared_route.alive && !shared_route.users.empty())
      shared_routes.push_back(index);
  }
  std::sort(shared_routes.begin(), shared_routes.end());
  return shared_routes;
}

// Shared routes in use through the secondaries that share an equation with the cell, nearest first,
// as long as the goals behind them are not too many.
std::vector<std::int32_t> shared_routes_around(const RouteAssignment& assignment,
                                               CellId cell,
                                               std::uint64_t salt) {
  const Table& table = assignment.pattern_state().table();
  std::vector<std::int32_t> shared_routes = shared_routes_in_use(assignment, cell);
  std::unordered_set<std::int32_t> bundles;
  const auto add_bundles = [&](std::int32_t index) {
    for (const std::int32_t user : assignment.shared_route(index).users)
      bundles.insert(assignment.goal(user).bundle);
  };
  std::for_each(shared_routes.begin(), shared_routes.end(), add_bundles);
  std::vector<CellId> near;
  for (const Incidence& incidence : table.equations_of(cell)) {
    for (const Term& term : table.equation(incidence.equation)) {
      if (assignment.uses(term.cell) > 0 && !assignment.pattern_state().permanent(term.cell))
        near.push_back(term.cell);
    }
  }
  if (near.empty())
    return shared_routes;
  std::rotate(
      near.begin(), near.begin() + static_cast<std::ptrdiff_t>(salt % near.size()), near.end());
  for (const CellId other : near) {
    for (const std::int32_t index : shared_routes_in_use(assignment, other)) {
      if (std::find(shared_routes.begin(), shared_routes.end(), index) != shared_routes.end())
        continue;
      add_bundles(index);
      if (bundles.size() > kTuning.exchange.most_needs_around)
        return shared_routes;
      shared_routes.push_back(index);
    }
  }
  return shared_routes;
}

std::vector<std::int32_t> given_up(const RouteAssignment& assignment, const Exchange& exchange) {
  return exchange.kind == ExchangeKind::kAround
             ? shared_routes_around(assignment, exchange.cell, exchange.salt)
             : shared_routes_in_use(assignment, exchange.cell);
}

std::vector<std::int32_t> users_of(const RouteAssignment& assignment,
                                   const std::vector<std::int32_t>& shared_routes) {
  std::vector<std::int32_t> users;
  for (const std::int32_t index : shared_routes) {
    const auto& more = assignment.shared_route(index).users;
    users.insert(users.end(), more.begin(), more.end());
  }
  std::sort(users.begin(), users.end());
  return users;
}

// Marks what is given up with the shared routes and returns what that would save.
double give_up(const RouteAssignment& assignment,
               const std::vector<std::int32_t>& shared_routes,
               Overlay& overlay) {
  std::unordered_map<std::int32_t, std::int32_t> lost;
  for (const std::int32_t index : shared_routes) {
    base::count_work(60 * assignment.shared_route(index).steps.size());
    for (const RouteStep& step : assignment.shared_route(index).steps)
      ++lost[step.cell.value];
  }
  std::vector<CellId> published_again;
  for (const auto& [value, count] : lost) {
    const CellId cell{value};
    if (count == assignment.uses(cell) && !assignment.pattern_state().permanent(cell))
      published_again.push_back(cell);
  }
  std::sort(published_again.begin(), published_again.end());  // sums in a fixed order
  double saved = 0;
  for (const CellId cell : published_again) {
    overlay.set(cell, Overlay::Mark::kPaidAgain);
    saved += assignment.pattern_state().cost(cell);
  }
  return saved;
}

class Planner {
 public:
  Planner(const RouteAssignment& assignment, Lane& lane, Exchange& exchange)
      : assignment_(assignment), lane_(lane), exchange_(exchange) {}

  bool run() {
    lane_.overlay.clear();
    if (exchange_.kind == ExchangeKind::kDetour)
      return run_detours();
    const std::vector<std::int32_t> shared_routes = given_up(assignment_, exchange_);
    exchange_.goals = users_of(assignment_, shared_routes);
    list_bundles();
    if (bundles_.size() >
        (exchange_.decisive ? kTuning.exchange.decisive_needs : kTuning.exchange.most_needs))
      return false;
    budget_ = give_up(assignment_, shared_routes, lane_.overlay);
    if (!is_around())
      lane_.overlay.set(exchange_.cell, Overlay::Mark::kBanned);
    lane_.router.set_salt(exchange_.salt, is_around() ? kTuning.exchange.noise : 0);
    exchange_.served_by.assign(exchange_.goals.size(), {});
    for (const std::size_t i : order()) {
      if (!meet(bundles_[i]))
        return false;
    }
    return spent_ < budget_;
  }

 private:
  // Goals of one cell, direction and level, whoever asks, are met together.
  void list_bundles() {
    std::unordered_map<std::int32_t, std::size_t> places;
    for (std::size_t i = 0; i < exchange_.goals.size(); ++i) {
      const std::int32_t bundle = assignment_.goal(exchange_.goals[i]).bundle;
      const auto [place, fresh] = places.emplace(bundle, bundles_.size());
      if (fresh)
        bundles_.emplace_back();
      bundles_[place->second].push_back(i);
    }
  }

  bool is_around() const { return exchange_.kind == ExchangeKind::kAround; }

  // Every shared route through the cell takes a detour around it, over what is withheld and what
  // costs less than it.
  bool run_detours() {
    const std::vector<std::int32_t> shared_routes =
        shared_routes_in_use(assignment_, exchange_.cell);
    exchange_.goals = users_of(assignment_, shared_routes);
    if (shared_routes.size() > kTuning.exchange.most_detours)
      return false;
    budget_ = assignment_.pattern_state().cost(exchange_.cell);
    lane_.overlay.set(exchange_.cell, Overlay::Mark::kBanned);
    lane_.router.set_salt(exchange_.salt, 0);
    exchange_.served_by.assign(exchange_.goals.size(), {});
    return std::all_of(shared_routes.begin(), shared_routes.end(), [&](std::int32_t shared_route) {
      return take_detour(shared_route);
    });
  }

  // The users of the shared route that nothing else serves get one with a detour around the cell.
  bool take_detour(std::int32_t shared_route) {
    std::vector<std::int32_t> users = assignment_.shared_route(shared_route).users;
    std::erase_if(users, [&](std::int32_t goal) { return served_by_another(goal); });
    if (users.empty())
      return true;
    const Underlay under = underlay_for(assignment_.shared_route(shared_route).steps, users);
    const SearchLimits& limits =
        exchange_.thorough ? kTuning.exchange.long_detour : kTuning.exchange.detour;
    lane_.router.set_effort(limits.steps, limits.share, limits.slack);
    ++lane_.searches;
    const RouteOutcome outcome = lane_.router.find_detour(under, exchange_.cell, budget_ - spent_);
    lane_.router.append_touched(exchange_.touched);
    if (outcome != RouteOutcome::kFound)
      return false;
    const auto route = static_cast<std::int32_t>(exchange_.routes.size());
    exchange_.routes.push_back(lane_.router.steps());
    for (const std::int32_t goal : users) {
      if (!assignment_.fits(exchange_.routes.back(), assignment_.goal(goal)))
        return false;
      exchange_.served_by[place_of(goal)].route = route;
    }
    return pay(exchange_.routes.back());
  }

  std::size_t place_of(std::int32_t goal) const {
    return static_cast<std::size_t>(
        std::lower_bound(exchange_.goals.begin(), exchange_.goals.end(), goal) -
        exchange_.goals.begin());
  }

  bool served_by_another(std::int32_t goal) {
    for (std::size_t r = exchange_.routes.size(); r-- > 0;) {
      if (assignment_.fits(exchange_.routes[r], assignment_.goal(goal))) {
        exchange_.served_by[place_of(goal)].route = static_cast<std::int32_t>(r);
        return true;
      }
    }
    const std::int32_t shared_route = assignment_.serving(goal, [&](const SharedRoute& each) {
      return move_of(each.steps, exchange_.cell) == 0 && all_taken(each.steps);
    });
    if (shared_route >= 0)
      exchange_.served_by[place_of(goal)].shared_route = shared_route;
    return shared_route >= 0;
  }

  Underlay underlay_for(const Route& steps, const std::vector<std::int32_t>& users) const {
    Underlay under{&steps, {}, {}};
    for (const std::int32_t user : users) {
      const RouteGoal& goal = assignment_.goal(user);
      const Units own = move_of(steps, goal.cell);
      const Underlay::Use use{goal.joint < 0 ? goal.attacker : goal.joint,
                              (own > 0 ? 1 : -1) * sign(goal.direction),
                              own > 0 ? own : -own,
                              goal.level};
      under.fixed.push_back(goal.cell);
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

  bool pay(const Route& steps) {
    for (const RouteStep& step : steps) {
      if (lane_.overlay.place(assignment_.pattern_state(), step.cell) == CellRole::kWithheld)
        continue;
      spent_ += assignment_.pattern_state().cost(step.cell);
      lane_.overlay.set(step.cell, Overlay::Mark::kWithheld);
    }
    return spent_ < budget_;
  }

  bool all_taken(const Route& steps) const {
    return std::all_of(steps.begin(), steps.end(), [&](const RouteStep& step) {
      return lane_.overlay.place(assignment_.pattern_state(), step.cell) == CellRole::kWithheld;
    });
  }

  // By falling level, or in some order that the salt decides.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> places(bundles_.size());
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

  // `open`: places of goals, which are taken away as they are met.
  bool meet(std::vector<std::size_t> open) {
    for (std::size_t r = exchange_.routes.size(); r-- > 0 && !open.empty();)
      serve_by_route(static_cast<std::int32_t>(r), open);
    while (!open.empty()) {
      if (!serve_by_shared_route(open) && !serve_by_search(open))
        return false;
    }
    return true;
  }

  void serve_by_route(std::int32_t route, std::vector<std::size_t>& open) {
    const Route& steps = exchange_.routes[static_cast<std::size_t>(route)];
    base::count_work(open.size() > 1 ? 30 * steps.size() * open.size() : 0);
    std::erase_if(open, [&](std::size_t place) {
      const bool fits = assignment_.fits(steps, assignment_.goal(exchange_.goals[place]));
      if (fits)
        exchange_.served_by[place].route = route;
      return fits;
    });
  }

  bool serve_by_shared_route(std::vector<std::size_t>& open) {
    const std::int32_t shared_route =
        assignment_.serving(exchange_.goals[open.front()],
                            [&](const SharedRoute& each) { return all_taken(each.steps); });
    if (shared_route < 0)
      return false;
    const Route& steps = assignment_.shared_route(shared_route).steps;
    base::count_work(open.size() > 1 ? 30 * steps.size() * open.size() : 0);
    std::erase_if(open, [&](std::size_t place) {
      const bool fits = assignment_.fits(steps, assignment_.goal(exchange_.goals[place]));
      if (fits)
        exchange_.served_by[place].shared_route = shared_route;
      return fits;
    });
    return true;
  }

  bool serve_by_search(std::vector<std::size_t>& open) {
    const std::int32_t goal = exchange_.goals[open.front()];
    const RouteGoal& what = assignment_.goal(goal);
    const bool mirrored =
        what.twin >= 0 &&
        std::binary_search(exchange_.goals.begin(), exchange_.goals.end(), what.twin) &&
        (is_around() || what.twin > goal);
    const double left = budget_ - spent_;
    const bool found = find(what, mirrored, left);
    lane_.router.append_touched(exchange_.touched);
    if (!found)
      return false;
    exchange_.routes.push_back(lane_.router.steps());
    serve_by_route(static_cast<std::int32_t>(exchange_.routes.size()) - 1, open);
    const bool served = open.empty() || exchange_.goals[open.front()] != goal;
    return served && pay(exchange_.routes.back());
  }

  bool find(const RouteGoal& what, bool mirrored, double left) {
    const auto find_by = [&](SearchKind kind) { return lane_.find(what, mirrored, left, kind); };
    if (find_by(SearchKind::kBrief) || (exchange_.thorough && find_by(SearchKind::kThirds)))
      return true;
    const auto longer = search_kinds(SearchKind::kAlone, SearchKind::kSixteenTimes);
    return exchange_.decisive && std::any_of(longer.begin(), longer.end(), find_by);
  }

  const RouteAssignment& assignment_;
  Lane& lane_;
  Exchange& exchange_;
  std::vector<std::vector<std::size_t>> bundles_;  // places of goals
  double budget_ = 0, spent_ = 0;
};

}  // namespace

void plan_exchange(const RouteAssignment& assignment, Lane& lane, Exchange& exchange) {
  exchange.found = Planner(assignment, lane, exchange).run();
}

bool carry_out(RouteAssignment& assignment, const Exchange& exchange) {
  PatternState& pattern_state = assignment.pattern_state();
  if (pattern_state.place(exchange.cell) != CellRole::kWithheld)
    return false;
  const std::vector<std::int32_t> users = users_of(assignment, given_up(assignment, exchange));
  if (users != exchange.goals)
    return false;  // an earlier exchange of the batch came between
  for (const ServedBy& by : exchange.served_by) {
    if (by.shared_route >= 0 && !assignment.shared_route(by.shared_route).alive)
      return false;
  }
  for (const CellId cell : assignment.idle())
    assignment.publish(cell);
  std::vector<CellId> taken;
  double spent = 0;
  for (const Route& steps : exchange.routes) {
    for (const RouteStep& step : steps) {
      if (pattern_state.place(step.cell) != CellRole::kPublished)
        continue;
      taken.push_back(step.cell);
      spent += pattern_state.cost(step.cell);
      assignment.withhold(step.cell);
    }
  }
  std::vector<std::int32_t> before;
  std::vector<std::int32_t> routes;
  for (const Route& steps : exchange.routes)
    routes.push_back(assignment.add_shared_route(steps));
  for (const std::int32_t user : users)
    before.push_back(assignment.shared_route_of(user));
  assignment.unassign_all(users);
  for (std::size_t i = 0; i < users.size(); ++i) {
    const ServedBy& by = exchange.served_by[i];
    assignment.assign(
        users[i],
        by.shared_route >= 0 ? by.shared_route : routes[static_cast<std::size_t>(by.route)]);
  }
  const std::vector<CellId> idle = assignment.idle();
  double saved = 0;
  for (const CellId cell : idle)
    saved += pattern_state.cost(cell);
  if (spent < saved || (spent == saved && taken.size() < idle.size())) {
    for (const CellId cell : idle)
      assignment.publish(cell);
    return true;
  }
  assignment.unassign_all(users);
  for (std::size_t i = 0; i < users.size(); ++i)
    assignment.assign(users[i], before[i]);
  for (const CellId cell : assignment.idle())
    assignment.publish(cell);
  return false;
}

}  // namespace lacuna::start
