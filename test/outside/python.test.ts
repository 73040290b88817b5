import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import {
  computeRoot,
  consistencyProof,
  type HashAt,
  inclusionProof,
  leafHash,
  verifyConsistency,
  verifyInclusion,
} from '../../src/log/merkle.js'
import { hashesFromTiles, listTiles, tileBytes, tilePath } from '../../src/log/tiles.js'
import { dayPeriods, hourPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { hex, rangesOf, treeOf } from '../log/tree.js'
import { golden } from '../scoring/golden.js'
import { temporaryFolder } from '../support/folder.js'
import { guide } from './snippets.js'

const PYTHON = '/usr/bin/python3'

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
  const output = execFileSync(PYTHON, [script], {
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
  const root = await computeRoot(size, hashAt)
  const inclusion: string[][] = []
  for (const index of indices ?? upTo(size)) {
    const proof = await inclusionProof(index, size, hashAt)
    expect(verifyInclusion(leafHash(`entry ${index}`), index, size, proof, root)).toBe(true)
    inclusion.push(proof.map(hex))
  }
  const consistency: string[][] = []
  for (const from of froms ?? upTo(size, 1)) {
    const proof = await consistencyProof(from, size, hashAt)
    expect(verifyConsistency(from, size, proof, await computeRoot(from, hashAt), root)).toBe(true)
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

  it('agrees on 200,000 leaves, also when they are read from tiles, of three levels', async () => {
    const size = 200_000
    const places = [0, 1, 255, 256, 65_535, 65_536, 131_071, 131_072, 177_777, 199_998, 199_999]
    const asked = { size, indices: places, froms: places.map((place) => place + 1) }
    const tree = treeOf(leavesOf(size))
    const tiles = new Map<string, Buffer>()
    for (const tile of listTiles(size))
      tiles.set(tilePath(tile), await tileBytes(tile, rangesOf(tree)))
    const fromTiles = hashesFromTiles(size, (tile) => tiles.get(tilePath(tile)) as Buffer)
    const [expected] = python([asked])
    expect(await ours(asked, tree)).toEqual(expected)
    expect(hex(await computeRoot(size, fromTiles))).toBe(expected?.root)
    for (const [at, index] of places.entries()) {
      const proof = await inclusionProof(index, size, fromTiles)
      expect(proof.map(hex)).toEqual(expected?.inclusion[at])
    }
  })
})

/** Days and hours of a zone by Python's zoneinfo: the starts of all of them, in seconds since 1970. */
const PERIODS = `
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

zone = ZoneInfo(sys.argv[1])
day, end = date(2024, 1, 1), date(2028, 1, 1)
while day < end:
    print('day', int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()))
    day += timedelta(days=1)
at = datetime(2023, 12, 30, tzinfo=timezone.utc)
while at < datetime(2028, 1, 3, tzinfo=timezone.utc):
    local = at.astimezone(zone)
    if local.minute == 0 and date(2024, 1, 1) <= local.date() < end:
        print('hour', int(at.timestamp()), local.strftime('%Y-%m-%dT%H:%M'))
    at += timedelta(minutes=15)
`

it.each([
  ...['Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Australia/Lord_Howe'],
  ...['Asia/Kolkata', 'Asia/Kathmandu'],
])('days and hours of %s are those of zoneinfo', (name) => {
  const lines = execFileSync(PYTHON, ['-c', PERIODS, name], {
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  })
  const [from, to] = ['2024-01-01T00:00:00Z', '2027-12-31T00:00:00Z'].map(checkedInstant)
  const span = { from: from!, to: to! }
  const zone = zoneNamed(name) as Zone
  const made = [
    ...dayPeriods(span, zone).map(({ start }) => `day ${start / 1e6}`),
    ...hourPeriods(span, zone).map(
      ({ label, start }) => `hour ${start / 1e6} ${label.replace('/2', '')}`,
    ),
  ]
  expect(made.join('\n')).toBe(lines.trimEnd())
})

/** Largest relative distance between two structures of numbers; other values must be equal. */
function farthest(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') {
    return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b))
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b ? 0 : Number.POSITIVE_INFINITY
  }
  const keys = Object.keys(a)
  if (keys.join() !== Object.keys(b).join()) return Number.POSITIVE_INFINITY
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return Math.max(0, ...keys.map((key) => farthest(x[key], y[key])))
}

it.each(['documents', 'pairing', 'scores', 'record'])(
  'the vectors of %s are what their script writes',
  (name) => {
    const folder = temporaryFolder()
    execFileSync(PYTHON, ['-B', `test/golden/vectors/${name}.py`, folder])
    const made = readdirSync(folder)
    expect(made).not.toEqual([])
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
    for (const file of made) {
      const [own, kept] = [`${folder}/${file}`, `fixtures/vectors/${file}`].map(read)
      expect(farthest(own, kept), file).toBeLessThan(1e-12)
    }
  },
)

it('the canonical form of docs/time.md is right, and the example of docs/vectors.md runs', () => {
  const { cases } = JSON.parse(readFileSync('fixtures/vectors/canonical-form.json', 'utf8'))
  const [script = ''] = guide('time.md').snippets.flatMap(
    ({ text }) => /<<'END'\n(import decimal.*?)^END$/ms.exec(text)?.[1] ?? [],
  )
  const file = `${temporaryFolder()}/document.json`
  for (const { input, expected } of cases) {
    if (expected === undefined) continue
    const { double } = input
    const value = double ? Buffer.from(double, 'hex').readDoubleBE() : input.value
    writeFileSync(file, JSON.stringify({ left_out: 1, value }))
    const text = execFileSync(PYTHON, ['-c', script, file, 'left_out'], { encoding: 'utf8' })
    expect(text).toBe(`{"value":${expected}}`)
  }
  const example = guide('vectors.md').snippet('python')
  const printed = execFileSync(PYTHON, ['-c', example], { encoding: 'utf8' })
  expect(printed).toMatch(/^(?:ok {3}.+\n){4,}$/)
})

it('numpy gives the golden figures of the measures and baselines again', () => {
  const folder = temporaryFolder()
  execFileSync(PYTHON, ['test/outside/scoring_golden.py', folder])
  for (const name of ['measures', 'baselines']) {
    // Another numpy may round the last digit of a logarithm otherwise, and a bias is a small
    // difference of such.
    expect(farthest(golden(name, folder), golden(name)), name).toBeLessThan(1e-12)
  }
})
