import type { Result } from '../evaluation/result/result.js'
import { counted, readableTime } from '../output/figures.js'
import { levelIn } from './time-line.js'

/** A link: its name, its content, and its SHA-256 in hex; null if nothing was recorded. */
type ChainLink = readonly [name: string, says: string, sha256: string | null]

const FROZEN = 'when it was frozen, chained to all lines before'
const REGISTERED = 'when it was registered, chained to all lines before'

/** The links of evidence of a result, in order of time. */
export function listChainLinks(result: Result): readonly ChainLink[] {
  const { code, cells, settings } = result
  const { protocol, registration, history, outcomes, pairs } = result.inputs
  const entered = `${registration.name}, registered ${readableTime(registration.registered_at)}; time ${levelIn(result)}`
  return [
    [
      'Scoring protocol',
      `version ${protocol.version}, frozen before the evaluation`,
      protocol.sha256,
    ],
    ['Ledger line of the protocol', FROZEN, protocol.ledger_entry_sha256],
    ['Registration', entered, registration.sha256],
    ['Ledger line of the registration', REGISTERED, registration.ledger_entry_sha256],
    ...listStamps(result),
    ...listPeriods(result),
    ['Test family', `${counted(settings.family.size, 'test')} by name`, registration.family_sha256],
    ['Forecast history', `${counted(history.rows, 'row')} read for the window`, history.sha256],
    ...describeLog(result),
    ['Outcome vintage', `${outcomes.id}: ${outcomesSaid(outcomes)}`, outcomes.sha256],
    ['Pairs', `${counted(pairs.rows, 'attempt')} with status and outcome`, pairs.sha256],
    ['Cells', `${counted(cells.lines, 'line')}, one for each series at each step`, cells.sha256],
    ['Code', `${code.name} ${code.version}`, code.sha256],
    ['Result', 'result.json, from which this report is drawn', result.result_sha256],
  ]
}

function listPeriods({ settings }: Result): ChainLink[] {
  const { periods } = settings.rules
  if (periods.kind === 'hours') return []
  return [['List of periods', `${counted(periods.count, 'period')}, frozen`, periods.sha256]]
}

function outcomesSaid({ rows, source, complete_to: end }: Result['inputs']['outcomes']): string {
  const until = end === null ? '' : `, complete to ${readableTime(end)}`
  return `${counted(rows, 'row')} from ${source}${until}`
}

const ANCHOR = 'the certificate of the authority that was registered; the name is that of its file'

function listStamps({ time }: Result): ChainLink[] {
  return (time?.authorities ?? []).flatMap(({ name, anchor_sha256, stamp }): ChainLink[] => {
    const anchor = [`Anchor of ${name}`, ANCHOR, anchor_sha256] as const
    if (stamp === null) return [anchor]
    const message = `its token over line ${stamp.entry} of the ledger, ${readableTime(stamp.gen_time)}`
    return [anchor, [`Time stamp of ${name}`, message, stamp.token_sha256]]
  })
}

function describeLog({ time }: Result): ChainLink[] {
  const log = time?.commitment
  if (!log) return []
  const message = `${log.log}: root of its first ${counted(log.size, 'entry', 'entries')}`
  return [['Log of forecasts', message, log.root]]
}
