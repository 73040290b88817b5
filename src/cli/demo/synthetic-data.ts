import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ForeproofError, fileError } from '../../contract/error.js'
import { checkedInstant, type Instant } from '../../contract/instant.js'
import { createFolderSync } from '../../files/new-folder.js'

const FIXTURES = new URL('../../../fixtures/', import.meta.url)
const MARK = '.made-by-foreproof-demo'

/**
 * Writes the demo's synthetic data (closes.csv, forecasts.ndjson, health.json) into a folder, all from the seed of
 * `fixtures/make.mjs`; the same bytes on every machine, about 27 MB.
 * @throws {ForeproofError} `io` if the folder cannot be written.
 */
export async function writeSyntheticData(folder: string) {
  const { makeFixtures } = await loadFixtures()
  try {
    const { seed, newest_origin_at: newest } = makeFixtures(folder)
    return {
      closes: join(folder, 'closes.csv'),
      forecasts: join(folder, 'forecasts.ndjson'),
      health: join(folder, 'health.json'),
      seed,
      newestOrigin: checkedInstant(newest),
    }
  } catch (cause) {
    throw fileError(cause, folder)
  }
}

interface Fixtures {
  makeFixtures(folder: string): { seed: string; newest_origin_at: string }
  prospectiveOrigins(): Iterable<{ origin: string; lines: string[] }>
}

async function loadFixtures(): Promise<Fixtures> {
  return (await import(new URL('make.mjs', FIXTURES).href)) as Fixtures
}

/** The forecasts of the model in the prospective evaluations at each origin, in order, as lines of NDJSON. */
export async function prospectiveForecasts(): Promise<{ origin: Instant; lines: string }[]> {
  const { prospectiveOrigins } = await loadFixtures()
  return [...prospectiveOrigins()].map(({ origin, lines }) => ({
    origin: checkedInstant(origin),
    lines: `${lines.join('\n')}\n`,
  }))
}

export type DemoPlan = 'plan' | 'plan-prospective'

/** The plan of an evaluation of the demo, without its trusted authorities. */
export function readDemoPlan(name: DemoPlan): object {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'))
}

/** The folder of the shipped protocols. */
export function shippedProtocols(): string {
  return fileURLToPath(new URL('../../../protocols/', import.meta.url))
}

/**
 * An empty folder for a demo; one from an earlier demo is replaced.
 * @throws {ForeproofError} `refused` if it contains something else.
 */
export function freshDemoFolder(folder: string): void {
  try {
    if (existsSync(folder)) {
      if (!existsSync(join(folder, MARK))) {
        throw new ForeproofError(
          'refused',
          `${folder} already exists, and was not made by foreproof demo`,
          {
            help: 'Name another folder with --out.',
          },
        )
      }
      rmSync(folder, { recursive: true })
    }
    createFolderSync(folder)
    writeFileSync(join(folder, MARK), '')
  } catch (cause) {
    throw fileError(cause, folder)
  }
}
