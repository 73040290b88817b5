import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import type { Vintage } from '../../outcomes/types.js'
import type { Documents, InputPaths } from '../load.js'
import { runMetadata } from '../result/run-metadata.js'
import { settingsOf } from '../result/settings.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import { firstDifference } from './differences.js'
import { FILES, type Renderers } from './folder.js'
import { readEvidence } from './read-folder.js'

/**
 * Whether the code that scored is this one. Other code is an error unless the caller accepts it by
 * its digest: what only that code can make is then taken on trust, and said to be.
 */
export function codeFindings(
  result: EvaluationResult,
  code: CodeVersion,
  accepted: string | undefined,
  folder: string,
): Finding[] {
  const file = join(folder, FILES.result)
  const stored = `${result.code.name} ${result.code.version}`
  const found = `${code.name} ${code.version}`
  if (result.code.sha256 !== code.sha256) {
    const { sha256 } = result.code
    const severity = accepted === sha256 ? 'note' : 'error'
    return [finding('code-differs', { stored, sha256, found }, { file, severity })]
  }
  return stored === found ? [] : [finding('code-misnamed', { stored, found }, { file })]
}

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
  const difference =
    firstDifference(result.settings, fixed, '/settings') ??
    firstDifference(
      result.tests.map(({ name }) => name),
      registration.family,
      '/tests',
    )
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

const MADE_FROM = /<meta name="foreproof-result" content="([0-9a-f]{64})">/

/** The reports must be what this result gives, to the byte; where other code drew them, nobody here can say. */
export function reportFindings(
  result: EvaluationResult,
  folder: string,
  sameCode: boolean,
  render: Renderers,
): Finding[] {
  const check = (name: 'html' | 'markdown', nameOf: (text: string) => string | null): Finding[] => {
    const file = join(folder, FILES[name])
    const bytes = readEvidence(folder, FILES[name])
    if (bytes.equals(Buffer.from(render[name](result)))) return []
    const [stored, found] = [nameOf(bytes.toString('utf8')), result.result_sha256]
    if (stored !== found) return [finding('report-of-other-run', { stored, found }, { file })]
    if (sameCode) return [finding('report-edited', {}, { file })]
    return [finding('report-not-comparable', { folder }, { file })]
  }
  const { result_sha256: own } = result
  return [
    ...check('html', (text) => MADE_FROM.exec(text)?.[1] ?? null),
    ...check('markdown', (text) => (text.includes(own) ? own : null)),
  ]
}
