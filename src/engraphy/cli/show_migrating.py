"""What a move and another embedding model came to, for people."""

from engraphy.cli.show import Row, console


def moved(value: Row) -> None:
    """What was brought over, and how it was compared."""
    console.print(f"{value['source']} -> {value['target']}", markup=False)
    tables = [one for one in value["tables"] if one["rows"]]
    rows, copied = (sum(one[name] for one in tables) for name in ("rows", "copied"))
    again = f", {rows - copied:,} of them were there already" if value["resumed"] else ""
    console.print(
        f"{_counted(value['memories'], 'memory', 'memories')} of"
        f" {_counted(value['tenants'], 'tenant', 'tenants')}; {_counted(rows, 'row', 'rows')} in"
        f" {_counted(len(tables), 'table', 'tables')}{again}"
    )
    console.print(
        f"[dim]every row is equal; {value['lines']:,} lines of the journal, its chain is whole;"
        f" of {value['recalls']} questions {value['recalls_equal']} had the same answer, with"
        f" {value['recall_overlap']:.0%} of their hits in common[/]"
    )
    if value["behind"]:
        console.print(
            f"[yellow]{value['behind']} lines were written to the source meanwhile and stay behind:"
            " stop what writes there, empty the target and move anew[/]"
        )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def reembedded(value: Row) -> None:
    """Whose vectors answer, and whose else there are."""
    made = f"{value['made']:,} vectors made, " if value["made"] else ""
    dropped = f"{value['dropped']:,} dropped, " if value["dropped"] else ""
    console.print(f"{made}{dropped}{value['serves']} answers", markup=False)
    for name, count in sorted(value["models"].items()):
        console.print(f"  {name}: {_counted(count, 'memory', 'memories')}", markup=False)
    if value["missing"]:
        console.print(f"[yellow]{value['missing']} have none of it yet: engraphy reembed[/]")
    if value["before"]:
        console.print("[dim]engraphy reembed --back: the one before; --drop-old: free its space[/]")
