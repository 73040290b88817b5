import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkedInstant, formatStored, type Instant } from '../../src/contract/instant.js'
import type { Plan, Protocol } from '../../src/contract/types.js'
import { enterRegistration } from '../../src/evaluation/enter-registration.js'
import type { InputPaths } from '../../src/evaluation/open.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { ledgerPath } from '../../src/protocol/ledger-file.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { draftPlan } from '../../src/registration/template.js'
import { closesText, createCloseSeries } from '../../src/truth/closes/close-series.js'
import { writeVintage } from '../../src/truth/vintage-files.js'
import { documentOf, ownValue } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { readText, writeText } from '../support/text-file.js'
import { closesOf, hourAt, LEAD_IN, madeRows, madeVintage } from './made.js'

export const HOURS = 24 * 12
export const at = checkedInstant
export const NOW = at('2025-06-01T00:00:00Z')

export interface World {
  readonly folder: string
  readonly paths: InputPaths
  readonly protocol: Protocol
}

export interface WorldOptions {
  readonly sight?: number
  readonly mode?: Plan['mode']
  readonly replicates?: number
  readonly registeredAt?: Instant
  /** What the comparators are; by default four built-in ones, ar1 among them. */
  readonly comparators?: readonly string[]
  /** Hourly origins of the window. */
  readonly hours?: number
  readonly over?: Partial<Plan>
  /** What the protocol says of its tests; by default that they are made by the bootstrap. */
  readonly method?: string
  /** Fills the history; by default all forecasts come at once. */
  readonly fill?: (world: Pick<World, 'folder'>, vintage: MadeVintage) => Promise<void>
}

export type MadeVintage = ReturnType<typeof madeVintage>

const COMPARATORS = ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ar1']

/** The same world in a folder of its own. */
export function copyOf(world: World): World {
  const folder = temporaryFolder()
  cpSync(world.folder, folder, { recursive: true })
  return { ...world, folder, paths: pathsIn(folder) }
}

/** Where everything is in a folder that was made. */
export const pathsIn = (folder: string): World['paths'] => ({
  registration: join(folder, 'registration.json'),
  protocol: join(folder, 'protocols'),
  history: join(folder, 'history.sqlite'),
  outcomes: join(folder, 'vintage'),
})

/** A protocol that a small window can answer to. */
function draft({ replicates = 20_000, comparators = COMPARATORS, method }: WorldOptions): Protocol {
  const protocol = ownValue()
  protocol.protocol_version = 'made-1'
  protocol.estimands.comparisons.required = comparators
  protocol.sampling.minimum_effective_sample.paired_origins_per_horizon = 100
  protocol.sampling.minimum_effective_sample.effective_independent_blocks_per_comparison = 10
  protocol.uncertainty.replicates = replicates
  if (method !== undefined) protocol.uncertainty.method = method
  return protocol
}

export function plan({ mode = 'prospective', ...options }: WorldOptions): Plan {
  const window = {
    from: formatStored(hourAt(LEAD_IN)),
    to: formatStored(hourAt(LEAD_IN + (options.hours ?? HOURS) - 1)),
  }
  return {
    ...draftPlan({ mode, window, source: 'made' }),
    name: 'made evaluation',
    due_minutes: 2,
    candidates: ['seer'],
    strata: ['volatility', 'session', 'week_part'].map((name) => ({
      name,
      by: 'omitted' as const,
      reason: 'kept small',
    })),
    ...options.over,
  }
}

/** A forecast as a line that a history imports. */
export function forecastLine(row: PairingRow): string {
  return JSON.stringify({
    forecast_id: `${row.originAt}:${row.model}:${row.horizon}`,
    origin_at: row.originAt,
    target_at: row.targetAt,
    horizon_hours: row.horizon,
    model: { name: row.model, configuration_id: null },
    estimate: {
      price_usd: row.forecast,
      change_pct: 100 * ((row.forecast ?? 0) / (row.sourcePrice ?? 1) - 1),
    },
    interval: {
      level: 0.8,
      lower_usd: row.quantiles[0],
      median_usd: row.quantiles[1],
      upper_usd: row.quantiles[2],
    },
    confidence: { score: 0, label: 'unknown', evidence: { reason: 'made' } },
    run: { id: null, generated_at: row.generatedAt },
    lineage: {
      history_key: {
        origin_at: row.originAt,
        model_name: row.model,
        horizon_hours: row.horizon,
      },
      source: { name: 'made', pair: 'BTC/USD', price_usd: row.sourcePrice },
      manifest: { made: true },
    },
    freshness: { observed_at: row.originAt, age_seconds: 0, status: 'fresh' },
  })
}

/** Imports forecasts, each as a line, into the history of a world. */
export async function importRows(
  { folder }: Pick<World, 'folder'>,
  rows: readonly PairingRow[],
  now: Instant,
  lineOf = forecastLine,
): Promise<void> {
  const file = join(folder, 'raw', 'forecasts.ndjson')
  writeFileSync(file, `${rows.map(lineOf).join('\n')}\n`)
  await importFiles(join(folder, 'history.sqlite'), [file], {
    now,
    stdin: process.stdin,
    onProgress: () => undefined,
    batchRows: undefined,
  })
}

/** Everything that scoring needs, in a folder of its own: frozen, registered, imported. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const { sight = 0.3, mode = 'prospective', hours = HOURS } = options
  const folder = temporaryFolder()
  const protocols = join(folder, 'protocols')
  const frozen = freezeProtocol(documentOf(draft(options)), {
    folder: protocols,
    now: at('2024-12-01T00:00:00Z'),
  })
  const vintage = madeVintage(hours)
  const closes = closesText(createCloseSeries(closesOf(vintage)))
  writeVintage(join(folder, 'vintage'), vintage.manifest, closes)
  mkdirSync(join(folder, 'raw'))
  const protocol = frozen.protocol as Protocol
  const registeredAt =
    options.registeredAt ??
    at(mode === 'prospective' ? '2024-12-15T00:00:00Z' : '2025-05-01T00:00:00Z')
  const registration = createRegistration(plan(options), compileRules(protocol), registeredAt)
  enterRegistration(registration, join(folder, 'registration.json'), ledgerPath(protocols))
  if (options.fill !== undefined) await options.fill({ folder }, vintage)
  else {
    const rows = [...madeRows(hours, vintage, [{ name: 'seer', sight }])]
    const made = rows.filter(({ forecast }) => forecast !== null)
    await importRows({ folder }, made, NOW)
  }
  return { folder, paths: pathsIn(folder), protocol }
}

export function editText(path: string, edit: (text: string) => string): void {
  const before = readText(path)
  const after = edit(before)
  if (after === before) throw new Error(`nothing to edit in ${path}`)
  writeText(path, after)
}
