import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toResource } from '../../../src/forecast/resource.js'
import { importFiles } from '../../../src/history/import/import-files.js'
import type { NaturalOptions } from '../../../src/history/natural/columns.js'
import { createVintage } from '../../../src/truth/closes/vintage.js'
import { freshPaths } from '../../support/folder.js'
import { inProcess } from '../../support/in-process.js'
import { EPOCH, inBatches, opened } from '../support.js'

const fresh = freshPaths()

function written(content: string | Uint8Array): string {
  const file = fresh('table')
  writeFileSync(file, content)
  return file
}

async function imported(content: string | Uint8Array, table: NaturalOptions = {}) {
  const history = fresh()
  const result = await importFiles(history, [written(content)], { now: EPOCH * 1000, table })
  if (!existsSync(history)) return { ...result, resources: [], attempts: [] }
  const reader = opened(history)
  const resources = (await reader.page({ limit: 1000 })).map(toResource)
  const entries = await inBatches(reader.entries({ only: 'attempts' }))
  return { ...result, resources, attempts: entries.map(({ attempt }) => attempt) }
}

const HEAD = 'origin_at,horizon_hours,model,price_usd,source_price_usd'
const ROW = '2026-01-31T12:00:00Z,4,seer,50500,50000'

describe('a table of forecasts becomes resources', () => {
  test('of the least columns, with null and a reason for what is missing', async () => {
    const { resources, findings } = await imported(`${HEAD}\n${ROW}\n`)
    const origin_at = '2026-01-31T12:00:00+00:00'
    expect(findings).toEqual([])
    expect(resources).toEqual([
      {
        forecast_id: '2026-01-31T12:00:00+00:00:seer:4',
        origin_at,
        target_at: '2026-01-31T16:00:00+00:00',
        horizon_hours: 4,
        model: { name: 'seer', configuration_id: null },
        estimate: { price_usd: 50_500, change_pct: 1 },
        interval: { level: 0.8, lower_usd: null, median_usd: null, upper_usd: null },
        confidence: {
          score: 0,
          label: 'unknown',
          evidence: { model_agreement: null, reason: 'not_recorded' },
        },
        run: { id: null, generated_at: null },
        lineage: {
          history_key: { origin_at, model_name: 'seer', horizon_hours: 4 },
          source: { name: 'unknown', pair: 'BTC/USD', price_usd: 50_000 },
          manifest: null,
          manifest_reason: 'not_recorded',
          source_reason: 'not_recorded',
          pair_reason: 'not_recorded',
        },
      },
    ])
  })

  // All columns go out and come in again in test/history/round-trip.test.ts.
  test('with attempts that failed, whose prices are empty in any way', async () => {
    const rows = [
      `${HEAD},q10_usd,generated_at,status,reason`,
      '2026-01-31T12:00:00Z,8,seer,,,,2026-01-31 13:01:00.5+01:00,failed,"out of memory,\nagain"',
      '2026-01-31T12:00:00Z,16,seer,NaN,NA,,,abstained,',
    ]
    const { attempts } = await imported(rows.join('\n'))
    const failed = { status: 'failed', recordedAt: '2026-01-31T12:01:00.500000+00:00' }
    expect(attempts).toMatchObject([
      { ...failed, horizonHours: 8, reason: 'out of memory,\nagain' },
      { horizonHours: 16, status: 'abstained', reason: 'not_recorded', recordedAt: null },
    ])
  })

  test('as NDJSON and as one JSON array', async () => {
    const row =
      '{"origin_at":"2026-01-31T12:00:00.000Z","horizon_hours":4.0,"model":"seer","price_usd":1,"source_price_usd":1,"run_id":7}'
    for (const content of [`${row}\n`, `[${row}]`]) {
      expect((await imported(content)).resources).toMatchObject([{ run: { id: '7' } }])
    }
  })

  const SEMICOLONS = `${HEAD.replaceAll(',', ';')}\n2026-01-31T12:00:00Z;4;seer;50500,00;50000\n`
  const timed = (time: string) => `${HEAD}\n${ROW.replace(/^[^,]+/, time)}\n`
  test.each<[string, string | Uint8Array, NaturalOptions?]>([
    ['of times with a space', timed('2026-01-31 12:00:00+00:00')],
    ['of times with Z and six digits', timed('2026-01-31T12:00:00.000000Z')],
    ['of times without seconds', timed('2026-01-31 12:00Z')],
    ['of times with hours of offset alone', timed('2026-01-31 14:00:00+02')],
    ['of times with an offset without a colon', timed('2026-01-31T07:00:00-0500')],
    ['of times with the word UTC', timed('2026-01-31 12:00:00 UTC')],
    ['of seconds since 1970', timed('1769860800')],
    ['of milliseconds since 1970', timed('1769860800000')],
    ['with a byte order mark, as Excel writes it', `\ufeff${HEAD}\n${ROW}\n`],
    ['with decimal commas', SEMICOLONS, { separator: ';', decimalComma: true }],
    [
      'with the target in place of the horizon',
      `${HEAD.replace('horizon_hours', 'target_at')}\n${ROW.replace(',4,', ',2026-01-31 16:00Z,')}\n`,
    ],
  ])('%s', async (_what, content, options) => {
    const { resources, findings } = await imported(content, options)
    expect(findings).toEqual([])
    expect(resources).toMatchObject([
      {
        forecast_id: '2026-01-31T12:00:00+00:00:seer:4',
        origin_at: '2026-01-31T12:00:00+00:00',
        target_at: '2026-01-31T16:00:00+00:00',
        estimate: { price_usd: 50_500, change_pct: 1 },
      },
    ])
  })

  test.each([
    ['no row', `${HEAD}\n`, ['natural-no-rows'], 0],
    ['a target beside its horizon', `${HEAD},target_at\n${ROW},2026-01-31 16:00Z\n`, [], 1],
    ['a level that it has no place for', `${HEAD},q05_usd\n${ROW},7\n`, ['natural-ignored'], 1],
    ['a harmless column more', `${HEAD},run\n${ROW},7\n`, ['natural-near'], 1],
    [
      'rows that no protocol judges, once each',
      `${HEAD}\n${[0, 1, 2].map((n) => `1970-01-01T0${n}:30:00Z,24,seer,50500,50000`).join('\n')}\n`,
      [...Array(3).fill('never-judged'), 'more-findings'],
      3,
    ],
  ])('with %s, which is said', async (_what, content, codes, rows) => {
    const { findings, written } = await imported(content)
    expect(findings.map(({ code }) => code)).toEqual(codes)
    expect(findings.every(({ severity }) => severity !== 'error')).toBe(true)
    expect(written).toBe(rows)
  })

  test('under other names, with an index and further columns reported', async () => {
    const { resources, findings } = await imported(
      ',cutoff,ds,name,yhat,source_price_usd,features\n0,2026-01-31T12:00:00Z,2026-01-31T16:00:00Z,seer,1,1,x\n',
      { columns: { origin_at: 'cutoff', target_at: 'ds', model: 'name', price_usd: 'yhat' } },
    )
    expect(resources).toMatchObject([{ horizon_hours: 4 }])
    expect(findings).toMatchObject([{ code: 'natural-ignored', severity: 'note' }])
  })

  test('of a wide table, with prices at the origins from closes', async () => {
    const closes = new Map([[Date.UTC(2026, 0, 31, 12) * 1000, 40_000]])
    const { resources, findings } = await imported(
      'origin_at,horizon_hours,run_id,seer,naive,y\n2026-01-31 12:00:00,4,r,44000,,41000\n',
      {
        ...{ melt: true, utc: true, outcomes: createVintage(closes, 'kraken') },
        columns: { y: '' } as Record<string, string>,
      },
    )
    expect(resources).toMatchObject([
      {
        model: { name: 'seer' },
        estimate: { price_usd: 44_000, change_pct: 10 },
        run: { id: 'r' },
        lineage: { source: { name: 'kraken', price_usd: 40_000 } },
      },
    ])
    expect(resources[0]?.lineage).not.toHaveProperty('provenance')
    expect(findings).toEqual([])
  })
})

