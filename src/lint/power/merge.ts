import { ForeproofError } from '../../contract/error.js'
import type { Finding } from '../../contract/findings/finding.js'
import { checkPower } from '../../contract/generated/check-power.js'
import { isObject } from '../../contract/is-object.js'
import { canonicalize } from '../../document/canonical.js'
import type { Document } from '../../document/read.js'
import { locateFindings } from '../../protocol/rules/check.js'
import type { PowerFigures, SimulationFigures } from './figures.js'
import { evaluationsOf, type Shard } from './shard.js'
import { addCounts } from './simulate.js'

/** Of missing shards, so many are named. */
const NAMED = 10

interface ReadShard {
  readonly file: string
  readonly figures: PowerFigures
  readonly simulation: SimulationFigures
  readonly shard: Shard
}

export interface MergedShards {
  /** In what the files depart from the schema of power.json. */
  readonly findings: readonly Finding[]
  /** Absent where there are findings. */
  readonly figures?: PowerFigures
}

/**
 * The figures of a whole simulation from those of its shards: what one run would have written.
 * @throws {ForeproofError} `invalid-input` for a file that holds no shard; `refused` where shards are
 * of other plans or runs, missing, or given twice.
 */
export function mergeShards(documents: readonly Document[]): MergedShards {
  const findings = documents.flatMap((each) => locateFindings(checkPower(figuresIn(each)), each))
  if (findings.length > 0) return { findings }
  const shards = documents.map(readShard)
  const first = shards[0] as ReadShard
  for (const each of shards) refuseOther(first, each)
  refuseIncomplete(shards, first.shard.of)
  const counts = shards.map(({ simulation }) => simulation.counts).reduce(addCounts)
  const simulation = { ...first.simulation, shard: null, counts }
  return { findings, figures: { ...first.figures, simulation } }
}

/** The figures of a file, without what `--format json` puts beside them. */
function figuresIn({ file, value }: Document): unknown {
  if (!isObject(value) || value.power_version !== 1) throw notFigures(file)
  const { ok: _, findings: __, folder: ___, ...figures } = value
  return figures
}

function readShard(document: Document): ReadShard {
  const { file } = document
  const figures = figuresIn(document) as PowerFigures
  const { simulation, predictions } = figures
  if (simulation === null || simulation.shard === null) {
    const says = simulation === null ? 'holds no simulation' : 'is a whole run already'
    throw refusal(file, says, 'Merge the files of runs with --shard.')
  }
  const { shard } = simulation
  if (!fitTogether(figures) || !isCounted(simulation, shard, predictions.length)) {
    throw notFigures(file)
  }
  return { file, figures, simulation, shard }
}

function refuseIncomplete(shards: readonly ReadShard[], of: number): void {
  const byIndex = new Map<number, ReadShard>()
  for (const each of shards) {
    const { index } = each.shard
    const twin = byIndex.get(index)
    if (twin !== undefined) {
      throw refusal(each.file, `is shard ${index} of ${of}, as ${twin.file} is`, 'Give each once.')
    }
    byIndex.set(index, each)
  }
  const missing = of - byIndex.size
  if (missing === 0) return
  const named: number[] = []
  for (let at = 1; named.length < Math.min(missing, NAMED); at++)
    if (!byIndex.has(at)) named.push(at)
  const list = named.join(', ') + (missing > NAMED ? ', …' : '')
  const says = `of ${of} shards ${missing} are missing: ${list}`
  throw new ForeproofError('refused', says, { help: 'Run them, and merge all of them at once.' })
}

function notFigures(file: string): ForeproofError {
  return new ForeproofError('invalid-input', 'not what foreproof power wrote for a shard', {
    file,
    help: 'Merge the power.json of each shard, or its output with --format json.',
  })
}

/** All that runs of one plan share. Predictions are not compared: their last bits may differ. */
function identity({ figures, simulation, shard }: ReadShard): Record<string, unknown> {
  const { code, plan, protocol, outcomes, seed, predictions } = figures
  return {
    code,
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

/** What no schema can say: that the parts of the figures go with each other. */
function fitTogether({ predictions, curve, comparators }: PowerFigures): boolean {
  return (
    curve.every(({ smallest }) => smallest.length === predictions.length) &&
    comparators.filter(({ reference }) => reference).length === 1
  )
}

/** Whether as many were simulated of everything as the shard has evaluations. */
function isCounted({ counts, evaluations }: SimulationFigures, shard: Shard, rows: number) {
  const of = evaluationsOf(shard, evaluations)
  const shares = [...counts.power.flat(), counts.size.any, counts.size.deciding]
  return (
    shard.index <= shard.of &&
    counts.power.length === rows &&
    shares.every((each) => each.of === of && each.hits <= of)
  )
}
