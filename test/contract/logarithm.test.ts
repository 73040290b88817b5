import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exp, ln, log10 } from '../../src/contract/logarithm.js'
import { temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'
import { ROOT } from '../support/run.js'

const FUNCTIONS = { exp, ln, log10 }
type Name = keyof typeof FUNCTIONS
const NAMES = Object.keys(FUNCTIONS) as Name[]

const bits = new DataView(new ArrayBuffer(8))
/** Numbers in their order, as whole numbers in their order. */
function placeOf(x: number): bigint {
  bits.setFloat64(0, Math.abs(x))
  return x < 0 ? -bits.getBigInt64(0) : bits.getBigInt64(0)
}

/** Any number above 0, each exponent as often. */
function anyPositive(random: () => number): number {
  bits.setUint32(0, random() * 0x7ff00000)
  bits.setUint32(4, random() * 2 ** 32)
  return bits.getFloat64(0)
}

describe.each(NAMES)('%s', (name) => {
  const of = FUNCTIONS[name]

  it('is less than 1 ulp off the true value', () => {
    const table = readFileSync(join(ROOT, 'test/golden/contract/logarithm.csv'), 'utf8')
    const rows = table.split('\n').filter((line) => line.startsWith(`${name},`))
    expect(rows.length).toBeGreaterThan(150)
    for (const row of rows) {
      const [x, value] = row.split(',').slice(1).map(Number) as [number, number]
      const off = placeOf(of(x)) - placeOf(value)
      expect([x, off >= -1n && off <= 1n]).toEqual([x, true])
    }
  })

  // The digests are those of Math in Node 20.20, whose functions of these names are fdlibm's.
  it('has the bits of fdlibm', () => {
    const digests = {
      exp: '55e9893632d9867c02a19ec8436614d50be43da8067f2dbcfe5793c468f844a3',
      ln: '58eff3e1fdf5d967d8ba18d27cdb891eef534d16e63076a564b42703978a1358',
      log10: 'eecd795994023b31993a7cc6df48fe082c5ae44c11c36bef5a7f3c3b7b77a2d9',
    } as const
    const random = numbers(1993)
    const hash = createHash('sha256')
    for (let round = 0; round < 1000; round++) {
      const values = Float64Array.from({ length: 400 }, (_, at) => {
        const near = (random() - 0.5) / 2 ** (at % 50)
        if (name === 'exp') return of(at < 200 ? (random() - 0.5) * 1500 : near * 4)
        return of(at < 200 ? anyPositive(random) : 1 + near)
      })
      hash.update(values)
    }
    expect(hash.digest('hex')).toBe(digests[name])
  })
})

it('the ends of the numbers are those of ECMAScript', () => {
  const ends = [0, -0, 1, -1, Infinity, -Infinity, Number.NaN, Number.MIN_VALUE, Number.MAX_VALUE]
  expect(ends.map(exp)).toEqual([1, 1, Math.E, 1 / Math.E, Infinity, 0, Number.NaN, 1, Infinity])
  for (const of of [ln, log10]) {
    expect(ends.slice(0, 7).map(of)).toEqual([
      ...[-Infinity, -Infinity, 0, Number.NaN, Infinity, Number.NaN, Number.NaN],
    ])
  }
  expect([709.782712893384, 709.7827128933841].map(exp)).toEqual([1.7976931348622732e308, Infinity])
  expect([-745.1332191019411, -745.1332191019412].map(exp)).toEqual([Number.MIN_VALUE, 0])
})

it('log10 is exact at the powers of ten that have all their digits', () => {
  for (let power = -307; power <= 308; power++) expect(log10(Number(`1e${power}`))).toBe(power)
})

it('a result is computed with no function whose last bits are the engine’s own: the check of the house says so', () => {
  const inexact = [
    'export const loss = (x: number) => Math.log(x)',
    'export const losses = values.map(Math.exp)',
    'const { cos } = Math',
    "export const root = Math['cbrt'](2)",
    'export const square = (x: number) => x ** 2',
    'export const thousand = 10 ** 3',
    'export const other = (x: number) => 12 ** x',
    'power **= 2',
  ]
  const exact =
    'export const y = (x: number) => Math.sqrt(x) * 2 ** x * Number(10n ** 3n) * Math.PI'
  const folder = temporaryFolder()
  for (const room of ['docs', 'src/scoring', 'src/lint/power']) {
    mkdirSync(join(folder, room), { recursive: true })
  }
  cpSync(
    join(ROOT, 'docs/internals/architecture.md'),
    join(folder, 'docs/internals/architecture.md'),
  )
  writeFileSync(join(folder, 'src/scoring/sample.ts'), [...inexact, exact, ''].join('\n'))
  writeFileSync(join(folder, 'src/lint/power/other.ts'), 'export const x = Math.log(2)\n')
  const args = [join(ROOT, '.ci/house.mjs')]
  const { status, stderr } = spawnSync('node', args, { cwd: folder, encoding: 'utf8' })
  const found = stderr.split('\n').map((line) => /^(.*): its last bits are/.exec(line)?.[1] ?? line)
  const places = inexact.map((_, at) => `src/scoring/sample.ts:${at + 1}`)
  expect([status, found]).toEqual([1, [...places, '']])
})
