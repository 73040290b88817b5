"""`python -m foreproof verify`: 0 all links hold, 1 one is broken, 3 some are unchecked."""

from __future__ import annotations

import argparse
import pathlib
import sys

from .verify import LEFT_OUT, Given, verify


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m foreproof", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("verify", help="recompute an evaluation and print its links")
    command.add_argument("evidence", type=pathlib.Path, help="the folder that score wrote")
    command.add_argument("--protocols", type=pathlib.Path, required=True,
                         help="the folder of protocols with its ledger")
    command.add_argument("--history", type=pathlib.Path,
                         help="the history, from foreproof history export")
    command.add_argument("--outcomes", type=pathlib.Path, help="the vintage of outcomes")
    command.add_argument("--allow-unchecked", action="store_true",
                         help="exit with 0 although links were not checked")
    options = parser.parse_args(arguments)
    given = Given(options.evidence, options.protocols, options.history, options.outcomes)
    for path in given:
        is_there = pathlib.Path.is_file if path is given.history else pathlib.Path.is_dir
        if path is not None and not is_there(path):
            parser.error(f"not there: {path}")
    links = verify(given)
    for state, name, says, note in links:
        print(printable(f"{state:<12} {name:<13} {says}{f' ({note})' if note else ''}"))
    print(f"{'left out':<12} {LEFT_OUT}")
    states = [link.state for link in links]
    broken, unchecked = states.count("BROKEN"), states.count("not checked")
    print(f"{len(links) - unchecked} of {len(links)} links checked, {broken or 'none'} broken")
    if broken:
        return 1
    return 3 if unchecked and not options.allow_unchecked else 0


def printable(text: str) -> str:
    """Names of files and texts of documents may hold what a terminal obeys."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


if __name__ == "__main__":
    sys.exit(main())
