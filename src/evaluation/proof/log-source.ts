import { ForeproofError } from '../../contract/error.js'
import { type ArgsOf, finding } from '../../contract/findings/finding.js'
import type { Registration } from '../../contract/types.js'
import type { LogEntry, StoredCheckpoint } from '../../log/log-entry.js'
import { logNamed } from '../../registration/time-rules.js'
import { isExported } from '../../store/exported.js'
import { readHistory, streamHistory } from '../../store/open.js'
import { historyName } from '../../store/shown.js'

/** A sealed log, as a history holds it or as an evidence folder carries it. */
export interface LogSource {
  /** Its origin line. */
  readonly name: string
  /** Its name in findings. */
  readonly file: string
  /** In the order of their sizes. */
  checkpoints(): AsyncIterable<StoredCheckpoint>
  /** The first entries, in batches; fewer where the log has no more. */
  entries(size: number): AsyncIterable<readonly LogEntry[]>
}

/**
 * The log of a history, by which a registration goes: one that it names has to be it.
 * @param wanted - by whom the evaluation is run: that one or none.
 * @throws {ForeproofError} `refused` with a finding where it is not there.
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
    throw unchosenLog(path, 'not-registered', wanted, [registered])
  }
  return await historyLog(path, registered ?? wanted)
}

/**
 * The log of a history.
 * @param wanted - the required name.
 * @throws {ForeproofError} `refused` with a finding if it has no checkpoint, or another name.
 */
export async function historyLog(path: string, wanted?: string): Promise<LogSource> {
  const name = await sealedLog(path)
  if (name === undefined || (wanted !== undefined && wanted !== name)) {
    throw unchosenLog(path, 'unsealed', wanted ?? 'at all', [name ?? 'none'])
  }
  return {
    name,
    file: historyName(path),
    checkpoints: () => streamHistory(path, (open) => open.checkpoints()),
    entries: (size) => streamHistory(path, (open) => open.logEntries(0, size)),
  }
}

/** Whether a history holds a sealed log; an export does not, nor does one that a site was pulled into. */
export const holdsLog = async (path: string, name: string): Promise<boolean> =>
  !isExported(path) && (await sealedLog(path)) === name

/** The name of the log of a history, if it has a checkpoint. */
async function sealedLog(path: string): Promise<string | undefined> {
  const log = await readHistory(path, (reader) => reader.log())
  return log?.sealed === undefined ? undefined : log.name
}

function unchosenLog(
  path: string,
  fault: ArgsOf<'log-unchosen'>['fault'],
  wanted: string,
  there: readonly string[],
): ForeproofError {
  const file = historyName(path)
  const message = `${file}: no log to hold forecasts against`
  const findings = [finding('log-unchosen', { fault, wanted, there }, { file })]
  return new ForeproofError('refused', message, { file, findings })
}
