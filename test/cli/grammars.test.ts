import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkedInstant as at } from '../../src/contract/instant.js'
import { readPairLine } from '../../src/pairing/lines.js'
import { parsePeriods, periodsText } from '../../src/periods/list.js'
import { closesText, createCloseSeries } from '../../src/truth/closes/close-series.js'
import { ALWAYS } from '../../src/truth/releases.js'
import { releasePieces } from '../../src/truth/releases-vintage.js'

/** The blocks of a page that begin with a text. */
function blocks(page: string, begins: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const all = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return all.filter((block) => block.startsWith(begins))
}

it('a list of periods has the normal form that docs/reference/series.md says', () => {
  const [written = '', normal = ''] = blocks('reference/series.md', 'period,start,end,origin,')
  for (const text of [written, normal]) {
    const read = parsePeriods(Buffer.from(text), 'list.csv')
    expect(read.ok && periodsText(read.periods)).toBe(normal)
  }
})

it('releases.csv is written as docs/reference/series.md says', () => {
  const w1 = [
    { asOf: at('2026-01-09T10:00:00Z'), value: 41.5 },
    { asOf: at('2026-01-16T10:00:00.25Z'), value: 42 },
    { asOf: at('2026-01-23T10:00:00Z'), value: undefined },
  ]
  const w2 = [{ asOf: ALWAYS, value: 1e-7 }]
  const table = new Map([['load', new Map(Object.entries({ w2, w1 }))]])
  expect([[...releasePieces(table)].join('')]).toEqual(
    blocks('reference/series.md', 'series,period,value,as_of'),
  )
})

it('closes.csv is written as docs/reference/outcomes-formats.md says', () => {
  const closes = new Map([
    [at('2024-01-01T02:00:00Z'), 42594.68],
    [at('2024-01-01T01:00:00Z'), 42452.66],
  ])
  const [text] = blocks('reference/outcomes-formats.md', 'close_at,close_usd')
  expect(closesText(createCloseSeries(closes))).toBe(text)
})

it('a line of pairs is spelt as docs/pairing.md says', () => {
  const [line = ''] = blocks('pairing.md', '{"series"')
  expect(readPairLine(line.trimEnd())).toMatchObject({ series: 'load', base: 1e-7 })
  expect(`${JSON.stringify(JSON.parse(line))}\n`).toBe(line)
})
