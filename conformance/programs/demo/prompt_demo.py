"""A prompt with completion, a toolbar and highlighting with prompt_toolkit."""
from prompt_toolkit import prompt
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.formatted_text import HTML
from prompt_toolkit.shortcuts import confirm, radiolist_dialog

words = WordCompleter(["apple", "apricot", "banana", "cherry"])
text = prompt("fruit> ", completer=words, complete_while_typing=True, bottom_toolbar=HTML("<b>Tab</b> completes"))
print("You chose", text)
print(radiolist_dialog(title="Colour", text="Which?", values=[("r", "red"), ("g", "green")]).run())
print(confirm("Sure?"))
