import { ForeproofError } from '../../contract/error.js'
import { type ArgsOf, finding } from '../../contract/findings/finding.js'
import type { Registration } from '../../contract/types.js'
import type { LogEntry, StoredCheckpoint } from '../../log/types.js'
import { logNamed } from '../../registration/time-rules.js'
import { isExported } from '../../store/exported.js'
import { readHistory, streamed } from '../../store/open.js'
import { shownHistory } from '../../store/shown.js'

/** A sealed log, as a history holds it or as an evidence folder carries it. */
export interface LogSource {
  /** Its origin line. */
  readonly name: string
  /** What findings call it. */
  readonly file: string
  /** In the order of their sizes. */
  checkpoints(): AsyncIterable<StoredCheckpoint>
  /** The first entries, in batches; fewer where the log has no more. */
  entries(size: number): AsyncIterable<readonly LogEntry[]>
}

/**
 * The log of a history that a registration goes by: the one that it names, or the only one with a checkpoint. None is
 * chosen among several afterwards.
 * @param wanted - by whom the evaluation is run: that one or none.
 * @throws {ForeproofError} `refused` with a finding where it is not there, or the choice is open.
 */
export async function registeredLog(
  registration: Pick<Registration, 'commitment_log' | 'time'>,
  path: string,
  wanted?: string,
): Promise<LogSource> {
  const registered = logNamed(registration)
  if (registered === undefined) {
    const only = await historyLog(path)
    if (wanted === undefined || wanted === only.name) return only
  }
  if (registered !== undefined && wanted !== undefined && wanted !== registered) {
    throw refused(path, 'not-registered', wanted, [registered])
  }
  return await historyLog(path, registered ?? wanted)
}

/**
 * The log of a history that is named, or the only one with a checkpoint.
 * @throws {ForeproofError} `refused` with a finding where there is none, or there are several.
 */
export async function historyLog(path: string, wanted?: string): Promise<LogSource> {
  const logs = await readHistory(path, (reader) => reader.logs())
  const sealed = logs.flatMap(({ name, sealed: size }) => (size === undefined ? [] : (name ?? [])))
  const [only, ...others] = wanted === undefined ? sealed : sealed.filter((name) => name === wanted)
  if (only === undefined) {
    throw refused(path, 'unsealed', wanted ?? 'at all', sealed.length === 0 ? ['none'] : sealed)
  }
  if (others.length > 0) throw refused(path, 'several', '', sealed)
  return {
    name: only,
    file: shownHistory(path),
    checkpoints: () => streamed(path, (open) => open.checkpoints(only)),
    entries: (size) => streamed(path, (open) => open.logEntries(0, size, only)),
  }
}

/** Whether a history holds a log, sealed: an export does not, nor one that a site was pulled into. */
export async function holdsLog(path: string, name: string): Promise<boolean> {
  if (isExported(path)) return false
  const logs = await readHistory(path, (reader) => reader.logs())
  return logs.some((log) => log.name === name && log.sealed !== undefined)
}

function refused(
  path: string,
  fault: ArgsOf<'log-unchosen'>['fault'],
  wanted: string,
  there: readonly string[],
): ForeproofError {
  const file = shownHistory(path)
  const says = `${file}: no log to hold forecasts against`
  const findings = [finding('log-unchosen', { fault, wanted, there }, { file })]
  return new ForeproofError('refused', says, { file, findings })
}
