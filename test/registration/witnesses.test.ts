import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Plan, WitnessRule } from '../../src/contract/types.js'
import { KEY_TYPE, verifierKey } from '../../src/log/verifier-key.js'
import { commitmentFindings } from '../../src/registration/plan-rules.js'

const key = () => generateKeyPairSync('ed25519').privateKey
const LOG = verifierKey('example.org/made', key()).text
const keys = ['a', 'b', 'c', 'd'].map((name) => ({
  name,
  vkey: verifierKey(`${name}.example`, key(), KEY_TYPE.cosignature).text,
}))
const [a, b, c] = keys as [WitnessRule['witnesses'][number], ...WitnessRule['witnesses']]
const group = (name: string, k: number, ...members: string[]) => ({ name, k, members })

const rule = (over: Partial<WitnessRule> = {}): WitnessRule => ({
  log: LOG,
  witnesses: [a, b!, c!],
  groups: [group('g', 2, 'a', 'b', 'c')],
  quorum: 'g',
  ...over,
})
const found = (witnesses: WitnessRule | undefined, over: Partial<Plan> = {}) =>
  commitmentFindings({
    mode: 'prospective',
    strata: [],
    commitment: 'witnessed',
    time: {
      at_least: 1,
      authorities: [{ name: 'one', anchor_sha256: '1'.repeat(64) }],
      ...(witnesses && { witnesses }),
    },
    ...over,
  }).map(({ args, pointer }) => `${(args as { fault: string }).fault} ${pointer}`)

describe('witnesses in a plan or a registration', () => {
  it('are a policy in its one form', () => {
    expect(found(rule())).toEqual([])
    expect(found(rule({ witnesses: [a], groups: [], quorum: 'a' }))).toEqual([])
    const nested = [group('x', 2, 'a', 'b'), group('g', 2, 'c', 'x')]
    expect(found(rule({ groups: nested }))).toEqual([])
  })

  const faulty: readonly [string, WitnessRule][] = [
    ['witnesses that are not sorted', rule({ witnesses: [b!, a, c!] })],
    ['members that are not sorted', rule({ groups: [group('g', 2, 'b', 'a', 'c')] })],
    ['no quorum', rule({ witnesses: [], groups: [], quorum: 'none' })],
    ['none as the quorum', rule({ quorum: 'none' })],
    ['a quorum that two versions can have', rule({ groups: [group('g', 1, 'a', 'b', 'c')] })],
    ['2 of 4', rule({ witnesses: keys, groups: [group('g', 2, 'a', 'b', 'c', 'd')] })],
    ['one out of reach', rule({ witnesses: keys })],
    ['a group out of reach', rule({ groups: [...rule().groups, group('h', 1, 'g')] })],
    [
      'a group before its members',
      rule({ groups: [group('g', 2, 'c', 'x'), group('x', 2, 'a', 'b')] }),
    ],
    ['a threshold above all', rule({ groups: [group('g', 4, 'a', 'b', 'c')] })],
    ['the key of a witness as that of the log', rule({ log: a.vkey })],
    ['a key twice', rule({ witnesses: [a, { ...b!, vkey: a.vkey }, c!] })],
    ['a name of two lines', rule({ witnesses: [a, b!, { ...c!, name: 'c\nwitness' }] })],
    ['an address', rule({ witnesses: [a, b!, { ...c!, vkey: `${c!.vkey} https://c.example` }] })],
    ['a second log', rule({ log: `${LOG}\nlog ${LOG}` })],
  ]
  it.each(faulty)('are refused: %s', (_what, witnesses) => {
    expect(found(witnesses)).toEqual(['policy /time/witnesses'])
  })

  it('go with forecasts that have to be witnessed, in the log of that key', () => {
    expect(found(undefined)).toEqual(['no_witnesses /commitment'])
    expect(found(rule(), { commitment: 'stamped' })).toEqual(['witnesses_alone /time/witnesses'])
    expect(found(rule(), { commitment_log: 'example.org/made' })).toEqual([])
    expect(found(rule(), { commitment_log: 'example.org/other' })).toEqual([
      'other_log /commitment_log',
    ])
    expect(found(rule(), { mode: 'retrospective' })).toEqual(['retrospective /commitment'])
  })
})
