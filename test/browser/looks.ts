/// <reference lib="dom" />
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { afterUse } from '../support/at-end.js'

const WIDE = { width: 1100, height: 900 }
const NARROW = { width: 360, height: 740 }
/** What readers look at a page through. */
const SCREENS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: WIDE },
  { colorScheme: 'light', viewport: NARROW },
  { colorScheme: 'dark', viewport: NARROW },
] as const

interface AxeWindow {
  readonly axe: {
    run(options: {
      readonly resultTypes: readonly string[]
      readonly runOnly?: readonly string[]
    }): Promise<{ readonly violations: readonly { id: string; nodes: { html: string }[] }[] }>
  }
}

/** Opens a page until the test ends, and gathers what it says and asks for besides what begins so. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  ...own: string[]
) {
  const context = await browser.newContext({ bypassCSP: true, ...options })
  afterUse(() => context.close())
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('request', (request) => {
    if (!own.some((start) => request.url().startsWith(start))) said.push(request.url())
  })
  await page.goto(url)
  return { page, said }
}

export const openFile = (browser: Browser, file: string, options: BrowserContextOptions) =>
  openPage(browser, `file://${file}`, options, 'file:')

/** What axe-core objects to, with the first place of each. @param tag of the rules to check; all by default. */
async function violations(page: Page, tag?: string): Promise<(string | undefined)[][]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    (runOnly) =>
      (window as unknown as AxeWindow).axe.run({
        resultTypes: ['violations'],
        ...(runOnly !== undefined && { runOnly: [runOnly] }),
      }),
    tag,
  )
  return found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])
}

export function widerThanScreen(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}

/** Shows an open page on each screen in turn; it may not depend on the one that it was opened on. */
export async function onEachScreen(page: Page, look: (isDark: boolean) => Promise<void>) {
  for (const { colorScheme, viewport } of SCREENS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await look(colorScheme === 'dark')
  }
}

/** A page that axe-core has no objection to and that is no wider than the screen, on any. */
export async function expectAccessible(page: Page): Promise<void> {
  await onEachScreen(page, async (isDark) => {
    // In the dark nothing but the colours is another.
    expect(await violations(page, isDark ? 'cat.color' : undefined)).toEqual([])
    expect(await widerThanScreen(page)).toBeLessThanOrEqual(0)
  })
}

/** Opens every folded part. */
export function unfold(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true
  })
}

/** Tables, the folded ones opened, that have to be scrolled to be read. */
export async function cutTables(page: Page): Promise<(string | null)[]> {
  await unfold(page)
  return page.evaluate(() => {
    return [...document.querySelectorAll('.scroll')]
      .filter((region) => region.scrollWidth > region.clientWidth)
      .map((region) => region.getAttribute('aria-label'))
  })
}

/** A chart that nothing is wrong with. */
export const WELL = { drawings: 1, marks: true, named: true, outside: [], small: [], covered: [] }

/** What a pair of eyes would check of a chart, measured. */
export function lookAt(page: Page, id: string) {
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
