# SPDX-License-Identifier: Apache-2.0
"""For lacuna_proven_test.py: the least weight of a safe pattern by trying all, of tables of two dimensions, whose
attackers solve largest flows; and what somebody may do to the log of a bound."""
import itertools


def orientation(equations):
    """A sign for each equation such that every cell leaves one and enters another."""
    through = {}
    for number, item in enumerate(equations):
        for cell, factor in zip(item["cells"], item["coefficients"]):
            through.setdefault(cell, []).append((number, factor))
    signs, left = {0: 1}, [0]
    while left:
        equation = left.pop()
        for pairs in through.values():
            own = [factor for number, factor in pairs if number == equation]
            for number, factor in pairs if own else ():
                if number != equation and number not in signs:
                    signs[number] = -signs[equation] * own[0] * factor
                    left.append(number)
    arcs = {}
    for cell, pairs in through.items():
        ends = {signs[number] * factor: number for number, factor in pairs}
        assert len(pairs) == 2 and len(ends) == 2
        arcs[cell] = (ends[-1], ends[1])
    return arcs


def largest_flow(arcs, rooms, hidden, cell, sign):
    """How far the cell can move by `sign` while only the hidden ones move."""
    start, end = arcs[cell] if sign < 0 else arcs[cell][::-1]
    moves, most, flow = dict.fromkeys(hidden, 0), rooms[cell][sign > 0], 0
    # The cell carries a unit from one end to the other; the others carry it back.
    while flow < most:
        reached, queue = {start: None}, [start]
        while queue and end not in reached:
            node = queue.pop(0)
            for other in hidden:
                if other == cell:
                    continue
                tail, head = arcs[other]
                low, high = rooms[other]
                for before, after, step, room in ((tail, head, 1, high - moves[other]), (head, tail, -1, low + moves[other])):
                    if before == node and room > 0 and after not in reached:
                        reached[after] = (node, other, step, room)
                        queue.append(after)
        if end not in reached:
            break
        way, node = [], end
        while reached[node] is not None:
            way.append(reached[node][1:])
            node = reached[node][0]
        amount = min([most - flow, *(room for _, _, room in way)])
        for other, step, _ in way:
            moves[other] += step * amount
        flow += amount
    return flow


def least_weight(problem):
    """Of all safe patterns, with the weights of the table; None where none is safe. One attacker, who knows nothing."""
    cells, arcs = problem["cells"], orientation(problem["equations"])
    endless = 10**18
    rooms = []
    for cell in cells:
        low, high = cell.get("lower"), cell.get("upper")
        rooms.append((endless if low is None else cell["value"] - low, endless if high is None else high - cell["value"]))
    needs = [(item["cell"], item.get("lower", 0), item.get("upper", 0), item.get("sliding", 0))
             for item in problem["requirements"]]
    needs = [(c, low, high, sliding if low or high or sliding else 1) for c, low, high, sliding in needs]
    status = [cell.get("status", "free") for cell in cells]
    always = {i for i, word in enumerate(status) if word in ("primary", "withheld")} | {need[0] for need in needs}
    undecided = [i for i, word in enumerate(status) if word == "free" and i not in always]

    def safe(hidden):
        for cell, low, high, sliding in needs:
            down, up = (largest_flow(arcs, rooms, hidden, cell, sign) for sign in (-1, 1))
            if down < low or up < high or down + up < sliding:
                return False
        return True
    patterns = sorted((sum(cells[i].get("weight", 1) for i in some), some)
                      for size in range(len(undecided) + 1) for some in itertools.combinations(undecided, size))
    base = sum(cells[i].get("weight", 1) for i in always)
    return next((base + weight for weight, some in patterns if safe(sorted(always | set(some)))), None)


# ---- what somebody may do; each returns False where there is nothing to touch


def steps_with(log, name):
    return [step for step in log["steps"] if name in step]


def changed(rng, numbers):
    if not numbers:
        return False
    numbers[rng.randrange(len(numbers))] += rng.choice([-3, -1, 1, 2])
    return True


def more_is_claimed(rng, log):
    log["at_least"] += rng.choice([1, 1, 2, 1000])
    return True


def other_weight(rng, log):
    return changed(rng, log["values"])


def other_unit(rng, log):
    log["unit"][rng.randrange(2)] += rng.choice([1, 2])
    return log["values"] != [] and any(log["values"]) and log["unit"][0] != log["unit"][1]


def other_tie(rng, log):
    return bool(log["ties"]) and changed(rng, rng.choice(log["ties"])["values"])


def tied_to_another(rng, log):
    if not log["ties"] or len(log["cells"]) < 3:
        return False
    tie = rng.choice(log["ties"])
    tie["with"] = rng.choice([cell for cell in log["cells"] if cell not in (tie["cell"], tie["with"])])
    return True


def other_proof(rng, log):
    steps = steps_with(log, "requirement")
    if not steps:
        return False
    step = rng.choice(steps)
    return changed(rng, step[rng.choice([name for name in ("high", "low") if name in step])]["values"])


def other_denominator(rng, log):
    steps = steps_with(log, "requirement")
    if not steps:
        return False
    step = rng.choice(steps)
    step[rng.choice([name for name in ("high", "low") if name in step])]["denominator"] += rng.choice([1, 2, 7])
    return True


def other_requirement(rng, log):
    steps = steps_with(log, "requirement")
    if not steps:
        return False
    rng.choice(steps)["requirement"] += rng.choice([-1, 1])
    return True


def other_bridge(rng, log):
    steps = [step for step in steps_with(log, "cell")]
    return bool(steps) and changed(rng, rng.choice(steps)["values"])


