import { describe, expect, it } from 'vitest'
import { sealedPrefixes } from '../../src/site/headers.js'
import { pageFile, pageNumber } from '../../src/site/layout.js'

function matches(pattern: string, page: number): boolean {
  const name = pageFile(page).replace(/^.*page-/, '')
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

describe('sealedPrefixes', () => {
  it.each([
    [0, 0],
    [3, 0],
    [1, 1],
    [9, 9],
    [12, 10],
    [125, 120],
    [1000, 999],
    [2345, 2344],
    [9999, 9998],
    [10_000, 9999],
    [10_001, 10_000],
    [12_345, 12_340],
  ])('of %d pages, with %d sealed, matches exactly the sealed ones', (pages, sealed) => {
    const patterns = sealedPrefixes(pages, sealed)
    expect(patterns.length).toBeLessThan(60)
    for (let page = 1; page <= pages; page++) {
      const by = patterns.filter((pattern) => matches(pattern, page)).length
      if (by !== (page <= sealed ? 1 : 0)) expect.fail(`page ${page} is matched by ${by} patterns`)
    }
  })
})

describe('pageNumber', () => {
  it('reads what pageFile writes, and nothing else', () => {
    for (const number of [1, 42, 9999, 10_000]) expect(pageNumber(pageFile(number))).toBe(number)
    for (const path of ['page-1.json', 'page-0000.json', 'page-00001.json', 'latest.json']) {
      expect(pageNumber(`service/api/v1/forecasts/${path}`)).toBeUndefined()
    }
  })
})
