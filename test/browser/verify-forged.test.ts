import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { Forger } from '../evaluation/forger.js'
import { mutate } from '../evaluation/forgeries/mutated.js'
import { FORGERIES, forgeriesOf } from '../evaluation/forgeries/run.js'
import { SERIES_FORGERIES } from '../evaluation/forgeries/series.js'
import { audited } from '../evaluation/score-into.js'
import { makeSeriesFolder, SCALED } from '../evaluation/series-folder.js'
import { temporaryFolder } from '../support/folder.js'
import { hasChromium, launch } from './launch.js'
import { codeOfBuild, PAGE, scored, shownIn, states } from './verify-page.js'

/** So many of which the same is said: the page runs the code of `audit`, which test/slow/forged.test.ts gives all. */
const OF_EACH = 2

/** Folders that are changed at random, the same in every run. */
const MUTATED = 40

/** Only the history was changed, which no browser reads: the page is given what verify.test.ts gives it. */
const IN_HISTORY = new Set([
  ...['a forecast', 'a forecast less', 'all forecasts but one'],
  ...['the history says no key of any entry', 'the history has another leaf'],
  ...['the history has lost its last entries', 'the history says another key of an entry'],
  ...['the history has lost the stamps of its log', 'the history has lost a checkpoint'],
  'a row is changed where only its entry shows it',
])

/** A browser shows files and folders: no pipes, devices or links, and no empty folder in what is chosen. */
const UNSEEN = /pipe|device|link for|link to|folder|while they are/

/** Found in another link, for the history is not there; or not taken at all. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'how many rows the history had': 'description-differs',
  'the digest of the history': 'description-differs',
  'a forecast, and a price in the pairs': 'pairs-differ',
  'more forecasts were committed': 'description-differs',
  'an entry of the window says no key': 'description-differs',
  'an entry has the key of another row': 'description-differs',
  'pairs of 17 GiB': 'use the command line',
  // What is left is the folder beside it.
  'no result': 'second',
}

describe.runIf(hasChromium)('forged evidence, in Chromium', () => {
  const made = new Map<string, string>()
  let page: Page
  beforeAll(async () => {
    const series = { make: () => makeSeriesFolder(SCALED) }
    for (const [kind, { make }] of Object.entries({ ...FORGERIES, series })) {
      made.set(kind, (await scored(await make(), 'first', 'second')).folder)
    }
    page = await (await launch()).newPage()
  })
  const met = new Map<string, number>()
  const chosen = (['plain', 'stamped'] as const)
    .flatMap((kind) => forgeriesOf(kind).map((each) => [kind, ...each] as const))
    .filter(([, name]) => !(UNSEEN.test(name) || IN_HISTORY.has(name)))
    .filter(([kind, name, , expected]) => {
      const times = (met.get(kind + expected) ?? 0) + 1
      met.set(kind + expected, times)
      return times <= OF_EACH || name in OTHERWISE
    })
  it.each(chosen)('%s: %s', async (kind, name, spoil, expected) => {
    const folder = temporaryFolder()
    cpSync(made.get(kind) ?? '', folder, { recursive: true })
    await spoil(new Forger(folder))
    rmSync(join(folder, 'history.sqlite'), { force: true })
    await page.goto(`file://${PAGE}`)
    await page.setInputFiles('#input', folder)
    const shown = await shownIn(page)
    const said = JSON.stringify([await page.inputValue('#folder'), shown])
    const code = / /.test(expected) ? expected.split(' ')[1] : expected
    expect(said).toContain(OTHERWISE[name] ?? code)
    const isBroken = !/foreign-files|inputs-file|not-found|usage|code-differs/.test(expected)
    if (isBroken && shown.heading !== undefined) expect(shown.heading).toMatch(/does not hold$/)
  })

  const seen = SERIES_FORGERIES.slice(1).filter(
    ([name]) => !/of a row$|a row that is gone/.test(name),
  )
  it.each(seen)('of any series: %s', async (_name, _, forge) => {
    const at = new Forger(temporaryFolder())
    cpSync(made.get('series') ?? '', at.world, { recursive: true })
    await forge(at)
    const found = await audited(at.run, { code: await codeOfBuild() })
    rmSync(join(at.world, 'history.sqlite'))
    await page.goto(`file://${PAGE}`)
    await page.setInputFiles('#input', at.world)
    const shown = await shownIn(page)
    expect(shown.heading).toMatch(/does not hold$/)
    const [broken] = shown.links.filter(([state]) => state === 'broken')
    expect(broken?.slice(-1)).toEqual([found.findings[0]?.code])
    expect(states(shown).indexOf('broken')).toBe(
      found.links.findIndex(({ state }) => state === 'broken'),
    )
  })

  it.each(Array.from({ length: MUTATED }, (_, number) => number))(
    'mutated, number %i: the page says what audit says',
    async (number) => {
      const kind = (['plain', 'stamped', 'series'] as const)[Math.floor(number / 6) % 3]
      const at = new Forger(temporaryFolder())
      cpSync(made.get(kind ?? '') ?? '', at.world, { recursive: true })
      rmSync(join(at.world, 'history.sqlite'))
      rmSync(join(at.world, 'second'), { recursive: true })
      const what = await mutate(at, number)
      const found = await audited(at.run, { code: await codeOfBuild() }).catch(({ code }) => ({
        ...{ links: [], findings: [{ code, severity: 'error' }] },
      }))
      await page.goto(`file://${PAGE}`)
      await page.setInputFiles('#input', at.world)
      const shown = await shownIn(page)
      const says = JSON.stringify([what, found.findings[0], shown])
      // An error that ends an audit has no links.
      expect(states(shown), says).toEqual(found.links.map(({ state }) => state))
      const broken = shown.links.find(([state]) => state === 'broken')
      const [first] = found.findings.filter(({ severity }) => severity === 'error')
      expect(broken?.[2], says).toEqual(broken && first?.code)
      if (what === 'secondReading') expect(broken, says).toBeDefined()
    },
  )

  it('are more than sixty of which the same is said', () => {
    expect(chosen.filter(([, name]) => !(name in OTHERWISE)).length).toBeGreaterThan(60)
  })
})
