import { existsSync } from 'node:fs'
import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import { type Instant, instantOrNaN, MICROS_PER_DAY } from '../contract/instant.js'
import type { Registration, SeriesProtocol } from '../contract/types.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { type EarliestVerdict, earliestOfSeries, listFindings } from '../lint/earliest.js'
import {
  lintSeries,
  lintSeriesWindow,
  type SeriesLength,
  seriesLengths,
} from '../lint/lint-series.js'
import { SERIES_REDUCTIONS, type SeriesPower } from '../lint/power/series/predict.js'
import { counted, decimal, keepSentences, listed, percent } from '../output/figures.js'
import { openPeriods } from '../periods/read.js'
import { checkDraft } from '../protocol/freeze.js'
import { locateFindings } from '../protocol/rules/check.js'
import { compileRules } from '../protocol/rules/compile.js'
import { periodListPath } from '../protocol/verify.js'
import { verifyRegistration } from '../registration/verify.js'
import { powerText, reductionText } from '../report/power/words.js'
import { readTruth } from '../truth/releases-vintage.js'
import { createSeriesTruth } from '../truth/series-truth.js'
import { usage } from './options.js'
import { computeWaitingBefore, type WaitingBefore } from './waiting-text.js'
import { alignColumns, grouped } from './wording.js'

export interface LintedSeries {
  readonly document: Document
  readonly registration: Document | UnreadableDocument | undefined
  /** Path of the list; default the one beside the document. */
  readonly periods: string | undefined
  /** Path of a vintage. */
  readonly outcomes: string | undefined
  readonly now: Instant
}

/** Lints a protocol of version 2 with its list, and a registration under it. */
export async function lintSeriesDocument({
  document,
  registration,
  periods: path = periodListPath(document.file),
  outcomes,
  now,
}: LintedSeries): Promise<{
  readonly findings: readonly Finding[]
  readonly lengths?: readonly SeriesLength[]
  readonly earliest?: EarliestVerdict
  readonly waiting?: WaitingBefore
}> {
  if (!existsSync(path)) {
    throw usage(`${path}: the list of periods is not there`, 'Give it: --periods FILE')
  }
  const list = await openPeriods(path)
  if (!list.ok) return { findings: list.findings }
  const { periods } = list
  const faults = checkDraft(document, periods)
  if (!hasNoErrors(faults)) return { findings: faults }
  const protocol = document.value as SeriesProtocol
  const vintage = outcomes === undefined ? undefined : readTruth(outcomes, protocol)
  const rules = compileRules(protocol, periods)
  const truth = vintage && createSeriesTruth(rules, periods, vintage)
  const lintFindings = locateFindings(lintSeries(rules, periods, truth), document)
  if (registration === undefined) {
    const earliest = earliestOfSeries(rules, periods, now)
    const waiting = computeWaitingBefore(rules, periods)
    const lengths = seriesLengths(rules, periods, now)
    const listed = locateFindings(listFindings(rules, periods, now), document)
    return { findings: [...lintFindings, ...listed], lengths, earliest, waiting }
  }
  if (!registration.ok) return { findings: [...lintFindings, ...registration.findings] }
  const value = registration.value as Registration
  const wrong = verifyRegistration(value, protocol, periods)
  const registrationFaults = wrong.length > 0 ? wrong : lintSeriesWindow(value, rules, periods)
  const findings = [...lintFindings, ...locateFindings(registrationFaults, registration)]
  if (wrong.length > 0) return { findings }
  const waiting = computeWaitingBefore(rules, periods, value.window)
  return { findings, lengths: seriesLengths(rules, periods, now, value), waiting }
}

/** What windows of several lengths can find, as a text table. */
export function lengthsText(lengths: readonly SeriesLength[], now: Instant): string {
  const head = ['origins', 'last origin', 'blocks', 'degrees', '|t|', 'half width', 'settled']
  const rows = lengths.map((each) => [
    grouped(each.origins),
    each.to ?? 'not in the list',
    grouped(each.blocks),
    String(each.degrees_of_freedom),
    each.t === null ? 'decides nothing' : each.t.toFixed(2),
    each.half_width === null ? '' : each.half_width.toFixed(2),
    each.settled_at === null ? '' : whenText(each.settled_at, now),
  ])
  return [
    ...alignColumns([head, ...rows]),
    'half width: of the interval of a mean difference, in standard deviations of the mean of a block',
  ].join('\n')
}

interface PrintedPower extends SeriesPower {
  /** How many a protocol has, and from how many windows were drawn. */
  readonly series: { readonly count: number; readonly used: number }
}

/** How often a candidate is found eligible, as text. */
export function seriesPowerText(power: PrintedPower | undefined): string {
  if (power === undefined) {
    return 'No chance to be eligible is said: the outcomes hold no origin before the window at which a baseline made a forecast.'
  }
  const { hardest, not_computed: unknown, drawn_from: from, origins, windows, series } = power
  const names = [...new Set(hardest.map(({ name }) => name))].map((name) => {
    const steps = hardest.flatMap((each) => (each.name === name ? [String(each.horizon)] : []))
    return steps.length === hardest.length ? name : `${name} (${listed(steps)})`
  })
  const head = SERIES_REDUCTIONS.map((each) => `power for ${percent(each, 0)}`)
  const rows = power.predictions.map(({ correlation, smallest_reduction: least, power: found }) => [
    decimal(correlation, 2),
    reductionText(least),
    ...found.map(({ power: share }) => powerText(share)),
  ])
  const [[code, share] = ['', 0]] = power.predictions
    .flatMap(({ kept_by: kept }) => Object.entries(kept))
    .sort(([, a], [, b]) => b - a)
  return keepSentences([
    `Found eligible in ${counted(windows, 'window')} drawn from ${counted(from, 'origin')} before the planned one, each judged as score judges, by the correlation of its errors with those of the comparator that is best at each step:`,
    ...alignColumns([['correlation', 'found with 80 %', ...head], ...rows]),
    `Better means: at each step, than the comparator with the smallest loss there before the window: ${listed(names)}.`,
    series.used < series.count &&
      `Computed from ${grouped(series.used)} of ${grouped(series.count)} series: those that strata name, then those whose ids have the smallest SHA-256. The limit of a group without one of them is not in these figures.`,
    from < origins &&
      `The past is shorter than the window of ${counted(origins, 'origin')}: it begins again where it ends, and less is known than the figures look like.`,
    unknown.length > 0 &&
      `Not computed, for their forecasts come from a history: ${unknown.join(', ')}. Where one of them is better, less is found.`,
    code !== '' &&
      `However much better, a candidate is kept from eligible by ${code} in ${percent(share, 0)} of windows.`,
  ]).join('\n')
}

function whenText(at: string, now: Instant): string {
  const days = Math.ceil((instantOrNaN(at) - now) / MICROS_PER_DAY)
  return days > 0 ? `${at.slice(0, 10)}, in ${grouped(days)} days` : at.slice(0, 10)
}
