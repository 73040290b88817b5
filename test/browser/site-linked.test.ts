/// <reference lib="dom" />
import { expect, it } from 'vitest'
import { address, here, place, useObjectStore } from '../outside/object-site.js'
import { KEYS } from '../outside/object-store.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import { hasChromium, launch } from './launch.js'

useObjectStore(temporaryFolder())

it.runIf(hasChromium)('a site in a store of objects is paged through by its links', async () => {
  // Only what was compiled can be sent as a script.
  const { out, endpoint } = place()
  const args = ['publish', '--history', here.history, '--out', out, '--endpoint', endpoint]
  expect(await foreproof(args, { env: KEYS })).toMatchObject({ code: 0 })
  const browser = await launch()
  const page = await browser.newPage()
  const wrong: string[] = []
  page.on('pageerror', ({ message }) => wrong.push(message))
  await page.goto(`${address('index.html')}#page=5`)
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
  expect(wrong).toEqual([])
})
