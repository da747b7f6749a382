"""Hidden tests: continuous batching."""

import pytest

from grader.testing import assert_close, check, points, sample

V = 11


def setting(rng, slots, budget, eos=0):
    return {"slots": slots, "budget": budget, "vocabulary": V, "eos": eos, "seed": rng.integer(0, 10**6)}


def request(rng, longest=12, limit=9):
    """A prompt of 1 to `longest` tokens, and how many tokens are asked for."""
    return rng.randint(0, V, (rng.integer(1, longest + 1),)).tolist(), rng.integer(1, limit + 1)


def alone(given, s, prompt, limit):
    """The new tokens of a request that has a model of its own."""
    model = given.ToyModel(1, s["vocabulary"], s["seed"])
    piece, new = list(prompt), []
    while len(new) < limit and (not new or new[-1] != s["eos"]):
        new.append(int(model([0], [piece])[0].argmax()))
        piece = new[-1:]
    return new


def schedule(given, s, arrivals, steps):
    """The statement, in numbers of tokens: for each step the events, and how many tokens each request feeds."""
    queue, running, events, fed, count = [], [], [], [], 0
    for t in range(steps):
        for prompt, limit in arrivals[t] if t < len(arrivals) else []:
            queue.append({"n": count, "rest": len(prompt), "text": alone(given, s, prompt, limit), "out": 0})
            count += 1
        while queue and len(running) < s["slots"]:
            running.append(queue.pop(0))
        portions = {r["n"]: 1 for r in running if r["rest"] == 0}
        left = s["budget"] - len(portions)
        for r in running:
            if r["rest"] and left:
                portions[r["n"]] = min(r["rest"], left)
                left -= portions[r["n"]]
                r["rest"] -= portions[r["n"]]
        now = []
        for r in running:
            if r["n"] in portions and r["rest"] == 0:
                now.append((r["n"], r["text"][r["out"]]))
                r["out"] += 1
        running = [r for r in running if r["out"] < len(r["text"])]
        events.append(now)
        fed.append(portions)
    return events, fed


def served(probes, s, arrivals, steps):
    """What the engine did, once it is sure that it has the form of the statement."""
    outcome = probes.serve(s, arrivals, steps)
    wanted = sum(len(requests) for requests in arrivals)
    check(outcome["ids"] == list(range(wanted)), "add must return 0, 1, 2, ...")
    for events in outcome["events"]:
        check(type(events) is list, "step must return a list")
        for event in events:
            check(type(event) is tuple and len(event) == 2, "step must return pairs (number, token)")
            check(type(event[0]) is int and type(event[1]) is int, "numbers and tokens must be Python ints")
            check(0 <= event[0] < wanted, "a token belongs to no request")
        numbers = [number for number, _ in events]
        check(numbers == sorted(set(numbers)), "numbers must be ascending, with one token for each request")
    return outcome


def texts(outcome):
    """The new tokens of each request."""
    found = {number: [] for number in outcome["ids"]}
    for events in outcome["events"]:
        for number, token in events:
            found[number].append(token)
    return found


def expect_texts(given, s, arrivals, outcome):
    """Every text is the same as alone."""
    requests = [one for requests in arrivals for one in requests]
    for (prompt, limit), found in zip(requests, texts(outcome).values(), strict=True):
        check(found == alone(given, s, prompt, limit), "a text differs from that of the same request alone")


def expect_schedule(given, s, arrivals, outcome):
    """Every token comes in the step in which the statement has it."""
    events, fed = schedule(given, s, arrivals, len(outcome["events"]))
    for t, (found, wanted) in enumerate(zip(outcome["events"], events, strict=True)):
        check(found == wanted, f"step {t} returned other tokens, or tokens of other requests, than expected")
        calls = outcome["calls"][t]
        check(len(calls) == (1 if fed[t] else 0), f"step {t} should call the model {1 if fed[t] else 0} times")
        sizes = sorted(len(piece) for call in calls for _, piece in call)
        check(sizes == sorted(fed[t].values()), f"step {t} feeds pieces of other lengths than expected")


def enough(s, arrivals):
    """A number of steps after which everything has ended."""
    requests = [one for requests in arrivals for one in requests]
    return len(arrivals) + sum(len(prompt) + limit for prompt, limit in requests) + 2


@sample
@points(1)
def test_one_request(probes, given):
    """Five tokens of prompt with a budget of two: pieces of 2, 2 and 1. The last one gives the first new token."""
    s = {"slots": 1, "budget": 2, "vocabulary": V, "eos": V, "seed": 5}
    outcome = served(probes, s, [[([3, 1, 4, 1, 5], 2)]], 5)
    new = alone(given, s, [3, 1, 4, 1, 5], 2)
    check(outcome["events"] == [[], [], [(0, new[0])], [(0, new[1])], []], "tokens are expected in steps 2 and 3")
    pieces = [[piece for call in calls for _, piece in call] for calls in outcome["calls"]]
    check(pieces == [[[3, 1]], [[4, 1]], [[5]], [new[:1]], []], "other pieces were fed: each token is fed once")


