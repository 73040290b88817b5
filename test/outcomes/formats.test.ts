import { describe, expect, it } from 'vitest'
import { importOutcomes, type OutcomesImportOptions } from '../../src/outcomes/import.js'

/** The same two hourly bars in every format: they close at 01:00 and 02:00 of 2024-01-01 in UTC. */
const EXPECTED = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,42594.0\n'

async function imported(text: string, options: OutcomesImportOptions = {}, file = 'export.csv') {
  const input = (async function* () {
    yield Buffer.from(text)
  })()
  return await importOutcomes(file, { ...options, input })
}

const OHLC = ['42288.58,42543.64,42261.58,42452.66', '42453.83,42749.99,42415.0,42594'] as const
const LHOC = ['42261.58,42543.64,42288.58,42452.66', '42415.0,42749.99,42453.83,42594'] as const
const lines = (...all: string[]) => `${all.join('\n')}\n`
const BINANCE_END = '1.5,10,0.7,9,0'

const CASES: readonly [name: string, format: string, text: string][] = [
  ['the plain form', 'closes', EXPECTED],
  [
    'the plain form with another offset',
    'closes',
    lines(
      'close_at,close_usd',
      '2024-01-01T02:00:00+01:00,42452.660',
      '2024-01-01T02:00:00Z,4.2594e4',
    ),
  ],
  [
    'Kraken OHLCVT',
    'kraken',
    lines(`1704067200,${OHLC[0]},379.19,1200`, `1704070800,${OHLC[1]},396.2,1300`),
  ],
  [
    'Kraken REST, JSON',
    'kraken',
    '{"error":[],"result":{"XXBTZUSD":[\n[1704067200,"42288.58","42543.64","42261.58","42452.66","42400.1","379.19",1200],' +
      '\n[1704070800,"42453.83","42749.99","42415.0","42594","42500.0","396.20",1300]],"last":1704070800}}',
  ],
  [
    'Coinbase Exchange candles, JSON, newest first',
    'coinbase',
    '[[1704070800,42415.0,42749.99,42453.83,42594,396.2],[1704067200,42261.58,42543.64,42288.58,42452.66,379.19]]',
  ],
  [
    'Coinbase Exchange candles, CSV',
    'coinbase',
    lines(
      'time,low,high,open,close,volume',
      `1704067200,${LHOC[0]},379.19`,
      `1704070800,${LHOC[1]},396.2`,
    ),
  ],
  [
    'Coinbase Exchange candles, CSV without a header, newest first',
    'coinbase',
    lines(`1704070800,${LHOC[1]},396.2`, `1704067200,${LHOC[0]},379.19`),
  ],
  [
    'Coinbase Advanced Trade candles, JSON',
    'coinbase',
    '{"candles":[{"start":"1704070800","low":"42415.0","high":"42749.99","open":"42453.83","close":"42594","volume":"396.2"},' +
      '{"start":"1704067200","low":"42261.58","high":"42543.64","open":"42288.58","close":"42452.66","volume":"379.19"}]}',
  ],
  [
    'ccxt with UTC text, without an offset',
    'ccxt',
    lines(
      'timestamps,open,high,low,close,volume,amount',
      `2024-01-01 00:00:00,${OHLC[0]},379.19725348,16072887.99`,
      `2024-01-01 01:00:00,${OHLC[1]},396.20192444,16859729.06`,
    ),
  ],
  [
    'ccxt in milliseconds',
    'ccxt',
    lines(
      'timestamp,open,high,low,close,volume',
      `1704067200000,${OHLC[0]},379.19`,
      `1704070800000,${OHLC[1]},396.2`,
    ),
  ],
  [
    'Bitstamp in seconds',
    'bitstamp',
    lines(
      'timestamp,open,high,low,close,volume',
      `1704067200,${OHLC[0]},379.19`,
      `1704070800,${OHLC[1]},396.2`,
    ),
  ],
  [
    'Bitstamp, JSON',
    'bitstamp',
    '{"data":{"pair":"BTC/USD","ohlc":[{"high":"42543.64","timestamp":"1704067200","volume":"379.19","low":"42261.58","close":"42452.66","open":"42288.58"},' +
      '{"high":"42749.99","timestamp":"1704070800","volume":"396.2","low":"42415.0","close":"42594","open":"42453.83"}]}}',
  ],
  [
    'CryptoDataDownload, newest first, seconds and milliseconds in one file',
    'cryptodatadownload',
    lines(
      'https://www.CryptoDataDownload.com',
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      `1704070800000,2024-01-01 01:00:00,BTC/USD,${OHLC[1]},396.2,16859729.06`,
      `1704067200,2024-01-01 00:00:00,BTC/USD,${OHLC[0]},379.19,16072887.99`,
    ),
  ],
  [
    'CryptoDataDownload of earlier years: hours before and after noon, no Unix time',
    'cryptodatadownload',
    lines(
      'https://www.CryptoDataDownload.com',
      'Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD',
      `2024-01-01 01-AM,BTCUSD,${OHLC[1]},396.2,16859729.06`,
      `2024-01-01 12-AM,BTCUSD,${OHLC[0]},379.19,16072887.99`,
    ),
  ],
  [
    'CryptoDataDownload without its first line, oldest first, float seconds',
    'cryptodatadownload',
    lines(
      'Unix Timestamp,Date,Symbol,Open,High,Low,Close,Volume',
      `1704067200.0,2024-01-01 00:00:00,BTCUSD,${OHLC[0]},379.19`,
      `1704070800.0,2024-01-01 01:00:00,BTCUSD,${OHLC[1]},396.2`,
    ),
  ],
  [
    'Binance klines in milliseconds and, as since 2025, in microseconds',
    'binance',
    lines(
      `1704067200000,${OHLC[0]},379.19,1704070799999,${BINANCE_END}`,
      `1704070800000000,${OHLC[1]},396.2,1704074399999999,${BINANCE_END}`,
    ),
  ],
  [
    'the time series of a hub, of which the newest version counts',
    'hubverse',
    lines(
      'as_of,date,target_at,target,observation',
      '2024-01-02,2024-01-01,2024-01-01T01:00:00Z,btc_usd close,42452.66',
      '2024-01-02,2024-01-01,2024-01-01T02:00:00Z,btc_usd close,1.5',
      '2024-01-03,2024-01-01,2024-01-01T02:00:00Z,btc_usd close,42594',
      '2024-01-01,2024-01-01,2024-01-01T02:00:00Z,btc_usd close,2.5',
    ),
  ],
  [
    'the time series of a hub, newest first, with no other column',
    'hubverse',
    lines('observation,target_at', '42594,2024-01-01 02:00:00Z', '42452.66,2024-01-01 01:00:00Z'),
  ],
  [
    'Binance klines with a header',
    'binance',
    lines(
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
      `1704067200000,${OHLC[0]},379.19,1704070799999,${BINANCE_END}`,
      `1704070800000,${OHLC[1]},396.2,1704074399999,${BINANCE_END}`,
    ),
  ],
]

