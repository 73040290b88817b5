import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { importOutcomes } from '../../src/outcomes/import.js'

const HEADER = 'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD'
/** 2023-04-10T00:00:00Z, in the seconds of old files and the milliseconds of new ones. */
const APRIL_10 = 1_681_084_800

async function imported(lines: readonly string[], eol = '\r\n', size = 1) {
  const text = `${lines.join(eol)}${eol}`
  const input = (async function* () {
    // A byte order mark may be cut in two by a pipe.
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const result = await importOutcomes('Bitstamp_BTCUSD_1h.csv', { input })
  return {
    ok: result.ok,
    closes: result.ok ? result.closes : undefined,
    said: result.findings.map((each) => ({
      code: each.code,
      severity: each.severity,
      line: each.position?.line,
      text: messageOf(each).text,
    })),
  }
}

const bar = (unix: number | string, date: string) =>
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
        bar((APRIL_10 + hour * 3600) * scale, dates[at] ?? ''),
      )
      const { ok, said, closes } = await imported([
        '\uFEFFhttps://www.CryptoDataDownload.com,,,,,,,,',
        HEADER,
        ...lines,
      ])
      expect([ok, said.length], JSON.stringify(said)).toEqual([true, 1])
      expect(said[0]).toMatchObject({ code: 'outcome-date-rewritten', severity: 'note', line: 3 })
      expect(said[0]?.text).toContain('Unix')
      expect(closes).toContain('2023-04-10T01:00:00Z,28050.5\n')
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
    const lines = [HEADER, bar(APRIL_10, '4/10/2023 0:00'), bar(APRIL_10 + 3600, date)]
    const { ok, said } = await imported(lines)
    expect(ok).toBe(false)
    expect(said.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'outcome-time', line: 3 },
    ])
  })

  it('says nothing where the dates are those of the download', async () => {
    const lines = [HEADER, bar(APRIL_10, '2023-04-10 00:00:00')]
    expect((await imported(lines)).said).toEqual([])
  })

  it('names what a spreadsheet has rounded, and a date whose month it has hidden', async () => {
    const rounded = await imported([HEADER, bar('1.68108E+12', '4/10/2023 0:00')])
    expect(rounded.said[0]).toMatchObject({ code: 'outcome-time', line: 2 })
    expect(rounded.said[0]?.text).toContain('rounded')
    const header = 'date,symbol,open,high,low,close,Volume BTC,Volume USD'
    const hidden = await imported([header, '4/10/2023 0:00,BTC/USD,1,1,1,1,1,1'])
    expect(hidden.said[0]?.text).toMatch(/month .* day/)
  })
})

it.each([1, 2, 1000])('a byte order mark is accepted in any CSV, read by %i', async (size) => {
  const { ok, said, closes } = await imported(
    ['\uFEFFclose_at,close_usd', '2024-01-01T01:00:00Z,42000'],
    '\n',
    size,
  )
  expect([ok, said]).toEqual([true, []])
  expect(closes).toBe('close_at,close_usd\n2024-01-01T01:00:00Z,42000.0\n')
})