const hour = (n: number) => new Date(EPOCH + n * 3_600_000).toISOString()
/**
 * So many rows, so that a finding for each of them would be a flood.
 * @param rows - their forms, in turn: `@` means the hour of a row, `@+2` for two hours later, `#` for its number
 */
function many(rows: string | readonly string[], head = HEAD): string {
  const forms = [rows].flat()
  const line = (_: unknown, n: number) =>
    (forms[n % forms.length] ?? '')
      .replace(/@(?:\+([\d.]+))?/g, (_all, more = '0') => hour(n + Number(more)))
      .replace('#', `${n}`)
  return [head, ...Array.from({ length: 300 }, line)].join('\n')
}
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const PLAIN = many('@,4,m,1,1')
const TO_TARGET = HEAD.replace('horizon_hours', 'target_at')
const JSON_ROW =
  '{"origin_at":"@","horizon_hours":4,"model":"m","price_usd":1,"source_price_usd":1}'
const QUANTILES = `${HEAD},q10_usd,q50_usd,q90_usd`
const COLUMNS = /--columns origin_at=ds,horizon_hours=horizon,price_usd=yhat/
const OTHER_HEAD = 'ds,horizon,model,yhat,source_price_usd'

const STATUS = `${HEAD},status`
const WITH_LEVEL = `${HEAD},quantile_level`
const NO_UNIT = JSON_ROW.replace('"@"', `${EPOCH / 100}`)
const WITH_TARGET = `${HEAD},target_at`
const UNPRICED = HEAD.replace(/,source.*/, '')
const BYTES = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 256))
const NAN = many(JSON_ROW.replace(':1,', ':NaN,'), JSON_ROW.replace('@', hour(999)))

