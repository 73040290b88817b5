import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOrigin, saveLedger } from '../record/disk.js'
import { everyEnd } from '../record/every-end.js'
import { day, MadeLedger } from '../record/made-ledger.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import { readText, writeText } from '../support/text-file.js'
import { hasChromium, launch } from './launch.js'
import { expectAccessible, lookAt, openFile, unfold, WELL } from './looks.js'
import { PAGE, shownIn } from './verify-page.js'

describe.runIf(hasChromium)('a record in a browser', () => {
  let browser: Browser
  let record: string
  beforeAll(async () => {
    const origin = await makeOrigin()
    const ledger = new MadeLedger(origin.templates)
    everyEnd(ledger)
    const folder = temporaryFolder()
    await saveLedger(folder, ledger, origin)
    record = join(folder, 'record')
    const of = ['--registrations', 'registrations/*', '--evidence', 'evidence/*']
    const built = await foreproof(['record', ...of, '--out', record, '--now', day(60)], {
      cwd: folder,
    })
    expect([built.code, built.stderr]).toEqual([0, ''])
    browser = await launch()
  }, 120_000)

  it('has nothing that axe finds on any screen, folded and unfolded, and fetches nothing', async () => {
    const { page, said } = await openFile(browser, join(record, 'index.html'), {})
    await expectAccessible(page)
    await unfold(page)
    await expectAccessible(page)
    expect(said).toEqual([])
  }, 120_000)

  it('draws pictures in which nothing is cut or covered', async () => {
    const { page } = await openFile(browser, join(record, 'index.html'), {})
    expect(await lookAt(page, 'windows-picture')).toEqual(WELL)
    // The tests of this small world have no figures to draw.
    expect(await lookAt(page, 'differences-picture')).toEqual({ ...WELL, marks: false })
  })

  it('is used by keyboard: a registration unfolds', async () => {
    const { page } = await openFile(browser, join(record, 'index.html'), {
      javaScriptEnabled: false,
    })
    const summary = page.locator('summary', { hasText: 'closed after 72 of 241 origins' })
    await summary.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Closed as abandoned by entry 16').waitFor({ state: 'visible' })
  })

  it('is checked on verify.html, by the clock of the reader', async () => {
    const { page } = await openFile(browser, PAGE, {})
    await page.setInputFiles('#input', record)
    const shown = await shownIn(page)
    expect(shown.heading).toBe('The record of 15 registrations, by your clock, holds')
    expect(shown.codes).toEqual([])
    // What was running when it was built is overdue by now.
    expect(await page.textContent('#answer')).toContain('4 overdue')
    await expectAccessible(page)
    const edited = join(temporaryFolder(), 'edited')
    cpSync(record, edited, { recursive: true })
    const file = join(edited, 'record.json')
    writeText(file, readText(file).replace('"end":"closed"', '"end":"running"'))
    const { page: other } = await openFile(browser, PAGE, {})
    await other.setInputFiles('#input', edited)
    const found = await shownIn(other)
    expect(found.heading).toMatch(/does not hold$/)
    expect(found.codes).toContain('record-differs')
  }, 120_000)
})
