import type Database from 'better-sqlite3'
import { Bloom, type Probe, probe } from './bloom.js'
import type { Layout } from './layout.js'
import { HIGHEST_TEXT } from './order.js'
import type { PageFilters } from './types.js'

/** Rows per block: what a page may read in vain at either end of a matching stretch. */
export const BLOCK_ROWS = 512

/** Beyond so many pairs of model and horizon, a block is taken to hold anything. */
const KINDS_LIMIT = 256

/** The models, horizons and pairs of both that occur in a block; shared among blocks that agree. */
interface Kinds {
  /** `any` where there are too many to list. */
  readonly pairs: ReadonlySet<string> | 'any'
  readonly models: ReadonlySet<string>
  readonly horizons: ReadonlySet<number>
}

interface Block {
  /** First origin; the block ends where the next begins. */
  readonly start: string
  kinds: Kinds
  runs: Bloom | undefined
}

/** A stretch of origins, as stored, both ends included. */
export type Stretch = readonly [low: string, high: string]

/**
 * Knows, for each stretch of about 512 rows, which models, horizons and runs occur there, so that a
 * filter that matches rarely or nowhere reads only where it may match. Some hundred bytes a block.
 * Rows are immutable and keys unique: what is known of a block stays true, and only grows.
 */
export interface Catalogue {
  /** Reads one more stretch of the file; true when nothing is left to read. */
  warm(runsToo: boolean): boolean
  /** Takes note of a row that was written after the catalogue was begun. */
  addRow(origin: string, model: unknown, horizon: unknown): void
  addRun(origin: string, run: unknown): void
  /** Stretches that may hold matches between two origins, newest first; needs `warm` to be done. */
  stretches(filters: PageFilters, low: string, high: string): Iterable<Stretch>
}

export function createCatalogue(
  db: Database.Database,
  layout: Layout,
  blockRows: number,
): Catalogue {
  const read = statementsFor(db, layout)
  const kindsOf = internKinds()
  const blocks: Block[] = []
  /** Where the next block begins while kinds are being read; the greatest origin afterwards. */
  let last = ''
  let kindsDone = false
  let runsRead = 0
  let tailRows = 0

  const highOf = (index: number): string => blocks[index + 1]?.start ?? HIGHEST_TEXT
  const runsFrom = (low: string, high: string) =>
    new Bloom(read.runs.all({ low, high }).filter((run) => typeof run === 'string'))

  const warmKinds = (): void => {
    let end = read.boundary.get(last, blockRows) ?? HIGHEST_TEXT
    if (end === last) end = read.nextOrigin.get(last) ?? HIGHEST_TEXT
    const pairs = read.pairs.all(last, end).map(([model, horizon]) => pairOf(model, horizon))
    blocks.push({ start: last, kinds: kindsOf(pairs), runs: undefined })
    kindsDone = end === HIGHEST_TEXT
    last = kindsDone ? (read.greatest.get() ?? '') : end
  }
  const warmRuns = (): void => {
    const block = blocks[runsRead]
    if (block !== undefined) block.runs = runsFrom(block.start, highOf(runsRead))
    runsRead++
  }
  const growTail = (origin: string): void => {
    tailRows++
    if (origin <= last) return
    last = origin
    if (tailRows <= blockRows) return
    const runs = runsRead >= blocks.length ? runsFrom(origin, HIGHEST_TEXT) : undefined
    if (runs !== undefined) runsRead++
    blocks.push({ start: origin, kinds: kindsOf([]), runs })
    tailRows = 0
  }
  const indexOf = (origin: string): number => {
    let low = 0
    let high = blocks.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((blocks[middle]?.start ?? '') <= origin) low = middle
      else high = middle
    }
    return low
  }

  return {
    warm(runsToo) {
      if (!kindsDone) warmKinds()
      else if (runsToo && runsRead < blocks.length) warmRuns()
      return kindsDone && (!runsToo || runsRead >= blocks.length)
    },
    addRow(origin, model, horizon) {
      // Blocks that are yet to be read will show it by themselves.
      if (!kindsDone && origin >= last) return
      if (kindsDone && indexOf(origin) === blocks.length - 1) growTail(origin)
      const block = blocks[indexOf(origin)] as Block
      const pair = pairOf(model, horizon)
      const { pairs } = block.kinds
      if (pairs !== 'any' && !pairs.has(pair)) block.kinds = kindsOf([...pairs, pair])
    },
    addRun(origin, run) {
      const index = indexOf(origin)
      const block = blocks[index]
      if (typeof run !== 'string' || block?.runs === undefined) return
      if (!block.runs.add(run)) block.runs = runsFrom(block.start, highOf(index))
    },
    *stretches(filters, low, high) {
      const first = indexOf(low)
      const run = filters.runId === undefined ? undefined : probe(filters.runId)
      let end: string | undefined
      for (let index = indexOf(high); index >= first; index--) {
        const block = blocks[index] as Block
        const matches = mayMatch(block, filters, run)
        if (matches) end ??= highOf(index)
        if (end === undefined || (matches && index > first)) continue
        const start = matches ? block.start : highOf(index)
        yield [laterOf(start, low), laterOf(end, high) === end ? high : end]
        end = undefined
      }
    },
  }
}