/** By the code of the finding. */
const WRONG: Readonly<
  Record<string, readonly (readonly [what: string, content: string | Uint8Array, says: RegExp])[]>
> = {
  'natural-columns': [
    ['other columns', many('@,4,m,1,1', OTHER_HEAD), COLUMNS],
    [
      'a mean in place of a median',
      many('@,4,m,1,1', HEAD.replace('price_usd', 'mean')),
      /price_usd=…/,
    ],
  ],
  'natural-near': [
    ['a quantile', many('@,4,m,1,1,1', `${HEAD},q10`), /--columns q10_usd=q10/],
    ['a quantile of pandas', many('@,4,m,1,1,1', `${HEAD},0.9`), /--columns q90_usd=0.9/],
  ],
  'natural-levels': [
    ['a bound without a level', many('@,4,m,1,1,1', `${HEAD},yhat_lower`), /q…_usd=yhat_lower/],
  ],
  'natural-layout': [
    ['members of an ensemble', many('@,4,m,1,1,1', `${HEAD},member`), /docs\/not-for\.md/],
    ['a row for each quantile', many('@,4,m,1,1,0.#', WITH_LEVEL), /--columns level=/],
    ['a column for each model', many('@,4,1,2', 'origin_at,horizon_hours,a,b'), /add --melt/],
  ],
  'natural-cell': [
    ['a target that is no whole hours away', many('@,@+0.5,m,1,1', TO_TARGET), /0.5 hours/],
    ['local times', PLAIN.replaceAll(/\.000Z/g, ''), /add --utc/],
    ['times in an unknown unit', many(NO_UNIT, ''), /12 or 13 \(milliseconds\)/],
    ['decimal commas', many('@,4,m,"50000,25",1'), /--decimal ,/],
    ['prices with thousands', many('@,4,m,"50,000.25",1'), /separators/],
    ['a line break in a number', many('@,4,m,"1\n2",1'), /not a number/],
    ['a line break in a name', many('@,4,"m\nx",1,1'), /model "m\\nx" has a line break/],
    ['an infinite price', many('@,4,m,-inf,1'), /not finite/],
    ['half hours', many('@,0.5,m,1,1'), /whole/],
    ['a horizon of ages', many('@,1e12,m,1,1'), /century/],
    ['another status', many('@,4,m,,1,error', STATUS), /failed nor abstained/],
    ['a failure with a price', many('@,4,m,1,1,failed', STATUS), /Either/],
  ],
  'natural-missing': [
    ['no target', many('@,NA,m,1,1', TO_TARGET), /Every row needs one/],
    ['no price at the origin', many('@,4,m,1', UNPRICED), /--outcomes VINTAGE/],
    ['no prices', many('@,4,m,NaN,1'), /status \(failed or abstained\)/],
  ],
  'target-mismatch': [
    ['two targets', many('@,4,m,1,1,@+5', WITH_TARGET), /must be 4 hours after the origin; is 5/],
  ],
  'natural-duplicate': [['a key twice', many(`${hour(0)},4,m,100.#,100`), /other values/]],
  'interval-disordered': [['crossing quantiles', many('@,4,m,1,1,3,2,1', QUANTILES), /ascend/]],
  'table-row': [['models with other columns', many(['@,4,m,1', '@,4,m,1,1']), /4 cells/]],
  'table-delimiter': [['semicolons', PLAIN.replaceAll(',', ';'), /--sep ";"/]],
  'table-csv': [['a quote that stays open', many('@,4,"m,1,1'), /quotes/]],
  'table-encoding': [
    ['UTF-16', utf16(`\ufeff${PLAIN}`), /iconv/],
    ['UTF-16 without its mark', utf16(PLAIN).swap16(), /iconv/],
    ['bytes that are no text', BYTES, /binary/],
  ],
  'document-encoding': [
    ['rows of JSON in UTF-16', utf16(`\ufeff${many(JSON_ROW, '').trim()}`), /iconv/],
    ['a mark before JSON', `\ufeff${JSON_ROW.replace('@', hour(0))}`, /UTF-8 without BOM/],
  ],
  'json-form': [['a number that is none in JSON', NAN, /NaN/]],
  'table-parquet': [['nothing but zeros', Buffer.from(`PAR1${'\0'.repeat(100)}`), /PAR1/]],
}

