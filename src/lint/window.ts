import { type Finding, finding } from '../contract/findings/finding.js'
import { type Instant, instantOrNaN, MICROS_PER_HOUR } from '../contract/instant.js'
import { pointerTo } from '../contract/pointer.js'
import type { Protocol, Registration } from '../contract/types.js'
import { leastBlocks } from '../inference/ewc.js'
import { originsBetween } from '../pairing/plan.js'
import { HOURS } from '../protocol/rules/calendar.js'
import { compileRules } from '../protocol/rules/compile.js'
import { designOf } from '../registration/settings.js'
import { buildStrata } from '../registration/strata.js'
import { hourlyCloses } from '../scoring/baselines/closes.js'
import { computeBaselines } from '../scoring/baselines/compute.js'
import type { Closes } from '../truth/closes/closes-truth.js'
import { levelSizeFindings } from './levels.js'

/**
 * Checks a design against the closes of a window before it is registered: levels that are too small to test, levels of
 * very different size, and comparators that are copies of one another.
 * @param closes of a vintage that covers the window, as for a backtest. Without them only calendar strata can be
 * checked.
 */
export function lintWindow(
  registration: Registration,
  protocol: Protocol,
  closes: Closes | undefined,
): Finding[] {
  const strata = strataFindings(registration, protocol, closes)
  return closes === undefined ? strata : [...strata, ...copyFindings(registration, closes)]
}

function strataFindings(
  { strata, window, inference }: Registration,
  protocol: Protocol,
  closes: Closes | undefined,
): Finding[] {
  const design = designOf(protocol)
  const method = inference?.method ?? 'percentile-bootstrap'
  const needs = { ...design, minimumBlocks: leastBlocks(method, design.minimumBlocks) }
  const [from, to] = [HOURS.position(window.from), HOURS.position(window.to)]
  const origins = originsBetween(compileRules(protocol), from, to)
  return strata.flatMap((stratum, at) => {
    const { by } = stratum
    // The regime of an origin is in the history, which is not read here.
    if (by === 'regime') return []
    if (closes === undefined && (by === 'volatility' || by === 'trailing_return')) return []
    const closeAt = (instant: Instant) => closes?.closeAt(instant)
    const pointerAt = (level: number) => pointerTo(`${pointerTo('/strata', at)}/levels`, level)
    return buildStrata([stratum], { closeAt }).flatMap((built) =>
      levelSizeFindings(built, origins, needs, pointerAt, true),
    )
  })
}

/**
 * Reports built-in comparators with equal forecasts at every origin that the closes cover, because their tests are
 * equal. Without any forecast they are not copies.
 */
function copyFindings(
  { comparators, baseline_pool: pool, horizons_hours: horizons, window }: Registration,
  closes: Closes,
): Finding[] {
  const builtIn = comparators.filter(({ source }) => source === 'built_in')
  const names = builtIn.map(({ name }) => name)
  const hourly = hourlyCloses(closes)
  const baselines = computeBaselines(hourly, { names, horizons, pool })
  const offset = (instantOrNaN(window.from) - hourly.first) / MICROS_PER_HOUR
  const [first, end] = [offset, offset + window.origins].map((hour) => Math.max(0, hour))
  const rows = (name: string) =>
    horizons.map((horizon) => baselines.get(name)?.get(horizon)?.forecast.subarray(first, end))
  const speaks = (name: string) => rows(name).some((row) => row?.some(Number.isFinite))
  const same = (a: string, b: string) => {
    const other = rows(b)
    return rows(a).every((row, at) => row?.every((price, i) => Object.is(price, other[at]?.[i])))
  }
  const groups: string[][] = []
  for (const name of names.filter(speaks)) {
    const group = groups.find(([one = '']) => same(one, name))
    if (group === undefined) groups.push([name])
    else group.push(name)
  }
  return groups
    .filter((group) => group.length > 1)
    .map((group) => finding('comparators-alike', { names: group }, { pointer: '/comparators' }))
}
