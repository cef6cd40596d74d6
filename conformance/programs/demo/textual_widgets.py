"""A Textual app with tabs, a table and a log."""
from textual.app import App, ComposeResult
from textual.widgets import DataTable, Footer, Header, Input, ProgressBar, TabbedContent, TabPane


class Demo(App):
    BINDINGS = [("q", "quit", "Quit")]
    TITLE = "Demo"

    def compose(self) -> ComposeResult:
        yield Header()
        with TabbedContent():
            with TabPane("Table"):
                yield DataTable()
            with TabPane("Form"):
                yield Input(placeholder="Name")
                yield ProgressBar(total=100)
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("Name", "City")
        for row in (("Ada", "London"), ("光", "東京"), ("Linus", "Helsinki")):
            table.add_row(*row)
        self.query_one(ProgressBar).advance(40)


Demo().run()
