import { expect, it } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { evaluated, madeProtocol, madeRegistration, madeRows, madeVintage } from './made.js'

const HOURS = 24 * 40

/** The members of a result that say how it was judged. */
const JUDGED = [
  ...['mode', 'settings', 'models', 'strata', 'accounting', 'outside_grid', 'measures'],
  ...['shared_keys', 'family', 'tests', 'controls', 'dispositions'],
] as (keyof EvaluationResult)[]

/**
 * Registrations made by foreproof 0.1, without any member that came later, and the digests of the
 * results that the code of that time gave: what was registered is judged as it was registered.
 */
const EARLY: readonly [string, Partial<Registration>, string][] = [
  ['prospective', {}, '399fd29eb74b88111653b89ec234044edb89999f2c432a127f852d959e5ab768'],
  [
    'retrospective',
    { mode: 'retrospective' },
    '2e4fb617c1236f89c27fc9ea73e7dab4573d82aa391c592f5d89f409d4e489de',
  ],
  [
    'with strata',
    {
      strata: [{ name: 'half', by: 'hour_of_day', levels: [{ level: 'am' }, { level: 'pm' }] }],
    },
    'f577879348980d824b7a4252af136a75775dcfbdf04c0afbb428a737c1bcb00a',
  ],
]

it.each(EARLY)(
  'an early registration gives the result it always gave: %s',
  async (_, change, sha256) => {
    const rows = madeRows(HOURS, madeVintage(HOURS), [{ name: 'seer', sight: 0.3 }])
    const registration = madeRegistration(HOURS, change)
    const { result } = await evaluated(registration, madeVintage(HOURS), rows, madeProtocol(500))
    const found = Object.fromEntries(JUDGED.map((member) => [member, result[member]]))
    expect(sha256Hex(canonicalize(found))).toBe(sha256)
  },
)
