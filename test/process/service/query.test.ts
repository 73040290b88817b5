import { describe, expect, it } from 'vitest'
import { expectError, expectJson } from '../../support/service/expect.js'
import { HOUR, idsOf, stamp, thisHour } from '../../support/service/history.js'
import { KEY, serve } from '../../support/service/serve.js'
import { expectWalks, walk } from '../../support/service/walking.js'

const served = await serve()

const page = (query: string) => served.get(`/v1/forecasts${query}`)

async function idsFrom(query: string): Promise<string[]> {
  const got = await page(query)
  expectJson(got, 200)
  return got.json.data.map((forecast: { forecast_id: string }) => forecast.forecast_id)
}

describe('filters', () => {
  const last = thisHour()
  const at = (back: number) => stamp(last - back * HOUR)
  const encoded = (text: string) => encodeURIComponent(text)

  // Filters as such are judged by conformance, in test/conformance/sound.test.ts.
  it('finer than a microsecond are rounded inwards, as .NET, Go and Java print them', async () => {
    const [from, to] = [at(9), at(5)]
    const during = (lower: string, upper: string) =>
      idsOf(served.historyPath, `p.origin_at ${lower} ? AND p.origin_at ${upper} ?`, from, to)
    const bounds = (first: string, second: string) => {
      const stampOf = (text: string, digits: string) => text.replace('+00:00', `.${digits}Z`)
      return `?origin_from=${stampOf(from, first)}&origin_to=${stampOf(to, second)}`
    }
    const cases: [string, string, string[]][] = [
      ['0000000', '0000000', during('>=', '<=')],
      ['000000000', '000000000001', during('>=', '<=')],
      ['0000001', '0000009', during('>', '<=')],
      ['000000001', '999999999', during('>', '<=')],
      ['9999999', '0000001', during('>', '<=')],
    ]
    for (const [first, second, expected] of cases) {
      expect(await idsFrom(bounds(first, second)), `${first} ${second}`).toEqual(expected)
    }
    expect(await idsFrom(bounds('000000', '000000').toLowerCase())).toEqual(during('>=', '<='))
    // A tenth of a microsecond before an origin is before it, with any offset.
    const before = new Date(Date.parse(to) + 2 * HOUR - 1000).toISOString().slice(0, 19)
    const early = await idsFrom(`?origin_to=${before}.9999999%2B02:00&origin_from=${encoded(from)}`)
    expect(early).toEqual(during('>=', '<'))
    expect(await idsFrom('?origin_from=9999-12-31T23:59:59.9999999Z')).toEqual([])
    expect(await idsFrom('?limit=3&origin_to=9999-12-31T23:59:59.999999999Z')).toHaveLength(3)
  })
})

describe('a horizon beyond all that a history has', () => {
  const horizons = [2 ** 31, 2 ** 32 + 2, 2 ** 53, '99999999999999999999', '9'.repeat(400)]
  it.each(horizons)('matches nothing: %s', async (horizon) => {
    expect(await idsFrom(`?horizon_hours=${horizon}`)).toEqual([])
    const { next_cursor } = (await page('?limit=1')).json.pagination
    const behind = await page(`?limit=1&horizon_hours=${horizon}&cursor=${next_cursor}`)
    expectError(behind, 400, 'invalid_request')
  })
})

describe('parameters that are invalid', () => {
  const numbers = '-1 +5 05 5.0 5e1 0x5 ten １'.split(' ')
  const invalid = [
    ...['101', '1000000000000000000000', ' 5', '5 '].map(
      (value) => `limit=${encodeURIComponent(value)}`,
    ),
    ...['limit', 'horizon_hours'].flatMap((name) =>
      ['', '0', ...numbers].map((value) => `${name}=${encodeURIComponent(value)}`),
    ),
    ...`origin_from=2026-01-01T00:00:00 origin_from=2026-01-01 origin_from=2026-01-01T00:00Z
      origin_from=2026-01-01T00:00:00+00:00 origin_from=2026-02-30T00:00:00Z
      origin_from=2026-01-01T24:00:00Z origin_from=2026-01-01T00:00:60Z
      origin_from=2026-01-01T00:00:00.Z origin_from=2026-02-30T00:00:00.1234567Z
      origin_to=2026-01-01T00:00:00.1234567 origin_to=2026-01-01T00:00:00.123456789+01:00
      origin_from=1767225600 origin_from= origin_to=yesterday
      origin_to=2026-01-01T00:00:00%2B0000 origin_to=%202026-01-01T00:00:00Z
      model= run_id= cursor= cursor=junk cursor=AAAA model=a&model=a limit=5&limit=5
      limit=5&%6Cimit=6 Limit=5 page=2 offset=10 sort=asc model=% model=%zz model=%ff %ff=1 =1
      limit limit=5#fragment model[]=alpha limit=5;model=alpha`.split(/\s+/),
  ]
  it.each(invalid)('%s', async (query) => {
    expectError(await page(`?${query}`), 400, 'invalid_request')
  })

  it('says how to send a plus', async () => {
    const got = await page('?origin_from=2026-01-01T00:00:00+00:00')
    expect(got.json.error.message).toContain('%2B')
  })

  it('never repeats what was sent', async () => {
    for (const query of [`${KEY}=1`, `model=${KEY}&limit=0`, `limit=${KEY}`, `origin_to=${KEY}`]) {
      const got = await page(`?${query}`)
      expectError(got, 400, 'invalid_request')
      expect(got.text).not.toContain(KEY.slice(0, 8))
    }
  })
})

