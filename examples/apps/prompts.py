"""Asks three questions with prompt_toolkit, one prompt after the other."""

from prompt_toolkit import prompt


def look_up_defaults() -> int:
    """Simulates the work of a program before each question."""
    return sum(number * number for number in range(200_000))


def ask(question: str) -> str:
    look_up_defaults()
    return prompt(f"{question}: ")


if __name__ == "__main__":
    answers = [ask(question) for question in ("Your name", "Your city", "Your colour")]
    print(f"Saved: {', '.join(answers)}.")
