import type { Mutation } from './mutation.js'

const [MERKLE, OF_MERKLE] = ['log/merkle.ts', 'log/merkle']
const [CHAIN, LEDGER] = ['protocol/rules/ledger.ts', 'protocol/ledger']
const [STAMP_CHAIN, OF_STAMPS] = ['time/rfc3161/chain.ts', 'time/checks']
const [POLICY, OF_POLICY] = ['log/policy.ts', 'registration/plan']

/** Chains of entries, trees, certificates, quorums. */
export const RECORDS: readonly Mutation[] = [
  // RFC 9162, 2.1.3.2: a path goes on while there is a level above, and ends with the root.
  [MERKLE, 'if (last === 0) return undefined', '', OF_MERKLE],
  [
    MERKLE,
    'return last === 0 ? { earlier, later } : undefined',
    'return { earlier, later }',
    OF_MERKLE,
  ],
  [MERKLE, 'if (!areSizes(index, size) || index >= size) return false', '', OF_MERKLE],
  [MERKLE, 'if (from === 0) return proof.length === 0', 'if (from === 0) return true', OF_MERKLE],
  [
    MERKLE,
    'if (from === size) return proof.length === 0 && sameHash(fromRoot, root)',
    'if (from === size) return sameHash(fromRoot, root)',
    OF_MERKLE,
  ],
  [
    MERKLE,
    'sameHash(climbed.earlier, fromRoot) && sameHash(climbed.later, root)',
    'sameHash(climbed.later, root)',
    OF_MERKLE,
  ],
  [
    MERKLE,
    'sameHash(climbed.earlier, fromRoot) && sameHash(climbed.later, root)',
    'sameHash(climbed.earlier, fromRoot)',
    OF_MERKLE,
  ],
  [CHAIN, "[['seq', 'sequence'], entry.seq, next],", '', LEDGER],
  [CHAIN, "[['previous', 'link'], entry.previous, previous],", '', LEDGER],
  [CHAIN, "[['entry_sha256', 'digest'], entry.entry_sha256, computed],", '', LEDGER],
  [
    CHAIN,
    'earlier.frozen.get(version)?.protocol_sha256 !== entry.protocol_sha256',
    'false',
    LEDGER,
  ],
  [CHAIN, 'of?.protocol_sha256 === entry.protocol_sha256', 'true', LEDGER],
  [CHAIN, 'result?.result_sha256 !== entry.replaces', 'false', LEDGER],
  [CHAIN, 'instantOrNaN(dated) > now + CLOCK_TOLERANCE', 'false', LEDGER],
  [CHAIN, 'instantOrNaN(placed) < instantOrNaN(placedAt(before))', 'false', LEDGER],
  // RFC 5280, 4.1.2.5: from notBefore to notAfter, both included.
  [STAMP_CHAIN, 'at < notBefore || at > notAfter', 'at < notBefore', OF_STAMPS],
  [STAMP_CHAIN, 'at < notBefore || at > notAfter', 'at > notAfter', OF_STAMPS],
  [STAMP_CHAIN, 'at < notBefore || at > notAfter', 'at < notBefore || at >= notAfter', OF_STAMPS],
  // Without any limit at all certificates that certify each other would not come to an end.
  [STAMP_CHAIN, 'links.length > MAX_CHAIN_DEPTH', 'links.length > MAX_CHAIN_DEPTH + 1', OF_STAMPS],
  [STAMP_CHAIN, 'if (key !== undefined) throwFinding', 'if (false) refuse', OF_STAMPS],
  [STAMP_CHAIN, '!isAnchor && findScheme(certificate.signature) === undefined', 'false', OF_STAMPS],
  [
    STAMP_CHAIN,
    'sameBytes(issuer, by.subject) && x509.verify(by.x509.publicKey)',
    'sameBytes(issuer, by.subject)',
    OF_STAMPS,
  ],
  [POLICY, "if (this.#keys.has(text)) return 'has a key that a line before has'", '', OF_POLICY],
  [
    'exchange/hubverse/config.ts',
    'minimum !== undefined &&',
    'Number(minimum) > 0 &&',
    'exchange/series-config',
  ],
  ['exchange/hubverse/config.ts', '{ minimum: Number(minimum) }', '{}', 'exchange/series-config'],
]
