import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../../src/contract/findings/finding.js'
import { checkedInstant } from '../../../src/contract/instant.js'
import { type ReadFacts, readBarRows } from '../../../src/truth/closes/bar-rows.js'
import {
  importOutcomes,
  type OutcomesImportOptions,
} from '../../../src/truth/closes/import-closes.js'
import { argsOf } from '../../contract/args-of.js'

interface Given extends OutcomesImportOptions {
  readonly file?: string
  /** How many bytes come at once. */
  readonly size?: number
}

/** What an import of a text or of bytes gives, with what it finds: each in words of its own. */
async function imported(content: string | Uint8Array, given: Given = {}) {
  const { file = 'export.csv', size = Number.POSITIVE_INFINITY, ...options } = given
  const bytes = Buffer.from(content)
  const input = (async function* () {
    if (size > bytes.length) yield bytes
    else for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const result = await importOutcomes(file, { ...options, input })
  const said = result.findings.map((each) => {
    const { text } = formatMessage(each)
    expect(text).not.toBe(each.code)
    expect(text).not.toMatch(/undefined|null|\[object/)
    const code = each.code.replace(/^(outcome|table)-/, '')
    const { severity, position } = each
    return { code, severity, line: position?.line, fault: argsOf(each).fault, text }
  })
  return { ...result, said }
}

const findings = async (content: string | Uint8Array, given?: Given) =>
  (await imported(content, given)).said

const HEADER = 'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD'
const bar = (hour: number, close: string) => `${1704067200 + hour * 3600},1,1,1,${close},1,1\n`

describe('faults of one row', () => {
  it.each([
    ['zero', '0.00'],
    ['negative', '-1'],
    ['not-a-number', 'abc'],
    ['not-finite', 'NaN'],
    ['not-finite', 'inf'],
    ['not-finite', '1e999'],
    ['empty', ''],
    ['grouped', '"42,000.5"'],
    ['not-a-number', '0x10'],
  ])('a close that is %s: %s', async (fault, close) => {
    const text = bar(0, '42000') + bar(1, close) + bar(2, '42001')
    const found = { code: 'price', line: 2, severity: 'error', fault }
    expect(await findings(text)).toEqual([{ ...found, text: expect.any(String) }])
  })

  it.each([
    ['off the hour', '1704070801,1,1,1,1,1,1', 'time', 'off-hour'],
    ['on the half hour', '1704072600,1,1,1,1,1,1', 'time', 'off-hour'],
    ['off the hour by a nanosecond', '1704070800000000001,1,1,1,1,1,1', 'time', 'off-hour'],
    ['no time', 'yesterday,1,1,1,1,1,1', 'time', 'unreadable'],
    ['no day of the calendar', '2024-02-30 00:00:00,1,1,1,1,1,1', 'time', 'calendar'],
    ['from before Bitcoin', '0,1,1,1,1,1,1', 'time', 'before-bitcoin'],
    ['a column short', '1704070800,1,1,1,1,1', 'columns', undefined],
    ['a column long', '1704070800,1,1,1,1,1,1,1', 'columns', undefined],
  ])('a bar that is %s', async (_name, row, code, fault) => {
    const text = `${bar(0, '1')}${row}\n${bar(3, '1')}`
    expect(await findings(text)).toMatchObject([{ line: 2, code, ...(fault ? { fault } : {}) }])
  })

  it('reports every fault of a file in one run, and counts what it does not list', async () => {
    const text = Array.from({ length: 10_100 }, (_, hour) => bar(hour, '0')).join('')
    const all = await findings(text)
    expect(all).toHaveLength(10_001)
    expect(all.at(-1)).toMatchObject({ code: 'more-findings', severity: 'error' })
    const mixed = bar(0, '0') + bar(1, 'x') + '1704070801,1,1,1,1,1,1\n'
    expect((await findings(mixed)).map(({ code }) => code)).toEqual(['price', 'price', 'time'])
  })
})

describe('faults between rows', () => {
  const downwards = (hour: number) => `${1704067200 + hour * 3600},1,3,2,2,1\n`
  const dated = (time: string, symbol: string) =>
    `${HEADER}\n1704067200,2024-01-01 ${time},${symbol},1,1,1,1,1,1\n`

  const bars = (...all: [hour: number, close: string][]) =>
    all.map(([hour, close]) => bar(hour, close)).join('')
  const down = `time,low,high,open,close,volume\n${[3, 2, 4].map(downwards).join('')}`
  const KLINE = '1704067200000,1,1,1,1,1,1704067259999,1,1,1,1,0\n'
  const BITSTAMP =
    '{"data":{"pair":"ETH/USD","ohlc":[{"timestamp":"1704067200","open":"1","high":"1","low":"1","close":"1","volume":"1"}]}}'
  const KRAKENS =
    '{"error":[],"result":{"XETHZUSD":[[1704067200,"1","1","1","1","1","1",1]],"last":1}}'
  it.each<[string, string, object]>([
    ['two prices', bars([0, '1'], [1, '2'], [1, '3']), { code: 'conflict', line: 3 }],
    [
      'one price twice, counted',
      bars([0, '1'], [1, '2.50'], [1, '2.5'], [2, '2']),
      { code: 'duplicate', line: 3, severity: 'warning' },
    ],
    ['bars out of order', bars([1, '1'], [0, '2'], [2, '2']), { code: 'unsorted', line: 2 }],
    ['bars out of order, the newest first', down, { code: 'unsorted', line: 4 }],
    [
      'bars of other lengths',
      bars([0, '1'], [4, '1'], [8, '1']),
      { code: 'interval', line: undefined },
    ],
    ['klines of another length', KLINE, { code: 'time', fault: 'bar-end', line: 1 }],
    [
      'a date of another time',
      dated('01:00:00', 'BTC/USD'),
      { code: 'time', fault: 'date', line: 2 },
    ],
    ...['ETH/USD', 'BTC/USDT', 'BTCEUR', ''].map((symbol): [string, string, object] => [
      `the symbol "${symbol}"`,
      dated('00:00:00', symbol),
      { code: 'symbol', line: 2 },
    ]),
    ['an answer about another pair', BITSTAMP, { code: 'symbol' }],
    ['an answer of another API about another pair', KRAKENS, { code: 'symbol' }],
    [
      'an answer about two pairs',
      KRAKENS.replace('{"XETH', `{"XXBTZUSD":[[1704063600,"1","1","1","1","1","1",1]],"XETH`),
      { code: 'symbol' },
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await findings(text)).toMatchObject([expected])
  })

  it('a bar that has not closed yet', async () => {
    const now = checkedInstant('2024-01-01T01:30:00Z')
    const found = await findings(bar(0, '1') + bar(1, '1'), { now })
    expect(found).toMatchObject([{ code: 'time', fault: 'not-closed', line: 2 }])
  })
})

describe('faults of the whole file', () => {
  const good = bar(0, '1') + bar(1, '1')
  it.each([
    ['empty', '', 'format', 'no-rows'],
    ['blank', '\n\n \n', 'format', 'no-rows'],
    ['only a header', 'close_at,close_usd\n', 'format', 'no-rows'],
    ['compressed', Buffer.from('1f8b0800', 'hex'), 'encoding', 'gzip'],
    ['binary', Buffer.from([49, 0, 50, 10]), 'encoding', 'binary'],
    ['of an unknown header', 'day,price\n2024-01-01,1\n', 'format', 'unknown'],
    ['of semicolons', 'close_at;close_usd\n2024-01-01T00:00:00Z;1\n', 'format', 'delimiter'],
    ['two columns without a header', '2024-01-01T00:00:00Z,1\n', 'format', 'headless'],
    ['an error of an API', '{"message":"NotFound"}', 'format', 'unknown'],
    ['an error of another API', '{"error":["EQuery:Unknown asset pair"]}', 'format', 'unknown'],
    ['JSON cut off', '[[1704067200,1,2,1,1', 'json', undefined],
    ['an unclosed quote', 'close_at,close_usd\n"2024-01-01T00:00:00Z,1\n', 'csv', undefined],
    ['a web page', '<!DOCTYPE html><html>\n<body>404</body>\n', 'format', 'unknown'],
  ])('%s', async (_name, bytes, code, fault) => {
    expect(await findings(bytes)).toMatchObject([{ code, ...(fault ? { fault } : {}) }])
  })

  const long = Array.from({ length: 200 }, (_, hour) => bar(hour, '1')).join('')
  const binary = Buffer.concat([Buffer.from(long), Buffer.from([0, 1, 2])])
  const cut = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,425'
  it.each([
    ['cut off inside the last price', cut, 'cut', 'certain', 'error'],
    ['cut off behind the close, perhaps', good.trimEnd(), 'cut', 'maybe', 'warning'],
    ['binary far into the file', binary, 'encoding', 'binary', 'error'],
  ])('%s', async (_name, bytes, code, fault, severity) => {
    expect(await findings(bytes)).toMatchObject([{ code, fault, severity }])
  })

  it('JSON that is cut off in one of its lines', async () => {
    const line =
      '{"timestamp":"2024-01-01T00:00:00Z","open":1,"high":1,"low":1,"close":1,"volume":1}'
    const found = await findings(`${line}\n${line.replace('T00', 'T01')}\n${line.slice(0, 40)}`)
    expect(found).toMatchObject([{ code: 'json', line: 3 }])
  })

  it('cut off inside the last row', async () => {
    const codes = (await findings(`${good}1704074400,1,1`)).map(({ code }) => code)
    expect(codes).toEqual(['columns', 'cut'])
  })

  it('the name of another pair, unless the content is said to be BTC/USD', async () => {
    for (const name of ['ETHUSD_60.csv', 'BTCUSDT-1h-2024-01.csv', 'Coinbase_ETH-USD_1h.csv']) {
      expect(await findings(good, { file: name })).toMatchObject([
        { code: 'symbol', fault: 'file' },
      ])
    }
    for (const name of ['XBTUSD_60.csv', 'coinbase_btcusd_1h.csv', 'BTC-USD.csv', 'method.csv']) {
      expect(await findings(good, { file: name })).toEqual([])
    }
  })
})

/** The same two hourly bars in every format: they close at 01:00 and 02:00 of 2024-01-01 in UTC. */
const EXPECTED = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,42594.0\n'

const FOLDER = new URL('../../golden/outcomes/', import.meta.url)
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
    expect(await imported(text, { size: 1 })).toMatchObject(expected)
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
    for (const [text, given, source] of [
      [KRAKEN, { file: 'binance.csv', source: 'mine' }, 'mine'],
      [KRAKEN, { file: 'binance.csv' }, 'kraken'],
      [EXPECTED, { file: 'Bitstamp_BTCUSD_1h.csv' }, 'bitstamp'],
      [EXPECTED, {}, 'unspecified'],
    ] as const) {
      expect(await imported(text, given)).toMatchObject({ manifest: { source } })
    }
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
    for await (const _ of readBarRows('csv', chunks(), 'closes.csv', {} as ReadFacts)) {
      rows++
      if (rows === wanted) break
    }
    expect([rows, ended]).toEqual([wanted, true])
  }
})

