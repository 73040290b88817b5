import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  consistencyProof,
  type HashAt,
  inclusionProof,
  leafHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from '../../src/log/merkle.js'
import { hashesFromTiles, tileBytes, tilePath, tilesOf } from '../../src/log/tiles.js'
import { hex, rangesOf, treeOf } from '../log/tree.js'

/** A tree whose leaf i is the text `entry i`; an absent list means all of them. */
interface Asked {
  readonly size: number
  readonly indices?: readonly number[]
  readonly froms?: readonly number[]
}

interface Proofs {
  readonly root: string
  readonly inclusion: readonly (readonly string[])[]
  readonly consistency: readonly (readonly string[])[]
}

/** The same by Python and hashlib, which share nothing with foreproof. */
function python(asked: readonly Asked[]): Proofs[] {
  const script = fileURLToPath(new URL('merkle_tree.py', import.meta.url))
  const output = execFileSync(process.env.PYTHON ?? '/usr/bin/python3', [script], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(output) as Proofs[]
}

const leavesOf = (size: number) => upTo(size).map((index) => leafHash(`entry ${index}`))
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, at) => at + from)

/** Proofs by foreproof, each of which holds. */
async function ours({ size, indices, froms }: Asked, hashAt: HashAt): Promise<Proofs> {
  const root = await rootOf(size, hashAt)
  const inclusion: string[][] = []
  for (const index of indices ?? upTo(size)) {
    const proof = await inclusionProof(index, size, hashAt)
    expect(verifyInclusion(leafHash(`entry ${index}`), index, size, proof, root)).toBe(true)
    inclusion.push(proof.map(hex))
  }
  const consistency: string[][] = []
  for (const from of froms ?? upTo(size, 1)) {
    const proof = await consistencyProof(from, size, hashAt)
    expect(verifyConsistency(from, size, proof, await rootOf(from, hashAt), root)).toBe(true)
    consistency.push(proof.map(hex))
  }
  return { root: hex(root), inclusion, consistency }
}

describe('the Merkle tree, a second time in Python', () => {
  it('agrees on every root and every proof of up to 64 leaves', async () => {
    const asked = upTo(65).map((size) => ({ size }))
    const hashAt = treeOf(leavesOf(64))
    const made: Proofs[] = []
    for (const one of asked) made.push(await ours(one, hashAt))
    expect(made).toEqual(python(asked))
  })

  it('agrees on a million leaves, also when they are read from tiles', async () => {
    const size = 1_000_000
    const places = [0, 1, 255, 256, 65_535, 65_536, 524_287, 524_288, 777_777, 999_998, 999_999]
    const asked = { size, indices: places, froms: places.map((place) => place + 1) }
    const tree = treeOf(leavesOf(size))
    const tiles = new Map<string, Buffer>()
    for (const tile of tilesOf(size))
      tiles.set(tilePath(tile), await tileBytes(tile, rangesOf(tree)))
    const fromTiles = hashesFromTiles(size, (tile) => tiles.get(tilePath(tile)) as Buffer)
    const [expected] = python([asked])
    expect(await ours(asked, tree)).toEqual(expected)
    expect(hex(await rootOf(size, fromTiles))).toBe(expected?.root)
    for (const [at, index] of places.entries()) {
      const proof = await inclusionProof(index, size, fromTiles)
      expect(proof.map(hex)).toEqual(expected?.inclusion[at])
    }
  })
})
