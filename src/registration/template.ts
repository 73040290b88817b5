import { quantile } from 'simple-statistics'
import { isBaselineName } from '../contract/baseline-names.js'
import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant, isOnTheHour, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Plan, Protocol } from '../contract/types.js'
import { leastBlocks } from '../inference/ewc.js'
import { compileRules } from '../protocol/rules/compile.js'
import { PUBLICATION_LAG, protocolLimits } from '../protocol/rules/hourly-texts.js'
import { testDesign } from './design.js'
import type { ClosesFacts } from './prepare.js'
import { volatilityAt } from './strata.js'

export interface TemplateOptions {
  readonly mode: 'prospective' | 'backtest'
  readonly now: Instant
  /** First and last origin of the window; chosen automatically if absent. */
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  /** Closes used for cut-points and, in a backtest, for the window. */
  readonly vintage?: (ClosesFacts & { closeAt(at: Instant): number | undefined }) | undefined
}

const DAY = 24 * MICROS_PER_HOUR
/** Days before the window, so that baselines have closes and errors to learn from. */
const LEAD_IN_DAYS = 60
const LONGEST_HORIZON = 16
/** How many hours the volatility of an origin covers. */
const LOOKBACK_HOURS = 24
/** The share of the origins used for cut-points that must have closes. */
const COVERED = 0.9

/**
 * A plan that follows from its protocol: the comparators it requires, its strata, and a window long enough for its
 * minima in a third of the origins. Angle brackets mark what only the user knows; `register` refuses the plan until
 * they are filled in.
 * @throws {ForeproofError} `usage` for a window that ends before it begins, or does either off the hour.
 */
export function planTemplate(protocol: Protocol, options: TemplateOptions): object {
  const { mode, vintage } = options
  const window = chooseWindow(protocol, options)
  const { required, simple_baseline_pool: pool } = protocol.estimands.comparisons
  const foreign = pool.filter((name) => !isBaselineName(name))
  const { availability, availability_stratum } = protocolLimits(protocol)
  const open = required.filter((name) => !isBaselineName(name))
  const bound = [
    ...open.map((name) => [name, `<the model behind ${name}>`]),
    ...foreign.map((name) => [name, `<the built-in behind ${name}>`]),
  ]
  return {
    ...draftPlan({
      mode,
      window: { from: formatUtc(window.from), to: formatUtc(window.to) },
      source: vintage?.manifest.source ?? '<exchange the closes come from>',
    }),
    due_minutes: PUBLICATION_LAG,
    bound: Object.fromEntries(bound),
    strata: protocol.sampling.strata.map((name) => stratumTemplate(name, window, options)),
    limits: { availability, availability_stratum },
  }
}

/** A plan with nothing that its protocol could leave to it. Angle brackets mark what only the user knows. */
export const draftPlan = ({
  mode,
  window,
  source,
}: Pick<Plan, 'mode' | 'window'> & Pick<Plan['outcomes'], 'source'>): Plan => ({
  plan_version: 1,
  name: '<name of this evaluation>',
  description: null,
  mode,
  window,
  due_minutes: null,
  candidates: ['<name of your model in the history>'],
  bound: {},
  strata: [],
  limits: {},
  provenance_required: false,
  outcomes: { source, vintage_id: null, vintage_sha256: null },
  time: null,
  commitment: 'self_declared',
  commitment_log: null,
})

/** Both ends included. */
interface Window {
  readonly from: Instant
  readonly to: Instant
}

/**
 * The parts of the window that the user leaves open: the ends of the vintage for a backtest, otherwise a sufficient
 * length.
 */
function chooseWindow(protocol: Protocol, options: TemplateOptions): Window {
  const { from, to, mode, vintage } = options
  const usual = usualWindow(protocol, options)
  const length = usual.to - usual.from
  const fixed = mode === 'backtest' && vintage !== undefined
  const window = {
    from: from ?? (to === undefined || fixed ? usual.from : to - length),
    to: to ?? (from === undefined || fixed ? usual.to : from + length),
  }
  for (const [name, end] of Object.entries({ from, to })) {
    if (end === undefined || isOnTheHour(end)) continue
    throw new ForeproofError('usage', `--${name} is not on a full hour of UTC`, {
      help: 'Origins are the closes of hourly bars: give one, such as 2026-01-01T00:00:00Z.',
    })
  }
  if (window.from <= window.to) return window
  const message = `the window ends (${formatUtc(window.to)}) before it begins (${formatUtc(window.from)})`
  throw new ForeproofError('usage', message, { help: 'Check --from and --to.' })
}

