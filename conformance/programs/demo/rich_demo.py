"""Tables, panels, trees and progress bars with rich (which Textual installs)."""
from rich.console import Console
from rich.panel import Panel
from rich.progress import track
from rich.syntax import Syntax
from rich.table import Table
from rich.tree import Tree

console = Console()
table = Table(title="People")
for column, style in (("Name", "cyan"), ("City", "magenta"), ("Age", "green")):
    table.add_column(column, style=style)
for row in (("Ada", "London", "36"), ("Grace", "New York", "85"), ("光", "東京", "20")):
    table.add_row(*row)
console.print(table)
console.print(Panel("[bold]bold[/] [italic red]italic[/] [underline]underlined[/] [strike]struck[/]"))
tree = Tree("root")
tree.add("one").add("two")
tree.add("three")
console.print(tree)
console.print(Syntax(open("script.py").read(), "python", line_numbers=True))
for _ in track(range(30), description="Working…"):
    pass
