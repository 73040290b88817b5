import { type Finding, finding } from '../contract/findings/finding.js'
import { instantOrNaN } from '../contract/instant.js'
import type { Registration, SeriesRegistration } from '../contract/types.js'
import { isFrozen, type RegisteredEntry } from '../protocol/rules/entry.js'
import { frozenEntries, type Ledger } from '../protocol/rules/ledger.js'

/** The ledger's entry of a registration; undefined where it was never entered. */
export function registeredEntry(
  registration: Pick<Registration, 'registration_sha256'>,
  ledger: Ledger,
): RegisteredEntry | undefined {
  for (const { entry } of ledger.lines) {
    if (isFrozen(entry)) continue
    if (entry.registration_sha256 === registration.registration_sha256) return entry
  }
  return undefined
}

/**
 * Whether a ledger bears a registration out: it was entered under the same protocol and at the same
 * time, after its protocol was frozen. The chain itself is the ledger's own check.
 */
export function ledgerFindings(
  registration: Registration | SeriesRegistration,
  ledger: Ledger,
): Finding[] {
  const entry = registeredEntry(registration, ledger)
  if (entry === undefined) {
    const args = { fault: 'absent', found: '', expected: ledger.file } as const
    return [finding('registration-unentered', args, { pointer: '' })]
  }
  const findings: Finding[] = []
  const { protocol, registered_at: registeredAt } = registration
  const differs = (
    pointer: string,
    found: string,
    expected: string,
    fault: 'differs' | 'before-frozen' = 'differs',
  ) => findings.push(finding('registration-unentered', { fault, found, expected }, { pointer }))
  if (entry.registered_at !== registeredAt) {
    differs('/registered_at', registeredAt, entry.registered_at)
  }
  if (entry.protocol_sha256 !== protocol.sha256) {
    differs('/protocol/sha256', protocol.sha256, entry.protocol_sha256)
  }
  const frozen = frozenEntries(ledger).find((each) => each.protocol_sha256 === protocol.sha256)
  if (frozen !== undefined && instantOrNaN(registeredAt) < instantOrNaN(frozen.frozen_at)) {
    differs('/registered_at', registeredAt, frozen.frozen_at, 'before-frozen')
  }
  return findings
}
