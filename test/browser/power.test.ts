/// <reference lib="dom" />
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { figureSvg } from '../../src/report/html/charts/figure.js'
import { powerFigure } from '../../src/report/power/chart.js'
import { powerPage } from '../../src/report/power/page.js'
import { samplePower } from '../report/power-sample.js'
import { temporaryFolder } from '../support/folder.js'
import { hasChromium, launch } from './launch.js'
import { cutTables, expectAccessible, lookAt, onEachScreen, openFile, WELL } from './looks.js'

const LONG = `candidate-${'with-a-very-long-name-'.repeat(8)}end`
const CHART = 'chart-power'

describe.runIf(hasChromium)('the page of foreproof power in Chromium', () => {
  const folder = temporaryFolder()
  const pages = ['usual', 'long', 'verdict'].map((name) => join(folder, `${name}.html`))
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
    writeFileSync(pages[0] as string, powerPage(samplePower()))
    writeFileSync(pages[1] as string, powerPage(samplePower({ name: LONG, candidate: LONG })))
    writeFileSync(pages[2] as string, powerPage(samplePower({ verdict: true })))
    writeFileSync(join(folder, 'chart.svg'), figureSvg(powerFigure(samplePower())))
  })

  it.each(pages)(
    'quiet, axe-core clean, nothing wider than the screen, the chart well: %s',
    async (file) => {
      const { page, said } = await openFile(browser, file, {})
      await expectAccessible(page)
      await onEachScreen(page, async () => expect(await lookAt(page, CHART)).toEqual(WELL))
      expect(said).toEqual([])
    },
  )

  it('shows every table whole on a screen of usual width', async () => {
    const screen = { viewport: { width: 1280, height: 900 } }
    const { page } = await openFile(browser, pages[0] as string, screen)
    expect(await cutTables(page)).toEqual([])
  })

  it('prints on white with the chart', async () => {
    const { page } = await openFile(browser, pages[0] as string, { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator(`#${CHART} > svg`).isVisible()).toBe(true)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
  })

  it('draws the chart as a file of its own', async () => {
    const { page, said } = await openFile(browser, join(folder, 'chart.svg'), {})
    expect(await page.locator('svg > title').textContent()).not.toBe('')
    expect(said).toEqual([])
  })
})
