import { join } from 'node:path'
import { type Finding, type FindingOptions, finding } from '../../contract/findings/finding.js'
import { demand } from '../links.js'
import type { Documents, InputPaths } from '../load.js'
import type { AnyResult } from '../result/types.js'
import { FILES, type Renderers } from './folder.js'
import { readEvidence } from './open.js'

/** Whether the result is one of this registration, protocol and ledger. */
export function demandDocuments(
  { inputs }: AnyResult,
  { registration, registrationEntry, protocol, protocolEntry }: Documents,
  paths: InputPaths,
): void {
  const at = { file: paths.protocol }
  const { registration_sha256: registered } = registration
  demandInput('registration', inputs.registration.sha256, registered, { file: paths.registration })
  demandInput('protocol', inputs.protocol.sha256, protocol.protocol_sha256, at)
  for (const [stored, { entry_sha256: found, seq }] of [
    [inputs.protocol.ledger_entry_sha256, protocolEntry],
    [inputs.registration.ledger_entry_sha256, registrationEntry],
  ] as const) {
    if (stored === found) continue
    demand('ledger', [finding('ledger-rewritten', { stored, found, entry: seq }, at)])
  }
}

/** The link of an input does not hold where a result was scored with another one. */
export function demandInput(
  input: 'registration' | 'protocol' | 'outcomes',
  stored: string,
  found: string,
  at: FindingOptions,
): void {
  if (stored === found) return
  demand(input, [finding('result-of-other-input', { input, stored, found }, at)])
}

const MADE_FROM = /<meta name="foreproof-result" content="([0-9a-f]{64})">/

/** The reports must be what this result gives, to the byte; where other code drew them, that cannot be said here. */
export function reportFindings(
  result: AnyResult,
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
    if (sameCode)
      return [finding('evidence-edited', { fault: 'report', stored: '', found: '' }, { file })]
    return [finding('report-not-comparable', { folder }, { file })]
  }
  const { result_sha256: own } = result
  return [
    ...check('html', (text) => MADE_FROM.exec(text)?.[1] ?? null),
    ...check('markdown', (text) => (text.includes(own) ? own : null)),
  ]
}
