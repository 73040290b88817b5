import { ForeproofError } from '../../contract/error.js'
import { isObject } from '../../contract/is-object.js'
import { canonicalize } from '../../document/canonical.js'
import type { PowerFigures } from './figures.js'
import { REDUCTIONS } from './predict.js'
import { evaluationsOf, type Shard } from './shard.js'
import { addCounts } from './simulate.js'
import type { SimulatedShare, SimulationFigures } from './simulation-types.js'

/** A file of figures as it was read. */
export interface ShardFile {
  readonly file: string
  readonly value: unknown
}

interface ReadShard {
  readonly file: string
  readonly figures: PowerFigures
  readonly simulation: SimulationFigures
  readonly shard: NonNullable<SimulationFigures['shard']>
}

/**
 * The figures of a whole simulation from those of its shards: what one run would have written.
 * @throws {ForeproofError} `invalid-input` for a file that holds no shard; `refused` where shards are
 * of other plans or runs, missing, or given twice.
 */
export function mergeShards(files: readonly ShardFile[]): PowerFigures {
  const shards = files.map(readShard)
  const first = shards[0] as ReadShard
  for (const each of shards) refuseOther(first, each)
  const { of } = first.shard
  const byIndex = new Map<number, ReadShard>()
  for (const each of shards) {
    const { index } = each.shard
    const twin = byIndex.get(index)
    if (twin !== undefined) {
      throw refusal(each.file, `is shard ${index} of ${of}, as ${twin.file} is`, 'Give each once.')
    }
    byIndex.set(index, each)
  }
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((at) => !byIndex.has(at))
  if (missing.length > 0) {
    const named = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ', …' : '')
    const says = `of ${of} shards ${missing.length} are missing: ${named}`
    throw new ForeproofError('refused', says, { help: 'Run them, and merge all of them at once.' })
  }
  const counts = [...byIndex.values()].map(({ simulation }) => simulation.counts).reduce(addCounts)
  return { ...first.figures, simulation: { ...first.simulation, shard: null, counts } }
}

function readShard({ file, value }: ShardFile): ReadShard {
  if (!isFigures(value)) {
    throw new ForeproofError('invalid-input', 'not what foreproof power wrote for a shard', {
      file,
      help: 'Merge the power.json of each shard, or its output with --format json.',
    })
  }
  const { ok: _, findings: __, ...figures } = value
  const { simulation } = figures
  if (simulation === null || simulation.shard === null) {
    const says = simulation === null ? 'holds no simulation' : 'is a whole run already'
    throw refusal(file, says, 'Merge the files of runs with --shard.')
  }
  return { file, figures, simulation, shard: simulation.shard }
}

/** All that runs of one plan share. Predictions are not compared: their last bits may differ. */
function identity({ figures, simulation, shard }: ReadShard): Record<string, unknown> {
  const { plan, protocol, outcomes, seed, predictions } = figures
  return {
    plan: plan.sha256,
    protocol: protocol.sha256,
    vintage: outcomes.sha256,
    seed,
    'number of simulations': simulation.evaluations,
    'number of shards': shard.of,
    'past candidates': predictions.map(({ candidate, pairs }) => ({ candidate, pairs })),
  }
}

function refuseOther(first: ReadShard, each: ReadShard): void {
  const [mine, theirs] = [identity(first), identity(each)]
  const differs = Object.keys(mine).find(
    (key) => canonicalize(mine[key]) !== canonicalize(theirs[key]),
  )
  if (differs === undefined) return
  throw refusal(
    each.file,
    `is of another run: its ${differs} is not that of ${first.file}`,
    'Merge the shards of one run alone.',
  )
}

function refusal(file: string, says: string, help: string): ForeproofError {
  return new ForeproofError('refused', says, { file, help })
}

type WrittenFigures = PowerFigures & { readonly ok?: unknown; readonly findings?: unknown }

function isFigures(value: unknown): value is WrittenFigures {
  if (!isObject(value) || value.power_version !== 1) return false
  const { plan, protocol, outcomes, predictions, simulation, seed } = value
  const named = [plan, protocol, outcomes].every(
    (each) => isObject(each) && typeof each.sha256 === 'string',
  )
  if (!named || typeof seed !== 'number' || !Array.isArray(predictions)) return false
  if (!predictions.every(isObject)) return false
  return simulation === null || isSimulation(simulation, predictions.length)
}

function isSimulation(value: unknown, predictions: number): boolean {
  if (!isObject(value) || !isCount(value.evaluations) || !isObject(value.counts)) return false
  const { shard, counts, evaluations } = value
  if (shard !== null && !isShard(shard)) return false
  const of = evaluationsOf(shard ?? { index: 1, of: 1 }, evaluations)
  const { power, size } = counts as Record<string, unknown>
  if (!Array.isArray(power) || power.length !== predictions || !isObject(size)) return false
  const rows = power.every((row) => Array.isArray(row) && row.length === REDUCTIONS.length)
  return rows && [...power.flat(), size.any, size.deciding].every((each) => isShare(each, of))
}

function isShard(value: unknown): value is Shard {
  return isObject(value) && isCount(value.index) && isCount(value.of) && value.index <= value.of
}

/** As many simulated as the shard has evaluations. */
function isShare(value: unknown, of: number): value is SimulatedShare {
  if (!isObject(value) || value.of !== of) return false
  const { hits } = value
  return Number.isSafeInteger(hits) && (hits as number) >= 0 && (hits as number) <= of
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1
}
