/// <reference lib="dom" />
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { figureSvg } from '../../src/report/html/charts/figure.js'
import { renderHtml } from '../../src/report/html/page.js'
import { powerFigure } from '../../src/report/power/chart.js'
import { renderFigures } from '../../src/report/renderers.js'
import { regimeRun } from '../evaluation/made.js'
import { evaluatedSeries, LARGE_WORLDS } from '../evaluation/series-world.js'
import { powerWorld } from '../lint/power/world.js'
import { sampleResult } from '../report/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { hasChromium, launch } from './launch.js'
import {
  cutTables,
  expectAccessible,
  lookAt,
  onEachScreen,
  openFile,
  unfold,
  WELL,
  widerThanScreen,
} from './looks.js'

const LONG = `candidate-${'with-a-very-long-name-'.repeat(8)}end`
const CHARTS = [
  ...['time-line', 'committed-forecasts', 'attempts', 'loss'],
  ...[1, 2, 3].flatMap((place) => [`difference-${place}`, `direction-${place}`]),
  ...['coverage', 'holm-ladder'],
]
/** Every page, with the charts that others do not have. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'whole.html': CHARTS,
  'short.html': [],
  'long.html': [],
  'bootstrap.html': [],
  'verdict.html': ['cumulative-1', 'cumulative-2'],
  'series.html': [
    'time-line',
    'attempts',
    'difference-1',
    'difference-groups-1',
    'series-1',
    'holm-ladder',
  ],
}
// axe-core looks at every cell: without strata a page has the same parts and fewer of them.
const LARGE = ['whole.html', 'bootstrap.html']

describe.runIf(hasChromium)('reports in Chromium', () => {
  const folder = temporaryFolder()
  const { first: powerOf } = powerWorld()
  const short = sampleResult({ time: 'committed', strata: false })
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
    const long = { kind: 'backtest', exploratory: true, rename: LONG } as const
    const power = await powerOf()
    const [assumed, ...others] = power.predictions
    const named = {
      ...power,
      predictions: [{ ...assumed!, candidate: LONG, pairs: 4_200 }, ...others],
    }
    const pages = {
      'whole.html': renderHtml(sampleResult({ time: 'committed' })),
      'short.html': renderHtml(short),
      'long.html': renderHtml(sampleResult({ time: 'committed', strata: false, ...long })),
      'bootstrap.html': renderHtml(sampleResult({ method: 'percentile-bootstrap' })),
      'verdict.html': renderHtml(await regimeRun()),
      'series.html': renderHtml((await evaluatedSeries()).sealed),
      'power.svg': figureSvg(powerFigure(power)),
      'power-long.svg': figureSvg(powerFigure(named)),
      ...renderFigures(short),
    }
    for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text)
  })

  async function expectWell(page: Page, chart: string) {
    expect([chart, await lookAt(page, `chart-${chart}`)]).toEqual([chart, WELL])
  }
  const open = (options: BrowserContextOptions, name = 'whole.html') =>
    openFile(browser, join(folder, name), options)

  it.each(Object.entries(PAGES))(
    '%s: quiet, axe-core clean, every chart once with its text inside, every table whole at any width',
    async (name, charts) => {
      const { page, said } = await open({}, name)
      if (!LARGE.includes(name)) await expectAccessible(page)
      await unfold(page)
      await onEachScreen(page, async () => {
        for (const chart of charts) await expectWell(page, chart)
      })
      for (const width of [390, 900, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await cutTables(page)).toEqual([])
        expect(await widerThanScreen(page)).toBe(0)
      }
      expect(said).toEqual([])
    },
  )

  const height = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

  it.each(Object.entries(LARGE_WORLDS))(
    'is at most eight screens long: %s',
    async (name, world) => {
      writeFileSync(join(folder, 'large.html'), renderHtml((await evaluatedSeries(world)).sealed))
      const { page } = await open({ viewport: { width: 1280, height: 900 } }, 'large.html')
      expect(await height(page), name).toBeLessThan(8 * 900)
      expect(await cutTables(page)).toEqual([])
      expect(await widerThanScreen(page)).toBe(0)
    },
  )

  it('opens what is closed, and prints no chart without its rows', async () => {
    const { sealed: result } = await evaluatedSeries(LARGE_WORLDS['a hundred steps'])
    writeFileSync(join(folder, 'large.html'), renderHtml(result))
    const { page } = await open({ viewport: { width: 1280, height: 900 } }, 'large.html')
    const closed = await height(page)
    await page.getByText('How the expected attempts ended: 300 rows').click()
    expect(await height(page)).toBeGreaterThan(closed + 5000)
    await page.emulateMedia({ media: 'print' })
    await page.reload()
    const shown = (selector: string) => page.locator(selector).first().isVisible()
    expect(await shown('#chart-attempts')).toBe(false)
    expect(await shown('.key')).toBe(false)
    expect(await shown('.chain li')).toBe(true)
    expect(await page.getByText('Zone of dates').isVisible()).toBe(true)
  })

  it('gives every chart away as the files that the page holds, with its policy in force', async () => {
    const files = renderFigures(short)
    const { page } = await open({ acceptDownloads: true, bypassCSP: false }, 'short.html')
    expect(await page.locator('figure .downloads').count()).toBe(CHARTS.length)
    for (const [chart, name] of [
      ['chart-loss', 'loss.svg'],
      ['chart-holm-ladder', 'holm-ladder.csv'],
    ] as const) {
      await unfold(page)
      const waiting = page.waitForEvent('download')
      await page.locator(`#${chart} .downloads a[download="${name}"]`).click()
      const download = await waiting
      expect(download.suggestedFilename()).toBe(name)
      expect(readFileSync(await download.path(), 'utf8')).toBe(files[name])
    }
  })

  it('shows a row of a table as a card on a phone, and readers of screens a table', async () => {
    const { page } = await open({ viewport: { width: 390, height: 800 } }, 'short.html')
    expect(await cutTables(page)).toEqual([])
    expect(await widerThanScreen(page)).toBe(0)
    const criteria = page.getByRole('table').first()
    expect(await criteria.getByRole('row').count()).toBe(5)
    expect(await criteria.getByRole('columnheader').count()).toBe(5)
    expect(await criteria.getByRole('cell').count()).toBe(16)
    const said = await criteria
      .getByRole('cell')
      .first()
      .evaluate((cell) => getComputedStyle(cell, '::before').content)
    expect(said).toMatch(/^"overall loss/)
  })

  it('draws every chart as a file of its own, on white', async () => {
    const { page, said } = await open({}, 'short.html')
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.svg'))) {
      await page.goto(`file://${join(folder, name)}`)
      expect(await page.locator('svg > title').textContent()).not.toBe('')
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll('text')]
          .filter((text) => {
            const { left, right } = text.getBoundingClientRect()
            const frame = document.documentElement.getBoundingClientRect()
            return left < frame.left || right > frame.right
          })
          .map((text) => text.textContent),
      )
      expect([name, outside]).toEqual([name, []])
    }
    expect(said).toEqual([])
  })

  it('prints every open chart whole, on white, and what is folded not at all', async () => {
    const { page } = await open({ colorScheme: 'dark', viewport: { width: 720, height: 1000 } })
    const opened = await page.$$eval('figure', (all) =>
      all.filter((figure) => !figure.closest('details')).map(({ id }) => id.replace('chart-', '')),
    )
    expect(opened).toEqual(expect.arrayContaining(['difference-1', 'direction-1']))
    await page.emulateMedia({ media: 'print' })
    for (const chart of opened) await expectWell(page, chart)
    expect(await lookAt(page, 'chart-time-line')).toEqual({ drawings: 0 })
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000)
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(background).toBe('rgb(255, 255, 255)')
  })

  it('prints the two charts of a candidate on one page of A4, and no name in two parts', async () => {
    const mm = 96 / 25.4
    const viewport = { width: Math.floor(182 * mm), height: 1000 }
    const { page } = await open({ viewport })
    await page.emulateMedia({ media: 'print' })
    const heights = await Promise.all(
      ['chart-difference-1', 'chart-direction-1'].map(
        async (id) => (await page.locator(`#${id}`).boundingBox())!,
      ),
    )
    expect(heights.reduce((sum, { height }) => sum + height, 0)).toBeLessThan(260 * mm)
    const broken = await page.$$eval('.card tbody th', (names) =>
      names
        .filter((name) => {
          const range = document.createRange()
          range.selectNodeContents(name)
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
          return !name.textContent?.includes('-') && lines.size > 1
        })
        .map((name) => name.textContent),
    )
    expect(broken).toEqual([])
  })
})
