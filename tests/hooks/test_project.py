"""Which project a folder belongs to."""

from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.engine.scoping import name
from engraphy.errors import NameTakenError
from engraphy.project import name_project, note_place, project_of


def _repository(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "description").write_text("Unnamed repository\n")
    return folder


def test_every_folder_of_a_work_tree_is_one_project(tmp_path: Path) -> None:
    """A folder anywhere in a git work tree belongs to its top."""
    top = _repository(tmp_path / "shop")
    (top / "src" / "deep").mkdir(parents=True)
    assert project_of(top / "src" / "deep") == project_of(top)
    assert str(project_of(top)).startswith("shop-")


def test_a_worktree_belongs_to_its_main_repository(tmp_path: Path) -> None:
    """A linked worktree is the project of the repository that it is a tree of."""
    top = _repository(tmp_path / "shop")
    held = top / ".git" / "worktrees" / "fix"
    held.mkdir(parents=True)
    (held / "commondir").write_text("../..\n")
    tree = tmp_path / "elsewhere" / "fix"
    tree.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {held}\n")
    for back in (f"{tree}/.git\n", "../../../../elsewhere/fix/.git\n"):
        (held / "gitdir").write_text(back)
        assert project_of(tree) == project_of(top)


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    """A submodule has its own work tree, so it is its own project."""
    top = _repository(tmp_path / "shop")
    (top / ".git" / "modules" / "lib").mkdir(parents=True)
    (top / "lib").mkdir()
    (top / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert project_of(top / "lib") not in {None, project_of(top)}


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    """The id tells folders apart by where they are, not by their name."""
    assert project_of(tmp_path / "a" / "shop") != project_of(tmp_path / "b" / "shop")


def test_a_repository_that_is_moved_stays_its_project(own_home: Path, tmp_path: Path) -> None:
    """Once an agent worked in it, it keeps its memories wherever it is moved, again and
    again. A copy is another project, and so is what comes to the old place."""
    shop = _repository(tmp_path / "work" / "shop")
    (shop / "src").mkdir()
    note_place(shop / "src")
    project = project_of(shop)
    copytree(shop, tmp_path / "copy")
    assert project_of(tmp_path / "copy") != project
    for number in range(2):
        place = tmp_path / f"code{number}" / "store"
        place.parent.mkdir()
        shop = shop.rename(place)
        assert project_of(shop / "src") == project
        note_place(shop)
    plain = tmp_path / "work" / "shop"
    plain.mkdir()
    assert project_of(plain) not in {None, project}
    other = _repository(plain)
    assert project_of(other) not in {None, project}
    assert project_of(shop) == project
    note_place(other)
    assert project_of(other) not in {None, project, project_of(tmp_path / "copy")}
    assert (own_home / "projects.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("held", ["{", "[]", '{"a": 1, "b": {"top": 2}}', "\x00"])
def test_a_note_of_places_that_is_broken_is_none(held: str, own_home: Path, tmp_path: Path) -> None:
    """Whatever the file holds, a folder has its project, and the note is made anew."""
    shop = _repository(tmp_path / "shop")
    before = project_of(shop)
    own_home.mkdir(exist_ok=True)
    (own_home / "projects.json").write_text(held)
    assert project_of(shop) == before
    note_place(shop)
    assert project_of(shop.rename(tmp_path / "store")) == before


def test_a_link_to_a_folder_is_the_folder(tmp_path: Path) -> None:
    """The real path counts."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    assert project_of(tmp_path / "link") == project_of(tmp_path / "shop")


def test_home_and_root_are_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told at home, or at the root, is told for all projects; a home under git makes no
    project of what lies in it."""
    home = _repository(tmp_path / "home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert project_of(home) is None
    assert project_of("/") is None
    assert project_of(home / "notes") not in {None, project_of(home / "other")}


def test_a_folder_called_like_a_key_gives_no_key_away(tmp_path: Path) -> None:
    """A wall's name holds no credential (P-14)."""
    key = "ghp_" + "a1B2" * 9
    assert name("project", project_of(tmp_path / key)) == project_of(tmp_path / key)
    assert key not in str(project_of(tmp_path / key))


@given(st.text(alphabet=st.characters(exclude_characters="/\0"), min_size=1, max_size=200))
def test_every_folder_has_a_name_that_can_be_a_wall(folder: str) -> None:
    """Whatever a folder is called, the id is a legal scope name."""
    if folder in {".", ".."}:
        return
    try:
        made = project_of(Path("/nowhere") / folder)
    except UnicodeEncodeError:  # a name that no file system holds
        return
    assert made is not None
    assert name("project", made) == made


def test_no_folder_passes_for_another_project(tmp_path: Path) -> None:
    """A file `.git` that points at a repository which knows nothing of its folder, as an archive
    may hold one, makes it no part of that: it would read and write another project's memories."""
    top = _repository(tmp_path / "shop")
    held = top / ".git" / "worktrees" / "fix"
    held.mkdir(parents=True)
    (held / "commondir").write_text("../..\n")
    (held / "gitdir").write_text(f"{tmp_path}/elsewhere/.git\n")
    for number, said in enumerate(("./fake", str(held), "../shop/.git/worktrees/fix")):
        evil = tmp_path / f"evil{number}"
        (evil / "fake").mkdir(parents=True)
        (evil / "fake" / "commondir").write_text("../../shop/.git\n")
        (evil / "fake" / "gitdir").write_text(f"{evil}/.git\n")
        (evil / ".git").write_text(f"gitdir: {said}\n")
        assert project_of(evil) not in {None, project_of(top)}


def test_a_project_has_the_name_that_it_is_given(own_home: Path, tmp_path: Path) -> None:
    """A work tree that was named is called so in each of its folders, also where an agent begins
    there and where it is moved; nobody else's folder has that name meanwhile."""
    shop, other = (_repository(tmp_path / name / "shop") for name in ("ada", "bob"))
    (shop / "src").mkdir()
    by_itself = project_of(shop)
    assert name_project(shop / "src", "shop") == by_itself
    note_place(shop)
    assert [project_of(shop), project_of(shop / "src")] == ["shop", "shop"]
    with pytest.raises(NameTakenError):
        name_project(other, "shop")
    assert project_of(other) not in {"shop", by_itself}
    moved = shop.rename(tmp_path / "moved")
    assert project_of(moved) == "shop"
    assert name_project(moved, "store") == "shop"
    others = project_of(other)
    assert (project_of(moved), name_project(other, "shop")) == ("store", others)
    assert project_of(other) == "shop"
    assert name_project(Path.home(), "shop") is None
