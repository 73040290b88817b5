import { ForeproofError } from '../../contract/error.js'
import { formatUtc, type Instant, MICROS_PER_DAY } from '../../contract/instant.js'
import { isSeriesAttempt, type SeriesRow } from '../../forecast/series-row.js'
import type { SeriesContext } from '../../history/natural/series-rows.js'
import { type Zone, zoneNamed } from '../../periods/zone.js'
import { compileRules } from '../../protocol/rules/compile.js'
import type { Column, TableRow } from '../../table/table.js'
import type { TruthVintage } from '../../truth/releases-vintage.js'
import { createSeriesTruth } from '../../truth/series-truth.js'
import { HUB, type HubFormat, REFERENCE_DATE } from './columns.js'
import { hubConfig } from './config.js'
import { type HubFolder, type HubWritten, stageHub } from './folder.js'
import type { Omissions } from './omissions.js'

interface HubOptions {
  /** Where the rows are from, in messages. */
  readonly source: string
  /** All of them, such as those of `seriesExport`. */
  readonly rows: AsyncIterable<readonly SeriesRow[]>
  /** Counts what a hub cannot store. */
  readonly leftOut: Omissions
  readonly task: SeriesContext
  /** The folder to write; it must not exist. */
  readonly out: string
  readonly format: HubFormat
  /** Outcomes to write as target data. */
  readonly truth?: TruthVintage | undefined
}

const TARGET: Column = { name: 'target_end_date', type: 'date' }
const AS_OF: Column = { name: 'as_of', type: 'date' }
const LOCATION: Column = { name: 'location', type: 'text' }

const TASK: readonly Column[] = [
  REFERENCE_DATE,
  LOCATION,
  { name: 'horizon', type: 'integer' },
  TARGET,
]

/**
 * Writes forecasts of any series as a hubverse hub (schemas 6.0.0), with outcomes as its target data,
 * completely or not at all. The same forecasts give the same bytes.
 * @throws {ForeproofError} `refused` if a period does not end at midnight, because hubs count days; `invalid-input` for
 * a forecast of a period that is not in the list, and if there are no forecasts; as `stageHub`.
 */
export async function writeHub(options: HubOptions): Promise<HubWritten> {
  const { out, format } = options
  return await stageHub({ out, format, task: TASK }, async (folder) => {
    const hub = new Hub(folder, options)
    // Rows are ordered by series, but a round contains all series, so collect all rows first.
    const rounds = new Map<string, SeriesRow[]>()
    for await (const some of options.rows) {
      for (const row of some) {
        const round = rounds.get(row.origin) ?? []
        if (round.length === 0) rounds.set(row.origin, round)
        round.push(row)
      }
    }
    for (const rows of rounds.values()) for (const row of rows) await hub.add(row)
    return await hub.finish()
  })
}

/** The last day of each period, in the local time of the zone. @throws {ForeproofError} `refused`. */
function periodDays({ protocol, periods }: SeriesContext): string[] {
  const zone = zoneNamed(protocol.zone) as Zone
  return periods.map(({ label, end }) => {
    const midnight = end + zone.offsetAt(end)
    if (midnight % MICROS_PER_DAY === 0) return formatDay(midnight - MICROS_PER_DAY)
    const message = `a hub counts days, and the period ${label} does not end at a midnight of ${protocol.zone}`
    throw new ForeproofError('refused', message, {
      help: '`foreproof history export` writes CSV, Parquet and NDJSON.',
    })
  })
}

const formatDay = (wall: Instant): string => formatUtc(wall).slice(0, 10)

/** A hub that is written origin by origin. */
class Hub {
  readonly #days: readonly string[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #origins = new Set<number>()
  readonly #targets = new Set<number>()
  readonly #horizons = new Set<number>()
  readonly #levels = new Set<string>()
  #hasMedians = false

  constructor(
    private readonly folder: HubFolder,
    private readonly options: HubOptions,
  ) {
    const { task } = options
    this.#days = periodDays(task)
    this.#positions = new Map(task.periods.map(({ label }, at) => [label, at]))
  }

