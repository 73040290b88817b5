import { type Finding, finding } from '../../contract/findings/finding.js'
import { nearest } from '../../contract/nearest.js'
import { printable } from '../../contract/printable.js'
import {
  type PairedHistory,
  type PairHistoryResult,
  type PairingInputs,
  pairHistory,
} from '../../evaluation/pair-history.js'
import { AtomicFile } from '../../files/atomic.js'
import { percent } from '../../output/figures.js'
import { type FindingsReport, printReport } from '../../output/print.js'
import {
  type CountsWithRates,
  type PairingSummary,
  STATUSES,
} from '../../pairing/paired-attempt.js'
import type { PairingPlan } from '../../pairing/plan.js'
import { historyName } from '../../store/shown.js'
import { type Context, command } from '../command.js'
import {
  anEnd,
  anInstant,
  checkOutput,
  HISTORY_OPTION,
  LOG_OPTION,
  needed,
  text,
  textOrJson,
} from '../options.js'
import { writeOut } from '../output.js'
import { diagnosticRows } from '../table-output.js'
import { timeFacts, timeFigures } from '../time-facts.js'
import { alignColumns, pluralize, twoColumns } from '../wording.js'
import { watched } from '../work.js'

export default command({
  examples: {
    'foreproof pair --protocol P.json --history h.sqlite --outcomes vintages/V':
      'Counts of the whole history',
    'foreproof pair --registration R.json … --out pairs.ndjson':
      'The registered window, one line per attempt',
  },
  options: {
    history: HISTORY_OPTION,
    log: LOG_OPTION,
    protocol: needed('Frozen protocol'),
    outcomes: needed('Folder of a vintage'),
    registration: text('Take window, models and mode from it'),
    from: anInstant('First origin (default: the first of the history)'),
    to: anEnd('Last origin (default: the last of the history)'),
    'as-of': anInstant(
      'Targets after this instant have not matured (default: the last close of the vintage)',
    ),
    out: text('Write one line per attempt, as CSV into NAME.csv, else as NDJSON; - is stdout'),
    format: textOrJson('The summary: text for people, json for programs'),
  },
  run: async (args, context) => {
    const { out, format, history } = args
    checkOutput(out, [args.protocol, history, args.outcomes, args.registration ?? ''])
    const lines = out?.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson'
    const { protocol, outcomes, registration } = args
    const paired = await watched(context, 'Nothing was written.', (signal, show) =>
      writingTo(out, context, (onLines) =>
        pairHistory({
          protocol,
          outcomes,
          registration,
          history,
          lines: out === undefined ? undefined : lines,
          onLines,
          onProgress: (done, total) => show(`paired ${done} of ${total}`),
          signal,
          log: args.log,
          from: args.from,
          to: args.to,
          asOf: args['as-of'],
          stdin: context.stdin,
        }),
      ),
    )
    if (!paired.ok) {
      const { findings, document } = paired
      const source = (file: string) => (document?.file === file ? document.text : undefined)
      const headline = `the ${paired.link} does not verify`
      return await context.report({ findings, headline, source })
    }
    const { inputs, plan, knownModels, summary, attempts, findings } = paired
    const written = out === undefined ? null : { file: out, format: lines, count: attempts }
    return await printReport(out === '-' ? diagnosticRows(undefined, context) : context, format, {
      findings: [...findings, ...pairingFindings(plan, knownModels, summary, historyName(history))],
      ...pairingReport(inputs, paired, written),
    })
  },
})

/** Runs a pairing whose lines go to stdout, or to a file that appears only when it is complete. */
async function writingTo(
  out: string | undefined,
  { stdout }: Context,
  pair: (onLines: (text: string) => void | Promise<void>) => Promise<PairHistoryResult>,
): Promise<PairHistoryResult> {
  if (out === undefined || out === '-') return await pair((text) => writeOut(stdout, text))
  const file = new AtomicFile(out)
  try {
    const paired = await pair((text) => file.write(text))
    if (paired.ok) file.replace()
    return paired
  } finally {
    file.discard()
  }
}

