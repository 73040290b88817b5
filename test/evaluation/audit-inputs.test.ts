import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../src/contract/types.js'
import type { AuditOptions } from '../../src/evaluation/evidence/audit.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { exportLines } from '../../src/history/export.js'
import { seriesLines } from '../../src/history/export-series.js'
import { BY_VERDICT } from '../registration/made.js'
import { Forger } from './forger.js'
import { cases, edit, pairs, without } from './forgeries/case.js'
import { auditedLinks, scoredCopies, scoreWorld } from './score-into.js'
import { makeSeriesFolder } from './series-folder.js'
import { makeStampedWorld, witnesses } from './stamped-world.js'
import { editText, makeWorld, pathsIn, type World } from './world.js'

type Without = NonNullable<AuditOptions['without']>

/** Audits for one who does not have some inputs: their paths lead nowhere. */
function auditWithout(folder: string, without: Without) {
  const paths = Object.fromEntries(without.map((name) => [name, join(folder, 'nowhere', name)]))
  return auditedLinks(join(folder, 'first'), { paths, without })
}

/** The history of a scored world, as `history export` writes it. */
async function exported(folder: string, lines = exportLines): Promise<string> {
  let text = ''
  for await (const line of lines(join(folder, 'history.sqlite'))) text += line
  const file = join(folder, 'history.ndjson')
  writeFileSync(file, text)
  return file
}

const auditExported = (folder: string, history: string) =>
  auditedLinks(join(folder, 'first'), { paths: { history } })

/** A changed export breaks the link of the history. */
async function expectFound(
  folder: string,
  lines: typeof exportLines,
  [find, put, code]: readonly [find: RegExp | string, put: string, code: string],
): Promise<void> {
  const file = await exported(folder, lines)
  editText(file, (text) => text.replace(find, put))
  const found = await auditExported(folder, file)
  expect(found).toMatchObject({ ok: false, broken: ['history'], findings: [{ code }] })
}
const [DIFFERS, UNREADABLE] = ['history-differs', 'evidence-unreadable'] as const

/** Changes the pairs, with every digest. */
const replaced = (find: string | RegExp, put: string) => pairs((text) => text.replace(find, put))

const firstOf = (model: string) => new RegExp(`("model":"${model}".*?"value":)(\\d)`)

describe('an audit without some inputs', () => {
  const folder = scoredCopies(() => makeWorld({ replicates: 100 }), 'first')

  it.each([
    ['history', 'history pairs'],
    ['history outcomes', 'outcomes history pairs'],
    ['registration', 'registration ledger protocol outcomes history pairs computation access'],
  ])('says of what rests on %s that it was not checked', async (names, links) => {
    const [without, open] = [names.split(' ') as Without, links.split(' ')]
    const found = await auditWithout(folder(), without)
    expect(found).toMatchObject({ ok: true, findings: [], open, broken: [] })
    expect(found.links.find(({ link }) => link === open[0])?.because).toBe('without-input')
    // From the stored pairs.
    expect(found.recomputed).toEqual(without.includes('history') ? found.result : undefined)
  })

  it('finds a price that was changed, with every digest, also without the outcomes', async () => {
    replaced(firstOf('seer'), '$11$2')(new Forger(folder()))
    const found = await auditWithout(folder(), ['history', 'outcomes'])
    expect(found).toMatchObject({ broken: ['computation'] })
  })

  it.each([
    ...cases('pairs evidence-edited', {
      'a price of a model of the history': edit(FILES.pairs, firstOf('seer'), '$11$2'),
    }),
    ...cases('computation result-not-recomputed', {
      'the same, with every digest': replaced(firstOf('seer'), '$11$2'),
      'a missing forecast called an abstention, with every digest': replaced(
        '"missing","reason":"forecast_missing"',
        '"abstained","reason":"recorded_abstention"',
      ),
    }),
    ...cases('pairs pairs-differ', {
      'a price of a simple model, with every digest': replaced(firstOf('ar1'), '$11$2'),
      'a close in a pair, with every digest': replaced(/("model":"seer".*?"base":)(\d)/, '$11$2'),
      'a status that its reason contradicts, with every digest': replaced(
        '"status":"missing"',
        '"status":"abstained"',
      ),
      'a line less, with every digest': replaced(/^.*\n/, ''),
      'what is no line, with every digest': replaced('\n', '\n[]\n'),
    }),
    ...cases('pairs evidence-unreadable', { 'no pairs': without(FILES.pairs) }),
  ])('finds %s, without the history', async (_, spoil, expected) => {
    await spoil(new Forger(folder()))
    const { ok, broken, findings } = await auditWithout(folder(), ['history'])
    expect([ok, [...broken, findings[0]?.code].join(' ')]).toEqual([false, expected])
  })

  it('finds other pairs than those of the result without any input', async () => {
    editText(join(folder(), 'first', FILES.pairs), (text) => text.replace('seer', 'seen'))
    const found = await auditWithout(folder(), ['registration', 'outcomes', 'history'])
    expect(found).toMatchObject({ broken: ['pairs'], findings: [{ code: 'evidence-edited' }] })
  })

  it('checks every link by the export of a history, as by the history itself', async () => {
    const found = await auditExported(folder(), await exported(folder()))
    expect(found).toMatchObject({ ok: true, findings: [], open: [], broken: [] })
    expect(found.recomputed).toEqual(found.result)
  })

  it('takes an export for no history to score', async () => {
    const world = { folder: folder(), paths: pathsIn(folder()) } as World
    const scored = scoreWorld(world, 'second', { history: 'forecasts.ndjson' })
    await expect(scored).rejects.toThrow('an export of a history is for audits')
  })

  it.each<[string, ...Parameters<typeof expectFound>[2]]>([
    ['a price changed', /("upper_usd":)(\d)(?=[^\n]*"name":"seer")/, '$11$2', DIFFERS],
    ['a line less', /^[^\n]*"name":"seer"[^\n]*\n/m, '', DIFFERS],
    ['no lines', /[\s\S]*/, '', DIFFERS],
    ['a line twice', /^.*\n/, '$&$&', UNREADABLE],
    ['lines in another order', /^(.*\n)(.*\n)/, '$2$1', UNREADABLE],
    ['the end cut off', /.{9}$/s, '', UNREADABLE],
    ['what is no row', /^/, '[]\n', UNREADABLE],
    ['a time that is none', /"target_at":"[^"]*"/, '"target_at":"noon"', UNREADABLE],
  ])('finds %s in an export', (_, ...change) => expectFound(folder(), exportLines, change))
})

