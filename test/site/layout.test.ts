import { expect, it } from 'vitest'
import { GENERATIONS, pageFileAt, pageNumber, pagePlace } from '../../src/site/layout.js'
import { placeInNumber } from '../../src/site/page/client/linked.js'

it.each([1, 12, 9999, 10_000])(
  'page %i has its place in its name, with a generation too',
  (place) => {
    for (const generation of [1, 482_913_075, GENERATIONS - 1]) {
      const names = { generation, keptPages: 0, keptFile: undefined }
      const number = pageNumber(pageFileAt(place, names)) ?? 0
      // The script of the page cannot import what the build uses.
      expect([pagePlace(number), placeInNumber(number)]).toEqual([place, place])
    }
    expect([pagePlace(place), placeInNumber(place)]).toEqual([place, place])
  },
)
