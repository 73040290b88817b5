import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { checkSeriesProtocol } from '../../contract/generated/check-protocol.js'
import { isValue } from '../../contract/limits.js'
import { pointerTo } from '../../contract/pointer.js'
import type { SeriesProtocol } from '../../contract/types.js'
import { zoneNamed } from '../../periods/zone.js'
import { REST } from './groups.js'
import { withNotFor } from './series-not-for.js'
import { repeatedStrata, stratumFindings } from './stratum-findings.js'

/** The members that a kind, a rule or an anchor needs; any other optional member is then unknown. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  unrevised: ['wait'],
  first: ['wait'],
  as_of_lag: ['lag'],
  as_of_instant: ['at'],
  pinball: ['level'],
  interval: ['lower', 'upper'],
  coverage: ['lower', 'upper'],
  direction: ['epsilon'],
  log_shift: ['offset'],
  start: ['offset'],
  end: ['offset'],
  seasonal_naive: ['season'],
  seasonal_climatology: ['season'],
  strongest: ['pool'],
  seasonal_scale: ['period_steps'],
  part_of_the_task: ['waiting_reason'],
}
const DEPENDENT = new Set(Object.values(NEEDS).flat())

/** The faults of a document as a protocol of version 2, without its list of periods. */
export function checkSeriesDocument(value: unknown): Finding[] {
  const form = checkSeriesProtocol(value)
  return form.length > 0 ? withNotFor(form, value) : ruleFindings(value as SeriesProtocol)
}

function ruleFindings(protocol: SeriesProtocol): Finding[] {
  const { series, zone, horizons, forecast, baselines, uncertainty } = protocol
  const { origins, outcome, scaling } = protocol
  const chosen: readonly (readonly [string, object, string])[] = [
    ['/origins', origins, origins.waiting ?? 'charged'],
    ['/origins/due', origins.due, origins.due.anchor],
    ['/outcome/known', outcome.known, outcome.known.anchor],
    ['/outcome/release', outcome.release, outcome.release.rule],
    ['/scaling', scaling, scaling.kind === 'none' ? 'none' : 'seasonal_scale'],
    ...baselines.map((each, at) => [`/baselines/${at}`, each, each.kind] as const),
  ]
  return [
    ...chosen.flatMap(([pointer, member, choice]) => memberFindings(pointer, member, choice)),
    ...baselineFindings(protocol),
    ...revisedFindings(protocol),
    ...poolFindings(protocol),
    ...twice('/series', series),
    ...groupFindings(series),
    ...twice('/scores', protocol.scores),
    ...columnFindings(protocol),
    ...twice('/baselines', baselines),
    ...strataFindings(protocol),
    ...(zoneNamed(zone) === undefined
      ? [rule('/zone', { fault: 'zone', found: quote(zone) })]
      : []),
    ...ascending('/horizons', 'horizons', horizons),
    ...ascending('/forecast/levels', 'levels', forecast.levels),
    ...valueFindings(protocol),
    ...scoreFindings(protocol),
    ...directionFindings(protocol),
    // Decimals below 1 in a fixed spelling can be compared as texts.
    ...(uncertainty.alpha > '0.5'
      ? [rule('/uncertainty/alpha', { fault: 'alpha', found: uncertainty.alpha })]
      : []),
  ]
}

type RuleArgs = ArgsOf<'series-rule'>

function rule(pointer: string, args: Omit<RuleArgs, 'what'> & { what?: string }): Finding {
  return finding('series-rule', { what: '', ...args }, { pointer })
}

const quote = (text: string) => JSON.stringify(text)

function memberFindings(pointer: string, member: object, choice: string): Finding[] {
  const needed = NEEDS[choice] ?? []
  const keys = needed.filter((name) => !Object.hasOwn(member, name))
  const unknown = Object.keys(member).filter(
    (name) => DEPENDENT.has(name) && !needed.includes(name),
  )
  return [
    ...(keys.length > 0 ? [finding('missing-key', { keys }, { pointer })] : []),
    ...unknown.map((key) => {
      const args = { keys: [key], nearest: [null] }
      return finding('unknown-key', args, { pointer: pointerTo(pointer, key) })
    }),
  ]
}

