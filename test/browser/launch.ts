import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterUse } from '../support/at-end.js'

export const CHROMIUM = '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)

/** Debian's Chromium, without anything that would reach for the network by itself; it ends with its user. */
export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    // Others may use all processors meanwhile.
    timeout: 120_000,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  afterUse(() => browser.close())
  return browser
}
