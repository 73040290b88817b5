import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { formatStored, parseTimestamp, TIMESTAMP_FAULTS } from '../contract/instant.js'
import { isValue, PAIR } from '../contract/limits.js'
import { isIJsonText, shownText } from './i-json.js'
import {
  type AttemptRow,
  type HistoryRow,
  type OriginRow,
  PROVENANCE_COLUMNS,
  type ProvenanceRow,
  type RawKey,
  type RawValue,
} from './row.js'

/** The name of a row in findings: its key as stored. */
export function nameOfRow(row: RawKey): string {
  return shownText(`${String(row.originAt)}, ${String(row.model)}, ${String(row.horizonHours)} h`)
}

/** Columns of one row of predictions whose values have the wrong type; `ROW_RULES` judges their content. */
export function historyRowFaults(row: HistoryRow): Finding[] {
  const faults = new RowFaults(() => nameOfRow(row))
  faults.timestamp('origin_at', row.originAt)
  faults.timestamp('target_at', row.targetAt)
  if (!isIJsonText(row.model)) faults.add('text', 'model_name', row.model)
  if (!isHorizon(row.horizonHours)) faults.add('horizon', 'horizon_hours', row.horizonHours)
  faults.number('predicted_price_usd', row.priceUsd)
  faults.number('predicted_change_pct', row.changePct)
  for (const [column, bound] of Object.entries({
    q10_usd: row.q10Usd,
    q50_usd: row.q50Usd,
    q90_usd: row.q90Usd,
  })) {
    if (bound !== null) faults.number(column, bound)
  }
  const agreement = row.modelAgreement
  if (agreement !== null && faults.number('model_agreement', agreement)) {
    if (Number(agreement) < 0 || Number(agreement) > 1) {
      faults.add('agreement', 'model_agreement', agreement)
    }
  }
  if (row.origin === undefined) faults.add('orphan', 'origin_at', row.originAt)
  return faults.list
}

/** A whole number of hours above 0. */
export function isHorizon(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

/** All faults of one row of origins, except those of its manifest. */
export function originFaults(origin: OriginRow): Finding[] {
  const faults = new RowFaults(() => shownText(`origin ${String(origin.originAt)}`))
  faults.timestamp('origin_at', origin.originAt)
  if (origin.generatedAt !== null) faults.timestamp('generated_at', origin.generatedAt)
  faults.number('source_price_usd', origin.sourcePriceUsd)
  faults.text('source_name', origin.sourceName)
  faults.text('experiment_run_id', origin.runId)
  faults.text('configuration_id', origin.configurationId)
  if (origin.pair !== null && origin.pair !== PAIR) faults.add('pair', 'pair', origin.pair)
  return faults.list
}

/** Texts in a row's provenance that JSON does not allow. */
export function provenanceFaults(key: RawKey, row: ProvenanceRow): Finding[] {
  const faults = new RowFaults(() => nameOfRow(key))
  for (const [name, column] of Object.entries(PROVENANCE_COLUMNS)) faults.text(name, row[column])
  return faults.list
}

/** Faults of a recorded attempt: an invalid time or status, and texts that JSON does not allow. */
export function attemptFaults(row: AttemptRow): Finding[] {
  const faults = new RowFaults(() => nameOfRow(row))
  faults.timestamp('origin_at', row.originAt)
  if (row.recordedAt !== null) faults.timestamp('recorded_at', row.recordedAt)
  if (row.status !== 'failed' && row.status !== 'abstained') {
    faults.add('attempt', 'status', row.status)
  }
  return [...faults.list, ...attemptTextFaults(row)]
}

/** Why a recorded attempt cannot be shown: faults in its texts or in its provenance. */
export function shownAttemptFaults(row: AttemptRow): Finding[] {
  return [
    ...attemptTextFaults(row),
    ...(row.provenance === undefined ? [] : provenanceFaults(row, row.provenance)),
  ]
}

/** Values of a recorded attempt that are not text, or that JSON does not allow. */
function attemptTextFaults(row: AttemptRow): Finding[] {
  const faults = new RowFaults(() => nameOfRow(row))
  if (!isIJsonText(row.model)) faults.add('attempt', 'model_name', row.model)
  if (!isIJsonText(row.reason) || row.reason === '') faults.add('attempt', 'reason', row.reason)
  return faults.list
}

type ValueFault = ArgsOf<'history-value'>['fault']

/** Collects the findings of one row. */
export class RowFaults {
  readonly list: Finding[] = []
  readonly #row: () => string

  /** @param row - names the row; called only if the row has a fault. */
  constructor(row: () => string) {
    this.#row = row
  }

  add(fault: ValueFault, column: string, value: RawValue, but = ''): void {
    const found = shown(value) + but
    this.list.push(finding('history-value', { fault, row: this.#row(), column, found }))
  }

  /** The instant; adds a finding if the value is not a timestamp, or not in the stored form. */
  timestamp(column: string, value: RawValue): number | undefined {
    const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined
    if (!parsed?.ok) {
      const message = TIMESTAMP_FAULTS[parsed?.fault ?? 'syntax']
      this.add('timestamp', column, value, `, which ${message}`)
      return undefined
    }
    const expected = formatStored(parsed.instant)
    if (expected !== value) {
      this.add('timestamp-form', column, value, `, which is not the stored form ${expected}`)
    }
    return parsed.instant
  }

  /** Whether the value is a number that a forecast may have; otherwise adds a finding. */
  number(column: string, value: RawValue): boolean {
    if (isValue(value)) return true
    this.add('number', column, value)
    return false
  }

  /** Accepts null, or a text that JSON allows. */
  text(column: string, value: RawValue): void {
    if (value !== null && !isIJsonText(value)) this.add('text', column, value)
  }
}

/** Formats a value for a finding, with its type. */
function shown(value: RawValue): string {
  if (value === null) return 'nothing'
  if (value instanceof Uint8Array) return `${value.length} bytes of binary`
  if (typeof value === 'number') return String(value)
  const short = value.length > 60 ? `${value.slice(0, 57)}…` : value
  return shownText(JSON.stringify(short))
}
