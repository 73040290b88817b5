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
    verify.add_argument("--allow-unchecked", action="store_true", help="exit with 0 although links were not checked, never where it is registration, protocol or computation")
    given = parser.parse_args(arguments)
    for path, there in ((given.evidence, pathlib.Path.is_dir), (given.protocols, pathlib.Path.is_dir), (given.history, pathlib.Path.is_file), (given.outcomes, pathlib.Path.is_dir)):
        if path is not None and not there(path):
            parser.error(f"not there: {path}")
    audit = Audit(given.evidence, given.protocols, given.history, given.outcomes)
    links = audit.run()
    for state, name, says, note in links:
        print(f"{state:<12} {name:<13} {says}{f' ({note})' if note else ''}")
    print(f"{'left out':<12} {LEFT_OUT}")
    unchecked = {name for state, name, _, _ in links if state == "not checked"}
    if any(state == "BROKEN" for state, _, _, _ in links):
        print("it does not hold")
        return 1
    if unchecked:
        print("nothing is broken, and not everything was checked")
        return 0 if given.allow_unchecked and not unchecked & audit.needed() else 3
    print("every link holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
