import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import { quantile7 } from '../contract/quantile.js'
import type { GatherTask } from './gathered.js'
import type { ReleaseTable } from './release-columns.js'
import { countedValue, datedReleases, type Releases } from './releases.js'

/** Values this many ranges away are obvious in the table: another unit, or a code for a missing value. */
const RANGES = 20
/** With fewer values it is unclear what is usual. */
const MIN_VALUES = 100

/**
 * What to look at before trusting outcomes: periods and series without values, and values far from the others of their
 * series. None of it is an error.
 * @param completeTo - until when the table has everything.
 */
export function watchTruth(task: GatherTask, table: ReleaseTable, completeTo: Instant): Finding[] {
  const { series } = task.rules
  const without = series.filter(({ id }) => !table.has(id)).map(({ id }) => id)
  const findings: Finding[] = []
  if (without.length > 0) {
    const args = { fault: 'series', count: without.length, of: series.length } as const
    findings.push(finding('truth-gaps', { ...args, names: without, until: '' }))
  }
  return [...findings, ...missingValues(task, table, completeTo), ...farValues(task, table)]
}

/** Periods without a value that could be known by then, in series that have any row. */
function missingValues(task: GatherTask, table: ReleaseTable, completeTo: Instant): Finding[] {
  const { rules, periods } = task
  const expected = [...periods.entries()].filter(([at]) => rules.known(at) <= completeTo)
  const names: string[] = []
  let [count, of] = [0, 0]
  for (const { id } of rules.series) {
    const releases = table.get(id)
    if (releases === undefined) continue
    const missing = expected.filter(([at, { label, end }]) => {
      const dated = datedReleases(releases.get(label) ?? [], { end, known: rules.known(at) })
      const settled = rules.settled(at)
      const by = settled <= completeTo ? settled : completeTo
      return countedValue(rules.outcome.release, dated, by) === undefined
    })
    of += expected.length
    count += missing.length
    const [first] = missing
    if (first !== undefined) names.push(`${id}: ${missing.length}, from ${first[1].label}`)
  }
  const until = formatUtc(completeTo)
  const args = { fault: 'periods', count, of, names, until } as const
  return count === 0 ? [] : [finding('truth-gaps', args)]
}

/** Values more than this many interquartile ranges away from the final values. */
function farValues({ rules, periods }: GatherTask, table: ReleaseTable): Finding[] {
  const names: string[] = []
  let count = 0
  for (const { id } of rules.series) {
    const releases = table.get(id)
    const last = [...(releases?.values() ?? [])].map((each) => each.at(-1)?.value ?? Number.NaN)
    const sorted = Float64Array.from(last.filter((value) => !Number.isNaN(value))).sort()
    if (releases === undefined || sorted.length < MIN_VALUES) continue
    const at = (index: number) => sorted[index] as number
    const [low = 0, high = 0] = [0.25, 0.75].map((level) => quantile7(sorted.length, at, level))
    if (high === low) continue
    const reach = RANGES * (high - low)
    const isFar = (value = low) => value < low - reach || value > high + reach
    const far = periods.flatMap(({ label }) => {
      const values = (releases.get(label) ?? ([] as Releases)).filter(({ value }) => isFar(value))
      return values.map(({ value }) => `${value} in ${label}`)
    })
    count += far.length
    if (far.length > 0)
      names.push(`${id}: ${far.length}, ${far[0]} (half lie from ${low} to ${high})`)
  }
  return count === 0 ? [] : [finding('truth-far', { count, names })]
}
