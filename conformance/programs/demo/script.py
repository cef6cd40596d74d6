def greet(name: str) -> str:
    """Returns a greeting."""
    return f"Hello, {name}!"


if __name__ == "__main__":
    for name in ("Ada", "Grace"):
        print(greet(name))
