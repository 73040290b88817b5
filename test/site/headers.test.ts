import { describe, expect, it } from 'vitest'
import { headersText, sealedPrefixes } from '../../src/site/headers.js'
import { GENERATIONS, pageFile, pageFileAt, pageNumber, pagePlace } from '../../src/site/layout.js'
import { placeInNumber } from '../../src/site/page/client/linked.js'

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

describe('headersText', () => {
  /** What a host sends for a path: the headers of every rule that matches. */
  function headersOf(text: string, path: string): Map<string, string> {
    const found = new Map<string, string>()
    for (const rule of text.split(/\n(?=\/)/)) {
      const [pattern = '', ...lines] = rule.trim().split('\n')
      const matched = pattern.endsWith('*')
        ? path.startsWith(pattern.slice(0, -1))
        : path === pattern
      for (const line of matched ? lines : []) {
        const [name = '', value = ''] = line.trim().split(': ')
        expect([path, name, found.has(name)]).toEqual([path, name, false])
        found.set(name, value)
      }
    }
    return found
  }

  it('lets every file be read by pages of other sites, and none be kept for long', () => {
    const text = headersText(12, 10)
    const day = 'public, max-age=86400, stale-while-revalidate=86400'
    const minute = 'public, max-age=60, must-revalidate'
    const head = '/service/api/v1/forecasts.json'
    const expected = new Map(
      [head, '/index.html', `/${pageFile(11)}`].map((path) => [path, minute]),
    )
    // A late row rewrites sealed pages, too.
    for (const page of [1, 9, 10]) expected.set(`/${pageFile(page)}`, day)
    for (const [path, cached] of expected) {
      const headers = headersOf(text, path)
      expect([path, headers.get('Cache-Control')]).toEqual([path, cached])
      if (path.startsWith('/service')) expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    }
    expect(text).not.toMatch(/immutable|31536000/)
    expect(text).not.toContain('/log')
  })

  it('says of a log what may be kept, and what its checkpoint is', () => {
    const text = headersText(2, 1, true)
    const log = '/service/api/v1/log'
    const cached = (path: string) => headersOf(text, `${log}/${path}`).get('Cache-Control')
    for (const path of ['tile/0/x001/000', 'tile/1/000.p/3'])
      expect(cached(path)).toMatch(/max-age=86400/)
    for (const path of ['checkpoint', 'checkpoints.json', 'checkpoints/24', 'checkpoints/24.a.tsr'])
      expect(cached(path)).toMatch(/max-age=60/)
    const type = headersOf(text, `${log}/checkpoint`).get('Content-Type')
    expect(type).toBe('text/plain; charset=utf-8')
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
