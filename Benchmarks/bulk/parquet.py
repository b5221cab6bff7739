# SPDX-License-Identifier: Apache-2.0
"""Converts the lean rows of a table to Parquet, and prints the number of rows and of columns as JSON.

  parquet.py TABLE    reads TABLE.sql and TABLE.ndjson, writes TABLE.parquet
"""

import json
import sys

import duckdb

table = sys.argv[1]
db = duckdb.connect()
with open(f"{table}.sql", encoding="utf-8") as schema:
    db.execute(schema.read())
db.execute(f"COPY (FROM read_{table}('{table}.ndjson')) TO '{table}.parquet'")
expected = [(name, kind) for name, kind, *_ in db.sql(f"DESCRIBE {table}").fetchall()]
found = [(name, kind) for name, kind, *_ in db.sql(f"DESCRIBE FROM '{table}.parquet'").fetchall()]
if found != expected:
    raise SystemExit(f"expected the columns {expected}, found {found}")
rows = db.sql(f"SELECT count(*) FROM '{table}.parquet'").fetchall()[0][0]
print(json.dumps({"rows": rows, "columns": len(found)}))
