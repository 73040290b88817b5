import type { AnyResult } from '../evaluation/result/types.js'
import { counted, readableTime, whole } from '../output/figures.js'
import { levelIn } from './time-line.js'

export interface ChainLink {
  readonly name: string
  readonly says: string
  /** SHA-256 in hex; null where nothing was recorded. */
  readonly sha256: string | null
}

/** What a result rests on, in the order in which it came to be. */
export function chainOf(result: AnyResult): readonly ChainLink[] {
  const { protocol, registration, history, vintage, pairs } = result.inputs
  return [
    {
      name: 'Scoring protocol',
      says: `version ${protocol.version}, frozen before the evaluation`,
      sha256: protocol.sha256,
    },
    {
      name: 'Ledger line of the protocol',
      says: 'when it was frozen, chained to all lines before',
      sha256: protocol.ledger_entry_sha256,
    },
    {
      name: 'Registration',
      says: `${registration.name}, registered ${readableTime(registration.registered_at)}; time ${levelIn(result)}`,
      sha256: registration.sha256,
    },
    {
      name: 'Ledger line of the registration',
      says: 'when it was registered, chained to all lines before',
      sha256: registration.ledger_entry_sha256,
    },
    ...stampsOf(result),
    ...periodsOf(result),
    {
      name: 'Test family',
      says: `${counted(result.family.size, 'test')} by name`,
      sha256: registration.family_sha256,
    },
    {
      name: 'Forecast history',
      says: `${counted(history.rows, 'row')} read for the window`,
      sha256: history.sha256,
    },
    ...logOf(result),
    {
      name: 'Outcome vintage',
      says: `${vintage.id}: ${outcomesSaid(vintage)}`,
      sha256: vintage.sha256,
    },
    {
      name: 'Pairs',
      says: `${counted(pairs.rows, 'attempt')} with status and outcome`,
      sha256: pairs.sha256,
    },
    {
      name: 'Code',
      says: `${result.code.name} ${result.code.version}`,
      sha256: result.code.sha256,
    },
    {
      name: 'Result',
      says: 'result.json, from which this report is drawn',
      sha256: result.result_sha256,
    },
  ]
}

function periodsOf({ inputs }: AnyResult): ChainLink[] {
  if (!('periods' in inputs)) return []
  const { count, sha256 } = inputs.periods
  return [{ name: 'List of periods', says: `${counted(count, 'period')}, frozen`, sha256 }]
}

function outcomesSaid(vintage: AnyResult['inputs']['vintage']): string {
  if ('closes' in vintage) {
    return `${whole(vintage.closes)} hourly closes from ${vintage.source}, ${readableTime(vintage.first)} to ${readableTime(vintage.last)}`
  }
  const { rows, series, source, complete_to: end } = vintage
  const until = end === null ? '' : `, complete to ${readableTime(end)}`
  return `${counted(rows, 'row')} of ${whole(series)} series from ${source}${until}`
}

function stampsOf({ time }: AnyResult): ChainLink[] {
  return (time?.authorities ?? []).flatMap(({ name, anchor_sha256, stamp }) => {
    const anchor = {
      name: `Anchor of ${name}`,
      says: 'the certificate of the authority that was registered; the name is that of its file',
      sha256: anchor_sha256,
    }
    if (stamp === null) return [anchor]
    const says = `its token over line ${stamp.entry} of the ledger, ${readableTime(stamp.gen_time)}`
    return [anchor, { name: `Time stamp of ${name}`, says, sha256: stamp.token_sha256 }]
  })
}

function logOf({ time }: AnyResult): ChainLink[] {
  const log = time?.commitment
  if (!log) return []
  const says = `${log.log}: root of its first ${counted(log.size, 'entry', 'entries')}`
  return [{ name: 'Log of forecasts', says, sha256: log.root }]
}
