"""Draw the README's pictures from the sample run, as its reports show them, for `make sample`."""

import nbformat

import sim
from sim.analysis.checkout import find_notebook
from sim.analysis.report_kernel import execute

PICTURES = {"league": ("bidding_policies", "league-picture"), "boards": ("board_claim_risk", "break-even")}
TIME_LIMIT = 600


def main() -> None:
    """Write ``data/pictures/*.svg``."""
    run = sim.open_run(sim.sample_run())
    folder = run.path.parent / "pictures"
    folder.mkdir(exist_ok=True)
    for name, (notebook, cell_id) in PICTURES.items():
        node = nbformat.read(find_notebook(notebook), as_version=4)
        execute(node, run.manifest["run_id"], run.path, TIME_LIMIT, lambda number, cell: None)
        (cell,) = (cell for cell in node.cells if cell.id == cell_id)
        (drawn,) = (
            output.data["image/svg+xml"] for output in cell.outputs if "image/svg+xml" in output.get("data", {})
        )
        (folder / f"{name}.svg").write_text(
            f"{drawn.rstrip()}\n<!-- run {run.manifest['run_id']} -->\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
