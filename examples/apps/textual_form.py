"""A Textual app with a modal form: `n` opens it, Enter saves it, `q` quits."""

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Input, Label


class PersonForm(ModalScreen[tuple[str, str]]):
    """Asks for a name and a city."""

    CSS = """
    PersonForm { align: center middle; }
    PersonForm Vertical { width: 40; height: auto; border: round $primary; }
    """

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label("Name")
            yield Input(id="name")
            yield Label("City")
            yield Input(id="city")
            yield Button("Save", id="save")

    def on_mount(self) -> None:
        self.query_one("#name", Input).focus()

    def on_input_submitted(self) -> None:
        self.save()

    def on_button_pressed(self) -> None:
        self.save()

    def save(self) -> None:
        name, city = (self.query_one(id, Input).value for id in ("#name", "#city"))
        self.dismiss((name, city))


class People(App[None]):
    BINDINGS = [("n", "new", "New person"), ("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        yield Label("Nobody is saved yet", id="status")
        yield Footer()

    def action_new(self) -> None:
        self.push_screen(PersonForm(), self.show)

    def show(self, person: tuple[str, str] | None) -> None:
        if person is not None:
            name, city = person
            self.query_one("#status", Label).update(f"Saved: {name} from {city}.")


if __name__ == "__main__":
    People().run()
