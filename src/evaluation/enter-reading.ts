import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant, instantOrNaN } from '../contract/instant.js'
import {
  type AccessEntry,
  type AccessFields,
  accessPath,
  appendAccess,
  earlierReadings,
} from '../protocol/readings.js'
import type { CheckedInputs } from './check.js'
import type { DigestedRows } from './history.js'
import { withOtherRegistrations } from './other-registrations.js'
import type { CodeVersion, Result } from './result/result.js'
import { createRunMetadata } from './result/shared.js'
import type { ReadEvaluation } from './steps.js'

/** Checked inputs whose reading is recorded: from here on an aborted run is known, too. */
export interface EnteredReading extends CheckedInputs, ReadEvaluation {
  readonly rows: DigestedRows
  /** The record of readings. */
  readonly access: string
}

export interface ReadingOptions {
  /** The present, which is recorded as the time of reading. */
  readonly now: () => Instant
  readonly code: CodeVersion
}

/** Records the reading beside the ledger, and sees which other registrations were there by then. */
export async function enterReading<Options extends ReadingOptions>(
  checked: CheckedInputs,
  options: Options,
): Promise<EnteredReading & { readonly options: Options }> {
  const { inputs, outcomes, history, read, log } = checked
  const readings = appendReading(checked, options)
  const [entry, before] = [readings.at(-1) as AccessEntry, readings.slice(0, -1)]
  const readAt = () => instantOrNaN(entry.at)
  const by = { own: inputs.trusted.anchors }
  const others = await withOtherRegistrations(checked.documents, inputs.history.path, readAt, by)
  const { documents } = others
  const earlier = earlierReadings(before, entry)
  return {
    ...{ ...checked, documents, options, findings: [...checked.findings, ...others.findings] },
    task: outcomes.task(documents, history.regimes, log.commitments),
    rows: history.rows(),
    run: createRunMetadata(documents, read, options.code, earlier, log.member),
    access: readingsPath(checked),
  }
}

/**
 * Adds a line to the record of readings: that the outcomes are read, or what came of it.
 * @returns all lines, the new one last.
 */
export function appendReading(
  of: Pick<CheckedInputs, 'documents' | 'outcomes' | 'read'>,
  { now, code }: ReadingOptions,
  result?: Pick<Result, 'exploratory' | 'result_sha256'>,
): readonly AccessEntry[] {
  const { registration_sha256, registered_at } = of.documents.registration
  const inputs = {
    vintage_sha256: of.outcomes.manifest.sha256,
    history_sha256: of.read.sha256,
    code_sha256: code.sha256,
  }
  return appendAccess(readingsPath(of), registration_sha256, (before) => {
    const event = result === undefined ? 'outcomes_read' : 'result_written'
    const { exploratory } = result ?? { exploratory: earlierReadings(before, inputs) > 0 }
    const last = [registered_at, ...before.slice(-1).map(({ at }) => at)].map(instantOrNaN)
    const at = formatUtc(readingTime(event, now(), Math.max(...last), readingsPath(of)))
    const result_sha256 = result?.result_sha256 ?? null
    return { event, at, registration_sha256, ...inputs, exploratory, result_sha256 }
  })
}

const readingsPath = ({ documents: { folder, registration } }: Pick<CheckedInputs, 'documents'>) =>
  accessPath(folder, registration.registration_sha256)

/**
 * The times of the record must not decrease, so a clock that is behind is refused before anything is read. A clock
 * that was set back during the run, or is behind another machine's, costs no result.
 */
function readingTime(
  event: AccessFields['event'],
  now: Instant,
  last: Instant,
  file: string,
): Instant {
  if (now >= last) return now
  if (event === 'result_written') return last
  throw new ForeproofError(
    'refused',
    `this machine's clock says ${formatUtc(now)}, but the record of readings is at ${formatUtc(last)}`,
    { file, help: 'Correct the clock. Nothing was scored.' },
  )
}
