import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SharedDraws } from '../../src/inference/draws.js'
import { Engine } from '../../src/inference/engine.js'
import { instantiate, kernelMemory } from '../../src/inference/kernel.js'
import { layoutOf } from '../../src/inference/layout.js'
import { neededRanks } from '../../src/inference/quantiles.js'
import { seedState } from '../../src/inference/seed.js'
import { newCounters, sumAsDrawn } from '../../src/inference/sum-tiles.js'
import type { Tile } from '../../src/inference/tiles.js'
import { madeSeries } from './made.js'

const ORIGINS = 24 * 9 + 5
const REPLICATES = 6000

const layout = layoutOf({
  ...{ origins: ORIGINS, blockLength: 24, replicates: REPLICATES, workers: 2 },
})
const memory = kernelMemory(layout.bytes)
const kernel = instantiate(memory)
seedState(memory, 0, 410)
const draws = new SharedDraws(layout, newCounters())
for (const _ of draws.write(kernel));

const tiles = Array.from({ length: 20 }, (_, tile): Tile => {
  const series = [0, 1, 2].map((lane) => madeSeries(ORIGINS, 3 * tile + lane, (tile % 3) / 10))
  const tests = [[0], [2], [0, 1, 2]].map((lanes, i) => ({ test: 3 * tile + i, lanes }))
  return { series, tests }
})

/** Summaries by test while draws arrive as `arrivals` says, and the most tiles open at once. */
function sumAs(arrivals: readonly number[], group: number) {
  const engine = new Engine(kernel, memory, layout, 1, neededRanks(REPLICATES, 0.05, 60))
  const queue = tiles.slice()
  let written = 0
  let waits = 0
  const arriving = {
    address: (replicate: number) => draws.address(replicate),
    written: () => written,
    wait() {
      written = Math.min(REPLICATES, written + arrivals[waits++ % arrivals.length]!)
    },
  }
  let opened = 0
  let most = 0
  let closed = 0
  const summaries = []
  const next = () => {
    const tile = queue.shift()
    if (tile) most = Math.max(most, ++opened - closed)
    return tile
  }
  for (const some of sumAsDrawn(engine, { ...layout, group }, arriving, next)) {
    closed++
    summaries.push(...some)
  }
  return { most, summaries: summaries.sort((a, b) => a.test - b.test) }
}

describe('tiles summed while the draws arrive', () => {
  const atOnce = sumAs([REPLICATES], 1)

  it('come out one by one when all draws are there', () => {
    expect(atOnce.most).toBe(1)
    expect(atOnce.summaries.map(({ test }) => test)).toEqual([...Array(60).keys()])
  })

  it('open further tiles rather than wait, and give the same bits however draws arrive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: layout.group }),
        (arrivals, group) => {
          const found = sumAs(arrivals, group)
          expect(found.most).toBe(group)
          expect(found.summaries).toEqual(atOnce.summaries)
        },
      ),
      { numRuns: 25 },
    )
  })
})
