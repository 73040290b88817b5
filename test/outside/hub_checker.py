"""Holds a folder against what hubverse documents of a modeling hub; prints each fault, exits with 1 if any.

The schemas say in short what hubverse's own (tasks and admin, version 5.1.0) ask of the members that a hub
of medians and quantiles has. Names of files are held against the pattern that hubverse's validations state.
Rows of Parquet files are read from a CSV of the same name beside them, which the caller makes.
"""

import csv
import json
import re
import sys
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator, FormatChecker


def members(properties, required=None, more=False):
    asked = list(properties) if required is None else required
    return {
        "type": "object",
        "properties": properties,
        "required": asked,
        "additionalProperties": more,
    }


def values(items):
    either = {"type": ["array", "null"], "uniqueItems": True, **({"items": items} if items else {})}
    return members({"required": either, "optional": either})


VERSION = re.compile(
    r"^https://raw\.githubusercontent\.com/hubverse-org/schemas/main/v5\.1\.0/(admin|tasks)-schema\.json$"
)
TEXT = {"type": "string"}
NUMBER = members(
    {
        "type": {"enum": ["double", "integer"]},
        "minimum": {"type": "number"},
        "maximum": {"type": "number"},
    },
    ["type"],
)
POINT = members(
    {
        "output_type_id": members({"required": {"type": "null"}}),
        "value": NUMBER,
        "is_required": {"type": "boolean"},
    }
)
LEVELS = {
    "type": "array",
    "uniqueItems": True,
    "items": {"type": "number", "minimum": 0, "maximum": 1},
}
QUANTILE = members(
    {
        "output_type_id": members({"required": LEVELS}),
        "value": NUMBER,
        "is_required": {"type": "boolean"},
    }
)
DUE = {
    "oneOf": [
        members({"relative_to": TEXT, "start": {"type": "integer"}, "end": {"type": "integer"}}),
        members({"start": {**TEXT, "format": "date"}, "end": {**TEXT, "format": "date"}}),
    ]
}
TARGET = {
    **members(
        {
            "target_id": {**TEXT, "maxLength": 30},
            "target_name": {**TEXT, "maxLength": 100},
            "target_units": {**TEXT, "maxLength": 100},
            "target_type": {
                "enum": "continuous discrete date binary nominal ordinal compositional".split()
            },
            "target_keys": {
                "type": ["object", "null"],
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": TEXT,
            },
            "is_step_ahead": {"type": "boolean"},
        },
        more=True,
    ),
    "if": {"properties": {"is_step_ahead": {"const": True}}},
    "then": {
        "properties": {"time_unit": {"enum": ["day", "week", "month"]}},
        "required": ["time_unit"],
    },
}
TASK = members(
    {
        "task_ids": {
            "type": "object",
            "properties": {
                "origin_date": values({**TEXT, "format": "date"}),
                "horizon": values({"type": ["integer", "string"]}),
                "location": values(TEXT),
            },
            "additionalProperties": values(None),
        },
        "output_type": members({"mean": POINT, "median": POINT, "quantile": QUANTILE}, []),
        "target_metadata": {"type": "array", "items": TARGET},
    }
)
ROUND = members(
    {
        "round_id_from_variable": {"type": "boolean"},
        "round_id": TEXT,
        "model_tasks": {"type": "array", "items": TASK},
        "submissions_due": DUE,
    },
    more=True,
)
DATATYPES = "auto character double integer logical Date".split()
TASKS = members(
    {
        "schema_version": {**TEXT, "pattern": VERSION.pattern},
        "rounds": {"type": "array", "items": ROUND},
        "output_type_id_datatype": {"enum": DATATYPES},
    },
    ["schema_version", "rounds"],
)
ADMIN = members(
    {
        "schema_version": {**TEXT, "pattern": VERSION.pattern},
        "name": TEXT,
        "maintainer": TEXT,
        "contact": members({"name": TEXT, "email": {**TEXT, "format": "email"}}, [], True),
        "repository": members({"host": {"enum": ["github"]}, "owner": TEXT, "name": TEXT}, [], True),
        "file_format": {"type": "array", "items": {"enum": ["csv", "parquet", "arrow"]}},
        # The list of zones has neither UTC nor Etc/UTC; of those without summer time it has this one.
        "timezone": {"enum": ["Atlantic/Reykjavik", "Africa/Abidjan", "US/Eastern"]},
        "model_output_dir": TEXT,
    },
    ["schema_version", "name", "maintainer", "contact", "repository", "file_format", "timezone"],
)
FILE = re.compile(r"^((?:\d{4}-\d{2}-\d{2})|[A-Za-z0-9_]+)-([A-Za-z0-9_]+)-([A-Za-z0-9_]+)$")
METADATA = re.compile(r"^[A-Za-z0-9_]+-[A-Za-z0-9_]+$")
OUTPUT = ["output_type", "output_type_id", "value"]

faults = []


def conform(name, value, schema):
    Draft202012Validator.check_schema(schema)
    checker = Draft202012Validator(schema, format_checker=FormatChecker())
    faults.extend(f"{name}: {fault.json_path}: {fault.message}" for fault in checker.iter_errors(value))