describe('the formats of outcomes', () => {
  it.each(CASES)('%s', async (_name, format, text) => {
    const result = await imported(text)
    expect(result).toMatchObject({ ok: true, closes: EXPECTED })
    expect(result.ok && result.manifest.input?.format).toBe(format)
  })

  it.each(CASES)('%s, with CRLF line ends', async (_name, _format, text) => {
    expect(await imported(text.replaceAll('\n', '\r\n'))).toMatchObject({
      ok: true,
      closes: EXPECTED,
    })
  })

  it.each(CASES)('%s, byte by byte', async (_name, _format, text) => {
    const input = (async function* () {
      for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
    })()
    expect(await importOutcomes('export.csv', { input })).toMatchObject({
      ok: true,
      closes: EXPECTED,
    })
  })

  it('reads times as those of closes when told so', async () => {
    const result = await imported(CASES[2]?.[2] ?? '', { stamp: 'close' })
    expect(result).toMatchObject({
      ok: true,
      closes: 'close_at,close_usd\n2024-01-01T00:00:00Z,42452.66\n2024-01-01T01:00:00Z,42594.0\n',
      manifest: { input: { stamp: 'close' } },
    })
  })

  it('asks when a file without a header could be in two column orders', async () => {
    const flat = lines(
      '1704067200,42000,42000,42000,42000,1',
      '1704070800,42000,42000,42000,42000,1',
    )
    expect(await imported(flat)).toMatchObject({
      ok: false,
      findings: [{ code: 'outcome-format', args: { candidates: ['coinbase', 'ccxt'] } }],
    })
    expect(await imported(flat, { format: 'coinbase' })).toMatchObject({
      ok: true,
      manifest: { source: 'coinbase', count: 2 },
    })
  })

  it('takes the source from the user, the format, the name of the file, in this order', async () => {
    const kraken = CASES[2]?.[2] ?? ''
    const plain = EXPECTED
    const source = async (text: string, file: string, given?: string) => {
      const result = await imported(text, given === undefined ? {} : { source: given }, file)
      return result.ok && result.manifest.source
    }
    expect(await source(kraken, 'binance.csv', 'mine')).toBe('mine')
    expect(await source(kraken, 'binance.csv')).toBe('kraken')
    expect(await source(plain, 'Bitstamp_BTCUSD_1h.csv')).toBe('bitstamp')
    expect(await source(plain, 'export.csv')).toBe('unspecified')
  })
})
