import { dirname, join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { checkRegistration } from '../contract/generated/check-registration.js'
import { instantOrNaN } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { isFrozen } from '../protocol/rules/entry.js'
import type { Ledger } from '../protocol/rules/ledger.js'
import { readRegistration } from './load.js'

/**
 * Earlier registrations in the ledger that test one of the candidates over hours of the same window.
 * Holm's family ends with a registration: one who registers the same question again and again, and
 * shows the best answer, is outside of it. Allowed, for plans are corrected; but reported, and anyone
 * can count them in the ledger. A registration whose file is gone or edited is reported without its window.
 */
export function earlierFindings(registration: Registration, ledger: Ledger): Finding[] {
  const findings: Finding[] = []
  for (const { entry } of ledger.lines) {
    if (isFrozen(entry) || entry.registration_sha256 === registration.registration_sha256) continue
    const earlier = read(join(dirname(ledger.file), entry.file))
    if (earlier?.registration_sha256 !== entry.registration_sha256) {
      const args = { seq: entry.seq, file: entry.file }
      findings.push(finding('earlier-registration-unreadable', args, { pointer: '' }))
      continue
    }
    const names = new Set(earlier.candidates.map(({ name }) => name))
    const both = registration.candidates.map(({ name }) => name).filter((name) => names.has(name))
    if (both.length === 0 || !overlap(earlier, registration)) continue
    const { from, to } = earlier.window
    const args = { seq: entry.seq, file: entry.file, candidates: both, from, to }
    findings.push(finding('candidate-registered-before', args, { pointer: '/candidates' }))
  }
  return findings
}

function read(path: string): Registration | undefined {
  let document: Document | UnreadableDocument
  try {
    document = readRegistration(path)
  } catch (error) {
    if (error instanceof ForeproofError) return undefined
    throw error
  }
  if (!document.ok || checkRegistration(document.value).length > 0) return undefined
  return document.value as Registration
}

function overlap({ window: a }: Registration, { window: b }: Registration): boolean {
  return instantOrNaN(a.from) <= instantOrNaN(b.to) && instantOrNaN(b.from) <= instantOrNaN(a.to)
}
