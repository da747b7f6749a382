"""Fills PostgreSQL with accounts, their judgings, and the solves and standings that follow from them, in a few SQL statements.

One million accounts have solved six challenges each on average. A solve took 3.5 submissions on average, which is 20 million
judgings.
"""

import time
from collections.abc import Iterator

import psycopg

from tests.bench import shape

LATE = f"timestamptz '{shape.UNTIL.isoformat()}'"
# Popular challenges have small numbers. An account begins with a popular one and goes on from there. Later days are busier.
PEOPLE = f"""
    CREATE UNLOGGED TABLE person AS
    SELECT n, lpad(to_hex(n), 32, '0') AS id,
        least({shape.SLUGS - 1}, 1 + floor(-ln(1 - random()) * %(solves)s))::int AS solves,
        floor({shape.SLUGS} * random() ^ 3)::int AS first,
        {LATE} - interval '730 days' * random() ^ 1.5 AS began_at
    FROM generate_series(0, %(accounts)s - 1) AS n
"""
ACCOUNTS = f"""
    INSERT INTO account (id, email, name, password_hash, role, created_at)
    SELECT id, n || '@example.org', 'Person ' || n, '', 'account', {LATE} - interval '800 days' FROM person
"""
# IDs of accepted submissions begin with 1, and those of earlier ones with 0, because IDs sort by creation.
SOLVES = f"""
    INSERT INTO solve (account_id, slug, submission_id, section, points, tries, began_at, solved_at, shown)
    SELECT id, 'challenge-' || c, '1' || substr(id, 8) || lpad(c::text, 6, '0'), 'section-' || c %% {shape.SECTIONS},
        (ARRAY[10, 20, 40])[1 + c %% 3], tries, solved_at - interval '1 minute' * (tries - 1), solved_at, n %% 50 <> 0
    FROM (
        SELECT id, n, (first + i) %% {shape.SLUGS} AS c, 1 + floor(random() * 6)::int AS tries,
            began_at + interval '1 day' * (i * 2.5 + random()) AS solved_at
        FROM person, generate_series(0, solves - 1) AS i
        ORDER BY n
    ) AS solved
    WHERE solved_at <= {LATE}
"""
LISTINGS = "INSERT INTO listing (account_id, listed, name) SELECT id, false, '' FROM person WHERE n %% 50 = 0"
STANDINGS = """
    INSERT INTO standing (account_id, section, period, points, solved, reached_at, shown)
    SELECT account_id, board.section, period, sum(points), count(*), max(solved_at), bool_and(shown)
    FROM solve, LATERAL (VALUES (''), (solve.section)) AS board (section), LATERAL (
        VALUES (''), (to_char(solved_at AT TIME ZONE 'UTC', 'YYYY-MM')),
            (to_char(solved_at AT TIME ZONE 'UTC', 'IYYY"-W"IW'))
    ) AS time (period)
    GROUP BY account_id, board.section, period ORDER BY account_id, board.section, period
"""
TOKENS = f"""
    INSERT INTO api_token (id, account_id, name, token_hash, hint, created_at)
    SELECT id, id, 'bench', encode(sha256(('gt_bench_' || n)::bytea), 'hex'), 'gt', {LATE}
    FROM person WHERE n < {shape.CALLERS}
"""
FOLLOWS = f"""
    INSERT INTO follow (account_id, followed_id, followed_at)
    SELECT a.id, b.id, {LATE} FROM person AS a, generate_series(1, {shape.FOLLOWED}) AS i
    JOIN person AS b ON true
    WHERE a.n < {shape.CALLERS} AND b.n = (a.n + i * 7919) %% %(accounts)s AND b.n <> a.n
"""
SUBMISSIONS = """
    INSERT INTO submission (id, account_id, slug, kind, device, digest, fingerprint, created_at)
    SELECT CASE t WHEN tries THEN submission_id ELSE '0' || t || substr(submission_id, 3) END,
        account_id, slug, 'submit', 'cpu', '', '', solved_at - interval '1 minute' * (tries - t)
    FROM solve, generate_series(1, tries) AS t
"""
JUDGINGS = """
    INSERT INTO judging (id, submission_id, account_id, number, superseded, status, slug, digest, device, short, rank_at,
        not_before, attempt, infra_faults, verdict, score, max_score, message, queued_at, ended_at)
    SELECT id, id, account_id, 1, false, 'judged', slug, '', 'cpu', true, created_at, created_at, 1, 0,
        CASE WHEN id >= '1' THEN 'AC' ELSE 'WA' END,
        0, 1, '', created_at, created_at
    FROM submission
"""
STEPS = {
    "people": PEOPLE,
    "accounts": ACCOUNTS,
    "listings": LISTINGS,
    "solves": SOLVES,
    "standings": STANDINGS,
    "tokens": TOKENS,
    "follows": FOLLOWS,
    "submissions": SUBMISSIONS,
    "judgings": JUDGINGS,
}
# Indexes of the large tables are created after the rows, which is several times as fast as changing them with each row.
INDEXES = """
    SELECT indexname, indexdef FROM pg_indexes
    WHERE tablename IN ('solve', 'standing', 'submission', 'judging') AND indexdef NOT LIKE 'CREATE UNIQUE%'
"""
# Boards and profiles of a site that has run for a while are in memory. Right after the fill, the newest judgings are.
WARM = """
    SELECT sum(pg_prewarm(oid, 'read')) FROM pg_class WHERE relkind IN ('r', 'i') AND oid IN (
        SELECT unnest(ARRAY[indrelid, indexrelid]) FROM pg_index
        WHERE indrelid IN ('account'::regclass, 'listing'::regclass, 'solve'::regclass, 'standing'::regclass)
    )
"""


def fill(
    server: "psycopg.Connection[tuple[object, ...]]", accounts: int, solves: float
) -> Iterator[tuple[str, int, float]]:
    """Fill the tables. Yield each step with the number of its rows and how many seconds it took."""
    # Foreign keys are not checked, because that would take as long as everything else.
    server.execute("SET session_replication_role = replica")
    server.execute("SET synchronous_commit = off")
    server.execute("SET work_mem = '512MB'")
    server.execute("SET maintenance_work_mem = '1GB'")
    server.execute("SELECT setseed(0.5)")
    indexes = server.execute(INDEXES).fetchall()
    for name, _ in indexes:
        server.execute(f"DROP INDEX {name}".encode())
    for name, statement in STEPS.items():
        began = time.perf_counter()
        done = server.execute(statement.encode(), {"accounts": accounts, "solves": solves})
        yield name, done.rowcount, time.perf_counter() - began
    began = time.perf_counter()
    for _, definition in indexes:
        server.execute(str(definition).encode())
    server.execute("VACUUM ANALYZE")
    yield "indexes, statistics", len(indexes), time.perf_counter() - began
    began = time.perf_counter()
    server.execute("CREATE EXTENSION pg_prewarm")
    server.execute(WARM)
    yield "read into memory", 4, time.perf_counter() - began
