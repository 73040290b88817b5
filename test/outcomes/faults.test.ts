import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { checkedInstant } from '../../src/contract/instant.js'
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
    const text = KRAKEN(0, '42000') + KRAKEN(1, close) + KRAKEN(2, '42001')
    expect(await findings(text)).toEqual([{ code: 'price', line: 2, severity: 'error', fault }])
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
  const downwards = (hour: number) => `${1704067200 + hour * 3600},1,3,2,2,1\n`
  const HEADER = 'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD'
  const dated = (time: string, symbol: string) =>
    `${HEADER}\n1704067200,2024-01-01 ${time},${symbol},1,1,1,1,1,1\n`

  it.each<[string, string, object]>([
    [
      'two prices for one bar',
      KRAKEN(0, '1') + KRAKEN(1, '2') + KRAKEN(1, '3'),
      { code: 'conflict', line: 3 },
    ],
    [
      'one price twice, counted',
      KRAKEN(0, '1') + KRAKEN(1, '2.50') + KRAKEN(1, '2.5') + KRAKEN(2, '2'),
      { code: 'duplicate', line: 3, severity: 'warning' },
    ],
    [
      'bars out of order, in a format that is not',
      KRAKEN(1, '1') + KRAKEN(0, '2') + KRAKEN(2, '2'),
      { code: 'unsorted', line: 2 },
    ],
    [
      'bars out of order, in a format that may be newest first',
      `time,low,high,open,close,volume\n${downwards(3)}${downwards(2)}${downwards(4)}`,
      { code: 'unsorted', line: 4 },
    ],
    [
      'bars of another length',
      KRAKEN(0, '1') + KRAKEN(4, '1') + KRAKEN(8, '1'),
      { code: 'interval', line: undefined },
    ],
    [
      'klines of another length',
      '1704067200000,1,1,1,1,1,1704067259999,1,1,1,1,0\n',
      { code: 'time', fault: 'bar-end', line: 1 },
    ],
    [
      'a date that contradicts the Unix time beside it',
      dated('01:00:00', 'BTC/USD'),
      { code: 'time', fault: 'date', line: 2 },
    ],
    ...['ETH/USD', 'BTC/USDT', 'BTCEUR', ''].map((symbol): [string, string, object] => [
      `the symbol "${symbol}"`,
      dated('00:00:00', symbol),
      { code: 'symbol', line: 2 },
    ]),
    [
      'an answer about another pair',
      '{"data":{"pair":"ETH/USD","ohlc":[{"timestamp":"1704067200","open":"1","high":"1","low":"1","close":"1","volume":"1"}]}}',
      { code: 'symbol' },
    ],
    [
      'an answer of another API about another pair',
      '{"error":[],"result":{"XETHZUSD":[[1704067200,"1","1","1","1","1","1",1]],"last":1}}',
      { code: 'symbol' },
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await findings(text)).toMatchObject([expected])
  })

  it('a bar that has not closed yet', async () => {
    const now = checkedInstant('2024-01-01T01:30:00Z')
    expect(await findings(KRAKEN(0, '1') + KRAKEN(1, '1'), { now })).toMatchObject([
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
    ['compressed', Buffer.from('1f8b0800', 'hex'), 'encoding', 'gzip'],
    ['binary', Buffer.from([49, 0, 50, 10]), 'encoding', 'binary'],
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

  const long = Array.from({ length: 200 }, (_, hour) => KRAKEN(hour, '1')).join('')
  const cut = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,425'
  it.each<[string, string | Uint8Array, object]>([
    ['cut off inside the last price', cut, { code: 'cut', fault: 'certain', severity: 'error' }],
    [
      'cut off behind the close, perhaps',
      good.trimEnd(),
      { code: 'cut', fault: 'maybe', severity: 'warning' },
    ],
    [
      'binary far into the file',
      Buffer.concat([Buffer.from(long), Buffer.from([0, 1, 2])]),
      { code: 'encoding', fault: 'binary' },
    ],
  ])('%s', async (_name, bytes, expected) => {
    expect(await findings(bytes)).toMatchObject([expected])
  })

  it('cut off inside the last row', async () => {
    const codes = (await findings(`${good}1704074400,1,1`)).map(({ code }) => code)
    expect(codes).toEqual(['columns', 'cut'])
  })

  it('the name of another pair, unless the content is said to be BTC/USD', async () => {
    for (const name of ['ETHUSD_60.csv', 'BTCUSDT-1h-2024-01.csv', 'Coinbase_ETH-USD_1h.csv']) {
      expect(await findings(good, {}, name)).toMatchObject([{ code: 'symbol', fault: 'file' }])
    }
    for (const name of ['XBTUSD_60.csv', 'coinbase_btcusd_1h.csv', 'BTC-USD.csv', 'method.csv']) {
      expect(await findings(good, {}, name)).toEqual([])
    }
  })
})
