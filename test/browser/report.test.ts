/// <reference lib="dom" />
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderHtml } from '../../src/report/html/page.js'
import { sampleResult } from '../report/sample.js'
import { hasChromium, launch } from './launch.js'

const CHARTS = [
  'chart-status',
  'chart-loss',
  'forest-0',
  'direction-0',
  'forest-1',
  'direction-1',
  'forest-2',
  'direction-2',
  'chart-coverage',
  'chart-ladder',
]
const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light', viewport: { width: 1100, height: 900 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1100, height: 900 } }],
  ['narrow', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ['narrow and dark', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
]

interface AxeWindow {
  readonly axe: {
    run(): Promise<{ readonly violations: readonly { id: string; nodes: { html: string }[] }[] }>
  }
}

describe.runIf(hasChromium)('report.html in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreproof-report-'))
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
    writeFileSync(join(folder, 'whole.html'), renderHtml(sampleResult()))
    // axe-core looks at every cell: without strata the page has the same parts and fewer of them.
    writeFileSync(join(folder, 'short.html'), renderHtml(sampleResult({ strata: false })))
    writeFileSync(
      join(folder, 'long.html'),
      renderHtml(
        sampleResult({
          mode: 'retrospective',
          exploratory: true,
          strata: false,
          rename: `candidate-${'with-a-very-long-name-'.repeat(8)}end`,
        }),
      ),
    )
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  async function open(options: BrowserContextOptions, name = 'whole.html') {
    const context = await browser.newContext({ ...options, bypassCSP: true })
    const page = await context.newPage()
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) said.push(request.url())
    })
    await page.goto(`file://${join(folder, name)}`)
    return { page, said }
  }

  it.each(SCREENS)(
    '%s: quiet, axe-core clean, nothing wider than the screen',
    async (_, options) => {
      for (const name of ['short.html', 'long.html']) {
        const { page, said } = await open(options, name)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
        await page.evaluate(axe.source)
        const found = await page.evaluate(() => (window as unknown as AxeWindow).axe.run())
        expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
        expect(said).toEqual([])
        await page.context().close()
      }
    },
  )

  it.each(SCREENS)(
    '%s: every chart is there, once, with its text inside and large enough',
    async (_, options) => {
      const { page } = await open(options)
      for (const id of CHARTS) expect([id, await lookAt(page, id)]).toEqual([id, WELL])
      await page.context().close()
    },
  )

  it('prints every chart whole, on white, and the folded tables not at all', async () => {
    const { page } = await open({ colorScheme: 'dark', viewport: { width: 720, height: 1000 } })
    await page.emulateMedia({ media: 'print' })
    for (const id of CHARTS) {
      expect(await page.locator(`#${id} > svg.wide`).isVisible()).toBe(true)
      expect(await page.locator(`#${id} > svg.narrow`).isVisible()).toBe(false)
    }
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(background).toBe('rgb(255, 255, 255)')
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000)
    await page.context().close()
  })
})

const WELL = { drawings: 1, marks: true, named: true, outside: [], small: [], covered: [] }

/** What a pair of eyes would check of a chart, measured. */
function lookAt(page: Page, id: string) {
  return page.evaluate((of) => {
    const all = [...document.querySelectorAll<SVGSVGElement>(`#${of} > svg`)]
    const shown = all.filter((svg) => svg.getBoundingClientRect().width > 0)
    const svg = shown[0]
    if (!svg) return { drawings: 0 }
    const frame = svg.getBoundingClientRect()
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent?.trim())
    const boxes = texts.map((text) => ({
      text: text.textContent ?? '',
      box: text.getBoundingClientRect(),
    }))
    const outside = boxes.filter(
      ({ box }) =>
        box.left < frame.left - 1 ||
        box.right > frame.right + 1 ||
        box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1,
    )
    const scale = frame.width / svg.viewBox.baseVal.width
    const small = texts.filter(
      (text) => Number.parseFloat(getComputedStyle(text).fontSize) * scale < 9,
    )
    const covered = boxes.filter((a, index) =>
      boxes.some(
        (b, other) =>
          other > index &&
          a.box.left < b.box.right - 1 &&
          b.box.left < a.box.right - 1 &&
          a.box.top < b.box.bottom - 4 &&
          b.box.top < a.box.bottom - 4,
      ),
    )
    return {
      drawings: shown.length,
      marks: svg.querySelectorAll('circle,rect,path').length > 3,
      named: !!svg.querySelector('title')?.textContent && !!svg.querySelector('desc')?.textContent,
      outside: outside.map(({ text }) => text),
      small: small.map((text) => text.textContent),
      covered: covered.map(({ text }) => text),
    }
  }, id)
}