@sample
@points(1)
def test_decoding_first(probes, given):
    """A long prompt arrives while another request decodes: that one keeps its token in each step, the prompt gets the rest."""
    s = {"slots": 2, "budget": 3, "vocabulary": V, "eos": V, "seed": 1}
    arrivals = [[([2, 7], 4)], [([1, 8, 2, 8, 1], 1)]]
    outcome = served(probes, s, arrivals, 5)
    first, second = alone(given, s, [2, 7], 4), alone(given, s, [1, 8, 2, 8, 1], 1)
    wanted = [[(0, first[0])], [(0, first[1])], [(0, first[2])], [(0, first[3]), (1, second[0])], []]
    check(outcome["events"] == wanted, "request 0 has a token in the steps 0 to 3, request 1 in step 3")


@sample
@points(1)
def test_a_slot_becomes_free(probes, given):
    """One slot and two requests: the second one is admitted in the step after the first has ended, into an empty slot."""
    s = {"slots": 1, "budget": 4, "vocabulary": V, "eos": V, "seed": 2}
    outcome = served(probes, s, [[([5, 5, 5], 2), ([6], 1)]], 4)
    first, second = alone(given, s, [5, 5, 5], 2), alone(given, s, [6], 1)
    check(outcome["events"] == [[(0, first[0])], [(0, first[1])], [(1, second[0])], []], "one token in each step")
    check(outcome["held"] == [[[5, 5, 5]], [[]], [[]], [[]]], "a request that has ended leaves its slot empty")


LOADS = {  # slots, budget
    "one-slot": (1, 3),
    "tight": (3, 3),
    "middle": (3, 7),
    "many-slots": (7, 11),
    "large-budget": (2, 97),
}


@points(3)
@pytest.mark.parametrize("load", LOADS)
def test_same_text_as_alone(probes, given, rng, load):
    """A text depends on what else is in the batch, or on how its prompt was cut into pieces."""
    for _ in range(4):
        s = setting(rng, *LOADS[load])
        arrivals = [[request(rng) for _ in range(rng.integer(0, 3))] for _ in range(7)]
        expect_texts(given, s, arrivals, served(probes, s, arrivals, enough(s, arrivals)))


@points(3)
@pytest.mark.parametrize("load", LOADS)
def test_schedule(probes, given, rng, load):
    """A step does something else than admit, decode, fill up with prompts, call once, read and end, in this order."""
    for _ in range(4):
        s = setting(rng, *LOADS[load])
        arrivals = [[request(rng) for _ in range(rng.integer(0, 3))] for _ in range(7)]
        expect_schedule(given, s, arrivals, served(probes, s, arrivals, enough(s, arrivals)))


@points(3)
@pytest.mark.parametrize("load", LOADS)
def test_budget(probes, given, rng, load):
    """The budget was exceeded, or not used up though a prompt was waiting in a slot; or the model was called twice."""
    s = setting(rng, *LOADS[load], eos=V)
    arrivals = [[request(rng, longest=23) for _ in range(2)] for _ in range(8)]
    outcome = served(probes, s, arrivals, 60)
    _, fed = schedule(given, s, arrivals, 60)
    for calls, portions in zip(outcome["calls"], fed, strict=True):
        check(len(calls) <= 1, "the model was called more than once in a step")
        total = sum(len(piece) for call in calls for _, piece in call)
        check(total <= s["budget"], "more tokens than the budget allows in one call")
        check(total == sum(portions.values()), "fewer tokens than the budget and the requests allow")


@points(3)
def test_decoding_never_pauses(probes, rng):
    """A request paused between two of its tokens: while it decodes, it must receive a token in every step."""
    for slots, budget in ((4, 4), (5, 6), (3, 13)):
        s = setting(rng, slots, budget, eos=V)
        arrivals = [[(rng.randint(0, V, (rng.integer(1, 40),)).tolist(), 7)] for _ in range(20)]
        outcome = served(probes, s, arrivals, 90)
        for number in outcome["ids"]:
            at = [t for t, events in enumerate(outcome["events"]) for n, _ in events if n == number]
            check(at == list(range(at[0], at[0] + len(at))) if at else True, "a request that decodes had to pause")


@points(3)
def test_nobody_starves(probes, given, rng):
    """Short requests arrive in each step, and a long prompt waited too long: first come, first admitted, first prefilled."""
    s = setting(rng, 2, 5, eos=V)
    long = rng.randint(0, V, (41,)).tolist(), 3
    arrivals = [[request(rng, 3, 2), request(rng, 3, 2)] for _ in range(60)]
    arrivals[4].insert(1, long)
    outcome = served(probes, s, arrivals, 100)
    events, _ = schedule(given, s, arrivals, 100)
    wanted = [t for t, now in enumerate(events) for number, _ in now if number == 9]
    found = [t for t, now in enumerate(outcome["events"]) for number, _ in now if number == 9]
    check(len(found) == 3, "the long request got no answer while others came and went")
    check(found == wanted, "the long request is served at another time than its turn")
    firsts = []
    for now in outcome["events"]:
        firsts += [number for number, _ in now if number not in firsts]
    check(set(firsts) == set(range(len(firsts))), "a request was served though an earlier one still waits")


