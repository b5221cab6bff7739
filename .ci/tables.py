"""Reads lean rows with the schemas that epact prints, and runs the recipes of the article "Bulk files"."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import duckdb
import jsonschema
import pyarrow

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTICLE = ROOT / "Sources/Epact/Epact.docc/BulkFiles.md"
# The sources of each table: the words of the command, and its name in SQL.
TABLES = {
    "components": ["convert"],
    "occurrences": ["occurrences"],
}
RANGE = ["--from", "1990-01-01", "--to", "2030-01-01", "--zone", "Europe/Berlin", "--limit", "20000"]


def blocks(heading, language):
    """The blocks of code of a section of the article."""
    text = ARTICLE.read_text(encoding="utf-8")
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, heading
    found = re.findall(rf"^```{language}\n(.*?)^```$", section[1], re.MULTILINE | re.DOTALL)
    assert found, f"{heading} has no block of {language}"
    return found


def epact(*words, statuses=(0,)):
    """The output of the program."""
    run = subprocess.run(["epact", *words], capture_output=True, text=True)
    assert run.returncode in statuses, f"{words}: {run.returncode}\n{run.stderr[-2000:]}"
    return run.stdout


def rows(table):
    """Writes rows with all columns of a table; returns their file, their number, and the columns."""
    schema = json.loads(epact(*TABLES[table], "--schema", "json-schema"))
    listing = subprocess.run(
        ["epact", *TABLES[table], "--schema", "json-schema", "--fields", "?"], capture_output=True, text=True)
    names = re.search(r"The members are: (.*)\.", listing.stderr)[1].split(", ")
    assert set(schema["required"]) < set(names)
    fields = ["--fields", ",".join(names)]
    words = ["convert", "--to", "ndjson"] if table == "components" else ["occurrences", *RANGE]
    text = epact(*words, "--lean", *fields, "--files-from", "list", "--errors", "json", statuses=(1,))
    path = pathlib.Path(f"{table}.ndjson")
    path.write_text(text, encoding="utf-8")
    # Other separators of lines are escaped.
    return path, text.count("\n"), fields


def check_json_schema(table, path, fields):
    schema = json.loads(epact(*TABLES[table], "--schema", "json-schema", *fields))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for error in validator.iter_errors(json.loads(line)):
                raise AssertionError(f"{table}: {error.message} in {line}")
    broken = {**json.loads(line), "all_day": "yes"}
    assert not validator.is_valid(broken), "the schema accepts another type"
    return schema


def check_duckdb(table, path, count, fields):
    """Loads rows into the printed table, with its constraints, and returns the connection."""
    db = duckdb.connect()
    db.execute(epact(*TABLES[table], "--schema", "duckdb", *fields))
    db.execute(f"COPY {table} FROM '{path}' (FORMAT json, ARRAY false)")
    assert db.sql(f"SELECT count(*) FROM {table}").fetchall() == [(count,)]
    differing = db.sql(f"SELECT count(*) FROM (FROM {table} EXCEPT ALL FROM read_{table}('{path}'))").fetchall()
    assert differing == [(0,)], "the macro reads other rows than the table has"
    comments = db.sql("SELECT column_name, comment FROM duckdb_columns() WHERE comment IS NULL AND NOT internal").fetchall()
    assert comments == [], comments
    described = [(name, kind) for name, kind, *_ in db.sql(f"DESCRIBE FROM read_{table}('{path}')").fetchall()]
    db.execute(f"COPY (FROM {table}) TO '{table}.parquet'")
    stored = [(name, kind) for name, kind, *_ in db.sql(f"DESCRIBE FROM '{table}.parquet'").fetchall()]
    assert stored == described, (stored, described)
    # A null in a column without nulls has to be refused.
    try:
        db.execute(f"INSERT INTO {table} (kind) VALUES ('event')")
    except duckdb.ConstraintException:
        return db
    raise AssertionError("the table takes a row without its columns")


def check_arrow(db, table, path, count, fields):
    code = blocks("DuckDB", "python")[1].replace("rows.ndjson", str(path)).replace(
        '"occurrences", "--schema", "arrow"', json.dumps([*TABLES[table], "--schema", "arrow", *fields])[1:-1])
    names = {}
    exec(compile(code, "BulkFiles.md", "exec"), names)
    read = names["table"]
    assert read.num_rows == count
    for field in read.schema:
        if not field.nullable:
            assert read[field.name].null_count == 0, field
    db.register("arrow_rows", read)
    for one, other in [("arrow_rows", table), (table, "arrow_rows")]:
        assert db.sql(f"SELECT count(*) FROM (FROM {one} EXCEPT ALL FROM {other})").fetchall() == [(0,)], one


def check_points_in_time(db):
    """What the columns of a table have to say of each other."""
    wrong = db.sql("""
        SELECT file, uid, start, start_utc FROM occurrences
        WHERE date_diff('second', start_utc, end_utc) <> seconds OR seconds < 0
          OR (all_day AND strftime(start, '%H:%M:%S') <> '00:00:00')
          OR (zone = 'UTC' AND start <> start_utc AT TIME ZONE 'UTC')
          OR (zone = 'Europe/Berlin' AND timezone('Europe/Berlin', start_utc) <> start
              AND year(start) > 1970 AND file NOT LIKE '%timezones%')""").fetchall()
    assert wrong == [], wrong[:5]


def run_recipes(expected):
    """Runs the recipes, in the order of the article."""
    subprocess.run(["bash", "-euo", "pipefail", "-c", blocks("DuckDB", "sh")[0]], check=True)
    names = {}
    exec(compile(blocks("DuckDB", "python")[0], "BulkFiles.md", "exec"), names)
    count = pathlib.Path("rows.ndjson").read_text(encoding="utf-8").count("\n")
    assert 0 < sum(meetings for _, meetings, _ in names["months"]) <= count
    assert ("file.unreadable", 1) in names["bad"] or len(names["bad"]) > 2, names["bad"]
    several = blocks("Several processes", "sh")[0].replace("--lines=10000", "--lines=20")
    subprocess.run(["bash", "-euo", "pipefail", "-c", several], check=True)
    parts = sorted(pathlib.Path("rows").iterdir())
    assert len(parts) > 2, parts
    lines = sorted(line for part in parts for line in part.read_text(encoding="utf-8").split("\n") if line)
    assert lines == expected, f"{len(lines)} rows in parts, {len(expected)} in all"
    if shutil.which("parallel"):
        print("tables: GNU parallel is installed")


def copy_fixtures():
    """Copies all calendars among the fixtures, and makes the lists of them."""
    for source in sorted((ROOT / "Fixtures").rglob("*.ics")):
        place = pathlib.Path("mails") / source.relative_to(ROOT / "Fixtures")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place)
    (pathlib.Path("mails") / "two\nlines.ics").write_bytes((ROOT / "Fixtures/tour/work.ics").read_bytes())
    names = sorted(str(path) for path in pathlib.Path("mails").rglob("*.ics"))
    pathlib.Path("list").write_text("".join(f"{name}\0" for name in [*names, "mails/gone.ics"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--spark", action="store_true")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="epact-tables-")
    try:
        os.symlink(options.program, f"{folder}/epact")
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
        os.chdir(folder)
        copy_fixtures()
        for table in TABLES:
            path, count, fields = rows(table)
            assert count > 1000, count
            check_json_schema(table, path, fields)
            db = check_duckdb(table, path, count, fields)
            check_arrow(db, table, path, count, fields)
            if table == "occurrences":
                check_points_in_time(db)
            print(f"tables: {count} rows of {table} in DuckDB {duckdb.__version__} and Arrow {pyarrow.__version__}")
        expected = epact("convert", "--files-from", "list", "--to", "ndjson", "--lean", statuses=(1,))
        run_recipes(sorted(expected.rstrip("\n").split("\n")))
        print("tables: the recipes of the article run")
        if options.spark:
            sys.path.insert(0, str(ROOT / ".ci"))
            import tables_spark

            tables_spark.check(blocks("Spark", "python")[0], epact)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
