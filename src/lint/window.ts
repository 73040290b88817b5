import { type Finding, finding } from '../contract/findings/finding.js'
import { type Instant, instantOrNaN, MICROS_PER_HOUR } from '../contract/instant.js'
import { pointerTo } from '../contract/pointer.js'
import type { Registration } from '../contract/types.js'
import { leastBlocks } from '../inference/ewc.js'
import { originsBetween } from '../pairing/make-plan.js'
import { poolIn } from '../protocol/rules/bind.js'
import { HOURS } from '../protocol/rules/calendar.js'
import { rulesOver } from '../protocol/rules/compile.js'
import { testDesign } from '../registration/design.js'
import { compileStrata } from '../registration/strata.js'
import { createHourlyCloses } from '../scoring/baselines/closes.js'
import { computeBaselines } from '../scoring/baselines/compute.js'
import type { Closes } from '../truth/closes/closes-truth.js'
import { levelSizeFindings } from './levels.js'

/**
 * Checks a design against the closes of a window before it is registered: levels that are too small to test, levels of
 * very different size, and comparators that are copies of one another.
 * @param closes of a vintage that covers the window, as for a backtest. Without them only calendar strata can be
 * checked.
 */
export function lintWindow(registration: Registration, closes: Closes | undefined): Finding[] {
  const strata = strataFindings(registration, closes)
  return closes === undefined ? strata : [...strata, ...copyFindings(registration, closes)]
}

function strataFindings({ rules, window }: Registration, closes: Closes | undefined): Finding[] {
  const design = testDesign(rules)
  const needs = { ...design, minimumBlocks: leastBlocks(rules.test.method, design.minimumBlocks) }
  const [from, to] = [HOURS.position(window.from), HOURS.position(window.to)]
  const origins = originsBetween(rulesOver(rules, []), from, to)
  return rules.strata.flatMap((stratum, at) => {
    const { by } = stratum
    // The regime of an origin is in the history, which is not read here.
    if (by === 'regime') return []
    if (closes === undefined && (by === 'volatility' || by === 'trailing_return')) return []
    const closeAt = (instant: Instant) => closes?.closeAt(instant)
    const pointerAt = (level: number) => pointerTo(`${pointerTo('/strata', at)}/levels`, level)
    return compileStrata([stratum], { closeAt }).flatMap((built) =>
      levelSizeFindings(built, origins, needs, pointerAt, true),
    )
  })
}

/**
 * Reports built-in comparators with equal forecasts at every origin that the closes cover, because their tests are
 * equal. Without any forecast they are not copies.
 */
function copyFindings({ comparators, rules, window }: Registration, closes: Closes): Finding[] {
  const { steps: horizons } = rules
  const builtIn = comparators.filter(({ source }) => source === 'built_in')
  const names = builtIn.map(({ name }) => name)
  const hourly = createHourlyCloses(closes)
  const baselines = computeBaselines(hourly, { names, horizons, pool: poolIn(rules) })
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
