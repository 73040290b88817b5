/// <reference lib="dom" />

import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { EVERY_KIND } from '../evaluation/every-kind.js'
import { editText } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { hasChromium, launch } from './launch.js'
import { expectAccessible, openFile } from './looks.js'
import { PAGE, SHOWN, type Shown, scored, shownBy, shownIn, states } from './verify-page.js'
import { type Driven, hasFirefox, hasWebKit, openFirefox, openWebKit } from './webdriver.js'

/** The history of a world in files. */
async function exported(folder: string): Promise<string> {
  const file = join(folder, 'history.ndjson')
  const args = ['history', 'export', '--history', join(folder, 'history.sqlite'), '--out', file]
  expect((await inProcess(args)).code).toBe(0)
  return file
}

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

const folders = new Map<string, string>()
beforeAll(async () => {
  for (const [name, make] of Object.entries(EVERY_KIND)) {
    folders.set(name, (await scored(await make(), 'evidence')).folder)
  }
})
const folderOf = (name: keyof typeof EVERY_KIND): string => folders.get(name) ?? ''

describe('the same result.json and the same reports as the command line', () => {
  const holds = (name: string, shown: Shown) => {
    const result = readFileSync(join(folderOf(name), 'evidence/result.json'))
    expect(shown.facts?.[0], JSON.stringify(shown)).toBe(sha256Hex(result))
    expect(new Set(states(shown))).toEqual(new Set(['holds', 'not_checked']))
    expect(states(shown).filter((state) => state === 'holds').length).toBeGreaterThanOrEqual(11)
    // The last two: the reports are drawn again, and the folder is described.
    expect(states(shown).slice(-2)).toEqual(['holds', 'holds'])
    expect((shown.loaded ?? []).filter((each) => each !== 'blob:')).toEqual([])
  }

  it.runIf(hasChromium).each(Object.keys(EVERY_KIND))('of %s, in Chromium', async (name) => {
    const { page, said } = await openFile(await launch(), PAGE, {})
    await page.setInputFiles('#input', folderOf(name))
    holds(name, await shownIn(page))
    expect(said.filter((each) => !each.startsWith('blob:'))).toEqual([])
  })

  it.runIf(hasFirefox)('of all, in Firefox', async () => {
    const driven = await openFirefox()
    for (const [name, folder] of folders) holds(name, await shownByDriven(driven, folder))
  })

  it.runIf(hasWebKit)('of all, in WebKit', async () => {
    const driven = await openWebKit()
    for (const [name, folder] of folders) holds(name, await shownByDriven(driven, folder))
  })
})

describe.runIf(hasChromium)('verify.html in Chromium', () => {
  let folder = ''
  let series = ''
  let browser: Browser
  beforeAll(async () => {
    folder = folderOf('one by the percentile method')
    series = folderOf('one of any series')
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

  it('says the digest of the result that it made again', async () => {
    const verdict = folderOf('one with a verdict')
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', verdict)
    const shown = await shownIn(page)
    const result = readFileSync(join(verdict, 'evidence/result.json'))
    expect(shown.facts?.[0]).toBe(sha256Hex(result))
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
    expect((await shownIn(page)).status).toContain('Neither result.json nor record.json is in it')
  })

  it('has nothing that axe finds, on any screen', async () => {
    const { page } = await openFile(browser, PAGE, {})
    await expectAccessible(page)
    await page.setInputFiles('#input', folder)
    await shownIn(page)
    await page.click('#change')
    await page.waitForSelector('#changed .link')
    await expectAccessible(page)
  })
})
