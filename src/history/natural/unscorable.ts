import {
  type ArgsOf,
  type Finding,
  finding,
  type Severity,
} from '../../contract/findings/finding.js'
import { joined } from '../../contract/findings/row.js'
import type { SeriesForecast, SeriesProtocol } from '../../contract/types.js'
import { type ForecastFault, forecastFaults } from '../../forecast/forecast-fault.js'
import { nameOfSeriesRow } from '../../forecast/series-row.js'
import { compileSeries } from '../../protocol/rules/compile-series.js'
import { primaryTransform } from '../../protocol/rules/transforms.js'

type Words = Omit<ArgsOf<'forecast-unscorable'>, 'count' | 'row'>

/**
 * Reports values of a forecast that fail under a protocol whatever the outcome is, while they can still be corrected.
 */
export function checkRowScorable(
  protocol: SeriesProtocol,
  severity: Severity,
): (row: SeriesForecast) => readonly Finding[] {
  const { levels } = protocol.forecast
  const findFault = forecastFaults(compileSeries(protocol))
  const describe = createWording(protocol)
  return (row) => {
    const quantiles = levels.map((level) => row.quantiles[level] ?? null)
    const fault = findFault({ forecast: row.value, quantiles, sourcePrice: null })
    if (fault === undefined) return []
    const args = { ...describe(fault, row, quantiles), count: 1, row: nameOfSeriesRow(row) }
    return [finding('forecast-unscorable', args, { pointer: '', severity })]
  }
}

/** Describes a fault of a row in the words of its finding. */
function createWording(protocol: SeriesProtocol) {
  const { levels, minimum } = protocol.forecast
  const { of: on } = primaryTransform(protocol.scores)
  const { transform } = protocol.scores.find(({ primary }) => primary === true) ?? {}
  const isBelow = (value: number) => minimum !== undefined && value < Number(minimum)
  return (
    fault: ForecastFault,
    { value }: SeriesForecast,
    quantiles: readonly (number | null)[],
  ): Words => {
    if (fault === 'quantiles_incomplete') {
      const lacks = levels.filter((_, at) => quantiles[at] === null)
      return { fault: 'levels', what: joined(lacks, 'and'), found: '', limit: '' }
    }
    const named = levels.map(
      (level, at) => [`the quantile ${level}`, quantiles[at] ?? NaN] as const,
    )
    const point = ['the value', value] as const
    if (fault === 'quantiles_cross') {
      const at = named.findIndex(([, own], index) => own < (named[index - 1]?.[1] ?? own))
      const [[what, found], [other, limit]] = [named[at] ?? point, named[at - 1] ?? point]
      return { fault: 'cross', what, found: String(found), limit: `${limit}, ${other}` }
    }
    const first = (isWrong: (each: number) => boolean) =>
      [...named, point].find(([, each]) => isWrong(each))
    if (fault === 'not_integer') {
      const [what, found] = first((each) => !Number.isInteger(each)) ?? point
      return { fault: 'integer', what, found: String(found), limit: '' }
    }
    const below = first(isBelow)
    if (below !== undefined) {
      const [what, found] = below
      return { fault: 'minimum', what, found: String(found), limit: minimum ?? '' }
    }
    const [what, found] = first((each) => Number.isNaN(on(each))) ?? point
    return { fault: 'transform', what, found: String(found), limit: transform?.kind ?? '' }
  }
}
