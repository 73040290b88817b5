import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { parseTimestamp } from '../../src/contract/instant.js'
import { importOutcomes, type OutcomesImportOptions } from '../../src/outcomes/import.js'
import { argsOf } from '../contract/args-of.js'

async function findings(
  bytes: string | Uint8Array,
  options: OutcomesImportOptions = {},
  file = 'x.csv',
) {
  const input = (async function* () {
    yield Buffer.from(bytes)
  })()
  const result = await importOutcomes(file, { ...options, input })
  for (const finding of result.findings) {
    // Each has words of its own, and none of them fell through.
    expect(messageOf(finding).text).not.toBe(finding.code)
    expect(messageOf(finding).text).not.toMatch(/undefined|null|\[object/)
  }
  return result.findings.map((finding) => ({
    code: finding.code.replace(/^(outcome|table)-/, ''),
    line: finding.position?.line,
    severity: finding.severity,
    fault: argsOf(finding).fault,
  }))
}

const KRAKEN = (hour: number, close: string) => `${1704067200 + hour * 3600},1,1,1,${close},1,1\n`

describe('faults of the time series of a hub', () => {
  const HUB = (...rows: string[]) =>
    ['location,target_at,as_of,observation', ...rows, ''].join('\n')
  const row = (place: string, hour: string, asOf: string, close = '1') =>
    `${place},2024-01-01T0${hour}:00:00Z,${asOf},${close}`
  it.each([
    ['days and no hours', 'date,observation\n2024-01-01,1\n', ['format', 1, 'hub-days']],
    [
      'two columns of hours',
      'at,until,observation\n2024-01-01 00:00,2024-01-01 01:00,1\n',
      ['format', 1, 'hub-days'],
    ],
    [
      'hours of no place on Earth',
      'at,observation\n2024-01-01 00:00:00,1\n',
      ['time', 2, 'offset-missing'],
    ],
    [
      'two markets',
      HUB(row('a', '1', '2024-01-02'), row('b', '1', '2024-01-02', '2')),
      ['series', 3, undefined],
    ],
    ['another pair', HUB(row('ETH-USD', '1', '2024-01-02')), ['symbol', 2, 'cell']],
    [
      'two closes in one version',
      HUB(row('a', '1', '2024-01-02'), row('a', '1', '2024-01-02', '2')),
      ['conflict', 3, undefined],
    ],
    ['a version that is no day', HUB(row('a', '1', 'newest')), ['time', 2, 'unreadable']],
    [
      'a day that is another than that of its hour',
      'date,at,observation\n2024-01-02,2024-01-01T01:00:00Z,1\n',
      ['time', 2, 'date'],
    ],
  ])('%s', async (_name, text, expected) => {
    const found = await findings(text)
    expect(found.map(({ code, line, fault }) => [code, line, fault])).toEqual([expected])
  })
})

describe('faults of one row', () => {
  it.each([
    ['zero', '0.00', { code: 'price', fault: 'zero' }],
    ['negative', '-1', { code: 'price', fault: 'negative' }],
    ['not a number', 'abc', { code: 'price', fault: 'not-a-number' }],
    ['NaN', 'NaN', { code: 'price', fault: 'not-finite' }],
    ['infinite', 'inf', { code: 'price', fault: 'not-finite' }],
    ['too large for a double', '1e999', { code: 'price', fault: 'not-finite' }],
    ['empty', '', { code: 'price', fault: 'empty' }],
    ['grouped', '"42,000.5"', { code: 'price', fault: 'grouped' }],
    ['hexadecimal', '0x10', { code: 'price', fault: 'not-a-number' }],
  ])('a close that is %s', async (_name, close, expected) => {
    const text = KRAKEN(0, '42000') + KRAKEN(1, close) + KRAKEN(2, '42001')
    expect(await findings(text)).toMatchObject([{ line: 2, severity: 'error', ...expected }])
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
    const text = `${KRAKEN(0, '1')}${row}\n${KRAKEN(3, '1')}`
    expect(await findings(text)).toMatchObject([{ line: 2, code, ...(fault ? { fault } : {}) }])
  })

  it('reports every fault of a file in one run, and counts what it does not list', async () => {
    const text = Array.from({ length: 10_100 }, (_, hour) => KRAKEN(hour, '0')).join('')
    const all = await findings(text)
    expect(all).toHaveLength(10_001)
    expect(all.at(-1)).toMatchObject({ code: 'more-findings', severity: 'error' })
    const mixed = KRAKEN(0, '0') + KRAKEN(1, 'x') + '1704070801,1,1,1,1,1,1\n'
    expect((await findings(mixed)).map(({ code }) => code)).toEqual(['price', 'price', 'time'])
  })
})

describe('faults between rows', () => {
  it('two prices for one bar: both lines are named', async () => {
    const text = KRAKEN(0, '1') + KRAKEN(1, '2') + KRAKEN(1, '3')
    expect(await findings(text)).toMatchObject([{ code: 'conflict', line: 3 }])
  })

  it('one price twice is a warning, counted', async () => {
    const text = KRAKEN(0, '1') + KRAKEN(1, '2.50') + KRAKEN(1, '2.5') + KRAKEN(2, '2')
    expect(await findings(text)).toMatchObject([
      { code: 'duplicate', line: 3, severity: 'warning' },
    ])
  })

  it('bars out of order, in a format that is not', async () => {
    const text = KRAKEN(1, '1') + KRAKEN(0, '2') + KRAKEN(2, '2')
    expect(await findings(text)).toMatchObject([{ code: 'unsorted', line: 2 }])
  })

  it('bars out of order, in a format that may be newest first', async () => {
    const row = (hour: number) => `${1704067200 + hour * 3600},1,3,2,2,1\n`
    const text = `time,low,high,open,close,volume\n${row(3)}${row(2)}${row(4)}`
    expect(await findings(text)).toMatchObject([{ code: 'unsorted', line: 4 }])
  })

  it('bars of another length', async () => {
    const text = KRAKEN(0, '1') + KRAKEN(4, '1') + KRAKEN(8, '1')
    expect(await findings(text)).toMatchObject([{ code: 'interval', line: undefined }])
  })

  it('klines of another length', async () => {
    const text = '1704067200000,1,1,1,1,1,1704067259999,1,1,1,1,0\n'
    expect(await findings(text)).toMatchObject([{ code: 'time', fault: 'bar-end', line: 1 }])
  })

  it('a date that contradicts the Unix time beside it', async () => {
    const text =
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD\n' +
      '1704067200,2024-01-01 01:00:00,BTC/USD,1,1,1,1,1,1\n'
    expect(await findings(text)).toMatchObject([{ code: 'time', fault: 'date', line: 2 }])
  })

  it.each(['ETH/USD', 'BTC/USDT', 'BTCEUR', ''])('the symbol %j', async (symbol) => {
    const text =
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD\n' +
      `1704067200,2024-01-01 00:00:00,${symbol},1,1,1,1,1,1\n`
    expect(await findings(text)).toMatchObject([{ code: 'symbol', line: 2 }])
  })

  it.each([
    '{"data":{"pair":"ETH/USD","ohlc":[{"timestamp":"1704067200","open":"1","high":"1","low":"1","close":"1","volume":"1"}]}}',
    '{"error":[],"result":{"XETHZUSD":[[1704067200,"1","1","1","1","1","1",1]],"last":1}}',
  ])('an answer about another pair: %s', async (text) => {
    expect(await findings(text)).toMatchObject([{ code: 'symbol' }])
  })

  it('a bar that has not closed yet', async () => {
    const now = parseTimestamp('2024-01-01T01:30:00Z')
    const text = KRAKEN(0, '1') + KRAKEN(1, '1')
    expect(await findings(text, now.ok ? { now: now.instant } : {})).toMatchObject([
      { code: 'time', fault: 'not-closed', line: 2 },
    ])
  })
})

describe('faults of the whole file', () => {
  const good = KRAKEN(0, '1') + KRAKEN(1, '1')
  it.each([
    ['empty', '', 'format', 'no-rows'],
    ['blank', '\n\n \n', 'format', 'no-rows'],
    ['only a header', 'close_at,close_usd\n', 'format', 'no-rows'],
    ['an archive', Buffer.from('504b0304140000', 'hex'), 'encoding', 'zip'],
    ['compressed', Buffer.from('1f8b0800', 'hex'), 'encoding', 'gzip'],
    ['UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le'), 'encoding', 'utf-16'],
    ['binary', Buffer.from([49, 0, 50, 10]), 'encoding', 'binary'],
    ['not UTF-8', Buffer.from([49, 44, 0xc3, 0x28, 10]), 'encoding', 'not-utf-8'],
    ['of an unknown header', 'day,price\n2024-01-01,1\n', 'format', 'unknown'],
    [
      'separated by semicolons',
      'close_at;close_usd\n2024-01-01T00:00:00Z;1\n',
      'format',
      'delimiter',
    ],
    ['two columns without a header', '2024-01-01T00:00:00Z,1\n', 'format', 'headless'],
    ['an error of an API', '{"message":"NotFound"}', 'format', 'unknown'],
    ['an error of another API', '{"error":["EQuery:Unknown asset pair"]}', 'format', 'unknown'],
    ['JSON cut off', '[[1704067200,1,2,1,1', 'json', undefined],
    ['an unclosed quote', 'close_at,close_usd\n"2024-01-01T00:00:00Z,1\n', 'csv', undefined],
    ['a web page', '<!DOCTYPE html><html>\n<body>404</body>\n', 'format', 'unknown'],
  ])('%s', async (_name, bytes, code, fault) => {
    expect(await findings(bytes)).toMatchObject([{ code, ...(fault ? { fault } : {}) }])
  })

  it('cut off inside the last price', async () => {
    const text = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,425'
    expect(await findings(text)).toMatchObject([
      { code: 'cut', fault: 'certain', severity: 'error' },
    ])
  })

  it('cut off inside the last row', async () => {
    const codes = (await findings(`${good}1704074400,1,1`)).map(({ code }) => code)
    expect(codes).toEqual(['columns', 'cut'])
  })

  it('cut off behind the close, perhaps', async () => {
    expect(await findings(good.trimEnd())).toMatchObject([
      { code: 'cut', fault: 'maybe', severity: 'warning' },
    ])
  })

  it('binary far into the file', async () => {
    const long = Array.from({ length: 200 }, (_, hour) => KRAKEN(hour, '1')).join('')
    const bytes = Buffer.concat([Buffer.from(long), Buffer.from([0, 1, 2])])
    expect(await findings(bytes)).toMatchObject([{ code: 'encoding', fault: 'binary' }])
  })

  it('the name of another pair, unless the content is said to be BTC/USD', async () => {
    for (const name of ['ETHUSD_60.csv', 'BTCUSDT-1h-2024-01.csv', 'Coinbase_ETH-USD_1h.csv']) {
      expect(await findings(good, {}, name)).toMatchObject([{ code: 'symbol', fault: 'file' }])
      expect(await findings(good, { pairStated: true }, name)).toEqual([])
    }
    for (const name of ['XBTUSD_60.csv', 'coinbase_btcusd_1h.csv', 'BTC-USD.csv', 'method.csv']) {
      expect(await findings(good, {}, name)).toEqual([])
    }
  })

  it('a format that the file does not have', async () => {
    expect(await findings(good, { format: 'binance' })).toMatchObject([
      { code: 'format', fault: 'not-as-asked' },
    ])
  })
})
