"""What README.md shows works as it stands there."""

import re
from pathlib import Path

import pytest

import sim
from sim.cli import backalley

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_strategy_of_the_readme_plays(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    (code,) = (block for block in blocks if "class Mine(Strategy)" in block)
    file, out = tmp_path / "mine.py", tmp_path / "run"
    file.write_text(code, encoding="utf-8")
    sim.play(sim.Tournament(strategies=[f"{file}:Mine", f"{file}:Mine:share=0.7"], matches=2, seed=7), out=out)
    assert (out / "matches" / "part-00000.parquet").exists()


def test_the_file_of_the_readme_is_a_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((toml,), (code,)) = (
        [block for block in re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL) if sign in block]
        for language, sign in (("toml", "[tournament]"), ("python", "class Mine(Strategy)"))
    )
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(code, encoding="utf-8")
    Path("tournament.toml").write_text(toml, encoding="utf-8")
    tournament = sim.Tournament.from_toml("tournament.toml")
    assert len(tournament.plan().pairings) == 6


def test_the_readme_names_every_command_and_no_other() -> None:
    table = README.partition("## Commands")[2].partition("\n## ")[0]
    named = {
        verb for row in re.findall(r"^\| (`.*?) \|", table, flags=re.MULTILINE) for verb in re.findall(r"`(\w+)", row)
    }
    assert named - {"backalley"} == set(backalley.commands)
