import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosign } from '../../src/log/cosignature.js'
import { parseNote, type SignedNote } from '../../src/log/note.js'
import {
  liarsNeeded,
  listUnreached,
  type Policy,
  parsePolicy,
  quorumTime,
  witnessedAt,
} from '../../src/log/policy.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'

const keys = Array.from({ length: 8 }, () => generateKeyPairSync('ed25519').privateKey)
const witnessKey = (at: number) =>
  toVerifierKey(`w${at}.example`, keys[at]!, KEY_TYPE.cosignature).text
const LOG = toVerifierKey('example.org/log', keys[7]!, KEY_TYPE.note).text
const witness = (name: string, at: number, url = '') => `witness ${name} ${witnessKey(at)} ${url}\n`
const read = (text: string) => parsePolicy(text, 'policy')

// The example of C2SP tlog-policy.
const EXAMPLE = `# two organisations
log ${LOG} https://log.example
${witness('X1', 0, 'https://x1.example/w/')}${witness('X2', 1)}\t ${witness('X3', 2)}
group X-witnesses 2 X1 X2 X3

${witness('Y1', 3)}${witness('Y2', 4)}${witness('Y3', 5)}group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`

describe('a policy', () => {
  it('is read as C2SP tlog-policy says', () => {
    const policy = read(EXAMPLE)
    expect(policy.logs.map(({ text }) => text)).toEqual([LOG])
    const [first, second] = policy.witnesses.map(({ name, url }) => `${name} ${url}`)
    expect([first, second]).toEqual(['X1 https://x1.example/w', 'X2 undefined'])
    const groups = policy.groups.map(({ name, k }) => `${name} ${k}`)
    expect(groups).toEqual(['X-witnesses 2', 'Y-witnesses 1', 'X-and-Y 2'])
    expect(listUnreached(policy)).toEqual([])
    expect(listUnreached(read(EXAMPLE.replace('quorum X-and-Y', 'quorum Y1')))).toHaveLength(8)
    expect(read('quorum none\n')).toEqual({ logs: [], witnesses: [], groups: [], quorum: 'none' })
  })

  const [A, B] = [witness('A', 0), witness('B', 1)]
  it.each([
    ['no quorum', A, /no line quorum/],
    ['two quorums', `${A}quorum A\nquorum A\n`, /policy:3: .*second/],
    ['an unknown quorum', `${A}quorum B\n`, /policy:2: names B/],
    ['a name twice', `${A}${witness('A', 1)}quorum A\n`, /policy:2: defines A again/],
    ['the name none', `${witness('none', 0)}quorum none\n`, /policy:1: defines none/],
    ['a key twice', `${A}${witness('B', 0)}quorum A\n`, /policy:2: has a key/],
    ['a member twice', `${A}${B}group g 2 A A\nquorum g\n`, /policy:3: names A/],
    ['a member of two groups', `${A}${B}group g any A B\ngroup h any A\nquorum g\n`, /:4: names A/],
    ['a member that comes later', `group g any A\n${A}quorum g\n`, /policy:1: names A/],
    ['a group of itself', `group g any g\nquorum g\n`, /policy:1: names g/],
    ['none as a member', `group g any none\nquorum g\n`, /policy:1: names none/],
    ['a group of none', `${A}group g any\nquorum g\n`, /policy:2: is not group/],
    ['a threshold of 0', `${A}group g 0 A\nquorum g\n`, /policy:2: is not group/],
    ['a threshold above all', `${A}group g 2 A\nquorum g\n`, /policy:2: is not group/],
    ['a threshold that is none', `${A}group g 1e0 A\nquorum g\n`, /policy:2: is not group/],
    ['the key of a log for a witness', `witness A ${LOG}\nquorum A\n`, /type 4/],
    ['the key of a witness for a log', `log ${witnessKey(0)}\nquorum none\n`, /type 1/],
    ['the raw key of the log', `log ${LOG}\n${witness('A', 7)}quorum A\n`, /:2: has a key/],
    ['another line', `${A}watcher B\nquorum A\n`, /policy:2: begins/],
    ['a carriage return', `${A}quorum A\r\n`, /policy:2: has a control/],
    ['something after', `${A}quorum A B\n`, /policy:2: is not quorum/],
  ])('is refused: %s', (_what, text, says) => {
    expect(() => read(text)).toThrow(says)
  })

  it('needs as many liars as its groups have in common', () => {
    expect(liarsNeeded(read('quorum none\n'))).toBe(0)
    expect(liarsNeeded(read(EXAMPLE))).toBe(1)
  })

  it('is met when its quorum is, by the time of the last that is needed', () => {
    const policy = read(EXAMPLE)
    const at = (times: Record<string, number>) =>
      quorumTime(policy, ({ name }) => times[name] ?? Number.POSITIVE_INFINITY)
    expect(at({ X1: 5, X2: 9, Y3: 7 })).toBe(9)
    expect(at({ X1: 5, X2: 9, X3: 6, Y3: 7, Y1: 30 })).toBe(7)
    expect(at({ X1: 5, Y1: 6, Y2: 7, Y3: 8 })).toBe(Number.POSITIVE_INFINITY)
    const body = 'example.org/log\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
    const line = (who: number, time: number) =>
      cosign(body, `w${who}.example`, keys[who]!, time).line
    const lines = [line(0, 90), line(0, 50), line(1, 60), line(3, 55)]
    expect(witnessedAt(policy, parseNote(`${body}\n${lines.join('')}`) as SignedNote, 100)).toBe(60)
  })
})

/** A policy of nested groups over a few witnesses, as its structure alone. */
interface Node {
  readonly k: number
  readonly members: readonly (Node | number)[]
}

const nested = fc.letrec<{ node: Node; member: Node | 'witness' }>((tie) => ({
  node: fc
    .tuple(fc.array(tie('member'), { minLength: 1, maxLength: 4 }), fc.nat())
    .map(([members, seed]) => ({ k: 1 + (seed % members.length), members }) as Node),
  member: fc.oneof({ maxDepth: 2 }, fc.constant('witness' as const), tie('node')),
})).node

describe('how many have to lie', () => {
  it('is what trying all sets of witnesses finds, for 3,000 nested policies', () => {
    let tried = 0
    const check = (tree: Node) => {
      const groups: Policy['groups'][number][] = []
      let count = 0
      const name = (member: unknown): string => {
        if (member === 'witness') return `w${count++}`
        const { k, members } = member as Node
        const names = members.map(name)
        groups.push({ name: `g${groups.length}`, k, members: names })
        return groups.at(-1)!.name
      }
      const quorum = name(tree)
      if (count > 7) return
      tried++
      const witnesses = Array.from({ length: count }, (_, at) => ({ name: `w${at}` }))
      const policy = { logs: [], witnesses, groups, quorum } as unknown as Policy
      const sets = Array.from({ length: 2 ** count }, (_, set) => set).filter((set) =>
        Number.isFinite(
          quorumTime(policy, (each) =>
            set & (1 << Number(each.name.slice(1))) ? 1 : Number.POSITIVE_INFINITY,
          ),
        ),
      )
      let least = count
      for (const a of sets) for (const b of sets) least = Math.min(least, ones(a & b))
      expect(liarsNeeded(policy)).toBe(least)
    }
    for (let round = 0; tried < 3000; round++) {
      fc.sample(nested, { numRuns: 1000, seed: 41 + round }).forEach(check)
    }
  }, 120_000)
})

const ones = (bits: number) => bits.toString(2).replaceAll('0', '').length
