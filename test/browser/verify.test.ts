/// <reference lib="dom" />
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import type { CodeVersion } from '../../src/evaluation/result/types.js'
import { Forger } from '../evaluation/forger.js'
import { FORGERIES, STAMPED_FORGERIES } from '../evaluation/forgeries/run.js'
import { SERIES_FORGERIES } from '../evaluation/forgeries/series.js'
import { madeRows } from '../evaluation/made.js'
import { audited, scoreWorld } from '../evaluation/score-into.js'
import { makeSeriesFolder, SCALED } from '../evaluation/series-folder.js'
import { makeStampedWorld, witnesses } from '../evaluation/stamped-world.js'
import {
  editText,
  forecastLine,
  importLines,
  makeWorld,
  NOW,
  type World,
  type WorldOptions,
} from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'
import { hasChromium, launch } from './launch.js'
import { openFile, SCREENS, violations, widerThanScreen } from './looks.js'
import { type Driven, hasFirefox, hasWebKit, openFirefox, openWebKit } from './webdriver.js'

const PAGE = join(ROOT, 'dist/verify.html')

async function codeOfBuild(): Promise<CodeVersion> {
  const { codeVersion } = await import(join(ROOT, 'dist/evaluation/code-version.js'))
  return codeVersion()
}

/** Scores as the built program does, whose digest the page has. */
async function scored(world: World, ...names: string[]): Promise<World> {
  const code = await codeOfBuild()
  for (const name of names) {
    const done = await scoreWorld(world, name, { code })
    if (!done.ok) throw new Error(JSON.stringify(done.findings))
  }
  return world
}

const EWC = { method: 'ewc-t', weights: { verdict: 0.6, deciding: 0.3, other: 0.1 } } as const
const LIMITS = { availability_limit: 0.02, availability_limit_stratum: 0.05 }

const fewForecasts: NonNullable<WorldOptions['fill']> = async (world, vintage) => {
  const rows = [...madeRows(60, vintage, [{ name: 'seer', sight: 0.3 }], false)]
  await importLines(world, `${rows.map(forecastLine).join('\n')}\n`, NOW)
}

/** Folders of evidence with their inputs, by what is particular about them. */
const WORLDS: Readonly<Record<string, () => Promise<World>>> = {
  'a retrospective one': () => makeWorld({ mode: 'retrospective', replicates: 500 }),
  'one by the percentile method': () => makeWorld({ replicates: 500 }),
  'one with a verdict': () =>
    makeWorld({ replicates: 500, over: { inference: EWC, limits: LIMITS } }),
  'a prospective, stamped and committed one': async () =>
    makeStampedWorld({ by: await witnesses('alpha', 'beta'), atLeast: 2 }),
  'one of any series': () => makeSeriesFolder(SCALED),
  'a blocked one': () => makeWorld({ hours: 60, replicates: 500, fill: fewForecasts }),
}

/** The history of a world in files. */
async function exported(folder: string, name = 'history.sqlite'): Promise<string> {
  const file = join(folder, 'history.ndjson')
  const args = ['history', 'export', '--history', join(folder, name), '--out', file]
  expect((await foreproof(args)).code).toBe(0)
  return file
}

/** Most memory that a process of a browser has had, in MiB. */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** What the page shows once it is done. */
const SHOWN = `
  if (!document.getElementById('work').hidden) return null
  const answer = document.getElementById('answer')
  if (answer.textContent === '') {
    const says = document.getElementById('status').textContent
    return says === 'Reading.' || says === '' ? null : { status: says, links: [] }
  }
  // Green to the byte is shown once the bootstrap was drawn.
  const draw = document.getElementById('draw')
  if (draw) {
    draw.click()
    return null
  }
  const texts = (of, inside) => [...of.querySelectorAll(inside)].map((each) => each.textContent)
  return {
    status: document.getElementById('status').textContent,
    heading: answer.querySelector('h2').textContent,
    links: [...answer.querySelectorAll('.link')].map((each) => [each.className.slice(5), ...texts(each, 'b, .finding code')]),
    codes: texts(answer, ':scope > .finding code'),
    facts: texts(answer, 'dd code'),
    loaded: performance.getEntriesByType('resource').map(({ name }) => name.slice(0, 5)),
  }`

