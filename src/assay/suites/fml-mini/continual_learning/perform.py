"""One context, or the final examination, in a process of its own. Runs beside the candidate."""


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    state = {name.removeprefix("state."): value for name, value in inputs.items() if name.startswith("state.")}
    if "y" not in inputs:
        return {"labels": algorithm.predict(state, inputs["X"])}
    learned = algorithm.learn(state, inputs["X"], inputs["y"], inputs["seed"])
    return {f"state.{name}": value for name, value in learned.items()}
