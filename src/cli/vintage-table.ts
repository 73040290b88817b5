import type { OutcomesImportResult } from '../outcomes/import.js'
import { twoColumns } from './wording.js'

const GAPS_SHOWN = 5

const UNIT_WORDS = {
  s: 'in Unix seconds',
  ms: 'in Unix milliseconds',
  us: 'in Unix microseconds',
  ns: 'in Unix nanoseconds',
  text: 'as text in UTC',
} as const

const STAMP_WORDS = {
  open: 'open (a bar closes one hour after its time)',
  close: 'close (a bar closes at its time)',
} as const

const WRITTEN_WORDS = {
  written: 'written',
  unchanged: 'unchanged',
  'dry-run': 'would write',
} as const

/** What an import of closes found and where it was written, for a person. */
export function vintageTable(
  { manifest, units }: OutcomesImportResult & { ok: true },
  folder: string,
  outcome: keyof typeof WRITTEN_WORDS,
): string {
  const { input, source } = manifest
  const rows: (readonly [string, string])[] = [
    ['vintage', manifest.vintage_id],
    ['format', `${input?.format}, times ${units.map((unit) => UNIT_WORDS[unit]).join(' and ')}`],
    ['stamp', STAMP_WORDS[input?.stamp ?? 'close']],
    ['source', source === 'unspecified' ? 'unspecified (say it with --source)' : source],
    ['closes', `${manifest.count}, from ${manifest.first} to ${manifest.last}`],
    ...gapRows(manifest.gaps),
    ['sha256', manifest.sha256],
    [WRITTEN_WORDS[outcome], folder],
  ]
  return twoColumns(rows)
}

interface Gap {
  readonly from: string
  readonly to: string
  readonly hours: number
}

function gapRows(gaps: readonly Gap[]): (readonly [string, string])[] {
  if (gaps.length === 0) return [['gaps', 'none']]
  const missing = gaps.reduce((sum, gap) => sum + gap.hours, 0)
  const shown = gaps
    .slice(0, GAPS_SHOWN)
    .map(({ from, to, hours }) => (hours === 1 ? from : `${from} to ${to} (${hours} hours)`))
  const rest = gaps.length - GAPS_SHOWN
  const more = rest > 0 ? [`and ${rest} more, all in manifest.json`] : []
  return [
    ['gaps', `${gaps.length}, ${missing} hours in all`],
    ...[...shown, ...more].map((text) => ['', text] as const),
  ]
}