function usualWindow(protocol: Protocol, { mode, now, vintage }: TemplateOptions): Window {
  const { blockLength, minimumPairs, minimumBlocks } = testDesign(compileRules(protocol))
  const blocks = leastBlocks('ewc-t', minimumBlocks)
  const neededOrigins = Math.max(minimumPairs, blocks * blockLength)
  // Three levels per stratum, and a reserve for missing origins.
  const length = Math.ceil((4 * neededOrigins) / 24) * DAY
  if (mode === 'prospective') {
    const from = Math.ceil((now + MICROS_PER_HOUR) / DAY) * DAY
    return { from, to: from + length - MICROS_PER_HOUR }
  }
  if (vintage === undefined) {
    const to = Math.floor(now / DAY) * DAY - DAY - MICROS_PER_HOUR
    return { from: to - length + MICROS_PER_HOUR, to }
  }
  const to = vintage.last - LONGEST_HORIZON * MICROS_PER_HOUR
  const from = Math.ceil(vintage.first / DAY) * DAY + LEAD_IN_DAYS * DAY
  return { from: Math.min(from, to), to }
}

/** The strata that protocols of this kind name; the user has to define any other. */
function stratumTemplate(name: string, window: Window, options: TemplateOptions): object {
  const { vintage } = options
  switch (name) {
    case 'volatility': {
      const basis = chooseBasis(window, options)
      const cuts = vintage && cutPoints(vintage, basis)
      const blank =
        vintage === undefined
          ? '<cut-point, or use --outcomes>'
          : `<cut-point: the vintage does not cover ${formatUtc(basis.from)} to ${formatUtc(basis.to)}>`
      const [low, high] = cuts ?? [blank, blank]
      const levels = [
        { level: 'low', below: low },
        { level: 'middle', below: high },
        { level: 'high' },
      ]
      return { name, by: name, lookback_hours: LOOKBACK_HOURS, levels }
    }
    case 'session':
      return { name, by: 'hour_of_day', levels: thirdsOfTheDay() }
    case 'week_part':
      return {
        name,
        by: 'weekday',
        levels: [
          { level: 'week', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
          { level: 'weekend', days: ['sat', 'sun'] },
        ],
      }
    default:
      return { name, by: 'omitted', reason: `<define ${name} (see the docs), or say why not>` }
  }
}

/**
 * The origins used for cut-points. Volatility changes over time: cut-points from another time leave levels almost
 * empty, and their tests blocked. A backtest uses its own window; a future window is best predicted by an equally long
 * time just before it.
 */
function chooseBasis(window: Window, { mode, now }: TemplateOptions): Window {
  if (mode === 'backtest') return window
  const to = Math.min(window.from, Math.floor(now / MICROS_PER_HOUR) * MICROS_PER_HOUR)
  return { from: to - (window.to - window.from), to }
}

function thirdsOfTheDay(): object[] {
  return [0, 8, 16].map((first) => {
    const hours = Array.from({ length: 8 }, (_, hour) => first + hour)
    const two = (hour: number) => String(hour).padStart(2, '0')
    return { level: `${two(first)}-${two(first + 7)}`, hours }
  })
}

/**
 * Cut-points that divide the origins of a vintage into three levels of equal size: sample quantiles of the volatility
 * at every hourly origin that has one, to four significant digits. They are only proposals: the registration freezes
 * the figures, so the library's variant of a quantile decides nothing. Undefined if fewer than a hundred origins have
 * one, or too small a share of them.
 */
export function cutPoints(
  vintage: NonNullable<TemplateOptions['vintage']>,
  { from, to: until }: Window,
): number[] | undefined {
  const values: number[] = []
  const closeAt = (instant: Instant) => vintage.closeAt(instant)
  for (let origin = Math.max(from, vintage.first); origin <= until; origin += MICROS_PER_HOUR) {
    const value = volatilityAt(closeAt, origin, LOOKBACK_HOURS)
    if (!Number.isNaN(value)) values.push(value)
  }
  const origins = Math.floor((until - from) / MICROS_PER_HOUR) + 1
  if (values.length < Math.max(100, COVERED * origins)) return undefined
  const quantiles = quantile(values, [1 / 3, 2 / 3])
  return quantiles.map((cut) => Number(cut.toPrecision(4)))
}

const LINE = 80

/** JSON in a readable form: what fits on a line is on one. */
export function templateText(value: unknown, indent = ''): string {
  const flat = onOneLine(value)
  if (!isContainer(value) || indent.length + flat.length <= LINE) return flat
  const inner = `${indent}  `
  const members = formatParts(value, (child) => templateText(child, inner))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${members.map((member) => `${inner}${member}`).join(',\n')}\n${indent}${close}`
}

function onOneLine(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value)
  const members = formatParts(value, onOneLine).join(', ')
  return Array.isArray(value) ? `[${members}]` : `{ ${members} }`
}

function formatParts(value: object, formatPart: (child: unknown) => string): string[] {
  if (Array.isArray(value)) return value.map(formatPart)
  return Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .map(([key, child]) => `${JSON.stringify(key)}: ${formatPart(child)}`)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
