"""The course of a subject, for people."""

from rich.text import Text

from engraphy.cli.show import Row, console


def course(value: Row) -> None:
    """One line per text: when it was true, and what took its place."""
    if not value["entries"]:
        console.print("Nothing was told of that.")
        return
    for one in value["entries"]:
        until = str(one["until"] or "")[:10]
        span = f"{str(one['since'])[:10]} to {until or 'now':<10} "
        console.print(Text.assemble((span, "dim"), (" ".join(one["content"].split()), "")))
        console.print(Text(f"  {one['memory_id']}  {_ending(one)}", style="dim"))


def _ending(one: Row) -> str:
    """How a text came in and went out."""
    told = [f"known since {str(one['recorded_at'])[:10]}"]
    if one["supersedes"]:
        told.append(f"in place of {', '.join(one['supersedes'])}")
    if one["replaced_at"]:
        by = f"superseded by {one['superseded_by']}" if one["superseded_by"] else "edited"
        told.append(f"{by} on {str(one['replaced_at'])[:10]}")
    return ", ".join(told)
