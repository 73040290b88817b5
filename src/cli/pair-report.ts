import { type Finding, finding } from '../contract/findings/finding.js'
import { nearest } from '../contract/nearest.js'
import { printable } from '../contract/printable.js'
import type { PairingInputs } from '../evaluation/load-pairing.js'
import type { PairedHistory } from '../evaluation/pair-history.js'
import type { Report } from '../output/print.js'
import type { PairingPlan, PairingSummary } from '../pairing/types.js'
import { summaryTable } from './pair-table.js'
import { timeFacts, timeFigures } from './time-facts.js'
import { twoColumns } from './wording.js'

/** The file that the lines of a pairing went to. */
export interface WrittenLines {
  readonly file: string
  readonly format: 'ndjson' | 'csv'
  readonly count: number
}

/** What is to be said of a pairing besides its counts. */
export function pairingFindings(
  plan: PairingPlan,
  known: readonly string[],
  summary: PairingSummary,
  file: string,
): Finding[] {
  const findings: Finding[] = []
  for (const name of plan.models) {
    if (known.includes(name)) continue
    const close = nearest(name, known) ?? null
    const args = { name, nearest: close }
    findings.push(finding('pairing-model-unknown', args, { file }))
  }
  const { count } = summary.outside
  if (count > 0) findings.push(finding('pairing-beside', { count }, { file }))
  return findings
}

/** The counts of a pairing, and what they rest on. */
export function pairingReport(
  { protocol, registration, vintage }: PairingInputs,
  { summary, level, time }: Pick<PairedHistory, 'summary' | 'level' | 'time'>,
  lines: WrittenLines | undefined,
): Omit<Report, 'findings'> {
  const { vintage_id, source, sha256 } = vintage.manifest
  const { window } = summary
  const facts: (readonly [string, string])[] = [
    ['protocol', `${protocol.protocol_version}  ${protocol.protocol_sha256}`],
    ...(registration === undefined
      ? []
      : [
          ['registration', `${registration.name}  ${registration.registration_sha256}`] as const,
          ...timeFacts(level, time),
        ]),
    ['outcomes', `${vintage_id}  ${sha256}`],
    ['window', `${window.from} to ${window.to}, ${window.origins} hourly origins`],
    ['as of', `${window.as_of}, ${summary.mode}`],
  ]
  const written =
    lines === undefined || lines.file === '-'
      ? ''
      : `\n\nwritten  ${printable(lines.file)} (${lines.count} lines)`
  return {
    figures: {
      protocol: { version: protocol.protocol_version, sha256: protocol.protocol_sha256 },
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
      lines: lines ?? null,
    },
    headline: `${summary.total.expected} expected attempts`,
    body: `${twoColumns(facts, 12)}\n\n${summaryTable(summary)}${written}`,
  }
}