/** Findings about a pairing besides its counts. */
function pairingFindings(
  plan: PairingPlan,
  names: readonly string[],
  summary: PairingSummary,
  file: string,
): Finding[] {
  const findings: Finding[] = []
  for (const name of plan.models) {
    if (names.includes(name)) continue
    const close = nearest(name, names) ?? null
    const args = { name, nearest: close }
    findings.push(finding('pairing-model-unknown', args, { file }))
  }
  const { count } = summary.outside
  if (count > 0) findings.push(finding('pairing-beside', { count }, { file }))
  return findings
}

/** The counts of a pairing, and their basis. */
function pairingReport(
  { protocol, registration, vintage }: PairingInputs,
  { summary, level, time }: Pick<PairedHistory, 'summary' | 'level' | 'time'>,
  lines: { readonly file: string; readonly format: string; readonly count: number } | null,
): Omit<FindingsReport, 'findings'> {
  const { vintage_id, source, sha256 } = vintage.manifest
  const { window } = summary
  const facts = [
    ['protocol', `${protocol.version}  ${protocol.sha256}`],
    ['registration', registration && `${registration.name}  ${registration.registration_sha256}`],
    ...(registration === undefined ? [] : timeFacts(level, time)),
    ['outcomes', `${vintage_id}  ${sha256}`],
    ['window', `${window.from} to ${window.to}, ${pluralize(window.origins, 'origin')}`],
    ['as of', `${window.as_of}, ${summary.mode}`],
  ] as const
  const written =
    lines === null || lines.file === '-'
      ? ''
      : `\n\nwritten  ${printable(lines.file)} (${lines.count} lines)`
  return {
    figures: {
      protocol: { version: protocol.version, sha256: protocol.sha256 },
      registration:
        registration === undefined
          ? null
          : {
              name: registration.name,
              sha256: registration.registration_sha256,
              time: timeFigures(level, time),
            },
      outcomes: { vintage_id, source, sha256 },
      summary,
      lines,
    },
    headline: `${summary.total.expected} expected attempts`,
    body: `${twoColumns(facts, 12)}\n\n${summaryTable(summary)}${written}`,
  }
}

type Line = readonly [name: string, counts: CountsWithRates]

/** The counts of a pairing as text: one block per table, in columns. Never a loss or score. */
function summaryTable(summary: PairingSummary): string {
  const series = Object.entries(summary.series)
  const blocks: (readonly [title: string, lines: readonly Line[]])[] = [
    ['model', Object.entries(summary.models)],
    ['step', bySteps(summary.horizons)],
    ['model, step', cellLines(summary)],
    ...(series.length > 1 ? [['series', series] as const] : []),
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
  const rows = blocks.flatMap(([title, lines]) => [
    [title, 'expected', ...STATUSES],
    ...lines.map(([name, counts]) => [
      `  ${name}`,
      String(counts.expected),
      ...STATUSES.map((status) => cell(counts, status)),
    ]),
  ])
  const shown = alignColumns(rows)
  const tables = blocks.map(([, lines]) => shown.splice(0, lines.length + 1).join('\n'))
  return [...tables, reasonLines(summary)].join('\n\n')
}

function cellLines(summary: PairingSummary): Line[] {
  return Object.entries(summary.cells).flatMap(([model, horizons]) =>
    bySteps(horizons).map(([name, counts]): Line => [`${model}, ${name}`, counts]),
  )
}

function bySteps(of: PairingSummary['horizons']): Line[] {
  return Object.entries(of)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([at, counts]) => [`step ${at}`, counts])
}

function cell(counts: CountsWithRates, status: (typeof STATUSES)[number]): string {
  const rate = counts.rates === null ? '' : ` ${percent(counts.rates[status], 1).padStart(7)}`
  return `${counts[status]}${rate}`
}

function reasonLines(summary: PairingSummary): string {
  const list = (reasons: PairingSummary['reasons']) =>
    Object.entries(reasons)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ')
  const { outside } = summary
  const outsideText =
    outside.count === 0 ? 'no rows' : `${outside.count} rows: ${list(outside.reasons)}`
  return [`reasons          ${list(summary.reasons)}`, `beside the grid  ${outsideText}`].join('\n')
}
