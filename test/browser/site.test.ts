/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { alter, EPOCH, HOUR, hourlyRows, writeProducer } from '../history/support.js'
import { address, here, place, useObjectStore } from '../outside/object-site.js'
import { KEYS } from '../outside/object-store.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import { serveHttp } from '../support/servers.js'
import { hasChromium, launch } from './launch.js'
import { expectAccessible, openPage, widerThanScreen } from './looks.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

const folder = temporaryFolder()
let base = ''
let browser: Browser

/** Serves every site below a path of its own, so nothing may rely on lying at the root. */
const serve = () =>
  serveHttp((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    try {
      const bytes = readFileSync(file)
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })

/** Builds a site whose newest forecast is so many hours old. */
async function build(name: string, hours: number, age: number): Promise<void> {
  const history = join(folder, `${name}.sqlite`)
  const now = Math.floor((performance.timeOrigin + performance.now() - EPOCH) / HOUR)
  const [end, models] = [now - age + 1, ['ridge', 'trend', '<b>odd & long model name</b>']]
  writeProducer(history, hourlyRows(end - hours, end, models))
  alter(
    history,
    `UPDATE forecast_predictions SET q10_usd = NULL, q50_usd = NULL, q90_usd = NULL
     WHERE model_name = 'trend' AND horizon_hours = 8;
     UPDATE forecast_predictions SET model_agreement = NULL WHERE model_name = 'trend'`,
  )
  const line = `publish --history ${history} --out ${join(folder, name)}`
  const { code, stderr } = await foreproof(line)
  expect(`${code}${stderr}`).toBe('0')
}

beforeAll(async () => {
  if (!hasChromium) return
  await Promise.all([build('fresh', 40, 0), build('stale', 3, 20), build('empty', 0, 0)])
  base = await serve()
  browser = await launch()
}, 120_000)

/** Opens a site, and waits until it says how fresh it is. */
async function open(path: string, options: BrowserContextOptions = {}) {
  const site = `${base}/${path}/`
  const { page, said: wrong } = await openPage(browser, site, options, site, 'data:')
  const freshness = page.locator('#freshness')
  await freshness.locator('strong').waitFor()
  return { page, wrong, freshness }
}

describe.runIf(hasChromium)('the page of a site', () => {
  it.each(['fresh', 'stale', 'empty'])('is accessible and fits on any screen: %s', async (site) => {
    const { page, wrong } = await open(site)
    if (site !== 'empty') await page.locator('#history-table tbody tr').first().waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 340, height: 740 })
    expect(await widerThanScreen(page)).toBe(0)
    expect(wrong).toEqual([])
  })

  it('shows the latest forecasts as a chart and in figures, with its own JSON alone', async () => {
    const { page, wrong } = await open('fresh', { bypassCSP: false })
    await page.locator('#latest-table tbody tr').first().waitFor()
    expect(await page.locator('#latest-table tbody tr').count()).toBe(12)
    expect(await page.locator('#chart .mark').count()).toBe(12)
    expect(await page.locator('#chart .bar').count()).toBe(11)
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toContain('<b>odd & long model name</b>')
    expect(text).toContain('Fresh.')
    expect(text).toContain('Agreement is not a probability.')
    expect(text).toContain('no quantiles')
    expect(text).toContain('not recorded')
    expect(text).toContain('80\u2009% intervals')
    expect(wrong).toEqual([])
  })

  it('pages through the history to its end, by button, by keyboard and by address', async () => {
    const { page, wrong } = await open('fresh')
    const older = page.getByRole('button', { name: 'Older' })
    const newer = page.getByRole('button', { name: 'Newer' })
    const position = page.locator('#position')
    await position.filter({ hasText: 'Page 1 of 5' }).waitFor()
    expect(await newer.isDisabled()).toBe(true)
    const ids = new Set<string>()
    for (let index = 1; index <= 5; index++) {
      await position.filter({ hasText: `Page ${index} of 5` }).waitFor()
      for (const row of await page.locator('#history-table tbody tr').allInnerTexts()) ids.add(row)
      if (index === 5) break
      await older.focus()
      await page.keyboard.press('Enter')
    }
    expect(ids.size).toBe(480)
    expect(await older.isDisabled()).toBe(true)
    await newer.click()
    await position.filter({ hasText: 'Page 4 of 5' }).waitFor()
    await page.goBack()
    await position.filter({ hasText: 'Page 5 of 5' }).waitFor()
    expect(wrong).toEqual([])
  })

  it('says plainly that forecasts are stale, and that there are none', async () => {
    const stale = await open('stale')
    expect(await stale.freshness.textContent()).toMatch(/^Stale\..*2[01] hours ago\. Do not use/)
    const empty = await open('empty')
    expect(await empty.freshness.textContent()).toMatch(/^No forecasts yet\./)
    expect(await empty.page.locator('#latest').isVisible()).toBe(false)
    expect(empty.wrong).toEqual([])
  })

  it('counts age while it lies there: a fresh snapshot grows stale', async () => {
    const { page, freshness } = await open('fresh')
    const later = performance.timeOrigin + performance.now() + 30 * HOUR
    await page.clock.setFixedTime(later)
    await page.reload()
    await freshness.filter({ hasText: /^Stale\./ }).waitFor()
  })

  it('changes between light and dark as the reader chooses', async () => {
    const { page } = await open('fresh', { colorScheme: 'light' })
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await paper()
    await page.getByRole('button', { name: /light and dark/ }).click()
    expect(await paper()).not.toBe(light)
  })

  it('says what to do when it is opened as a plain file, and when its data is gone', async () => {
    const { page, freshness } = await open('fresh')
    await page.goto(`file://${join(folder, 'fresh', 'index.html')}`)
    await freshness.filter({ hasText: 'through a web server' }).waitFor()
    await page.route('**/*.json', (route) => route.abort())
    await page.goto(`${base}/fresh/`)
    await freshness.filter({ hasText: 'Try again in a moment' }).waitFor()
  })
})

describe.runIf(hasChromium)('the page of a site in a store of objects', () => {
  useObjectStore(folder)

  it('is paged through by its links', async () => {
    // Only what was compiled can be sent as a script.
    const { out, endpoint } = place()
    const args = ['publish', '--history', here.history, '--out', out, '--endpoint', endpoint]
    expect(await foreproof(args, { env: KEYS })).toMatchObject({ code: 0 })
    const options = { bypassCSP: false }
    const from = `${address('index.html')}#page=5`
    const { page, said } = await openPage(browser, from, options, address(), 'data:')
    const position = page.locator('#position')
    await position.filter({ hasText: 'Page 5 of 6' }).waitFor()
    const rows = async () => page.locator('#history-table tbody tr').count()
    expect(await rows()).toBe(100)
    await page.getByRole('button', { name: 'Older' }).click()
    await position.filter({ hasText: 'Page 6 of 6' }).waitFor()
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByRole('button', { name: 'Newer' }).click()
    await position.filter({ hasText: 'Page 4 of 6' }).waitFor()
    expect(said).toEqual([])
  })
})
