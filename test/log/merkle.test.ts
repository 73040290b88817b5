import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeRoot,
  consistencyProof,
  inclusionProof,
  leafHash,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from '../../src/log/merkle.js'
import {
  hashesFromTiles,
  listPublishedTiles,
  listTiles,
  tileBytes,
  tilePath,
} from '../../src/log/tiles.js'
import { hex, rangesOf, treeOf } from './tree.js'

/** The tree of eight leaves that tests of RFC 6962 logs share. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => Buffer.from(text, 'hex'))

const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const entries = Array.from({ length: 64 }, (_, index) => Buffer.from(`entry ${index}`))
const hashAt = treeOf(entries.map(leafHash))

describe('the tree of eight leaves', () => {
  const tree = treeOf(LEAVES.map(leafHash))
  const short = (hash: Uint8Array) => hex(hash).replace(/^(.{8}).*(.{4})$/, '$1…$2')

  it('has the roots and the proofs that others have of it', async () => {
    for (const [size, root] of ROOTS.entries())
      expect(hex(await computeRoot(size, tree))).toBe(root)
    const shown = async (proof: ReturnType<typeof inclusionProof>) =>
      (await proof).map(short).join()
    const last = 'ca854ea1…0ae0,d37ee418…14b7'
    expect(await shown(inclusionProof(5, 8, tree))).toBe(`bc1a0643…9e6b,${last}`)
    expect(await shown(consistencyProof(6, 8, tree))).toBe(`0ebc5d34…ef6a,${last}`)
    expect(await shown(consistencyProof(2, 5, tree))).toBe('5f083f0a…031e,bc1a0643…9e6b')
  })
})

// Roots and proofs are held against those of another program in `test/outside/python.test.ts`.
describe('a path', () => {
  it('ends at the root: RFC 9162, 2.1.3.2, fails where hashes are left', () => {
    const [leaf, other] = [leafHash('a'), leafHash('b')]
    // By what is left the root of another tree could be reached.
    expect(verifyInclusion(leaf, 0, 1, [], leaf)).toBe(true)
    expect(verifyInclusion(leaf, 0, 1, [other], nodeHash(other, leaf))).toBe(false)
    const two = nodeHash(leaf, other)
    expect(verifyInclusion(leaf, 0, 2, [other], two)).toBe(true)
    expect(verifyInclusion(leaf, 0, 2, [other, other], nodeHash(other, two))).toBe(false)
    expect(verifyInclusion(leaf, 0, 2, [], leaf)).toBe(false)
    expect(verifyConsistency(0, 2, [], leaf, two)).toBe(true)
    expect(verifyConsistency(0, 2, [other], leaf, two)).toBe(false)
    expect(verifyConsistency(1, 2, [other, other], leaf, nodeHash(other, two))).toBe(false)
  })
})

describe('every tree of up to 64 leaves', () => {
  it('has proofs that hold', async () => {
    for (let size = 0; size <= 64; size++) {
      const root = await computeRoot(size, hashAt)
      for (let index = 0; index < size; index++) {
        const proof = await inclusionProof(index, size, hashAt)
        const leaf = leafHash(entries[index] as Buffer)
        expect(verifyInclusion(leaf, index, size, proof, root)).toBe(true)
      }
      for (let from = 1; from <= size; from++) {
        const proof = await consistencyProof(from, size, hashAt)
        const before = await computeRoot(from, hashAt)
        expect(verifyConsistency(from, size, proof, before, root)).toBe(true)
      }
    }
  })

  it('proves nothing else', async () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 64 }), fc.nat(), fc.nat(), fc.nat(7))
    await fc.assert(
      fc.asyncProperty(sizes, async ([size, pick, bit, kind]) => {
        const index = pick % size
        const from = 1 + index
        const root = await computeRoot(size, hashAt)
        const before = await computeRoot(from, hashAt)
        const leaf = leafHash(entries[index] as Buffer)
        const path = await inclusionProof(index, size, hashAt)
        const proof = await consistencyProof(from, size, hashAt)
        const other = flipped(root, bit)
        const broken = (hashes: Uint8Array[]) => {
          if (kind === 0 || hashes.length === 0) return [...hashes, other]
          if (kind === 1) return hashes.slice(1)
          const at = bit % hashes.length
          return hashes.map((hash, i) => (i === at ? flipped(hash, bit) : hash))
        }
        expect(verifyInclusion(leaf, index, size, broken(path), root)).toBe(false)
        expect(verifyInclusion(leaf, index, size, path, other)).toBe(false)
        expect(verifyInclusion(flipped(leaf, bit), index, size, path, root)).toBe(false)
        expect(verifyInclusion(leaf, size, size, path, root)).toBe(false)
        expect(verifyConsistency(from, size, broken(proof), before, root)).toBe(false)
        expect(verifyConsistency(from, size, proof, flipped(before, bit), root)).toBe(false)
        expect(verifyConsistency(from, size, proof, before, other)).toBe(false)
        for (let another = 0; another < size; another++) {
          if (another === index) continue
          expect(verifyInclusion(leaf, another, size, path, root)).toBe(false)
        }
      }),
    )
  })

  it('is read again from its tiles', async () => {
    for (let size = 0; size <= 64; size++) {
      const files = new Map<string, Buffer>()
      for (const tile of listTiles(size)) {
        files.set(tilePath(tile), await tileBytes(tile, rangesOf(hashAt)))
      }
      const read = hashesFromTiles(size, (tile) => files.get(tilePath(tile))!)
      expect(hex(await computeRoot(size, read))).toBe(hex(await computeRoot(size, hashAt)))
    }
  })
})

const flipped = (hash: Uint8Array, bit: number): Uint8Array =>
  hash.map((byte, at) => (at === bit % hash.length ? byte ^ (1 << (bit % 8)) : byte))

describe('the tiles of a tree', () => {
  it('are those that C2SP tlog-tiles counts for 70,000 leaves and for 256', () => {
    const tiles = [...listTiles(70_000)]
    const count = (level: number, full: boolean) =>
      tiles.filter((tile) => tile.level === level && (tile.width === 256) === full)
    expect(count(0, true)).toHaveLength(273)
    expect(count(0, false).map(({ width }) => width)).toEqual([112])
    expect(count(1, true)).toHaveLength(1)
    expect(count(1, false).map(({ width }) => width)).toEqual([17])
    expect(count(2, false).map(({ width }) => width)).toEqual([1])
    expect(tiles).toHaveLength(273 + 1 + 1 + 1 + 1)
    expect([...listTiles(256)].map(tilePath)).toEqual(['tile/0/000', 'tile/1/000.p/1'])
    expect([...listTiles(0)]).toEqual([])
    // Where they lie.
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067')
    expect(tilePath({ level: 2, index: 1000, width: 17 })).toBe('tile/2/x001/000.p/17')
    expect(tilePath({ level: 1, index: 999, width: 256 })).toBe('tile/1/999')
  })

  it('of a log with several checkpoints are those of each that are not full by now', async () => {
    const sizes = [1, 255, 256, 257, 300, 65_535, 65_537, 70_000, 70_001]
    for (let count = 1; count <= sizes.length; count++) {
      const some = sizes.slice(0, count)
      const largest = some.at(-1) ?? 0
      const paths = [...listPublishedTiles(some)].map(tilePath)
      expect(new Set(paths).size).toBe(paths.length)
      const needed = new Set(some.flatMap((size) => [...listTiles(size)].map(tilePath)))
      const full = new Set(
        [...listTiles(largest)].map(tilePath).filter((path) => !path.includes('.p/')),
      )
      const wanted = [...needed].filter(
        (path) => full.has(path) || !full.has(path.replace(/\.p\/\d+$/, '')),
      )
      expect(paths.sort()).toEqual(wanted.sort())
    }
    expect([...listPublishedTiles([])]).toEqual([])
    expect([...listPublishedTiles([0])]).toEqual([])
  })
})
