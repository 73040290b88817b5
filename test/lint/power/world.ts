import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { madeMarket, madeRandom } from '../../../bench/parts/made-market.mjs'
import { MICROS_PER_HOUR } from '../../../src/contract/instant.js'
import { digestWithout } from '../../../src/document/digest.js'
import type { PowerFigures } from '../../../src/lint/power/figures.js'
import { closesText, createCloseSeries } from '../../../src/truth/closes/close-series.js'
import { COSINE, cosineProtocol, plan } from '../../registration/made.js'
import { temporaryFolder } from '../../support/folder.js'
import { inProcess } from '../../support/in-process.js'

// 2025-09-03 to 2026-01-09: of a window that begins at Christmas, the closes hold two weeks too.
export const FIRST = Date.UTC(2025, 8, 3) * 1000
const HOURS = 128 * 24
export const WINDOW = { from: '2025-12-25T00:00:00Z', to: '2026-01-17T23:00:00Z' }

/** A folder with closes, a frozen protocol and a plan, and the command line that asks for its power. */
export function powerWorld(method = COSINE) {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)

  const made = madeMarket({ origins: HOURS, longestHorizon: 16 }, madeRandom('closes')).closes
  const prices = made.values.subarray(0, HOURS)

  function closesFile(name: string, priceAt: (hour: number) => number): string {
    const closes = new Map(
      [...prices.keys()].map((hour) => [FIRST + hour * MICROS_PER_HOUR, priceAt(hour)] as const),
    )
    writeFileSync(at(name), closesText(createCloseSeries(closes)))
    return at(name)
  }

  function planFile(name: string, over: object = {}): string {
    writeFileSync(at(name), JSON.stringify(plan({ window: WINDOW, ...over })))
    return at(name)
  }

  /** The command line, with options in place of the usual ones or beside them. */
  function commandLine(over: Record<string, string> = {}): string[] {
    const usual = { plan: at('plan.json'), protocol: at('protocol.json'), outcomes: at('past.csv') }
    const options = Object.entries({ ...usual, ...over })
    return ['power', ...options.flatMap(([name, value]) => [`--${name}`, value])]
  }

  beforeAll(() => {
    closesFile('past.csv', (hour) => prices[hour] as number)
    const frozen = cosineProtocol(method)
    const { minimum_effective_sample: minimum } = frozen.sampling
    minimum.paired_origins_per_horizon = 100
    minimum.effective_independent_blocks_per_comparison = 10
    frozen.protocol_sha256 = digestWithout(frozen, 'protocol_sha256')
    writeFileSync(at('protocol.json'), JSON.stringify(frozen))
    planFile('plan.json')
  })

  /** The figures of the usual command line, which is run once. */
  async function first(): Promise<PowerFigures> {
    if (!existsSync(at('first'))) await inProcess(commandLine({ out: at('first') }))
    return JSON.parse(readFileSync(join(at('first'), 'power.json'), 'utf8')) as PowerFigures
  }

  return { at, prices, closesFile, planFile, commandLine, first }
}
