import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import { type Broken, broken, guarded } from '../links.js'
import type { Documents } from '../load.js'
import type { EvaluationResult } from '../result/types.js'
import type { Commitments } from './commitments.js'
import {
  commitmentMember,
  commitmentsIn,
  isCommitted,
  type LogOptions,
  type ProvedLog,
  provedLog,
  unexplainedFindings,
} from './committed.js'
import { type LogSource, registeredLog } from './log-source.js'
import { type RegistrationTime, registrationTime } from './registration-time.js'

/** A registration's authorities and what they showed; undefined where it names none. */
export interface ProvedTime {
  readonly ok: true
  readonly time: RegistrationTime | undefined
}

/**
 * When a registration was there, from the stamps in a folder.
 * @param folder - that of the ledger, or an evidence folder's copy.
 * @param below - what becomes of a registration that too few authorities stamped.
 * @returns what does not hold where an anchor is another one, or too few authorities stamped it.
 */
export async function proveTime(
  { registration, registrationEntry, ledger }: Documents,
  folder: string,
  below: 'refuse' | 'tell' = 'refuse',
): Promise<ProvedTime | Broken> {
  const read = await guarded('time', () =>
    registrationTime(registration, registrationEntry, ledger, folder, below),
  )
  if (!read.ok) return read
  const time = read.value
  if (time === undefined) return { ok: true, time }
  return hasNoErrors(time.findings) ? { ok: true, time } : broken('time', time.findings)
}

/** What bears out when the forecasts of a history were made; nothing where nobody asks. */
export interface ProvedForecasts {
  readonly ok: true
  readonly log: ProvedLog | undefined
  readonly commitments: Commitments | undefined
  /** What a result says; absent where the registration names no authorities. */
  readonly member: EvaluationResult['time']
  readonly findings: readonly Finding[]
}

/**
 * Holds the forecasts of a history against a log, where the registration asks for it.
 * @param source - undefined: the one of the history that the registration goes by.
 */
export async function proveForecasts(
  documents: Pick<Documents, 'registration'>,
  time: RegistrationTime | undefined,
  history: string,
  source: () => LogSource | Promise<LogSource> = () =>
    registeredLog(documents.registration, history),
  options: LogOptions = {},
): Promise<ProvedForecasts | Broken> {
  if (time === undefined || !isCommitted(documents.registration)) return askedOfNone(time)
  const log = await provedLog(documents.registration, time, source, options)
  if (!log.ok) return log
  return await forecastsIn(log, documents, time, history, options)
}

function askedOfNone(time: RegistrationTime | undefined): ProvedForecasts {
  const member = time && { ...time.member, commitment: null }
  return { ok: true, log: undefined, commitments: undefined, member, findings: [] }
}

/** Holds the forecasts of a history against a log that is proved already. */
export async function forecastsIn(
  log: ProvedLog,
  { registration }: Pick<Documents, 'registration'>,
  time: RegistrationTime,
  history: string,
  { signal }: Pick<LogOptions, 'signal'> = {},
): Promise<ProvedForecasts | Broken> {
  const judged = await guarded('history', () => commitmentsIn(registration, log, history, signal))
  if (!judged.ok) return judged
  const commitments = judged.value
  const findings = [...unexplainedFindings(log, commitments), ...log.findings]
  if (!hasNoErrors(findings)) return broken('log', findings)
  return {
    ok: true,
    log,
    commitments,
    member: { ...time.member, commitment: commitmentMember(log, commitments) },
    findings,
  }
}
