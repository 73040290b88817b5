import { checkPairLine } from '../contract/generated/check-pair-line.js'
import { objectIn } from '../contract/is-object.js'
import { FEW, remembering } from '../contract/remembering.js'
import type { PairLine } from '../contract/types.js'
import { csvCell } from '../table/write.js'
import type { PeriodPosition } from './grid.js'
import type { PairedAttempt } from './paired-attempt.js'

/** The members of a line; their order fixes the bytes. */
const MEMBERS = [
  ...(['series', 'origin', 'step', 'target', 'model', 'expected', 'status', 'reason'] as const),
  ...(['interval_status', 'value', 'quantiles', 'seen', 'base', 'outcome'] as const),
  ...(['vintage_id', 'vintage_sha256'] as const),
]

/** Parses a line of NDJSON; undefined if `ndjsonWriter` cannot have written it. */
export function readPairLine(line: string): PairLine | undefined {
  const value = objectIn(line)
  return checkPairLine(value).length === 0 ? (value as unknown as PairLine) : undefined
}

/** Writes attempts as lines; equal attempts give equal bytes. */
export interface LineWriter {
  readonly header: string
  line(attempt: PairedAttempt): string
}

/** The label of a position. */
type ToLabel = (position: PeriodPosition) => string

/** JSON has no NaN or infinities: they become null, and the reason of the attempt tells which it was. */
export function ndjsonWriter(toLabel: ToLabel): LineWriter {
  const toLine = lines(toLabel)
  return { header: '', line: (attempt) => `${JSON.stringify(toLine(attempt))}\n` }
}

/** RFC 4180, with \n line ends and an empty cell for null. @param levels - each is a column. */
export function csvWriter(toLabel: ToLabel, levels: readonly string[]): LineWriter {
  const toLine = lines(toLabel)
  const quantiles = levels.map((level) => `q${level}`)
  return {
    header: `${MEMBERS.flatMap((name) => (name === 'quantiles' ? quantiles : name)).join()}\n`,
    line: (attempt) => {
      const line = toLine(attempt)
      return `${MEMBERS.flatMap((name) => line[name])
        .map(csvCell)
        .join()}\n`
    },
  }
}

/** A small cache is enough, because only adjacent attempts share their positions. */
function lines(toLabel: ToLabel): (attempt: PairedAttempt) => PairLine {
  const text = remembering(toLabel, FEW)
  const label = (position: PeriodPosition | null) => (position === null ? null : text(position))
  return (a) => ({
    series: a.series,
    origin: a.originText ?? label(a.origin) ?? '',
    step: a.horizon,
    target: label(a.target),
    model: a.model,
    expected: a.expected,
    status: a.status,
    reason: a.reason,
    interval_status: a.intervalStatus,
    value: a.forecast,
    quantiles: a.quantiles as PairLine['quantiles'],
    seen: label(a.seen),
    base: a.p0,
    outcome: a.p1,
    vintage_id: a.vintageId,
    vintage_sha256: a.vintageSha256,
  })
}