interface Shown {
  readonly status: string
  readonly heading?: string
  readonly links: readonly string[][]
  readonly codes?: readonly string[]
  readonly facts?: readonly string[]
  readonly loaded?: readonly string[]
}

/** Asks until the page is done. */
async function shownBy(ask: () => Promise<Shown | null>): Promise<Shown> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const shown = await ask()
    if (shown !== null) return shown
    await later(50)
  }
  throw new Error('no answer')
}

// The page allows no text to become a function, but the inspector of the browser.
const shownIn = (page: Page) => shownBy(() => page.evaluate(`(() => {${SHOWN}})()`))

const states = ({ links }: Shown) => links.map(([state]) => state)

async function shownByDriven(driven: Driven, folder: string): Promise<Shown> {
  await driven.open(`file://${PAGE}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('.sqlite'))
    .map((path) => [relative(folder, path), readFileSync(path, 'base64')])
  // A file of this name is what a folder that is chosen gives.
  await driven.run(
    `const given = new DataTransfer()
     for (const [name, text] of arguments[0]) {
       const bytes = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))
       given.items.add(new File([bytes], name))
     }
     const input = document.getElementById('file')
     input.files = given.files
     input.dispatchEvent(new Event('change'))`,
    files,
  )
  return await shownBy(() => driven.run<Shown | null>(SHOWN))
}

it('is one file of no more than 600 KB, which may reach nothing', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page.length).toBeLessThanOrEqual(600_000)
  const [, policy = ''] = /content="(default-src[^"]*)"/.exec(page) ?? []
  expect(policy.replaceAll(/'sha256-[A-Za-z0-9+/=]{44}'/g, "'sha256-…'")).toBe(
    "default-src 'none'; script-src 'sha256-…'; style-src 'sha256-…'; worker-src blob:; img-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'",
  )
})

describe('the same result.json as the command line', () => {
  const worlds = new Map<string, string>()
  beforeAll(async () => {
    for (const [name, make] of Object.entries(WORLDS)) {
      worlds.set(name, (await scored(await make(), 'evidence')).folder)
    }
  })
  const holds = (name: string, shown: Shown) => {
    const result = readFileSync(join(worlds.get(name) ?? '', 'evidence/result.json'))
    expect(shown.facts?.[0], JSON.stringify(shown)).toBe(sha256Hex(result))
    expect(new Set(states(shown))).toEqual(new Set(['holds', 'not_checked']))
    expect(states(shown).filter((state) => state === 'holds').length).toBeGreaterThanOrEqual(11)
    expect((shown.loaded ?? []).filter((each) => each !== 'blob:')).toEqual([])
  }

  it.runIf(hasChromium).each(Object.keys(WORLDS))('of %s, in Chromium', async (name) => {
    const { page, said } = await openFile(await launch(), PAGE, {})
    await page.setInputFiles('#input', worlds.get(name) ?? '')
    holds(name, await shownIn(page))
    expect(said.filter((each) => !each.startsWith('blob:'))).toEqual([])
  })

  it.runIf(hasFirefox)('of all, in Firefox', async () => {
    const driven = await openFirefox()
    for (const [name, folder] of worlds) holds(name, await shownByDriven(driven, folder))
  })

  it.runIf(hasWebKit)('of all, in WebKit', async () => {
    const driven = await openWebKit()
    for (const [name, folder] of worlds) holds(name, await shownByDriven(driven, folder))
  })
})

/** Only the history was changed: the evidence is what it was, and the history is said to be not checked. */
const IN_HISTORY = new Set([
  ...['a forecast', 'a forecast less', 'all forecasts but one'],
  ...['the history says no key of any entry', 'the history has another leaf'],
  ...['the history has lost its last entries', 'the history says another key of an entry'],
  ...['the history has lost the stamps of its log', 'the history has lost a checkpoint'],
  ...['the history has lost its log', 'a row is changed where only its entry shows it'],
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
  'no paths': 'inputs-file-differs',
  // What is left is the folder beside it.
  'no result': 'second',
}

describe.runIf(hasChromium)('forged evidence, in Chromium', () => {
  const made = new Map<string, string>()
  let page: Page
  beforeAll(async () => {
    const stamped = async () =>
      makeStampedWorld({ by: await witnesses('alpha', 'beta'), atLeast: 2 })
    for (const [kind, make] of [
      ['plain', () => makeWorld({ replicates: 100 })],
      ['stamped', stamped],
      ['series', () => makeSeriesFolder(SCALED)],
    ] as const) {
      made.set(kind, (await scored(await make(), 'first', 'second')).folder)
    }
    page = await (await launch()).newPage()
  })
  const all = [
    ...Object.values(FORGERIES)
      .flat()
      .map((each) => ['plain', ...each] as const),
    ...Object.values(STAMPED_FORGERIES)
      .flat()
      .map((each) => ['stamped', ...each] as const),
  ]
  it.each(all.filter(([, name]) => !UNSEEN.test(name)))(
    '%s: %s',
    async (kind, name, spoil, expected) => {
      const folder = temporaryFolder()
      cpSync(made.get(kind) ?? '', folder, { recursive: true })
      await spoil(new Forger(folder))
      rmSync(join(folder, 'history.sqlite'), { force: true })
      await page.goto(`file://${PAGE}`)
      await page.setInputFiles('#input', folder)
      const shown = await shownIn(page)
      const said = JSON.stringify([await page.inputValue('#folder'), shown])
      if (IN_HISTORY.has(name)) {
        expect(states(shown)).not.toContain('broken')
        expect(said).toContain('"not_checked"')
        return
      }
      const code = / /.test(expected) ? expected.split(' ')[1] : expected
      expect(said).toContain(OTHERWISE[name] ?? code)
      const isBroken = !/foreign-files|inputs-file|not-found|usage|code-differs/.test(expected)
      if (isBroken && shown.heading !== undefined) expect(shown.heading).toMatch(/does not hold$/)
    },
  )

  it.each(SERIES_FORGERIES.slice(1))('of any series: %s', async (name, _, forge) => {
    const at = new Forger(temporaryFolder())
    cpSync(made.get('series') ?? '', at.world, { recursive: true })
    await forge(at)
    const found = await audited(at.run, { code: await codeOfBuild() })
    rmSync(join(at.world, 'history.sqlite'))
    await page.goto(`file://${PAGE}`)
    await page.setInputFiles('#input', at.world)
    const shown = await shownIn(page)
    if (/of a row$|a row that is gone/.test(name)) {
      expect(states(shown)).not.toContain('broken')
      return
    }
    expect(shown.heading).toMatch(/does not hold$/)
    const [broken] = shown.links.filter(([state]) => state === 'broken')
    expect(broken?.slice(-1)).toEqual([found.findings[0]?.code])
    expect(states(shown).indexOf('broken')).toBe(
      found.links.findIndex(({ state }) => state === 'broken'),
    )
  })

  it('are more than sixty of which the same is said', () => {
    const other = all.filter(([, name]) => IN_HISTORY.has(name) || name in OTHERWISE)
    expect(all.length - other.length).toBeGreaterThan(100)
  })
})