def main(hub):
    config = {
        name: json.loads((hub / "hub-config" / f"{name}.json").read_text("utf-8"))
        for name in ["admin", "tasks", "model-metadata-schema"]
    }
    conform("admin.json", config["admin"], ADMIN)
    conform("tasks.json", config["tasks"], TASKS)
    if faults:
        return
    if not (hub / "README.md").is_file():
        faults.append("no README.md")
    outputs = hub / config["admin"].get("model_output_dir", "model-output")
    models = {folder.name for folder in outputs.iterdir()}
    described = {file.stem for file in (hub / "model-metadata").iterdir() if file.suffix == ".yml"}
    if models != described:
        faults.append(f"models {sorted(models)} but metadata of {sorted(described)}")
    for name in described:
        check_metadata(hub / "model-metadata" / f"{name}.yml", config["model-metadata-schema"])
    for folder in outputs.iterdir():
        for file in folder.iterdir():
            if f".{'csv'}" != file.suffix or not file.with_suffix(".parquet").exists():
                check_output(file, config)
    oracle = hub / "target-data" / "oracle-output.csv"
    if oracle.exists():
        check_oracle(oracle, config)


def check_metadata(file, schema):
    if not METADATA.match(file.stem):
        faults.append(f"{file.name}: is not TEAM-MODEL.yml")
    metadata = yaml.safe_load(file.read_text("utf-8"))
    conform(file.name, metadata, schema)
    if f"{metadata['team_abbr']}-{metadata['model_abbr']}" != file.stem:
        faults.append(f"{file.name}: is of another model")


def tasks_of(config, round_id):
    for each in config["tasks"]["rounds"]:
        tasks = each["model_tasks"][0]
        ids = tasks["task_ids"]
        if not each["round_id_from_variable"]:
            if each["round_id"] == round_id:
                return each, tasks
        elif round_id in allowed(ids[each["round_id"]]):
            return each, tasks
    return None, None


def allowed(each):
    return set(each["required"] or []) | set(each["optional"] or [])


def rows_of(file):
    with file.with_suffix(".csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def check_output(file, config):
    match = FILE.match(file.stem)
    if not match:
        return faults.append(f"{file.name}: is not ROUND-TEAM-MODEL")
    round_id, model_id = match[1], f"{match[2]}-{match[3]}"
    if file.parent.name != model_id:
        faults.append(f"{file.name}: lies in the folder of {file.parent.name}")
    if file.suffix[1:] not in config["admin"]["file_format"]:
        faults.append(f"{file.name}: is of no format of this hub")
    each, tasks = tasks_of(config, round_id)
    if each is None:
        return faults.append(f"{file.name}: is of no round of this hub")
    ids = tasks["task_ids"]
    rows = rows_of(file)
    if not rows or set(rows[0]) != set(ids) | set(OUTPUT):
        return faults.append(f"{file.name}: has the columns {list(rows[0]) if rows else []}")
    seen, of_task = set(), {}
    for row in rows:
        check_row(file, row, round_id, each, tasks)
        task = tuple(row[name] for name in ids)
        key = (*task, row["output_type"], row["output_type_id"])
        if key in seen:
            faults.append(f"{file.name}: {key} stands there twice")
        seen.add(key)
        of_task.setdefault(task, []).append(row)
    for task, own in of_task.items():
        check_task(file, task, own, tasks["output_type"])


def check_row(file, row, round_id, each, tasks):
    for name, ids in tasks["task_ids"].items():
        if row[name] not in {str(value) for value in allowed(ids)}:
            faults.append(f"{file.name}: {name} {row[name]} is no value of the task")
    if each["round_id_from_variable"] and row[each["round_id"]] != round_id:
        faults.append(f"{file.name}: has a row of the round {row[each['round_id']]}")
    kind = tasks["output_type"].get(row["output_type"])
    if kind is None:
        return faults.append(f"{file.name}: {row['output_type']} is no output type")
    levels = kind["output_type_id"]["required"]
    found = row["output_type_id"]
    if levels is None and found not in ("NA", ""):
        faults.append(f"{file.name}: {row['output_type']} has the output_type_id {found}")
    if levels is not None and (found in ("NA", "") or float(found) not in levels):
        faults.append(f"{file.name}: {found} is no quantile level")
    if not float(row["value"]) >= kind["value"].get("minimum", float("-inf")):
        faults.append(f"{file.name}: the value {row['value']} is too small")


def check_task(file, task, rows, kinds):
    for name, kind in kinds.items():
        own = [row for row in rows if row["output_type"] == name]
        if not own and kind["is_required"]:
            faults.append(f"{file.name}: {task} has no {name}")
        levels = kind["output_type_id"]["required"]
        if own and levels and sorted(float(row["output_type_id"]) for row in own) != sorted(levels):
            faults.append(f"{file.name}: {task} has not all quantiles")
        in_order = sorted(own, key=lambda row: row["output_type_id"])
        if levels and any(
            float(a["value"]) > float(b["value"]) for a, b in zip(in_order, in_order[1:])
        ):
            faults.append(f"{file.name}: {task} has quantiles out of order")


def check_oracle(file, config):
    ids = set(config["tasks"]["rounds"][0]["model_tasks"][0]["task_ids"])
    rows = rows_of(file)
    if not set(rows[0]) - {"oracle_value"} <= ids or "oracle_value" not in rows[0]:
        faults.append(f"{file.name}: has the columns {list(rows[0])}")
    keys = [tuple(value for name, value in row.items() if name != "oracle_value") for row in rows]
    if len(set(keys)) != len(keys):
        faults.append(f"{file.name}: has a key twice")
    if not all(float(row["oracle_value"]) > 0 for row in rows):
        faults.append(f"{file.name}: has a value that is no price")


main(Path(sys.argv[1]))
print("\n".join(faults[:50]))
sys.exit(1 if faults else 0)
