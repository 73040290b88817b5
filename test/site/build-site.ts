import { expect } from 'vitest'
import type { Instant } from '../../src/contract/instant.js'
import { checkSite } from '../../src/site/check.js'
import { publishSite } from '../../src/site/publish.js'
import { openHistory } from '../../src/store/open.js'

export interface BuildOptions {
  readonly withoutAttempts?: boolean
  readonly inPlace?: boolean
  readonly full?: boolean
}

/** Publishes a history, and looks at the site, which has to be sound. */
export async function buildSite(
  history: string,
  site: string,
  now: Instant,
  over: BuildOptions = {},
) {
  const reader = openHistory(history)
  try {
    const settings = { baseUrl: undefined, inPlace: false, staleAfterSeconds: 10_800, ...over }
    const result = await publishSite({ reader, out: site, now, ...settings })
    expect((await checkSite(site, reader)).findings).toEqual([])
    return result
  } finally {
    await reader.close()
  }
}