/** 2023-04-10T00:00:00Z, in the seconds of old files and the milliseconds of new ones. */
const APRIL_10 = 1_681_084_800

const saved = (lines: readonly string[]) =>
  imported(`${lines.join('\r\n')}\r\n`, { file: 'Bitstamp_BTCUSD_1h.csv' })

const datedBar = (unix: number | string, date: string) =>
  `${unix},${date},BTC/USD,28000,28100,27900,28050.5,1,1`

describe('a CryptoDataDownload file that a spreadsheet saved again', () => {
  it.each([
    ['month first', ['4/10/2023 0:00', '4/10/2023 1:00', '4/10/2023 13:00']],
    ['day first', ['10/4/2023 0:00', '10/4/2023 1:00', '10/4/2023 13:00']],
    ['with leading zeros', ['04/10/2023 00:00', '04/10/2023 01:00', '04/10/2023 13:00']],
    ['with dots', ['10.04.2023 00:00', '10.04.2023 01:00', '10.04.2023 13:00']],
    ['a short year', ['4/10/23 0:00', '4/10/23 1:00', '4/10/23 13:00']],
    ['half days', ['4/10/2023 12:00 AM', '4/10/2023 1:00 AM', '4/10/2023 1:00:00 PM']],
    ['year first', ['2023/4/10 0:00', '2023-04-10 1:00', '2023-4-10 13:00']],
    ['days alone', ['4/10/2023', '4/10/2023', '4/10/2023']],
  ])('%s: the Unix column decides, and one note says so', async (_name, dates) => {
    for (const scale of [1, 1000]) {
      const lines = [0, 1, 13].map((hour, at) =>
        datedBar((APRIL_10 + hour * 3600) * scale, dates[at] ?? ''),
      )
      const url = '\uFEFFhttps://www.CryptoDataDownload.com,,,,,,,,'
      const { said, ...result } = await saved([url, HEADER, ...lines])
      const text = expect.stringContaining('Unix')
      const note = { code: 'date-rewritten', severity: 'note', line: 3, text }
      expect(said).toMatchObject([note])
      const closes = expect.stringContaining('2023-04-10T01:00:00Z,28050.5\n')
      expect(result).toMatchObject({ ok: true, closes })
    }
  })

  it.each([
    ['another hour', '4/10/2023 2:00'],
    ['another day, with month or day first', '4/11/2023 1:00'],
    ['another year', '4/10/2022 1:00'],
    ['the other half of the day', '4/10/2023 1:00 PM'],
    ['a day that the calendar does not have', '13/13/2023 1:00'],
    ['a day alone that is another', '4/11/2023'],
    ['minutes', '4/10/2023 1:30'],
    ['nothing', ''],
  ])('a date that says %s is an error', async (_name, date) => {
    const lines = [HEADER, datedBar(APRIL_10, '4/10/2023 0:00'), datedBar(APRIL_10 + 3600, date)]
    const { ok, said } = await saved(lines)
    expect(ok).toBe(false)
    expect(said.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'time', line: 3 },
    ])
  })

  it('says nothing where the dates are those of the download', async () => {
    const lines = [HEADER, datedBar(APRIL_10, '2023-04-10 00:00:00')]
    expect((await saved(lines)).said).toEqual([])
  })

  it('names what a spreadsheet has rounded, and a date whose month it has hidden', async () => {
    const rounded = await saved([HEADER, datedBar('1.68108E+12', '4/10/2023 0:00')])
    expect(rounded.said[0]).toMatchObject({ code: 'time', line: 2 })
    expect(rounded.said[0]?.text).toContain('rounded')
    const header = 'date,symbol,open,high,low,close,Volume BTC,Volume USD'
    const hidden = await saved([header, '4/10/2023 0:00,BTC/USD,1,1,1,1,1,1'])
    expect(hidden.said[0]?.text).toMatch(/month .* day/)
  })
})

it.each([1, 2, 1000])('a byte order mark is accepted in any CSV, read by %i', async (size) => {
  // A pipe may cut it in two.
  const text = '\uFEFFclose_at,close_usd\n2024-01-01T01:00:00Z,42000\n'
  const closes = 'close_at,close_usd\n2024-01-01T01:00:00Z,42000.0\n'
  expect(await imported(text, { size })).toMatchObject({ ok: true, said: [], closes })
})
