import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importOutcomes, type OutcomesImportOptions } from '../../src/outcomes/import.js'
import { type ReadFacts, rowsOf } from '../../src/outcomes/rows.js'

/** The same two hourly bars in every format: they close at 01:00 and 02:00 of 2024-01-01 in UTC. */
const EXPECTED = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,42594.0\n'

async function imported(text: string, options: OutcomesImportOptions = {}, file = 'export.csv') {
  const input = (async function* () {
    yield Buffer.from(text)
  })()
  return await importOutcomes(file, { ...options, input })
}

const FOLDER = new URL('../golden/outcomes/', import.meta.url)
/** An export of each kind, in the folder of its format. */
const CASES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.includes('.'))
  .map((path) => [path, dirname(path), readFileSync(new URL(path, FOLDER), 'utf8')] as const)
const KRAKEN = readFileSync(new URL('kraken/ohlcvt.csv', FOLDER), 'utf8')

describe('the formats of outcomes', () => {
  it('are seventeen', () => expect(CASES).toHaveLength(17))

  it.each(CASES)('%s, also with CRLF line ends, and byte by byte', async (_name, format, text) => {
    const expected = { ok: true, closes: EXPECTED, manifest: { input: { format } } }
    expect(await imported(text)).toMatchObject(expected)
    expect(await imported(text.replaceAll('\n', '\r\n'))).toMatchObject(expected)
    const input = (async function* () {
      for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
    })()
    expect(await importOutcomes('export.csv', { input })).toMatchObject(expected)
  })

  it('reads times as those of closes when asked to', async () => {
    const result = await imported(KRAKEN, { stamp: 'close' })
    expect(result).toMatchObject({
      ok: true,
      closes: 'close_at,close_usd\n2024-01-01T00:00:00Z,42452.66\n2024-01-01T01:00:00Z,42594.0\n',
      manifest: { input: { stamp: 'close' } },
    })
  })

  it('names no exchange where the prices do not show which order the columns have', async () => {
    const [first, second] = [1704067200, 1704070800].map((time) => `${time},1,1,1,1,1\n`)
    expect(await imported(`${first}${second}`)).toMatchObject({
      manifest: { source: 'unspecified', input: { format: 'ccxt' } },
    })
  })

  it('takes the source from the user, the format, the name of the file, in this order', async () => {
    const source = async (text: string, file: string, given?: string) => {
      const result = await imported(text, given === undefined ? {} : { source: given }, file)
      return result.ok && result.manifest.source
    }
    expect(await source(KRAKEN, 'binance.csv', 'mine')).toBe('mine')
    expect(await source(KRAKEN, 'binance.csv')).toBe('kraken')
    expect(await source(EXPECTED, 'Bitstamp_BTCUSD_1h.csv')).toBe('bitstamp')
    expect(await source(EXPECTED, 'export.csv')).toBe('unspecified')
  })
})

it('ends what it reads when no more is wanted, after the first text too', async () => {
  for (const wanted of [1, 3]) {
    let ended = false
    async function* chunks() {
      try {
        yield 'open_time,close\n2026-01-01T00:00:00Z,1\n2026-01-01T01:00:00Z,2\n'
        yield '2026-01-01T02:00:00Z,3\n2026-01-01T03:00:00Z,4\n'
      } finally {
        ended = true
      }
    }
    let rows = 0
    for await (const _ of rowsOf('csv', chunks(), 'closes.csv', {} as ReadFacts)) {
      rows++
      if (rows === wanted) break
    }
    expect([rows, ended]).toEqual([wanted, true])
  }
})