function laterOf(a: string, b: string): string {
  return a < b ? b : a
}

function mayMatch(block: Block, filters: PageFilters, run: Probe | undefined): boolean {
  const { model, horizonHours } = filters
  const { pairs, models, horizons } = block.kinds
  if (run !== undefined && block.runs?.mayHold(run) === false) return false
  if (pairs === 'any') return true
  if (model !== undefined && horizonHours !== undefined) {
    return pairs.has(pairOf(model, horizonHours))
  }
  if (model !== undefined) return models.has(model)
  return horizonHours === undefined || horizons.has(horizonHours)
}

/** Blocks mostly agree in what they hold, so they share it. */
function internKinds(): (pairs: readonly string[]) => Kinds {
  const known = new Map<string, Kinds>()
  const any: Kinds = { pairs: 'any', models: new Set(), horizons: new Set() }
  return (pairs) => {
    if (pairs.length > KINDS_LIMIT) return any
    const sorted = [...pairs].sort()
    const signature = sorted.join('\n')
    const found = known.get(signature)
    if (found !== undefined) return found
    const made: Kinds = {
      pairs: new Set(sorted),
      models: new Set(sorted.map((pair) => pair.slice(pair.indexOf('\t') + 1))),
      horizons: new Set(sorted.map((pair) => Number(pair.slice(0, pair.indexOf('\t'))))),
    }
    known.set(signature, made)
    return made
  }
}

function pairOf(model: unknown, horizon: unknown): string {
  return `${String(horizon)}\t${String(model)}`
}

function statementsFor(db: Database.Database, layout: Layout) {
  return {
    boundary: db
      .prepare<[string, number], string>(
        'SELECT origin_at FROM forecast_predictions WHERE origin_at >= ? ORDER BY origin_at LIMIT 1 OFFSET ?',
      )
      .pluck(),
    nextOrigin: db
      .prepare<[string], string | null>(
        'SELECT min(origin_at) FROM forecast_predictions WHERE origin_at > ?',
      )
      .pluck(),
    greatest: db
      .prepare<[], string | null>('SELECT max(origin_at) FROM forecast_predictions')
      .pluck(),
    pairs: db
      .prepare<[string, string], [unknown, unknown]>(
        'SELECT DISTINCT model_name, horizon_hours FROM forecast_predictions WHERE origin_at >= ? AND origin_at < ?',
      )
      .raw(),
    runs: db
      .prepare<{ low: string; high: string }, unknown>(
        runSources(layout)
          .map((source) => `${source} WHERE origin_at >= :low AND origin_at < :high`)
          .join(' UNION '),
      )
      .pluck(),
  }
}

function runSources(layout: Layout): string[] {
  const sources: string[] = []
  if (layout.origins.has('experiment_run_id')) {
    sources.push('SELECT experiment_run_id FROM forecast_origins')
  }
  if (layout.resources) sources.push('SELECT run_id FROM foreproof_resources')
  return sources.length > 0 ? sources : ['SELECT NULL FROM forecast_origins']
}
