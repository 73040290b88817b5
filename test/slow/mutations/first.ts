import type { Mutation } from './mutation.js'

const [JUDGE, HOURLY] = ['pairing/judge.ts', 'pairing/hourly.ts']
const [BY_HAND, COMMITMENT] = ['pairing/by-hand', 'pairing/commitment']
const [MERKLE, HOLM, CHAIN] = ['log/merkle.ts', 'inference/holm.ts', 'protocol/rules/ledger.ts']
const [DISPOSITION, LEDGER] = ['inference/disposition.ts', 'protocol/ledger']

/** One rule a row. */
export const FIRST: readonly Mutation[] = [
  [
    JUDGE,
    "return target.matured ? rules.absent : 'not_matured'",
    "return 'not_matured'",
    COMMITMENT,
  ],
  [JUDGE, 'unknown && plan.forVerdict', 'plan.forVerdict && false', COMMITMENT],
  [JUDGE, 'if (!target.matured) return', 'if (false) return', COMMITMENT],
  [JUDGE, "plan.mode === 'prospective'", 'true', COMMITMENT],
  [
    JUDGE,
    'rules.due(origin) < plan.registeredAt',
    'rules.due(origin) <= plan.registeredAt',
    COMMITMENT,
  ],
  [JUDGE, 'rules.due(origin) < plan.registeredAt', 'false', COMMITMENT],
  [JUDGE, '!(made > latest)', '!(made >= latest)', COMMITMENT],
  [JUDGE, '!(made > latest)', 'true', COMMITMENT],
  [JUDGE, "!builtIn?.has(row.model) ? 'published_late'", "true ? 'published_late'", COMMITMENT],
  [JUDGE, "if (committed === 'withdrawn') return 'withdrawn'", '', COMMITMENT],
  [JUDGE, "return 'not_committed'", 'return undefined', COMMITMENT],
  [JUDGE, 'committed > target.latest', 'committed >= target.latest', COMMITMENT],
  [JUDGE, 'committed > target.latest', 'false', COMMITMENT],
  [JUDGE, 'if (lateCounts ||', 'if (', COMMITMENT],
  [
    JUDGE,
    'commitment === undefined || builtIn?.has(model)',
    'commitment === undefined',
    COMMITMENT,
  ],
  [JUDGE, 'row.attempt !== null && !isKept', 'row.attempt !== null', COMMITMENT],
  [JUDGE, 'if (unknown) return rules.absent', '', BY_HAND],
  [JUDGE, 'clock.read(inputAvailableAt) > due', 'false', BY_HAND],
  [JUDGE, 'clock.read(selectionDataThrough) > due', 'false', BY_HAND],
  [JUDGE, "needed.includes(null) ? 'provenance_missing'", "false ? 'provenance_missing'", BY_HAND],
  [JUDGE, 'instant === target.place ? undefined', 'true ? undefined', BY_HAND],
  [HOURLY, 'matured: place <= asOf', 'matured: place < asOf', COMMITMENT],
  [HOURLY, 'q10! <= q50! && q50! <= q90!', 'q10! < q50! && q50! < q90!', BY_HAND],
  [HOURLY, 'q10! <= q50! && q50! <= q90!', 'true', BY_HAND],
  [HOURLY, 'level === INTERVAL_LEVEL ? point', 'true ? point', BY_HAND],
  [MERKLE, 'if (last === 0) return undefined', '', 'log/merkle'],
  [
    MERKLE,
    'return last === 0 ? { earlier, later } : undefined',
    'return { earlier, later }',
    'log/merkle',
  ],
  [MERKLE, 'if (!areSizes(index, size) || index >= size) return false', '', 'log/merkle'],
  [
    MERKLE,
    'if (from === 0) return proof.length === 0',
    'if (from === 0) return true',
    'log/merkle',
  ],
  [
    HOLM,
    'const rejected = atOrBelow(adjustedP, alpha)',
    'const rejected = atOrBelow(p, alpha)',
    'inference/holm',
  ],
  [
    HOLM,
    'Math.max(adjustedP, Math.min(1, multiplier * p))',
    'Math.min(1, multiplier * p)',
    'inference/holm',
  ],
  [DISPOSITION, "if (input.mode === 'retrospective') {", 'if (false) {', 'inference/disposition'],
  [DISPOSITION, 'reasons.sort((a, b) => weigh(a) - weigh(b))', '', 'inference/disposition'],
  [
    DISPOSITION,
    "if (test.status === 'tested' && !unknown) return []",
    'return []',
    'inference/disposition',
  ],
  [CHAIN, "[['seq', 'sequence'], entry.seq, next],", '', LEDGER],
  [CHAIN, "[['previous', 'link'], entry.previous, previous],", '', LEDGER],
  [CHAIN, "[['entry_sha256', 'digest'], entry.entry_sha256, computed],", '', LEDGER],
  [CHAIN, 'earlier?.protocol_sha256 !== entry.protocol_sha256', 'false', LEDGER],
]
