import { joined } from '../../contract/findings/row.js'
import type { ScorerBasis, Statement } from './basis.js'

/** What stamps have to show; nothing where a registration names no authorities. */
export function timeStatements({ settings, mode, time, ...committing }: ScorerBasis): Statement[] {
  if (time === undefined) return []
  const { at_least: least, authorities } = time
  const names = joined(
    authorities.map(({ name }) => name),
    'and',
  )
  const asked =
    least === 0
      ? 'Nobody asks for a stamp; what there is is shown.'
      : `Nothing is scored unless at least ${least} of them did.`
  const before =
    mode === 'prospective' ? ' Only genTime plus accuracy before the first origin counts.' : ''
  const stamps = `Time stamps (RFC 3161) on the ledger entry of the registration or a later one, by ${names}, each leading to its registered anchor.${before} ${asked}`
  if (committing.commitment !== 'stamped') return [{ of: 'registration_time', says: stamps }]
  const lag = settings.publication_lag_minutes ?? 0
  const log = committing.commitmentLog
  const where = log === undefined ? "the history's log" : `the log ${log}`
  const committed = `A forecast of the history is committed at the earliest time of a checkpoint of ${where} that holds it. The time of a checkpoint is the earliest by which ${least} of these authorities stamped it, genTime plus accuracy; without so many it has none. A forecast is ineligible where that is later than ${lag} minutes after its origin, or than its target, or never; and where the log holds under its key a forecast that the history does not. The log counts up to the first checkpoint with a time at or after the last target.`
  return [
    { of: 'registration_time', says: stamps },
    { of: 'commitment', says: committed },
  ]
}
