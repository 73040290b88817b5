import { createHash } from 'node:crypto'
import { checkedInstant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import type { PairingRow } from '../forecast/row.js'
import type { Vintage } from '../outcomes/types.js'
import { ndjsonWriter } from '../pairing/lines.js'
import { pairBatches } from '../pairing/pair.js'
import type { PairingPlan, Stratum } from '../pairing/types.js'
import { stratumLevels } from '../registration/family.js'
import { hourlyCloses } from '../scoring/baselines/closes.js'
import { computeBaselines } from '../scoring/baselines/compute.js'
import { baselineRows } from '../scoring/baselines/rows.js'
import { Panel, type PanelShape } from '../scoring/panel.js'
import { Memberships } from '../scoring/strata.js'
import { mergeRows } from './rows.js'
import { Tallies } from './tallies.js'

/** What an evaluation rests on, read and verified. */
export interface Basis {
  readonly registration: Registration
  readonly vintage: Vintage
  /** The registered strata, each able to place an origin. */
  readonly strata: readonly Stratum[]
}

/** Everything that pairing leaves behind. */
export interface Paired {
  readonly shape: PanelShape
  readonly panel: Panel
  readonly memberships: Memberships
  readonly tallies: Tallies
  readonly pairs: { readonly sha256: string; readonly rows: number }
}

/** Names of all models of a registration, candidates first. */
export function modelsOf(registration: Registration): string[] {
  const { candidates, comparators } = registration
  return [...new Set([...candidates, ...comparators].map((model) => model.name))]
}

function builtInsOf(registration: Registration): string[] {
  const all = [...registration.candidates, ...registration.comparators]
  return [...new Set(all.filter((one) => one.source === 'built_in').map((one) => one.name))]
}

export function shapeOf(registration: Registration): PanelShape {
  const first = checkedInstant(registration.window.from)
  const last = checkedInstant(registration.window.to)
  return {
    first,
    origins: (last - first) / MICROS_PER_HOUR + 1,
    models: modelsOf(registration),
    horizons: registration.horizons_hours,
  }
}

function planOf({ registration, strata }: Basis): PairingPlan {
  return {
    from: checkedInstant(registration.window.from),
    to: checkedInstant(registration.window.to),
    models: modelsOf(registration),
    horizons: registration.horizons_hours,
    asOf: checkedInstant(registration.as_of),
    mode: registration.mode,
    registeredAt: checkedInstant(registration.registered_at),
    provenanceRequired: registration.provenance_required,
    builtIn: new Set(builtInsOf(registration)),
    strata,
  }
}

/** The forecasts of the built-in models, as rows of the window. */
function builtInRows({ registration, vintage }: Basis, shape: PanelShape): Iterable<PairingRow> {
  const names = builtInsOf(registration)
  if (names.length === 0) return []
  const closes = hourlyCloses(vintage)
  const baselines = computeBaselines(closes, {
    names,
    horizons: registration.horizons_hours,
    pool: registration.baseline_pool,
  })
  return baselineRows(baselines, closes, shape.first, shape.origins)
}

/**
 * Gives every expected attempt its status, writes each as a line, and keeps what is scored. Rows of
 * a history model that bears the name of a registered built-in are no forecasts of that built-in:
 * they are counted beside the grid.
 *
 * @param onLine gets the lines of pairs.ndjson in order, in pieces of some tens of kilobytes.
 */
export async function pairStage(
  basis: Basis,
  history: AsyncIterable<readonly PairingRow[]>,
  onLine: (text: string) => void,
  onProgress: (completed: number, total: number) => void = () => undefined,
): Promise<Paired> {
  const shape = shapeOf(basis.registration)
  const memberships = new Memberships(basis.strata, shape.first, shape.origins)
  const levels = stratumLevels(basis.registration.strata)
  const tallies = new Tallies(shape, levels, memberships)
  const panel = new Panel(shape)
  const builtIns = new Set(builtInsOf(basis.registration))
  const isOwn = ({ model }: PairingRow): boolean => {
    if (builtIns.has(model)) tallies.addOutside('model_not_in_plan')
    return !builtIns.has(model)
  }
  const own = (async function* () {
    for await (const batch of history) yield batch.filter(isOwn)
  })()
  const rows = mergeRows(own, builtInRows(basis, shape))
  const writer = ndjsonWriter()
  const lines = new DigestedLines(onLine)
  const total = shape.origins * shape.models.length * shape.horizons.length
  for await (const attempts of pairBatches(planOf(basis), basis.vintage, rows)) {
    for (const attempt of attempts) {
      tallies.add(attempt)
      panel.add(attempt)
      lines.add(writer.line(attempt))
      if (lines.count % 20_000 === 0) onProgress(Math.min(lines.count, total), total)
    }
  }
  onProgress(total, total)
  return { shape, panel, memberships, tallies, pairs: lines.finish() }
}

/** Gathers lines into pieces, passes these on and digests them. */
class DigestedLines {
  readonly #hash = createHash('sha256')
  readonly #onPiece: (text: string) => void
  #pending = ''
  count = 0

  constructor(onPiece: (text: string) => void) {
    this.#onPiece = onPiece
  }

  add(line: string): void {
    this.count++
    this.#pending += line
    if (this.#pending.length > 65_536) this.#flush()
  }

  finish(): { sha256: string; rows: number } {
    this.#flush()
    return { sha256: this.#hash.digest('hex'), rows: this.count }
  }

  #flush(): void {
    this.#hash.update(this.#pending)
    this.#onPiece(this.#pending)
    this.#pending = ''
  }
}