@points(2)
def test_each_token_is_fed_once(probes, given, rng):
    """A slot holds other tokens than the prompt and the new ones without the last: one was fed twice, or not at all."""
    s = setting(rng, 3, 5)
    arrivals = [[request(rng, 9, 8)] for _ in range(9)]
    outcome = served(probes, s, arrivals, enough(s, arrivals))
    fed, contents = [], {}
    for t, calls in enumerate(outcome["calls"]):
        for slot, piece in [one for call in calls for one in call]:
            contents[slot] = contents.get(slot, []) + piece
            if not outcome["held"][t][slot]:
                fed.append(contents.pop(slot))
    check(not contents, "a slot was not cleared")
    requests = [one for requests in arrivals for one in requests]
    wanted = [prompt + alone(given, s, prompt, limit)[:-1] for prompt, limit in requests]
    check(sorted(fed) == sorted(wanted), "other tokens were fed than the prompt and the new ones without the last")


@points(2)
def test_slots_are_emptied(probes, given, rng):
    """After a step, slots must hold the tokens of requests that are running, and nothing else."""
    s = setting(rng, 3, 8)
    arrivals = [[request(rng, 6, 5)] for _ in range(12)]
    steps = enough(s, arrivals)
    outcome = served(probes, s, arrivals, steps)
    events, fed = schedule(given, s, arrivals, steps)
    requests = [one for requests in arrivals for one in requests]
    length, ended, out = dict.fromkeys(range(12), 0), set(), dict.fromkeys(range(12), 0)
    for t in range(steps):
        for number, tokens in fed[t].items():
            length[number] += tokens
        for number, token in events[t]:
            out[number] += 1
            if token == s["eos"] or out[number] == requests[number][1]:
                ended.add(number)
        wanted = sorted(n for number, n in length.items() if n and number not in ended)
        found = sorted(len(tokens) for tokens in outcome["held"][t] if tokens)
        check(found == wanted, f"after step {t}, slots hold other numbers of tokens than expected")


@points(2)
def test_ends(probes, given, rng):
    """A text has another length: it ends with eos, which belongs to it, or after max_new_tokens, whichever comes first."""
    base = setting(rng, 2, 6, eos=V)
    prompt = rng.randint(0, V, (4,)).tolist()
    free = alone(given, base, prompt, 12)
    for eos in sorted(set(free)):
        s = {**base, "eos": eos}
        first = free.index(eos) + 1
        for limit in {1, first, first + 1, max(first - 1, 1), 12}:
            # eos within a prompt is an ordinary token
            arrivals = [[(prompt, limit), ([eos, *prompt, eos], 3), ([eos], 2)]]
            outcome = served(probes, s, arrivals, 24)
            check(texts(outcome)[0] == free[: min(first, limit)], "a text is too long, too short, or lacks its eos")
            expect_texts(given, s, arrivals, outcome)


@points(1)
def test_idle(probes, given, rng):
    """Without requests, step must return an empty list without calling the model; later requests are served as usual."""
    s = setting(rng, 2, 3)
    arrivals = [[], [], [request(rng, 3, 2)], *([[]] * 15), [request(rng), request(rng)]]
    outcome = served(probes, s, arrivals, 60)
    expect_schedule(given, s, arrivals, outcome)
    check(outcome["calls"][0] == [] and outcome["calls"][-1] == [], "the model was called without tokens")


@points(2)
def test_all_at_once(probes, given, rng):
    """Many requests arrive before one step: as many as there are slots begin in it, and all others wait in order."""
    s = setting(rng, 5, 31)
    arrivals = [[request(rng, 4, 4) for _ in range(17)]]
    outcome = served(probes, s, arrivals, enough(s, arrivals))
    expect_schedule(given, s, arrivals, outcome)
    expect_texts(given, s, arrivals, outcome)


@points(1)
def test_engines_are_independent(probes, given, rng):
    """Two engines share requests, slots or numbers."""
    s = setting(rng, 2, 5)
    requests = [request(rng) for _ in range(3)]
    for (prompt, limit), events in zip(requests, probes.side_by_side(s, requests, 30), strict=True):
        assert_close(events, [(0, token) for token in alone(given, s, prompt, limit)], name="tokens of an engine")


@points(2)
def test_errors(probes):
    """A budget below the number of slots, an empty prompt and max_new_tokens below 1 are a ValueError, without a trace."""
    check(probes.refused(3, 2, None) == "ValueError", "a budget below the number of slots must be refused")
    check(probes.refused(3, 3, None) == "", "a budget of one token for each slot is enough")
    for wrong in (([], 3), ([1, 2], 0), ([1, 2], -1)):
        check(probes.refused(2, 4, wrong) == "ValueError", "such a request must be refused, and leave no trace")
    check(probes.refused(2, 4, ([1], 1)) == "", "one token of prompt and one new one are a request")
