import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/document/digest.js'
import { BY_VERDICT } from '../registration/made.js'
import { madeRows } from './made.js'
import { makeSeriesFolder, SCALED } from './series-folder.js'
import { makeStampedWorld, witnesses } from './stamped-world.js'
import { importRows, makeWorld, NOW, type World, type WorldOptions } from './world.js'

const SMALL = { hours: 24 * 6, replicates: 500 }
const LIMITS = { availability: 0.02, availability_stratum: 0.05 }

const fewForecasts: NonNullable<WorldOptions['fill']> = async (world, vintage) => {
  const rows = [...madeRows(60, vintage, [{ name: 'seer', sight: 0.3 }], false)]
  await importRows(world, rows, NOW)
}

/** What is scored, by what is particular about it: the evidence of each has the same bytes on every engine. */
export const EVERY_KIND: Readonly<Record<string, () => Promise<World>>> = {
  'a backtest': () => makeWorld({ ...SMALL, mode: 'backtest' }),
  'one by the percentile method': () => makeWorld(SMALL),
  'one with a verdict': () => makeWorld({ ...SMALL, method: BY_VERDICT, over: { limits: LIMITS } }),
  'a prospective, stamped and committed one': async () =>
    makeStampedWorld({ by: await witnesses('alpha', 'beta'), atLeast: 2 }),
  'one of any series': () => makeSeriesFolder(SCALED),
  'a blocked one': () => makeWorld({ ...SMALL, hours: 60, fill: fewForecasts }),
}

/** Digests of all files of a folder of evidence, by their names. */
export function contentsOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((it) => join(it.parentPath, it.name))
  return Object.fromEntries(
    files.sort().map((file) => [file.slice(folder.length), sha256Hex(readFileSync(file))]),
  )
}
