import { expect } from 'vitest'
import type { Finding } from '../../src/contract/findings/finding.js'
import type { Instant } from '../../src/contract/instant.js'
import { checkSite } from '../../src/site/check.js'
import { type PublishOptions, type PublishResult, publishSite } from '../../src/site/publish.js'
import { openHistory } from '../../src/store/open.js'
import type { HistoryReader } from '../../src/store/types.js'
import { EPOCH, HOUR } from '../history/support.js'

export type BuildOptions = Partial<
  Pick<PublishOptions, 'inPlace' | 'full' | 'baseUrl' | 'onProgress'>
>

/** So many hours after the first of the made rows. */
export const at = (hour: number): Instant => (EPOCH + hour * HOUR) * 1000

export async function reading<T>(
  history: string,
  read: (reader: HistoryReader) => Promise<T>,
): Promise<T> {
  const reader = openHistory(history)
  try {
    return await read(reader)
  } finally {
    await reader.close()
  }
}

export function publish(
  history: string,
  out: string,
  now: Instant,
  over: BuildOptions = {},
): Promise<PublishResult> {
  const settings = { baseUrl: undefined, inPlace: false, staleAfterSeconds: 10_800, ...over }
  return reading(history, (reader) => publishSite({ reader, out, now, ...settings }))
}

/** What is wrong with a site. */
export const faultsOf = (history: string, out: string): Promise<readonly Finding[]> =>
  reading(history, async (reader) => (await checkSite(out, reader)).findings)

/** Publishes a history, and looks at the site, which has to be sound. */
export async function buildSite(
  history: string,
  site: string,
  now: Instant,
  over: BuildOptions = {},
): Promise<PublishResult> {
  const result = await publish(history, site, now, over)
  expect(await faultsOf(history, site)).toEqual([])
  return result
}