/**
 * Without own errors a baseline has no quantiles, so each of its forecasts would be incomplete. The climatologies take
 * their quantiles from values.
 */
function baselineFindings({ baselines, forecast }: SeriesProtocol): Finding[] {
  return baselines.flatMap(({ kind, errors }, at) => {
    const pointer = `/baselines/${at}`
    if (isClimatology(kind)) {
      const args = { keys: ['errors'], nearest: [null] }
      const here = { pointer: `${pointer}/errors` }
      return errors === undefined ? [] : [finding('unknown-key', args, here)]
    }
    if (errors === undefined) {
      const keys = ['errors']
      return forecast.levels.length > 0 ? [finding('missing-key', { keys }, { pointer })] : []
    }
    const { window, minimum } = errors
    const args = { fault: 'errors', found: String(minimum), what: String(window) } as const
    return minimum > window ? [rule(`${pointer}/errors/minimum`, args)] : []
  })
}

/** Baselines that learn from past values or errors use the first published value of each. */
const UNREVISED: readonly string[] = ['ema', 'ar1', 'strongest']

function revisedFindings({ baselines, outcome }: SeriesProtocol): Finding[] {
  const { rule: found } = outcome.release
  if (found === 'unrevised' || found === 'first') return []
  return baselines.flatMap(({ kind: what }, at) =>
    UNREVISED.includes(what)
      ? [rule(`/baselines/${at}/kind`, { fault: 'learning', found, what })]
      : [],
  )
}

function poolFindings({ baselines }: SeriesProtocol): Finding[] {
  const kinds = new Map(baselines.map(({ id, kind }) => [id, kind]))
  return baselines.flatMap(({ pool = [] }, at) =>
    pool.flatMap((id, place) =>
      (kinds.get(id) ?? 'strongest') === 'strongest'
        ? [rule(`/baselines/${at}/pool/${place}`, { fault: 'pool', found: quote(id) })]
        : [],
    ),
  )
}

const isClimatology = (kind: SeriesProtocol['baselines'][number]['kind']) =>
  kind === 'climatology' || kind === 'seasonal_climatology'

function twice(pointer: string, members: readonly { readonly id: string }[]): Finding[] {
  const ids = new Set<string>()
  const repeated = [...members.entries()].flatMap(([at, { id }]) => {
    if (ids.has(id)) return [[at, id] as const]
    ids.add(id)
    return []
  })
  return repeated.map(([at, id]) =>
    rule(`${pointer}/${at}/id`, { fault: 'twice', found: quote(id) }),
  )
}

/** Warnings are about design: only lint gives them. */
function strataFindings({ strata = [], series }: SeriesProtocol): Finding[] {
  const ids = series.map(({ id }) => id)
  const faults = strata.flatMap((stratum, at) => {
    const pointer = `/strata/${at}`
    const { series: named, transform } = stratum
    const isUnknown = named !== undefined && !ids.includes(named)
    return [
      ...stratumFindings(stratum, pointer),
      ...(isUnknown ? [rule(`${pointer}/series`, { fault: 'series', found: quote(named) })] : []),
      ...(transform ? memberFindings(`${pointer}/transform`, transform, transform.kind) : []),
    ]
  })
  return [...repeatedStrata(strata), ...faults].filter(({ severity }) => severity === 'error')
}

/** Group names that would be ambiguous. */
const NO_GROUPS: readonly string[] = ['all', REST]

function groupFindings(series: SeriesProtocol['series']): Finding[] {
  return series.flatMap(({ group }, at) => {
    if (group === undefined || !NO_GROUPS.includes(group)) return []
    return [rule(`/series/${at}/group`, { fault: 'group', found: quote(group) })]
  })
}

/** Columns of exported losses beside those of scores, which are called as their ids. */
const LOSS_COLUMNS: readonly string[] = [
  ...['series', 'origin', 'target', 'horizon', 'model', 'role'],
  ...['vintage_id', 'vintage_sha256'],
]

/** Score ids that exported tables give to something else. */
function columnFindings({ scores, forecast }: SeriesProtocol): Finding[] {
  const reserved = [...LOSS_COLUMNS, ...forecast.levels.map((level) => `below_${level}`)]
  return scores.flatMap(({ id }, at) =>
    reserved.includes(id) ? [rule(`/scores/${at}/id`, { fault: 'column', found: quote(id) })] : [],
  )
}

