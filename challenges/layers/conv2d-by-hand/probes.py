"""Asks your conv_output_hw many questions in one go."""


def sizes(solution, questions: list[dict]) -> list[object]:
    """The answer to each question, or the name of what was raised."""
    answers: list[object] = []
    for question in questions:
        try:
            answers.append(solution.conv_output_hw(**question))
        except ValueError:
            answers.append("ValueError")
    return answers