test('says which cells of a row are not stored', async () => {
  const head = `${HEAD},status,reason,run_id`
  const rows = [
    '2026-01-31T12:00:00Z,4,seer,,50000,failed,timeout,r1',
    '2026-01-31T13:00:00Z,4,seer,50001,50000,,why,r1',
    '2026-01-31T14:00:00Z,4,seer,,,failed,timeout,',
  ]
  const each = await Promise.all(rows.map((row) => imported(`${head}\n${row}\n`)))
  expect(each.map(({ findings }) => findings.map(({ code, args }) => [code, args]))).toEqual([
    [['natural-unkept', { of: 'attempt', columns: ['run_id', 'source_price_usd'] }]],
    [['natural-unkept', { of: 'forecast', columns: ['reason'] }]],
    [],
  ])
  const added = each.map(({ forecasts, attempts }) => forecasts.added + attempts.length)
  expect(added).toEqual([1, 1, 1])
})

describe('one clear finding, and nothing written, for a table with', () => {
  const wrong = Object.entries(WRONG).flatMap(([code, cases]) =>
    cases.map(([what, content, says]) => [`${what}: ${code}`, content, code, says] as const),
  )
  test.each(wrong)('%s', async (_, content, code, says) => {
    const history = fresh()
    const argv = ['history', 'import', written(content), '--history', history]
    const { code: exit, stdout, stderr } = await inProcess(argv)
    expect([exit, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(says)
    expect(stdout.split('\n').length).toBeLessThanOrEqual(20)
    expect(existsSync(history)).toBe(false)
    const json = JSON.parse((await inProcess([...argv, '--format', 'json'])).stdout)
    const codes: string[] = json.findings.map((found: { code: string }) => found.code)
    expect(codes.filter((each) => each !== 'more-findings')).toEqual([code])
  })

  test.each([
    ['--melt', `${HEAD}\n${ROW}\n`, 'natural-layout', /Leave --melt out/],
    ['--melt', 'origin_at,horizon_hours,q10_usd,a\n', 'natural-layout', /a row for each model/],
    [
      '--melt',
      'origin_at,horizon_hours,a,a-lo-80,a-hi-80\n',
      'natural-layout',
      /a-lo-80=,a-hi-80=/,
    ],
    ['--columns price_usd=yhatt', `${OTHER_HEAD}\n${ROW}\n`, 'natural-mapped', /"yhat"/],
  ])('options that do not fit: %s', async (options, content, code, says) => {
    const argv = ['history', 'import', written(content), '--history', fresh()]
    const { code: exit, stdout } = await inProcess([...argv, ...options.split(' ')])
    expect([exit, stdout]).toEqual([1, expect.stringMatching(says)])
    expect(stdout).toContain(code)
  })

  test.each([
    ['price_usd', /COLUMN=NAME/],
    ['pricce_usd=yhat', /Did you mean price_usd/],
  ])('columns that are none: %s', async (columns, says) => {
    const { code, stderr } = await inProcess(['history', 'import', 'x', '--columns', columns])
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)])
  })
})
