import { type Finding, finding } from '../../contract/findings/finding.js'
import { quantileLevel } from '../../forecast/series-row.js'
import type { Column } from '../../table/types.js'
import { guessOf, ignoredColumns, isIndex, mappedColumns } from './header.js'

/**
 * The columns of a forecast of any series: what `history import` takes and `history export` writes, in this order,
 * with a column for each quantile (`q0.1`) after `value`.
 */
export const SERIES_COLUMNS = [
  { name: 'series', type: 'text' },
  { name: 'origin', type: 'text' },
  { name: 'horizon', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'value', type: 'number' },
  /** Of an attempt without a forecast: when it was recorded. */
  { name: 'generated_at', type: 'instant' },
  { name: 'input_available_at', type: 'instant' },
  { name: 'selection_data_through', type: 'instant' },
  { name: 'vintage_id', type: 'text' },
  { name: 'vintage_sha256', type: 'text' },
  { name: 'salt', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'reason', type: 'text' },
] as const satisfies readonly Column[]

/** `target` is a period in place of the horizon, `level` that of the value where each quantile has a row of its own. */
export type SeriesColumn = (typeof SERIES_COLUMNS)[number]['name'] | 'target' | 'level'

export const SERIES_NAMES: readonly SeriesColumn[] = [
  ...SERIES_COLUMNS.map(({ name }) => name),
  'target',
  'level',
]

/** Whether a table may have a column of this name: for `--columns`. */
export function isSeriesColumn(name: string): boolean {
  return (SERIES_NAMES as readonly string[]).includes(name) || levelOfColumn(name) !== undefined
}

/** The level of a column of quantiles such as `q0.025`. */
function levelOfColumn(name: string): string | undefined {
  return name.startsWith('q') ? quantileLevel(name.slice(1)) : undefined
}

/** Which cell of a row is what. */
export interface SeriesHeader {
  readonly at: ReadonlyMap<SeriesColumn, number>
  readonly quantiles: readonly { readonly level: string; readonly at: number }[]
  /** What is to be said of the columns; with an error the rows cannot be read. */
  readonly findings: readonly Finding[]
}

/** Other names that such columns have in the wild; they are asked about, never assumed. */
const ALIASES: Readonly<Partial<Record<SeriesColumn, RegExp>>> = {
  series: /^(series_?id|unique_id|location|item_id|id)$/i,
  origin: /^(origin_(at|date)|reference_(date|time)|forecast_(date|origin)|cutoff|issued?_at)$/i,
  horizon: /^(h|steps?|lead|lead_time|horizon_(steps|days|weeks|hours))$/i,
  model: /^(model_?name|model_?id|forecaster)$/i,
  value: /^(y_?hat|prediction|predicted|point|mean|median|forecast)$/i,
  target: /^(target_(end_date|at|date|time)|valid_(at|time)|ds|date)$/i,
  level: /^(quantile|quantile_level|output_type_id)$/i,
}
/** `q10` and `p97.5` count in hundredths. */
const PERCENT = /^[qp]_?(\d\d?)(?:\.(\d+))?$/i

/**
 * Says which column of a table is what.
 * @param mapped - the names that columns have in the file; `''`: it has no such column.
 * @param oneSeries - rows need not name it.
 */
export function readSeriesHeader(
  columns: readonly string[],
  file: string,
  mapped: Readonly<Record<string, string>> = {},
  oneSeries = false,
): SeriesHeader {
  const isLevel = (name: string) => levelOfColumn(name) !== undefined
  const levelColumns = new Set([...Object.keys(mapped), ...columns].filter(isLevel))
  const { at: all, findings } = mappedColumns(
    [...SERIES_NAMES, ...levelColumns],
    columns,
    mapped,
    file,
  )
  const at = new Map<SeriesColumn, number>()
  const levels = new Map<string, number>()
  for (const [name, index] of all) {
    const level = levelOfColumn(name)
    if (level === undefined) at.set(name as SeriesColumn, index)
    else {
      const args = { fault: 'level-twice', column: name, found: level } as const
      if (levels.has(level)) findings.push(finding('natural-cell', args, { file }))
      levels.set(level, index)
    }
  }
  const quantiles = [...levels].map(([level, index]) => ({ level, at: index }))
  const header = { at, quantiles, findings }
  if (findings.length > 0) return header
  const used = new Set(all.values())
  const rest = columns.filter((name, index) => !used.has(index) && !isIndex(name))
  return { ...header, findings: faultsOf(header, rest, columns, file, { mapped, oneSeries }) }
}

function faultsOf(
  { at, quantiles }: Pick<SeriesHeader, 'at' | 'quantiles'>,
  rest: readonly string[],
  columns: readonly string[],
  file: string,
  { mapped, oneSeries }: { mapped: Readonly<Record<string, string>>; oneSeries: boolean },
): Finding[] {
  const needed: readonly (readonly [SeriesColumn, boolean])[] = [
    ['series', oneSeries],
    ['origin', false],
    ['horizon', at.has('target')],
    ['model', false],
    ['value', quantiles.length > 0 || at.has('status')],
  ]
  const missing = needed.flatMap(([name, isSaid]) => (isSaid || at.has(name) ? [] : [name]))
  if (missing.length > 0) {
    // A target is as good as a horizon, and in a hub it is beside it.
    const isTargetAsked =
      missing.includes('horizon') || (!at.has('target') && rest.includes('target_end_date'))
    const asked: readonly SeriesColumn[] = [
      ...missing,
      ...(isTargetAsked ? ['target' as const] : []),
      ...(at.has('level') ? [] : ['level' as const]),
    ]
    const guess = guessOf(rest, asked, ALIASES)
    return [finding('natural-columns', { missing, found: columns, guess }, { file })]
  }
  const near = rest.flatMap((column) => {
    const [, percent, more = ''] = PERCENT.exec(column) ?? []
    const level = percent && quantileLevel(`0.${percent.padStart(2, '0')}${more}`)
    if (
      level === undefined &&
      ALIASES.level?.test(column) &&
      !at.has('level') &&
      mapped.level === undefined
    ) {
      return [{ column, nearest: 'level' }]
    }
    if (!level || Object.keys(mapped).some((name) => levelOfColumn(name) === level)) return []
    return [{ column, nearest: `q${level}` }]
  })
  const others = rest.filter((name) => near.every(({ column }) => column !== name))
  return [
    ...near.map((args) => finding('natural-near', args, { file, severity: 'error' })),
    ...(others.length === 0 ? [] : [ignoredColumns(others, file)]),
  ]
}