function ascending(pointer: string, what: string, values: readonly (number | string)[]): Finding[] {
  const at = values.findIndex((value, index) => index > 0 && value <= (values[index - 1] ?? value))
  if (at < 0) return []
  return [rule(`${pointer}/${at}`, { fault: 'order', what, found: String(values[at]) })]
}

/** Checks numbers that are compared with values, or added to them. */
function valueFindings({ forecast, scores, strata = [] }: SeriesProtocol): Finding[] {
  const transformed = [
    ...scores.map(({ transform }, at) => [`/scores/${at}`, transform] as const),
    ...strata.map(({ transform }, at) => [`/strata/${at}`, transform] as const),
  ]
  const offsets = transformed.map(([at, transform]) => {
    return [`${at}/transform/offset`, Number(transform?.offset ?? 0)] as const
  })
  const cuts = strata.flatMap(({ levels }, at) =>
    levels.map(({ below }, level) => {
      return [`/strata/${at}/levels/${level}/below`, Number(below ?? 0)] as const
    }),
  )
  const bands = scores.map(({ epsilon }, at) => {
    return [`/scores/${at}/epsilon`, Number(epsilon ?? 0)] as const
  })
  const minimum = ['/forecast/minimum', Number(forecast.minimum ?? 0)] as const
  return [minimum, ...offsets, ...bands, ...cuts]
    .filter(([, value]) => !isValue(value))
    .map(([pointer, value]) => rule(pointer, { fault: 'range', found: String(value) }))
}

function scoreFindings({ forecast, scores }: SeriesProtocol): Finding[] {
  const { levels } = forecast
  const primary = scores.filter(({ primary }) => primary === true)
  const all = scores.flatMap((score, at) => {
    const here = `/scores/${at}`
    const { kind, transform, level, lower, upper } = score
    const given = Object.entries({ level, lower, upper })
    const faults = memberFindings(here, score, kind)
    if (transform !== undefined) {
      faults.push(...memberFindings(`${here}/transform`, transform, transform.kind))
    }
    for (const [name, each] of given) {
      if (each === undefined || levels.includes(each)) continue
      faults.push(rule(`${here}/${name}`, { fault: 'level', found: each }))
    }
    if (lower !== undefined && upper !== undefined && complement(lower) !== upper) {
      const args = { fault: 'bounds', what: lower, found: complement(lower) } as const
      faults.push(rule(`${here}/upper`, args))
    }
    if (kind === 'coverage' && (score.primary || transform !== undefined)) {
      faults.push(rule(here, { fault: 'diagnosis', found: '' }))
    }
    if (kind === 'direction' && score.primary)
      faults.push(rule(here, { fault: 'beside', found: '' }))
    const lacks = levels.map(complement).find((each) => !levels.includes(each))
    if (kind === 'weighted_interval' && (lacks !== undefined || levels.length === 0)) {
      faults.push(rule('/forecast/levels', { fault: 'symmetric', found: lacks ?? '0.5' }))
    }
    return faults
  })
  const count = { fault: 'primary', found: primary.length === 0 ? 'none' : String(primary.length) }
  return primary.length === 1 ? all : [...all, rule('/scores', count as Omit<RuleArgs, 'what'>)]
}

/** A direction is required once and needs a limit, because a limit that binds nothing would be misleading. */
function directionFindings({ scores, limits }: SeriesProtocol): Finding[] {
  const asked = scores.filter(({ kind }) => kind === 'direction').length
  if (asked > 1) return [rule('/scores', { fault: 'directions', found: String(asked) })]
  if ((limits.direction !== undefined) === (asked === 1)) return []
  const keys = ['direction']
  return asked === 1
    ? [finding('missing-key', { keys }, { pointer: '/limits' })]
    : [finding('unknown-key', { keys, nearest: [null] }, { pointer: '/limits/direction' })]
}

/** 1 minus a decimal, exactly: `0.025` gives `0.975`. */
function complement(level: string): string {
  const digits = level.slice(2)
  const rest = 10n ** BigInt(digits.length) - BigInt(digits)
  return `0.${String(rest).padStart(digits.length, '0')}`
}