describe.runIf(hasChromium)('verify.html in Chromium', () => {
  let folder = ''
  let series = ''
  let browser: Browser
  beforeAll(async () => {
    folder = (await scored(await makeWorld({ replicates: 500 }), 'evidence')).folder
    series = (await scored(await makeSeriesFolder(SCALED), 'evidence')).folder
    browser = await launch()
  })

  it.each(['hourly closes', 'any series'])(
    'finds one number of %s that it changed, alone and with every digest made to fit',
    async (of) => {
      const { page, said } = await openFile(browser, PAGE, {})
      await page.setInputFiles('#input', of === 'any series' ? series : folder)
      await shownIn(page)
      await page.click('#change')
      await page.waitForSelector('#changed .link')
      const lists = page.locator('#changed .links')
      expect(await lists.nth(0).locator('.broken').innerText()).toContain('evidence-edited')
      expect(await lists.nth(1).locator('.broken').innerText()).toContain('result-not-recomputed')
      expect(said.filter((each) => !each.startsWith('blob:'))).toEqual([])
    },
  )

  it('takes folders that are dropped on it', async () => {
    const { page } = await openFile(browser, PAGE, {})
    const mouse = await page.context().newCDPSession(page)
    const names = ['evidence', 'protocols', 'vintage', 'registration.json']
    const files = names.map((name) => join(folder, name))
    const data = { items: [], files, dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await mouse.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data })
    }
    await page.waitForSelector('#answer .link')
    expect(states(await shownIn(page)).filter((state) => state !== 'holds')).toHaveLength(2)
  })

  it('says what is missing of what was not checked', async () => {
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', join(folder, 'evidence'))
    await shownIn(page)
    const open = await page.locator('.link.not_checked').allInnerTexts()
    expect(open).toHaveLength(8)
    // A verdict that was not made again has no colour.
    const verdict = page.locator('.card').first()
    expect(await verdict.getAttribute('class')).toBe('card')
    expect(await verdict.innerText()).toContain('not made again here in full')
    for (const text of open) expect(text).toContain('the registration (registration.json)')
    await page.setInputFiles('#input', join(folder, 'protocols'))
    await shownIn(page)
    await page.setInputFiles('#file', join(folder, 'registration.json'))
    await shownIn(page)
    expect(await page.locator('.link.not_checked').count()).toBe(3)
  })

  it('says of any series without its releases what was made again all the same', async () => {
    const { page } = await openFile(browser, PAGE, {})
    for (const name of ['evidence', 'protocols']) {
      await page.setInputFiles('#input', join(series, name))
      await shownIn(page)
    }
    await page.setInputFiles('#file', join(series, 'registration.json'))
    const shown = await shownIn(page)
    expect(states(shown).filter((state) => state !== 'holds')).toHaveLength(4)
    // Nothing says that the whole of it was made again.
    expect(shown.facts).toEqual([])
    const open = await page.locator('.link.not_checked').allInnerTexts()
    expect(open.at(-1)).toContain('are the same. What other rules of release')
  })

  it('draws the bootstrap when it is asked to, and leaves the computation open until then', async () => {
    const make = WORLDS['one with a verdict'] as () => Promise<World>
    const verdict = (await scored(await make(), 'evidence')).folder
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', verdict)
    await page.locator('#draw').waitFor()
    const open = page.locator('.link.not_checked').last()
    expect(await open.innerText()).toContain(
      'The bootstrap, which decides nothing, was not drawn yet',
    )
    expect(await page.locator('dd code').count()).toBe(0)
    const shown = await shownIn(page)
    const result = readFileSync(join(verdict, 'evidence/result.json'))
    expect(shown.facts?.[0]).toBe(sha256Hex(result))
    expect(await page.locator('#draw').count()).toBe(0)
  })

  it('takes no more than ten seconds and one gigabyte for the backtest of the demo', {
    timeout: 300_000,
  }, async () => {
    const demo = join(temporaryFolder(), 'demo')
    expect((await foreproof(['demo', '--out', demo])).code).toBe(0)
    await exported(demo)
    const { page } = await openFile(browser, join(demo, 'verify.html'), {})
    await page.setInputFiles('#input', demo)
    const shown = await shownIn(page)
    expect(new Set(states(shown))).toEqual(new Set(['holds']))
    const inspector = await browser.newBrowserCDPSession()
    const { processInfo } = await inspector.send('SystemInfo.getProcessInfo')
    expect(Math.max(...processInfo.map(({ id }) => peakOf(id)))).toBeLessThan(1024)
    const seconds = ({ status }: Shown) => Number(/[\d.]+/.exec(status)?.[0])
    // Others may use the processors meanwhile.
    let least = seconds(shown)
    for (let tries = 0; tries < 3 && least >= 10; tries++) {
      await page.click('#again')
      least = Math.min(least, seconds(await shownIn(page)))
    }
    expect(least).toBeLessThan(10)
  })

  it('reads a history in files, and believes none that was changed', async () => {
    const history = await exported(folder)
    const { page, said } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', folder)
    await shownIn(page)
    await page.setInputFiles('#file', history)
    expect(new Set(states(await shownIn(page)))).toEqual(new Set(['holds']))
    editText(history, (text) => text.replace(/("upper_usd":)(\d)(?=[^\n]*"name":"seer")/, '$11$2'))
    await page.setInputFiles('#file', history)
    expect(JSON.stringify(await shownIn(page))).toContain('"broken","Broken: ","history-differs"')
    writeFileSync(history, '{}\n')
    await page.setInputFiles('#file', history)
    expect(JSON.stringify(await shownIn(page))).toContain('"evidence-unreadable"')
    rmSync(history)
    expect(said.filter((each) => !each.startsWith('blob:'))).toEqual([])
  })

  it('holds no evaluation against the history of another', async () => {
    const all = temporaryFolder()
    cpSync(folder, join(all, 'below'), { recursive: true })
    writeFileSync(join(all, 'history.ndjson'), '{}\n')
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', all)
    expect(states(await shownIn(page))).not.toContain('broken')
  })

  it('reads what is given by itself, wherever the folder points', async () => {
    const all = temporaryFolder()
    cpSync(folder, all, { recursive: true })
    const history = await exported(all)
    const away = join(temporaryFolder(), 'history.ndjson')
    cpSync(history, away)
    rmSync(history)
    // Its inputs as an author may write them, so that no history of a reader is found.
    editText(join(all, 'evidence/inputs.json'), (text) =>
      text.replace('../history.sqlite', '../other.ndjson'),
    )
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', all)
    await shownIn(page)
    await page.setInputFiles('#file', away)
    expect(new Set(states(await shownIn(page)))).toEqual(new Set(['holds']))
    const registration = join(temporaryFolder(), 'registration.json')
    writeFileSync(registration, '{}\n')
    await page.setInputFiles('#file', registration)
    expect((await shownIn(page)).heading).toMatch(/does not hold$/)
  })

  it('keeps no file of a folder that comes again under its name', async () => {
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', folder)
    expect(states(await shownIn(page)).filter((state) => state !== 'holds')).toHaveLength(2)
    const other = join(temporaryFolder(), basename(folder))
    cpSync(folder, other, { recursive: true })
    rmSync(join(other, 'vintage'), { recursive: true })
    await page.setInputFiles('#input', other)
    expect(states(await shownIn(page)).filter((state) => state !== 'holds')).toHaveLength(3)
  })

  it('takes no folder without a result', async () => {
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', join(folder, 'protocols'))
    expect((await shownIn(page)).status).toContain('No result.json is in it')
  })

  it.each(SCREENS)('has nothing that axe finds: %s', async (_, screen) => {
    const { page } = await openFile(browser, PAGE, screen)
    expect(await violations(page)).toEqual([])
    await page.setInputFiles('#input', folder)
    await shownIn(page)
    await page.click('#change')
    await page.waitForSelector('#changed .link')
    expect(await violations(page)).toEqual([])
    expect(await widerThanScreen(page)).toBeLessThanOrEqual(0)
  })
})
