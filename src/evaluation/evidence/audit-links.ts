import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileError } from '../../contract/error.js'
import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Vintage } from '../../outcomes/types.js'
import { type Documents, type InputPaths, protocolFolder } from '../load.js'
import { runMetadata } from '../result/run-metadata.js'
import { settingsOf } from '../result/settings.js'
import type { EvaluationResult } from '../result/types.js'
import { type AccessEntry, earlierReadings, readAccess } from './access.js'
import { accessPath, readAccessFile } from './access-file.js'
import { firstDifference } from './differences.js'
import { FILES, type Renderers } from './folder.js'
import { readTextFile } from './read-folder.js'

/** Whether the result is one of this registration, protocol and ledger. */
export function documentFaults(
  result: EvaluationResult,
  documents: Documents,
  paths: InputPaths,
): Finding[] {
  const { registration, registrationEntry, protocol, protocolEntry } = documents
  const { inputs } = result
  if (inputs.registration.sha256 !== registration.registration_sha256) {
    const args = { stored: inputs.registration.sha256, found: registration.registration_sha256 }
    return [finding('result-of-other-registration', args, { file: paths.registration })]
  }
  if (inputs.protocol.sha256 !== protocol.protocol_sha256) {
    const args = { stored: inputs.protocol.sha256, found: protocol.protocol_sha256 }
    return [finding('result-of-other-protocol', args, { file: paths.protocol })]
  }
  for (const [stored, entry] of [
    [inputs.protocol.ledger_entry_sha256, protocolEntry],
    [inputs.registration.ledger_entry_sha256, registrationEntry],
  ] as const) {
    if (stored === entry.entry_sha256) continue
    const args = { stored, found: entry.entry_sha256, entry: entry.seq }
    return [finding('ledger-rewritten', args, { file: paths.protocol })]
  }
  return []
}

/** Whether the run was carried out with what was fixed: mode, inputs, and figures with the seed. */
export function settingFaults(
  result: EvaluationResult,
  documents: Documents,
  vintage: Vintage,
  folder: string,
): Finding[] {
  const file = join(folder, FILES.result)
  const { registration, protocol } = documents
  const fixed = settingsOf(registration, protocol)
  const { history, pairs } = result.inputs
  const { inputs } = runMetadata(documents, vintage, history, pairs, result.code, 0)
  const other =
    firstDifference(result.mode, registration.mode, '/mode') ??
    firstDifference(result.scorer, registration.scorer, '/scorer') ??
    firstDifference(result.inputs, inputs, '/inputs')
  if (other !== undefined) {
    const args = { stored: other.stored, fixed: other.computed }
    return [finding('settings-differ', args, { file, pointer: other.pointer })]
  }
  if (result.settings.seed !== fixed.seed) {
    return [finding('seed-differs', { stored: result.settings.seed, fixed: fixed.seed }, { file })]
  }
  const difference = firstDifference(result.settings, fixed, '/settings')
  if (difference === undefined) return []
  const { pointer, stored, computed } = difference
  return [finding('settings-differ', { stored, fixed: computed }, { file, pointer })]
}

export function vintageFaults(
  result: EvaluationResult,
  { manifest }: Vintage,
  path: string,
): Finding[] {
  const stored = result.inputs.vintage.sha256
  if (stored === manifest.sha256) return []
  return [finding('outcomes-changed', { stored, found: manifest.sha256 }, { file: path })]
}

/** The digest of the stored pairs, read piece by piece. */
export async function pairsFileFaults(
  result: EvaluationResult,
  folder: string,
): Promise<Finding[]> {
  const file = join(folder, FILES.pairs)
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (cause) {
    throw fileError(cause, file)
  }
  const [stored, found] = [result.inputs.pairs.sha256, hash.digest('hex')]
  return found === stored ? [] : [finding('pairs-edited', { stored, found }, { file })]
}

/** The record of readings: whole, continued by the live one, and in accord with the result. */
export function accessFaults(
  result: EvaluationResult,
  folder: string,
  paths: InputPaths,
): Finding[] {
  const registration = result.inputs.registration.sha256
  const file = join(folder, FILES.access)
  const stored = readAccess(Buffer.from(readTextFile(file)), file, registration)
  if (!hasNoErrors(stored.findings)) return [...stored.findings]
  const livePath = accessPath(protocolFolder(paths.protocol), registration)
  if (!existsSync(livePath)) return [finding('access-missing', {}, { file: livePath })]
  const live = readAccessFile(livePath, registration)
  if (!hasNoErrors(live.findings)) return [...live.findings]
  const parted = stored.entries.findIndex(
    (entry, index) => live.entries[index]?.entry_sha256 !== entry.entry_sha256,
  )
  if (parted !== -1) return [finding('access-parted', { entry: parted + 1 }, { file: livePath })]
  return accordFaults(result, stored.entries, file)
}

function accordFaults(
  result: EvaluationResult,
  entries: readonly AccessEntry[],
  file: string,
): Finding[] {
  const last = entries.at(-1)
  if (last?.event !== 'result_written' || last.result_sha256 !== result.result_sha256) {
    const args = { stored: last?.result_sha256 ?? null, found: result.result_sha256 }
    return [finding('access-of-other-result', args, { file })]
  }
  const inputs = {
    vintage_sha256: result.inputs.vintage.sha256,
    history_sha256: result.inputs.history.sha256,
    code_sha256: result.code.sha256,
  }
  const readings = entries.filter((entry) => entry.event === 'outcomes_read')
  const own = readings.findLast(
    (entry) => entry.history_sha256 === inputs.history_sha256 && entry.seq < last.seq,
  )
  const before = entries.filter((entry) => entry.seq < (own?.seq ?? 0))
  const earlier = earlierReadings(before, inputs)
  if (own && earlier === result.earlier_readings && result.exploratory === earlier > 0) return []
  return [
    finding('exploratory-differs', { stored: result.earlier_readings, found: earlier }, { file }),
  ]
}

const MADE_FROM = /<meta name="foreproof-result" content="([0-9a-f]{64})">/

/** The reports must be what this result gives, to the byte where the same code drew them. */
export function reportFaults(
  result: EvaluationResult,
  folder: string,
  sameCode: boolean,
  render: Renderers,
): Finding[] {
  const findings: Finding[] = []
  const check = (name: 'html' | 'markdown', stored: string | null) => {
    const file = join(folder, FILES[name])
    if (stored !== result.result_sha256) {
      findings.push(
        finding('report-of-other-run', { stored, found: result.result_sha256 }, { file }),
      )
    } else if (readTextFile(file) !== render[name](result)) {
      findings.push(
        sameCode
          ? finding('report-edited', {}, { file })
          : finding('report-not-comparable', {}, { file }),
      )
    }
  }
  const html = readTextFile(join(folder, FILES.html))
  check('html', MADE_FROM.exec(html)?.[1] ?? null)
  const markdown = readTextFile(join(folder, FILES.markdown))
  const named = markdown.includes(result.result_sha256) ? result.result_sha256 : null
  check('markdown', named)
  return findings
}
