import { printable } from '../contract/printable.js'
import type { CountsWithRates, PairingSummary } from '../pairing/types.js'
import { STATUSES } from '../pairing/types.js'

type Line = readonly [name: string, counts: CountsWithRates]

/** The counts of a pairing for a person: one block per table, in columns. Never a loss or score. */
export function summaryTable(summary: PairingSummary): string {
  const blocks: (readonly [title: string, lines: readonly Line[]])[] = [
    ['model', Object.entries(summary.models)],
    ['horizon', Object.entries(summary.horizons).map(([hours, counts]) => [`${hours} h`, counts])],
    ['model, horizon', cellLines(summary)],
    ...Object.entries(summary.strata).map(
      ([name, levels]) => [`stratum ${name}`, Object.entries(levels)] as const,
    ),
    [
      'total',
      [
        ['attempts', summary.total],
        ['their intervals', summary.interval],
      ],
    ],
  ]
  const all = blocks.flatMap(([title, lines]) => [title, ...lines.map(([name]) => `  ${name}`)])
  const width = Math.max(...all.map((name) => printable(name).length))
  const rows = blocks.map(([title, lines]) =>
    [
      heading(title, width),
      ...lines.map(([name, counts]) => row(`  ${printable(name)}`, counts, width)),
    ].join('\n'),
  )
  return [...rows, reasonLines(summary)].join('\n\n')
}

function cellLines(summary: PairingSummary): Line[] {
  return Object.entries(summary.cells).flatMap(([model, horizons]) =>
    Object.entries(horizons).map(([hours, counts]): Line => [`${model}, ${hours} h`, counts]),
  )
}

const CELL = 17

function heading(title: string, width: number): string {
  const columns = STATUSES.map((status) => status.padStart(CELL)).join('')
  return `${printable(title).padEnd(width)}${'expected'.padStart(10)}${columns}`
}

function row(name: string, counts: CountsWithRates, width: number): string {
  const cells = STATUSES.map((status) => cell(counts, status)).join('')
  return `${name.padEnd(width)}${String(counts.expected).padStart(10)}${cells}`
}

function cell(counts: CountsWithRates, status: (typeof STATUSES)[number]): string {
  const rate = counts.rates === null ? '' : ` ${percent(counts.rates[status]).padStart(7)}`
  return `${counts[status]}${rate}`.padStart(CELL)
}

/** One decimal; what is not quite nothing or everything never reads as if it were. */
function percent(rate: number): string {
  const text = (rate * 100).toFixed(1)
  if (text === '0.0' && rate > 0) return '<0.1 %'
  if (text === '100.0' && rate < 1) return '>99.9 %'
  return `${text} %`
}

function reasonLines(summary: PairingSummary): string {
  const list = (reasons: PairingSummary['reasons']) =>
    Object.entries(reasons)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ')
  const { outside } = summary
  const beside = outside.count === 0 ? 'no rows' : `${outside.count} rows: ${list(outside.reasons)}`
  return [`reasons          ${list(summary.reasons)}`, `beside the grid  ${beside}`].join('\n')
}
