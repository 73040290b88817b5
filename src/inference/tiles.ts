import { ForeproofError } from '../contract/error.js'
import { LANES } from './kernel.js'
import type { Series } from './types.js'

/** A test that is to be drawn: its place among the tests and its component series. */
export interface DrawnTest {
  readonly test: number
  readonly components: readonly Series[]
}

/** Which lanes a test averages, in the order of its components. */
export interface TileTest {
  readonly test: number
  readonly lanes: readonly number[]
}

/** Up to eight series that are summed side by side, and the tests that can be had from them. */
export interface Tile {
  readonly series: readonly Series[]
  readonly tests: readonly TileTest[]
}

interface GrowingTile {
  series: Series[]
  tests: TileTest[]
}

/**
 * Distributes the tests over tiles so that every series is summed once: a horizon's point loss
 * serves its own test and the overall one. Tests of several components come first, for their
 * series must lie in one tile; single series fill the lanes that are left.
 */
export function planTiles(drawn: readonly DrawnTest[]): Tile[] {
  const tiles: GrowingTile[] = []
  const home = new Map<Float64Array, { series: Series; tile: GrowingTile; lane: number }[]>()
  const homeOf = (series: Series) =>
    home.get(series.values)?.find((known) => known.series.members === series.members)
  const place = (tile: GrowingTile, series: Series): number => {
    const lane = tile.series.push(series) - 1
    const known = home.get(series.values)
    const entry = { series, tile, lane }
    if (known === undefined) home.set(series.values, [entry])
    else known.push(entry)
    return lane
  }
  const open = (room: number): GrowingTile => {
    const last = tiles.at(-1)
    if (last !== undefined && last.series.length + room <= LANES) return last
    const tile: GrowingTile = { series: [], tests: [] }
    tiles.push(tile)
    return tile
  }
  const several = drawn.filter(({ components }) => components.length !== 1)
  for (const { test, components } of several) {
    checkComponents(components)
    const first = homeOf(components[0]!)?.tile
    const shared = first !== undefined && components.every((c) => homeOf(c)?.tile === first)
    const tile = shared ? first : open(components.length)
    const lanes = components.map((series) => (shared ? homeOf(series)!.lane : place(tile, series)))
    tile.tests.push({ test, lanes })
  }
  for (const { test, components } of drawn) {
    if (components.length !== 1) continue
    const series = components[0]!
    const known = homeOf(series)
    const tile = known?.tile ?? open(1)
    tile.tests.push({ test, lanes: [known?.lane ?? place(tile, series)] })
  }
  return tiles
}

function checkComponents(components: readonly Series[]): void {
  if (components.length === 0 || components.length > LANES) {
    throw new ForeproofError(
      'invalid-input',
      `a test has 1 to ${LANES} component series, not ${components.length}`,
    )
  }
}

/**
 * The same tiles with every array of numbers copied once into memory that threads share, however
 * many series look at it: handing the tiles to a thread then copies no numbers.
 */
export function shareTiles(tiles: readonly Tile[]): Tile[] {
  const shared = new Map<object, object>()
  const share = <Numbers extends Float64Array | Uint8Array>(
    numbers: Numbers,
    make: (bytes: SharedArrayBuffer) => Numbers,
  ): Numbers => {
    const known = shared.get(numbers) as Numbers | undefined
    if (known !== undefined) return known
    const copy = make(new SharedArrayBuffer(numbers.byteLength))
    copy.set(numbers)
    shared.set(numbers, copy)
    return copy
  }
  return tiles.map(({ series, tests }) => ({
    tests,
    series: series.map(({ values, members }) => ({
      values: share(values, (bytes) => new Float64Array(bytes)),
      ...(members && { members: share(members, (bytes) => new Uint8Array(bytes)) }),
    })),
  }))
}