  /** Rows of one origin must be added together. */
  async add(row: SeriesRow): Promise<void> {
    if (isSeriesAttempt(row)) return this.options.leftOut.add('attempts')
    const origin = this.#positions.get(row.origin)
    const target = (origin ?? Number.NaN) + row.horizon
    const [reference, end] = [this.#days[origin ?? -1], this.#days[target]]
    if (origin === undefined || reference === undefined || end === undefined) {
      const message = `${this.options.source}: the list of periods has no ${origin === undefined ? row.origin : `target ${row.horizon} steps after ${row.origin}`}`
      throw new ForeproofError('invalid-input', message, {
        help: 'Name the protocol that the forecasts were imported under.',
      })
    }
    await this.folder.beginRound(reference)
    this.#origins.add(origin)
    this.#targets.add(target)
    this.#horizons.add(row.horizon)
    if (row.provenance !== undefined) this.options.leftOut.add('provenance')
    if (row.generated_at !== undefined || row.salt !== undefined)
      this.options.leftOut.add('lineage')
    const point = row.quantiles['0.5'] === undefined ? row.value : undefined
    if (point !== undefined) this.#hasMedians = true
    const quantiles = Object.entries(row.quantiles)
    for (const [level] of quantiles) this.#levels.add(level)
    const task = [reference, row.series, row.horizon, end]
    this.folder.add({ model: row.model, task, point, quantiles })
  }

  async finish(): Promise<HubWritten> {
    const { task, truth } = this.options
    const ascending = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
    const days = (values: Iterable<number>) => ascending(values).map((at) => this.#days[at] ?? '')
    const config = {
      protocol: task.protocol,
      references: days(this.#origins),
      targets: days(this.#targets),
      horizons: ascending(this.#horizons),
      levels: [...this.#levels].sort(),
      hasMedians: this.#hasMedians,
      truth: truth?.manifest,
    }
    const written = await this.folder.finish(() => hubConfig(config, this.folder.format))
    if (truth !== undefined) await this.#putTruth(truth)
    return written
  }

  /**
   * Writes the releases (the last one of each day), and for the targets the values that count. The day is that on which
   * a release became public, or the day before if that was at midnight. Values without a date get none.
   */
  async #putTruth(vintage: TruthVintage): Promise<void> {
    const { protocol, periods } = this.options.task
    const zone = zoneNamed(protocol.zone) as Zone
    const truth = createSeriesTruth(compileRules(protocol, periods), periods, vintage)
    const [all, counted]: [TableRow[], TableRow[]] = [[], []]
    const isDated = vintage.manifest.first_as_of !== null
    for (const at of periods.keys()) {
      for (const [index, { id }] of protocol.series.entries()) {
        const key = [this.#days[at] ?? '', id]
        const byDay = new Map<string, number | null>()
        for (const { asOf, value = null } of truth.releases(index, at)) {
          const wall = asOf + zone.offsetAt(asOf)
          const day = formatDay(wall - 1)
          if (isDated && byDay.has(day)) this.options.leftOut.add('releases')
          if (isDated && wall % MICROS_PER_DAY !== 0) this.options.leftOut.add('hours')
          byDay.set(day, value)
        }
        for (const [day, value] of byDay) all.push([...key, day, value])
        const value = truth.value(index, at)
        if (this.#targets.has(at) && !Number.isNaN(value)) counted.push([...key, value])
      }
    }
    const number = (name: string): Column => ({ name, type: 'number' })
    const columns = [TARGET, LOCATION, AS_OF, number('observation')]
    const kept = <T>(cells: readonly T[]) =>
      cells.filter((_, at) => isDated || columns[at] !== AS_OF)
    await this.folder.put(HUB.series, kept(columns), all.map(kept))
    await this.folder.put(HUB.oracle, [TARGET, LOCATION, number('oracle_value')], counted)
  }
}
