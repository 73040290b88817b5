/// <reference lib="dom" />
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { compared } from '../../src/report/comparison/compared.js'
import { comparisonPage } from '../../src/report/comparison/page.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderFigures } from '../../src/report/renderers.js'
import { evaluatedSeries } from '../evaluation/series-world.js'
import { regimeRun } from '../evaluation/verdict-run.js'
import { sampleResult } from '../report/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { hasChromium, launch } from './launch.js'
import {
  cutTables,
  expectAccessible,
  lookAt,
  onEachScreen,
  openFile,
  WELL,
  widerThanScreen,
} from './looks.js'

/** Two evaluations of different windows, with a name longer than any screen. */
function comparison(): string {
  // No hyphen and no space: nowhere that a browser would break it by itself.
  const long = `registration${'withaverylongname'.repeat(8)}`
  const one = sampleResult({ time: 'committed', strata: false })
  const other: EvaluationResult = {
    ...one,
    result_sha256: 'e'.repeat(64),
    inputs: { ...one.inputs, registration: { ...one.inputs.registration, name: long } },
    settings: { ...one.settings, to: '2025-06-30T08:00:00Z' },
  }
  return comparisonPage([one, other, one].map((result, index) => compared(result, long, index)))
}

const CHARTS = [
  ...['time-line', 'committed-forecasts', 'attempts', 'loss'],
  ...[1, 2, 3].flatMap((place) => [`difference-${place}`, `direction-${place}`]),
  ...['coverage', 'holm-ladder'],
].map((file) => `chart-${file}`)
/** Those of a report on any series. */
const SERIES_CHARTS = 'time-line attempts difference-1 difference-groups-1 holm-ladder'
  .split(' ')
  .map((file) => `chart-${file}`)

describe.runIf(hasChromium)('report.html in Chromium', () => {
  const folder = temporaryFolder()
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
    writeFileSync(join(folder, 'whole.html'), renderHtml(sampleResult({ time: 'committed' })))
    writeFileSync(join(folder, 'comparison.html'), comparison())
    writeFileSync(join(folder, 'ewc.html'), renderHtml(sampleResult({ method: 'ewc-t' })))
    writeFileSync(join(folder, 'verdict.html'), renderHtml(await regimeRun()))
    writeFileSync(join(folder, 'series.html'), renderHtml((await evaluatedSeries()).result))
    // axe-core looks at every cell: without strata the page has the same parts and fewer of them.
    writeFileSync(
      join(folder, 'short.html'),
      renderHtml(sampleResult({ time: 'committed', strata: false })),
    )
    writeFileSync(
      join(folder, 'long.html'),
      renderHtml(
        sampleResult({
          mode: 'retrospective',
          exploratory: true,
          time: 'committed',
          strata: false,
          rename: `candidate-${'with-a-very-long-name-'.repeat(8)}end`,
        }),
      ),
    )
  })

  const open = (options: BrowserContextOptions, name = 'whole.html') =>
    openFile(browser, join(folder, name), options)

  it.each(['short', 'long', 'comparison', 'verdict', 'series'])(
    'quiet, axe-core clean, nothing wider than the screen: %s.html',
    async (name) => {
      const { page, said } = await open({}, `${name}.html`)
      await expectAccessible(page)
      expect(said).toEqual([])
    },
  )

  it.each([
    ['whole.html', CHARTS],
    ['comparison.html', ['chart-difference-overall', 'chart-loss-overall']],
    ['verdict.html', ['chart-cumulative-1', 'chart-cumulative-2']],
    ['series.html', SERIES_CHARTS],
  ])('%s: every chart is there, once, with its text inside and large enough', async (name, ids) => {
    const { page } = await open({}, name)
    await onEachScreen(page, async () => {
      for (const id of ids) expect([id, await lookAt(page, id)]).toEqual([id, WELL])
    })
  })

  it.each(['whole', 'ewc', 'long', 'comparison', 'verdict', 'series'])(
    'shows every table whole at any width: %s.html',
    async (name) => {
      const { page } = await open({}, `${name}.html`)
      for (const width of [390, 900, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await cutTables(page)).toEqual([])
        expect(await widerThanScreen(page)).toBe(0)
      }
    },
  )

  it('gives every chart away as the files that the page holds, with its policy in force', async () => {
    const result = sampleResult({ time: 'committed', strata: false })
    const files = renderFigures(result)
    const context = await browser.newContext({ acceptDownloads: true })
    const page = await context.newPage()
    await page.goto(`file://${join(folder, 'short.html')}`)
    expect(await page.locator('figure .downloads').count()).toBe(CHARTS.length)
    for (const [chart, name] of [
      ['chart-loss', 'loss.svg'],
      ['chart-holm-ladder', 'holm-ladder.csv'],
    ] as const) {
      const waiting = page.waitForEvent('download')
      await page.locator(`#${chart} .downloads a[download="${name}"]`).click()
      const download = await waiting
      expect(download.suggestedFilename()).toBe(name)
      expect(readFileSync(await download.path(), 'utf8')).toBe(files[name])
    }
    await context.close()
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
    expect(said).toMatch(/^"loss at least 2\.0\u202f% lower"/)
  })

  it('draws every chart as a file of its own, on white', async () => {
    const files = renderFigures(sampleResult({ time: 'committed', strata: false }))
    const { page, said } = await openFile(browser, join(folder, 'short.html'), {})
    for (const [name, text] of Object.entries(files)) {
      if (!name.endsWith('.svg')) continue
      writeFileSync(join(folder, name), text)
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

  it('prints every chart whole, on white, and the folded tables not at all', async () => {
    const { page } = await open({ colorScheme: 'dark', viewport: { width: 720, height: 1000 } })
    await page.emulateMedia({ media: 'print' })
    for (const id of CHARTS) expect([id, await lookAt(page, id)]).toEqual([id, WELL])
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(background).toBe('rgb(255, 255, 255)')
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000)
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
          return !name.textContent?.includes('-') && range.getClientRects().length > 1
        })
        .map((name) => name.textContent),
    )
    expect(broken).toEqual([])
  })
})