def nodes_of(log, *names):
    return [node for step in steps_with(log, "nodes") for node in step["nodes"] if all(name in node for name in names)]


def other_times(rng, log):
    nodes = [node for node in nodes_of(log, "times") if node["times"]]
    if not nodes:
        return False
    times = rng.choice(nodes)["times"]
    times[rng.randrange(len(times))] //= 2
    return True


def negative_times(rng, log):
    nodes = [node for node in nodes_of(log, "times") if node["times"]]
    if not nodes:
        return False
    rng.choice(nodes)["times"][0] = -1
    return True


def other_node_weight(rng, log):
    nodes = nodes_of(log, "weight")
    if not nodes:
        return False
    rng.choice(nodes)["weight"] *= 2
    return True


def other_step_of_node(rng, log):
    nodes = [node for node in nodes_of(log, "steps") if node["steps"]]
    if not nodes:
        return False
    steps = rng.choice(nodes)["steps"]
    place = rng.randrange(len(steps))
    steps[place] = (steps[place] + 1) % max(1, len(log["steps"]) - 1)
    return True


def tree_claims_more(rng, log):
    trees = steps_with(log, "nodes")
    if not trees:
        return False
    rng.choice(trees)["at_least"] += 1
    return True


def dropped_node(rng, log):
    trees = [step for step in steps_with(log, "nodes") if step["nodes"]]
    if not trees:
        return False
    nodes = rng.choice(trees)["nodes"]
    del nodes[rng.randrange(len(nodes))]
    return True


def other_case(rng, log):
    nodes = nodes_of(log, "case")
    if not nodes:
        return False
    rng.choice(nodes)["case"] = rng.choice(log["cells"])
    return True


def dropped_step(rng, log):
    if not log["steps"]:
        return False
    del log["steps"][rng.randrange(len(log["steps"]))]
    return True


def other_divisor(rng, log):
    steps = steps_with(log, "divisor")
    if not steps:
        return False
    step = rng.choice(steps)
    step["divisor"] += rng.choice([-1, 1, 3])
    return True


def other_cap(rng, log):
    steps = [step for step in steps_with(log, "by") if step["by"]]
    return bool(steps) and changed(rng, rng.choice(steps)["by"])


# ---- of intervals and of adjusted tables


def proofs_of(log):
    return [need[name] for need in log.get("intervals", {}).get("needs", []) for name in ("high", "low") if name in need]


def leaves_of(log):
    return [node for tree in log.get("tables", {}).get("trees", []) for node in tree["nodes"] if "values" in node]


def other_multiplier(rng, log):
    items = [item for item in proofs_of(log) + leaves_of(log) if item["values"]]
    if not items:
        return False
    values = rng.choice(items)["values"]
    place = rng.randrange(len(values))
    values[place] += rng.choice([-1, 1]) * max(1, abs(values[place]) // rng.choice([1, 2, 1000]))
    return True


def need_taken_more_often(rng, log):
    proofs = proofs_of(log)
    if not proofs:
        return False
    rng.choice(proofs)["denominator"] *= 2
    return True


def need_of_another(rng, log):
    needs = log.get("intervals", {}).get("needs")
    if not needs:
        return False
    rng.choice(needs)["requirement"] += rng.choice([-1, 1])
    return True


def other_weight_of_all(rng, log):
    items = [log["intervals"]] if "intervals" in log else leaves_of(log)
    if not items:
        return False
    item = rng.choice(items)
    item["weight"] = rng.choice([0, item["weight"] // 2, item["weight"] * 2])
    return True


def dropped_need_or_node(rng, log):
    lists = [log["intervals"]["needs"]] if "intervals" in log else [tree["nodes"] for tree in log["tables"]["trees"]]
    lists = [list_ for list_ in lists if list_]
    if not lists:
        return False
    list_ = rng.choice(lists)
    del list_[rng.randrange(len(list_))]
    return True


def cell_of_two_trees(rng, log):
    trees = [tree for tree in log.get("tables", {}).get("trees", []) if tree["cells"]]
    if not trees:
        return False
    tree = rng.choice(trees)
    tree["cells"].append(rng.choice(tree["cells"]))
    return True


def sides_exchanged(rng, log):
    trees = [tree for tree in log.get("tables", {}).get("trees", []) if len(tree["nodes"]) > 2]
    if not trees:
        return False
    nodes = rng.choice(trees)["nodes"]
    place = rng.randrange(1, len(nodes) - 1)
    nodes[place], nodes[place + 1] = nodes[place + 1], nodes[place]
    return True


def other_norm(rng, log):
    if "tables" not in log:
        return False
    log["tables"]["norm"] = 3 - log["tables"]["norm"]
    return True


REFUSED, EITHER = True, False
TOUCHES = {more_is_claimed: REFUSED, other_weight: REFUSED, other_unit: REFUSED, negative_times: REFUSED,
           tree_claims_more: EITHER, dropped_node: EITHER, other_tie: EITHER, tied_to_another: EITHER, other_proof: EITHER,
           other_denominator: EITHER, other_requirement: EITHER, other_bridge: EITHER, other_times: EITHER,
           other_node_weight: EITHER, other_step_of_node: EITHER, other_case: EITHER, dropped_step: EITHER,
           other_divisor: EITHER, other_cap: EITHER}
DUAL_TOUCHES = {more_is_claimed: EITHER, other_weight: REFUSED, other_unit: REFUSED, other_multiplier: EITHER,
                need_taken_more_often: EITHER, need_of_another: EITHER, other_weight_of_all: EITHER,
                dropped_need_or_node: EITHER, cell_of_two_trees: EITHER, sides_exchanged: EITHER, other_norm: EITHER}