describe('cursors', () => {
  const cursorOf = async (query = '?limit=5') => (await page(query)).json.pagination.next_cursor

  it('go on where the page ended, with another limit too', async () => {
    const all = idsOf(served.historyPath)
    const cursor = await cursorOf()
    expect(await idsFrom(`?limit=3&cursor=${cursor}`)).toEqual(all.slice(5, 8))
    expect(await idsFrom(`?cursor=${cursor}&limit=100`)).toEqual(all.slice(5, 105))
  })

  it('lead to the same page every time, also where their name is percent-encoded', async () => {
    const cursor = await cursorOf()
    const expected = idsOf(served.historyPath).slice(5, 10)
    for (const name of ['cursor', '%63ursor', 'curso%72']) {
      for (let turn = 0; turn < 4; turn++) {
        expect(await idsFrom(`?limit=5&${name}=${cursor}`)).toEqual(expected)
      }
    }
  })

  it('hold for the same filters in another spelling', async () => {
    const from = stamp(thisHour() - 30 * HOUR)
    const cursor = await cursorOf(`?limit=5&origin_from=${encodeURIComponent(from)}`)
    const zulu = from.replace('+00:00', 'Z')
    expectJson(await page(`?origin_from=${zulu}&cursor=${cursor}`), 200)
  })

  it('belong to a bound as it was asked for, not as it was rounded', async () => {
    const to = stamp(thisHour()).replace('+00:00', '')
    const cursor = await cursorOf(`?limit=5&origin_to=${to}.000000100Z`)
    for (const same of ['0000001Z', '00000010000Z']) {
      expectJson(await page(`?origin_to=${to}.${same}&cursor=${cursor}`), 200)
    }
    for (const other of ['Z', '.0000002Z', '.00000010001Z', '.000001Z']) {
      const got = await page(`?origin_to=${to}${other}&cursor=${cursor}`)
      expectError(got, 400, 'invalid_request')
    }
    const both = `&origin_from=2026-01-01T00:00:00.0000001Z`
    const got = await page(`?origin_to=${to}.0000001Z${both}&cursor=${cursor}`)
    expectError(got, 400, 'invalid_request')
  })

  // What else is no cursor is tried in test/service/api/pages.test.ts.
  it('are refused when tampered with, also where a URL would hide it', async () => {
    const cursor: string = await cursorOf()
    const bytes = Buffer.from(cursor, 'base64url')
    const altered = [
      cursor.slice(0, -1),
      `${cursor}A`,
      cursor + cursor,
      bytes.toString('hex'),
      `${bytes.toString('base64').replaceAll('+', '%2B')}=`,
      ...['=', '%20', '%0A', '%00', '+', '/'].flatMap((junk) => [cursor + junk, junk + cursor]),
    ]
    for (const token of altered) {
      expectError(await page(`?cursor=${token}`), 400, 'invalid_request')
    }
  })

  it('hold at any replica and after a restart, and are refused by a history without their row', async () => {
    const again = await serve()
    const other = await serve({ made: { last: thisHour() - 500 * HOUR } })
    let turn = 0
    const both = { get: (path: string) => (turn++ % 2 === 0 ? served : again).get(path) }
    for (const [query, where] of [
      ['', '1'],
      ['&model=alpha', "model_name = 'alpha'"],
    ] as const) {
      expect(await walk(both, query, [7, 3])).toEqual(idsOf(served.historyPath, where))
    }
    const got = await other.get(`/v1/forecasts?cursor=${await cursorOf()}`)
    expectError(got, 400, 'invalid_request')
  })
})

it.each([true, false])(
  'a walk gives every match once and in order (plain file: %s)',
  async (plain) => {
    const served = await serve({ made: { plain } })
    await expectWalks(served, served.historyPath)
  },
)
