import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ArgsOf, type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN } from '../../contract/instant.js'
import { CLOCK_TOLERANCE } from '../../protocol/rules/ledger.js'
import { type Documents, type InputPaths, protocolFolder } from '../load.js'
import type { AnyResult } from '../result/types.js'
import {
  type AccessEntry,
  accessFault,
  accessPath,
  accessText,
  earlierReadings,
  type ReadInputs,
  readAccess,
  readAccessFile,
  sameInputs,
} from './access.js'
import { FILES } from './folder.js'
import { readEvidence } from './open.js'

/** The record of readings: whole, in order, continued by the live one, and in accord with the result. */
export function accessFaults(
  result: AnyResult,
  { registration, expected }: Documents,
  folder: string,
  paths: InputPaths,
  now: Instant,
): Finding[] {
  const sha256 = registration.registration_sha256
  const file = join(folder, FILES.access)
  const bytes = readEvidence(folder, FILES.access)
  const stored = readAccess(bytes, file, sha256)
  if (!hasNoErrors(stored.findings)) return [...stored.findings]
  const spelling = spellingFaults(bytes, stored.entries, file)
  if (spelling.length > 0) return spelling
  const livePath = accessPath(protocolFolder(paths.protocol), sha256)
  if (!existsSync(livePath)) return [finding('access-missing', {}, { file: livePath })]
  const live = readAccessFile(livePath, sha256)
  if (!hasNoErrors(live.findings)) return [...live.findings]
  const parted = stored.entries.findIndex(
    (entry, index) => live.entries[index]?.entry_sha256 !== entry.entry_sha256,
  )
  if (parted !== -1) return [finding('access-parted', { entry: parted + 1 }, { file: livePath })]
  const times = timeFaults(live.entries, registration.registered_at, expected.asOf, now, livePath)
  return times.length > 0 ? times : accordFaults(result, stored.entries, file)
}

/** The digests do not see how a line is spelled; what `score` wrote has one spelling. */
function spellingFaults(bytes: Buffer, entries: readonly AccessEntry[], file: string): Finding[] {
  if (bytes.equals(Buffer.from(accessText(entries)))) return []
  const lines = bytes.toString('utf8').split('\n')
  const at = entries.findIndex((entry, index) => accessText([entry]) !== `${lines[index]}\n`)
  const row = Math.max(at, 0) + 1
  return [accessFault(row, 'spelling', { file, position: { line: row, column: 1 } })]
}

/** A reading comes after the registration, its as-of and the entry above it, and not after today. */
function timeFaults(
  entries: readonly AccessEntry[],
  registered: string,
  asOf: Instant,
  now: Instant,
  file: string,
): Finding[] {
  type Args = ArgsOf<'access-time'>
  const fault = (row: number, at: string, what: Args['what'], than: string) => {
    const position = { line: row, column: 1 }
    return [finding('access-time', { row, at, what, than }, { file, position })]
  }
  const late = asOf > instantOrNaN(registered)
  let [what, than]: [Args['what'], string] = late
    ? ['before-as-of', formatUtc(asOf)]
    : ['before-registration', registered]
  for (const { seq, at } of entries) {
    if (instantOrNaN(at) < instantOrNaN(than)) return fault(seq, at, what, than)
    if (instantOrNaN(at) > now + CLOCK_TOLERANCE) return fault(seq, at, 'future', formatUtc(now))
    ;[what, than] = ['before-entry', at]
  }
  return []
}

function accordFaults(result: AnyResult, entries: readonly AccessEntry[], file: string): Finding[] {
  const inputs = readInputsOf(result)
  const last = entries.at(-1)
  if (
    last?.event !== 'result_written' ||
    last.result_sha256 !== result.result_sha256 ||
    !sameInputs(last, inputs)
  ) {
    const args = { stored: last?.result_sha256 ?? null, found: result.result_sha256 }
    return [finding('access-of-other-result', args, { file })]
  }
  const own = readingOf(entries, inputs)
  const before = entries.filter((entry) => entry.seq < (own?.seq ?? 0))
  const earlier = earlierReadings(before, inputs)
  if (own && earlier === result.earlier_readings && result.exploratory === earlier > 0) return []
  return [
    finding('exploratory-differs', { stored: result.earlier_readings, found: earlier }, { file }),
  ]
}

/** When the outcomes of a result were read, by the record that lies beside it; NaN where that does not say. */
export function ownReading(folder: string, result: AnyResult): Instant {
  const bytes = readEvidence(folder, FILES.access)
  const { entries } = readAccess(bytes, FILES.access, result.inputs.registration.sha256)
  return instantOrNaN(readingOf(entries, readInputsOf(result))?.at ?? '')
}

/** The last reading of some inputs. */
function readingOf(entries: readonly AccessEntry[], inputs: ReadInputs): AccessEntry | undefined {
  return entries.findLast((entry) => entry.event === 'outcomes_read' && sameInputs(entry, inputs))
}

function readInputsOf({ inputs, code }: AnyResult): ReadInputs {
  return {
    vintage_sha256: inputs.vintage.sha256,
    history_sha256: inputs.history.sha256,
    code_sha256: code.sha256,
  }
}
