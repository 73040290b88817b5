import seedrandom from 'seedrandom'
import { expect, test } from 'vitest'
import { encodeDer, parseDer, parseParts } from '../../src/time/rfc3161/der.js'
import { verifyToken } from '../../src/time/rfc3161/verify-token.js'
import { ACCURACY, DATA, type MadeOptions, makeStamp } from '../time/made.js'

// Stamps that were changed: none may say another time, of other bytes, or by another signer than the
// stamp that it was made from, with any change.

const MUTANTS = 100_000
/** Two minutes of a processor, which others may use as well. */
const HALF_AN_HOUR = 1_800_000
const NONCE = Uint8Array.of(0x81, 2, 3, 4, 5, 6, 7, 8)
const BASES: readonly MadeOptions[] = [
  { accuracy: ACCURACY, nonce: NONCE },
  { depth: 1, accuracy: undefined, genTime: '20261122110003.5Z' },
  { keys: { signer: 'RSA-2048' }, scheme: 'pss' },
  { keys: { root: 'RSA-2048', signer: 'RSA-2048' }, imprintHash: 'SHA-512', hash: 'SHA-384' },
]
/** Of the same authority, but of other bytes at another time: what it is made of fits best. */
const OTHERS = BASES.map((options) => ({
  ...options,
  data: Buffer.from('other'),
  genTime: '20270101000000Z',
}))

const random = seedrandom('stamps')
const below = (limit: number) => Math.floor(random() * limit)
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!

/** An element of DER that can be changed and written again with right lengths. */
interface DerNode {
  tag: number
  /** Elements of a constructed value, and of an octet string that holds one; undefined for others. */
  children: DerNode[] | undefined
  content: Uint8Array
}

const derNodes = (content: Uint8Array): DerNode[] =>
  [...parseParts({ content })].map((part) => ({ ...part, children: childrenOf(part) }))

function childrenOf({ tag, content }: Omit<DerNode, 'children'>): DerNode[] | undefined {
  if ((tag & 0x20) !== 0) return derNodes(content)
  if (tag !== 4) return undefined
  try {
    return [parseDer(content, 'an octet string')].flatMap(({ raw }) => derNodes(raw))
  } catch {
    return undefined
  }
}

const derOf = ({ tag, children, content }: DerNode): Uint8Array =>
  encodeDer(tag, ...(children === undefined ? [content] : children.map(derOf)))

/** Every element that has others in it. */
const withChildren = (nodes: readonly DerNode[]): DerNode[] =>
  nodes.flatMap((node) => (node.children?.length ? [node, ...withChildren(node.children)] : []))

type Mutation = (bytes: Uint8Array, other: Uint8Array, parts: readonly DerNode[]) => Uint8Array

const ON_BYTES: readonly Mutation[] = [
  function flipBits(bytes) {
    const copy = Uint8Array.from(bytes)
    for (let left = 1 + below(3); left > 0; left -= 1) {
      const at = below(copy.length)
      copy[at] = copy[at]! ^ (1 << below(8))
    }
    return copy
  },
  function splice(bytes, other) {
    const [from, length] = [below(bytes.length), below(20)]
    const taken = below(other.length)
    const put = other.subarray(taken, taken + below(20))
    return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + length)])
  },
  function overwrite(bytes, other) {
    const copy = Uint8Array.from(bytes)
    const at = below(Math.min(bytes.length, other.length))
    copy.set(other.subarray(at, at + below(200)).subarray(0, copy.length - at), at)
    return copy
  },
  function lengthTrick(bytes) {
    const copy = Uint8Array.from(bytes)
    const headers = [...copy.keys()].filter((at) => [0x30, 0x31, 0xa0, 0x04].includes(copy[at]!))
    const at = oneOf(headers) + 1
    const first = oneOf([0x80, 0x81, 0x82, 0x84, 0xff, copy[at]! + 1, copy[at]! - 1])
    const rest = below(2) === 0 ? copy.subarray(at + 1) : copy.subarray(at)
    return Buffer.concat([copy.subarray(0, at), Uint8Array.of(first), rest])
  },
]

/** Changes of elements, after which all lengths are right again. */
const ON_ELEMENTS: readonly ((siblings: DerNode[], others: readonly DerNode[]) => void)[] = [
  (siblings) => siblings.splice(below(siblings.length), 1),
  (siblings) => siblings.splice(below(siblings.length), 0, structuredClone(oneOf(siblings))),
  (siblings, others) =>
    siblings.splice(below(siblings.length), 1, structuredClone(oneOf(oneOf(others).children!))),
  (siblings, others) =>
    siblings.splice(below(siblings.length), 0, structuredClone(oneOf(oneOf(others).children!))),
  (siblings) => siblings.reverse(),
  (siblings) => {
    const node = oneOf(siblings)
    node.tag = oneOf([0x02, 0x04, 0x05, 0x30, 0x31, 0x80, 0xa0, 0xa1, node.tag ^ 0x20])
  },
]

const onElements: Mutation = (bytes, _, others) => {
  const nodes = derNodes(bytes)
  for (let left = 1 + below(2); left > 0; left -= 1) {
    const parents = withChildren(nodes)
    if (parents.length > 0) oneOf(ON_ELEMENTS)(oneOf(parents).children!, others)
  }
  return Buffer.concat(nodes.map(derOf))
}

test(
  'of 100,000 changed stamps none says anything else than the stamp it was made from',
  async () => {
    const bases = BASES.map((options) => makeStamp(options))
    const others = OTHERS.map((options) => makeStamp(options))
    const parts = others.map(({ token }) => withChildren(derNodes(token)))
    const right = await Promise.all(
      bases.map(({ token, anchor }) => verifyToken(token, DATA, [anchor], { file: 'base.tsr' })),
    )
    const counts = { accepted: 0, refused: 0 }
    const codes = new Set<string>()
    for (let at = 0; at < MUTANTS; at += 1) {
      const from = at % bases.length
      const { token, anchor } = bases[from]!
      const mutation = below(6) === 0 ? onElements : oneOf(ON_BYTES)
      const mutant = mutation(token, others[from]!.token, parts[from]!)
      const result = await verifyToken(mutant, DATA, [anchor], { file: 'mutant.tsr' })
      for (const { code } of result.findings) codes.add(code)
      counts[result.ok ? 'accepted' : 'refused'] += 1
      if (result.ok) expect(result).toEqual(right[from])
    }
    expect(counts.refused).toBeGreaterThan(MUTANTS * 0.9)
    // Each stage refused some: the mutants are not all of one kind.
    for (const code of ['malformed', 'imprint', 'signature', 'untrusted', 'signer-missing']) {
      expect(codes).toContain(`stamp-${code}`)
    }
  },
  HALF_AN_HOUR,
)
