"""`python -m foreproof verify EVIDENCE --protocols DIR`: exit code 0 all holds, 1 broken, 3 unchecked."""

from __future__ import annotations

import argparse
import pathlib
import sys

from .verify import LEFT_OUT, Audit


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m foreproof", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="recompute an evaluation and print its links")
    verify.add_argument("evidence", type=pathlib.Path, help="the folder that foreproof score wrote")
    verify.add_argument("--protocols", type=pathlib.Path, required=True, help="the folder of protocols with its ledger")
    verify.add_argument("--history", type=pathlib.Path, help="the history, from foreproof history export")
    verify.add_argument("--outcomes", type=pathlib.Path, help="the vintage of outcomes")
    verify.add_argument("--allow-unchecked", action="store_true", help="exit with 0 although links were not checked")
    given = parser.parse_args(arguments)
    for path, there in ((given.evidence, pathlib.Path.is_dir), (given.protocols, pathlib.Path.is_dir), (given.history, pathlib.Path.is_file), (given.outcomes, pathlib.Path.is_dir)):
        if path is not None and not there(path):
            parser.error(f"not there: {path}")
    links = Audit(given.evidence, given.protocols, given.history, given.outcomes).run()
    for state, says, note in links:
        print(f"{state:<12} {says}{f' ({note})' if note else ''}")
    print(f"{'left out':<12} {LEFT_OUT}")
    states = [state for state, _, _ in links]
    if "BROKEN" in states:
        print("it does not hold")
        return 1
    if "not checked" in states:
        print("nothing is broken, and not everything was checked")
        return 0 if given.allow_unchecked else 3
    print("every link holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
