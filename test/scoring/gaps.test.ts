import { describe, expect, it } from 'vitest'
import { prepareTest } from '../../src/inference/prepare.js'
import { createMeanSums } from '../../src/inference/sums.js'
import { fillCell, type GapEnd, StandIns } from '../../src/scoring/gaps.js'

const NONE = Number.NaN
const A = Float64Array.of(1, NONE, -2, 3, NONE, 0, 5)
const cell = (id: number, missing: readonly number[], mostlyMissing = false, horizon = 1) => ({
  ...{ id, horizon, mostlyMissing, missing: Uint8Array.from(missing) },
})
const filledIn = (
  cells: readonly ReturnType<typeof cell>[],
  values: readonly Float64Array[],
  end: GapEnd,
) => {
  const filled = cells.map((each) => fillCell(each, values[each.id] as Float64Array, end))
  const standIns = new StandIns(end)
  for (const each of filled) standIns.offer(each)
  return filled.map((each) => {
    const other = each.isOwn ? undefined : standIns.at(each.horizon)
    return { ...(other ?? each), own: other === undefined }
  })
}
const valuesOf = (...of: Parameters<typeof filledIn>) => filledIn(...of).map((f) => [...f.values])

describe('keys without an outcome', () => {
  const two = cell(0, [0, 1, 0, 0, 1, 0, 0])
  it('count as the mean of as many of the worst or best, each at its own origin', () => {
    expect(valuesOf([two], [A], 'worst')).toEqual([[1, 4, -2, 3, 4, 0, 5]])
    expect(valuesOf([two], [A], 'best')).toEqual([[1, -1, -2, 3, -1, 0, 5]])
  })

  it('are others than keys at which a forecast is missing', () => {
    expect(valuesOf([cell(0, [0, 1, 0, 0, 0, 0, 0])], [A], 'worst')).toEqual([
      [1, 5, -2, 3, NONE, 0, 5],
    ])
    const [none] = filledIn([cell(0, [0, 0, 0, 0, 0, 0, 0])], [A], 'worst')
    expect([none!.values, none!.filled]).toEqual([A, undefined])
  })

  it('count as the mean of the pairs where these are fewer', () => {
    const few = Float64Array.of(NONE, NONE, NONE, 4, 0)
    expect(valuesOf([cell(0, [1, 1, 1, 0, 0])], [few], 'best')).toEqual([[2, 2, 2, 4, 0]])
  })

  it('count as another cell of the step where there is no pair, or too few outcomes of the series', () => {
    const values = [A, Float64Array.of(3, 3), Float64Array.of(NONE, NONE), Float64Array.of(9, 9)]
    const cells = [
      cell(0, [0, 1, 0, 0, 1, 0, 0]),
      cell(1, [0, 0]),
      cell(2, [1, 1]),
      // It has pairs, but they are not asked, and do not stand in for others.
      cell(3, [0, 0], true),
      cell(4, [0, 0], false, 2),
    ]
    const given = [...values, Float64Array.of(-9, -9)]
    const worst = filledIn(cells, given, 'worst')
    expect(worst.map(({ own }) => own)).toEqual([true, true, false, false, true])
    expect([...worst[2]!.values]).toEqual([3, 3])
    const best = filledIn(cells, given, 'best')
    expect([...best[3]!.values]).toEqual([1, -1, -2, 3, -1, 0, 5])
  })

  it('count by its own pairs where there is no other cell', () => {
    expect(valuesOf([cell(0, [1, 0], true)], [Float64Array.of(NONE, 3)], 'worst')).toEqual([[3, 3]])
  })
})

it('is part of the mean, and no pair of the test', () => {
  const [filled] = filledIn([cell(0, [0, 1, 0, 0, 1, 0, 0])], [A], 'worst')
  const design = { minimumPairs: 6, minimumBlocks: 1 }
  for (const counted of [undefined, 'any'] as const) {
    const { counts, reasons } = prepareTest(
      { name: 'a', sums: createMeanSums([filled!, filled!], 2) },
      { ...design, ...(counted && { counted }) },
    )
    expect(counts).toEqual({ name: 'a', observed: 15 / 7, pairs: 5, effectiveBlocks: 3 })
    expect(reasons).toEqual(['too_few_pairs'])
  }
})