describe('an audit of stamped evidence without its history', () => {
  const folder = scoredCopies(
    async () => makeStampedWorld({ by: await witnesses('alpha', 'beta'), atLeast: 2 }),
    'first',
  )

  it('believes stamps and log as far as they prove themselves', async () => {
    const found = await auditWithout(folder(), ['history'])
    expect(found).toMatchObject({ ok: true, open: ['log', 'history', 'pairs'], broken: [] })
    expect(found.recomputed).toEqual(found.result)
  })

  it('finds a leaf that does not give the root', async () => {
    const { file } = new Forger(folder())
    editText(file('time/log/entries.ndjson'), (text) => text.replace(/"leaf":"./, '"leaf":"x'))
    expect(await auditWithout(folder(), ['history'])).toMatchObject({ broken: ['log'] })
  })

  it('holds an export against the log of the evidence; that of the history is not checked', async () => {
    const file = await exported(folder())
    const found = await auditExported(folder(), file)
    expect(found).toMatchObject({ ok: true, open: ['log'], broken: [] })
    expect(found.recomputed).toEqual(found.result)
    editText(file, (text) => text.replace(/("price_usd":)(\d)/, '$11$2'))
    expect((await auditExported(folder(), file)).ok).toBe(false)
  })
})

describe('an audit without outcomes, where a verdict is registered', () => {
  const limits = { availability: 0.02, availability_stratum: 0.05 }
  const omitted = { by: 'omitted', reason: 'small' } as const
  const verdict = (over: Partial<Plan> = {}) =>
    makeWorld({ replicates: 100, method: BY_VERDICT, over: { limits, ...over } })
  const folder = scoredCopies(() => verdict(), 'first')
  const byVolatility = scoredCopies(
    () =>
      verdict({
        strata: [
          {
            ...{ name: 'volatility', by: 'volatility', lookback_hours: 24 },
            levels: [{ level: 'low', below: 0.005 }, { level: 'high' }],
          },
          { name: 'session', ...omitted },
          { name: 'week_part', ...omitted },
        ],
      }),
    'first',
  )

  it('makes the same result again', async () => {
    const found = await auditWithout(folder(), ['history', 'outcomes'])
    expect(found).toMatchObject({ ok: true, findings: [] })
    expect(found.recomputed).toEqual(found.result)
  })

  it('computes nothing where closes from before the window are needed', async () => {
    const found = await auditWithout(byVolatility(), ['history', 'outcomes'])
    expect(found.open).toEqual(['outcomes', 'history', 'pairs', 'computation'])
    expect((await auditWithout(byVolatility(), ['history'])).open).toEqual(['history', 'pairs'])
  })
})

describe('an audit of any series without some inputs', () => {
  // A forecast that failed, one that is not there, one of another model, and one whose quantiles cross.
  const line = (cells: string[], key: string) => {
    if (key === 'a 7 1') return undefined
    if (key === 'b 9 2') return [...cells.slice(0, 3), 'other', ...cells.slice(4)]
    if (key === 'b 11 1') return [...cells.slice(0, 5), '1000', ...cells.slice(6)]
    return cells
  }
  const folder = scoredCopies(() => makeSeriesFolder({ line }), 'first')

  it('makes the same result again from the stored pairs and the releases', async () => {
    const found = await auditWithout(folder(), ['history'])
    const open = ['history', 'pairs']
    expect(found).toMatchObject({ ok: true, findings: [], open, broken: [] })
    expect(found.recomputed).toEqual(found.result)
  })

  it('makes all again but what rests on when values became public, without the releases', async () => {
    const found = await auditWithout(folder(), ['history', 'outcomes'])
    const open = ['outcomes', 'history', 'pairs', 'computation']
    expect(found).toMatchObject({ ok: true, findings: [], open, broken: [] })
    expect(found.recomputed).toBeUndefined()
  })

  const mine = (says: string) => new RegExp(`("model":"mine".*?${says})`)
  const [PAIRS, RESULT] = ['pairs-differ', 'result-not-recomputed']
  it.each<[string, string | RegExp, string, string | undefined, string?]>([
    ['a bound', /("model":"mine".*?"quantiles":\[)\d/, '$1', RESULT],
    ['a bound beyond the median', mine('"quantiles":\\['), '$19', PAIRS],
    ['a value that is not the median', mine('"value":'), '$11', PAIRS],
    ['an outcome', mine('"outcome":'), '$11', PAIRS],
    ['a level less', /("model":"mine".*?"quantiles":\[)[^,]*,/, '$1', PAIRS],
    ['a model of the list', /("model":"last_day".*?"quantiles":\[)\d/, '$1', PAIRS, RESULT],
    ['crossed quantiles called a failure', '"quantiles_cross"', '"recorded_failure"', RESULT],
    [
      'a scored attempt called one without an outcome',
      /("model":"mine".*?)"scored","reason":"scored"(.*?"base":)[^,]*,"outcome":[^,]*/,
      ...(['$1"missing","reason":"outcome_missing"$2null,"outcome":null', PAIRS] as const),
    ],
  ])('finds %s, with every digest', async (_, find, put, code, without = code) => {
    await replaced(find, put)(new Forger(folder()))
    const found = await auditWithout(folder(), ['history'])
    expect(found).toMatchObject({ ok: false, findings: [{ code }] })
    const less = await auditWithout(folder(), ['history', 'outcomes'])
    expect(less).toMatchObject({ ok: false, findings: [{ code: without }] })
  })

  it('believes no second reading that was not registered', async () => {
    new Forger(folder()).result((result) => {
      result.second_reading = { late: 1, counts_for: [], reading: result.reading }
    })
    const found = await auditWithout(folder(), ['history'])
    expect(found).toMatchObject({ broken: ['computation'] })
  })

  it('finds a disposition that its reasons do not lead to, with and without the releases', async () => {
    new Forger(folder()).result((result) => {
      const [disposition] = result.reading.dispositions!
      disposition!.disposition = disposition!.disposition === 'blocked' ? 'negative' : 'blocked'
    })
    for (const without of [['history'], ['history', 'outcomes']] as const) {
      const found = await auditWithout(folder(), without)
      expect(found).toMatchObject({ broken: ['computation'], findings: [{ code: RESULT }] })
    }
  })

  it('finds other outcomes than the registered ones where none are there', async () => {
    new Forger(folder()).result((result) => {
      result.inputs.outcomes.source = 'another'
    })
    const found = await auditWithout(folder(), ['history', 'outcomes'])
    const findings = [{ code: 'outcomes-not-registered' }]
    expect(found).toMatchObject({ broken: ['outcomes'], findings })
  })

  it('finds a figure that rests on the releases where they are there', async () => {
    new Forger(folder()).result((result) => {
      result.reading.other_rules[0]!.pairs++
    })
    const found = await auditWithout(folder(), ['history'])
    expect(found).toMatchObject({ broken: ['computation'] })
    expect((await auditWithout(folder(), ['history', 'outcomes'])).open).toContain('computation')
  })

  it('checks every link by the export of its history', async () => {
    const found = await auditExported(folder(), await exported(folder(), seriesLines))
    expect(found).toMatchObject({ ok: true, findings: [], open: [], broken: [] })
  })

  it.each<[string, ...Parameters<typeof expectFound>[2]]>([
    ['a value changed', /("value":)(\d)/, '$11$2', DIFFERS],
    ['a line twice', /^.*\n/, '$&$&', UNREADABLE],
    ['a level that is none', '"0.1"', '"10"', UNREADABLE],
  ])('finds %s in an export', (_, ...change) => expectFound(folder(), seriesLines, change))
})
