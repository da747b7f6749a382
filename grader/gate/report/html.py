"""Writes the gate's report as one self-contained HTML page, var/gate/report.html. All text of authors is escaped."""

from html import escape
from pathlib import Path

from grader.gate.report.record import MutantResult, Record, SaboteurResult
from grader.gate.report.table import Report, Totals

_STYLE = """
:root { color-scheme: light dark; --page: #fcfcfa; --ink: #1d2126; --soft: #68707a; --line: #e3e3dd; --card: #fff;
  --good: #1a7f4b; --bad: #b3261e; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --ink: #e4e6e8; --soft: #98a1ab; --line: #2b3036;
  --card: #1b1f23; --good: #5cc98f; --bad: #ff8a80; --warn: #e6b45c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 3rem 1.25rem 5rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.9rem; margin: 0; letter-spacing: -0.02em; }
p.soft, small, dt { color: var(--soft); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem; margin: 2rem 0; }
dl div { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.8rem 1rem; }
dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: 500; font-size: 0.85rem; }
th, td { padding: 0.45rem 0.7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
details { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; margin: 0.6rem 0; padding: 0.7rem 1rem; }
summary { cursor: pointer; font-weight: 600; }
pre { overflow-x: auto; font-size: 0.85rem; margin: 0.3rem 0 0.8rem; }
li { margin: 0.3rem 0; }
"""
_HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gradus: the authoring gate</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
)
_COLUMNS = ("challenge", "tests", "accepted", "wrong", "saboteurs", "mutants", "kill rate", "CPU s", "seconds")
_WORDS = {"rejected": "good", "killed": "good", "survived": "bad", "excused": "warn", "idle": "soft"}


def write_page(made: Report, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(made), encoding="utf-8")


def page(made: Report) -> str:
    rows = "".join(map(_row, made.records))
    head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
    intro = f"<h1>The authoring gate</h1><p class=soft>{escape(made.made_at)} · torch {escape(made.torch)}</p>"
    table = f"<div class=scroll><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    details = "".join(map(_details, made.records))
    return (
        f"{_HEAD}<style>{_STYLE}</style></head><body>{intro}{_cards(made.totals)}{table}<br>{details}</body></html>\n"
    )


def _cards(sums: Totals) -> str:
    shown = {
        "topics": sums.topics,
        "items": sums.items,
        "tests": sums.tests,
        "wrong answers": sums.wrong,
        "saboteurs rejected": f"{sums.saboteurs_rejected}/{sums.saboteurs_applied}",
        "mutants killed": f"{sums.mutants_killed}/{sums.mutants}",
        "kill rate": f"{sums.kill_rate:.1%}",
        "findings": sums.findings,
    }
    return f"<dl>{''.join(f'<div><dt>{name}</dt><dd>{value}</dd></div>' for name, value in shown.items())}</dl>"


def _row(record: Record) -> str:
    state = "bad" if record.findings else "good"
    counts = [record.tests, record.accepted, record.wrong] if record.kind == "challenge" else [record.kind, "", ""]
    rate = f"{record.rate:.0%}" if record.made else ""
    spoilt = f"{record.rejected}/{record.applied}" if record.applied else ""
    mutated = f"{record.killed}/{record.made}" if record.made else ""
    seconds = "cached" if record.cached else f"{record.seconds:.1f}"
    cells = "".join(f"<td>{v}</td>" for v in (*counts, spoilt, mutated, rate, f"{record.cpu_s:.2f}", seconds))
    return (
        f'<tr><td class={state}><a href="#{_anchor(record)}" class={state}>{escape(record.slug)}</a></td>{cells}</tr>'
    )


def _details(record: Record) -> str:
    findings = "".join(f"<li class=bad>{escape(f.where)}: {escape(f.text)}</li>" for f in record.findings)
    alive = [item for item in record.mutants if item.end != "killed"]
    parts = [
        f"<ul>{findings}</ul>" if findings else "<p class=good>Nothing to mend.</p>",
        f"<p>Saboteurs</p><ul>{''.join(map(_spoilt, record.saboteurs))}</ul>" if record.saboteurs else "",
        f"<p>Mutants that live</p>{''.join(map(_mutated, alive))}" if alive else "",
    ]
    title = escape(record.title or record.slug)
    opened = " open" if record.findings else ""
    return f'<details id="{_anchor(record)}"{opened}><summary>{title}</summary>{"".join(parts)}</details>'


def _spoilt(item: SaboteurResult) -> str:
    by = f" <small>{escape(item.by)}</small>" if item.by else ""
    return f"<li><span class={_WORDS[item.end]}>{item.end}</span> {escape(item.id)}: {escape(item.text)}{by}</li>"


def _mutated(item: MutantResult) -> str:
    by = f" <small>{escape(item.by)}</small>" if item.by else ""
    head = f"<span class={_WORDS[item.end]}>{item.end}</span> {escape(item.id)}, line {item.line}{by}"
    return f"<div>{head}<pre>{escape(item.diff)}</pre></div>"


def _anchor(record: Record) -> str:
    return escape(f"{record.kind}-{record.slug}", quote=True)
