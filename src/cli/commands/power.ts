import { join } from 'node:path'
import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import { instantOrNaN } from '../../contract/instant.js'
import type { Plan, Protocol, Registration, SeriesProtocol } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import { sha256Hex } from '../../document/digest.js'
import { readCodeVersion } from '../../evaluation/code-version.js'
import { readRows } from '../../evaluation/history.js'
import { knownTo } from '../../evaluation/plan.js'
import { assertNewFolder, writeNewFolder } from '../../files/new-folder.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { lintSeriesWindow, seriesLengths } from '../../lint/lint-series.js'
import { cutPastCloses, type PastCloses } from '../../lint/power/comparator.js'
import { computePowerFigures, type PowerFigures } from '../../lint/power/figures.js'
import { isOfTheDay, planPower, readPlan } from '../../lint/power/planned-design.js'
import { predictions } from '../../lint/power/predict.js'
import { Resemblances } from '../../lint/power/resemblance.js'
import {
  computePastComparators,
  createCandidates,
  type PastComparators,
} from '../../lint/power/run.js'
import { type PowerSetting, withFewSeries } from '../../lint/power/series/past.js'
import { predictSeries } from '../../lint/power/series/predict.js'
import { silenceFindings } from '../../lint/silence.js'
import type { FindingsReport } from '../../output/print.js'
import { loadDocument, loadFile } from '../../protocol/load.js'
import { poolIn } from '../../protocol/rules/bind.js'
import { isSeriesProtocol, locateFindings } from '../../protocol/rules/check.js'
import { compileRules } from '../../protocol/rules/compile.js'
import { verifyProtocol } from '../../protocol/verify.js'
import { planFindings } from '../../registration/plan-rules.js'
import { findWindowOrigins } from '../../registration/series-plan-rules.js'
import { figureSvg } from '../../report/html/charts/figure.js'
import { powerFigure } from '../../report/power/chart.js'
import { foundTable, neededTable } from '../../report/power/tables.js'
import { powerNotes } from '../../report/power/words.js'
import { computeScales } from '../../scoring/scales.js'
import { readVintage } from '../../truth/closes/vintage.js'
import { readTruth } from '../../truth/releases-vintage.js'
import { createSeriesTruth } from '../../truth/series-truth.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { aNumber, assertWithout, FORMAT, needed, text, usage } from '../options.js'
import { lengthsText, seriesPowerText } from '../series-lengths.js'
import { computeWaitingBefore } from '../waiting-text.js'
import { alignColumns, textLookup } from '../wording.js'
import { watched } from '../work.js'

const options = {
  format: FORMAT,
  plan: needed('The plan, or - for standard input'),
  protocol: needed('The frozen protocol'),
  outcomes: text('A vintage: what was known before the window; required for hourly closes'),
  history: text(
    'History with past forecasts of the candidates, to estimate how their errors correlate with those of the comparator',
  ),
  seed: aNumber('Seed of every random draw; a whole number, 1 by default'),
  out: text('Folder to write with chart, table and figures; it must not exist'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  examples: {
    'foreproof power --plan plan.json --protocol protocols/1.json --outcomes vintages/coinbase --out power':
      'Writes power/power.svg, .csv and .json',
  },
  options,
  run: async (args, context) => {
    const { out } = args
    if (out !== undefined) assertNewFolder(out)
    const ofSeries = await seriesPower(args, context)
    if (ofSeries !== undefined) return await context.report(ofSeries)
    const { findings, source, figures } = await runPower(toRequest(args), context)
    if (figures !== undefined && out !== undefined) write(out, figures)
    const body = figures && [
      powerSummary(figures),
      ...(out ? [`Chart: ${join(out, FILES.chart)}`] : []),
    ]
    return await context.report({
      findings,
      figures: { ...(figures ?? { power_version: 1 }), folder: figures && out ? out : null },
      headline: figures ? figures.plan.name : 'not computed; nothing was written',
      source,
      ...(body && { body: body.join('\n\n') }),
    })
  },
})

/** Lengths under a protocol of version 2 and, with outcomes, the chance to be eligible; undefined under any other. */
async function seriesPower(args: Arguments, context: Context): Promise<FindingsReport | undefined> {
  const { plan: path, protocol: named } = args
  if (path === undefined || named === undefined) return undefined
  const { document, findings: faults, periods } = verifyProtocol(loadFile(named))
  if (!document.ok || !isSeriesProtocol(document.value)) return undefined
  assertWithout(
    args,
    ['history', 'out'],
    'is for protocols of version 1',
    'Leave it out: under a protocol of version 2, power prints what it finds.',
  )
  const plan = await loadDocument(path, context.stdin)
  const source = textLookup([document, plan])
  const unread = [...faults, ...(plan.ok ? [] : plan.findings)]
  if (!plan.ok || periods === undefined || !hasNoErrors(unread)) {
    return { findings: unread, source }
  }
  const protocol = document.value as SeriesProtocol
  const rules = compileRules(protocol, periods)
  const planFaults = planFindings(plan.value, rules, context.now(), periods).filter(
    (each) => !isOfTheDay(each),
  )
  const findings = locateFindings(planFaults, plan)
  if (!hasNoErrors(planFaults)) return { findings, source }
  const planned = plan.value as Plan
  const origins = findWindowOrigins(periods, planned.window).length
  const registered = { ...planned, window: { ...planned.window, origins } }
  const vintage = args.outcomes === undefined ? undefined : readTruth(args.outcomes, rules)
  const weak = [
    ...lintSeriesWindow(registered, rules, periods),
    ...silenceFindings(registered, rules, periods, vintage),
  ]
  const lengths = seriesLengths(rules, periods, context.now(), registered)
  const waiting = computeWaitingBefore(rules, periods, planned.window)
  const without =
    planned.mode === 'backtest' ? WITHOUT_VERDICT : vintage === undefined && WITHOUT_OUTCOMES
  const { scales, prediction } =
    vintage === undefined || without
      ? { scales: [], prediction: undefined }
      : await predicted({ plan: planned, rules, periods, vintage }, args, context)
  return {
    findings: [...findings, ...locateFindings([...weak, ...scales], plan)],
    figures: {
      ...{ power_version: 2, lengths, waiting_worth: waiting.worth },
      ...(prediction && { prediction }),
    },
    headline: planned.name,
    body: [
      waiting.text,
      lengthsText(lengths, context.now()),
      without || seriesPowerText(prediction),
    ].join('\n\n'),
    source,
  }
}

type PredictedPlan = Pick<PowerSetting, 'rules' | 'periods' | 'vintage'> & {
  readonly plan: Plan
}

/** The chance to be eligible; without scales there is no chance to compute. */
async function predicted(of: PredictedPlan, { seed = 1 }: Arguments, context: Context) {
  const { periods, vintage } = of
  const rules = withFewSeries(of.rules)
  const truth = createSeriesTruth(rules, periods, vintage)
  const scaled = computeScales(rules, periods, truth, Math.min(context.now(), knownTo(vintage)))
  if (!scaled.ok) {
    const scales = scaled.findings.map((each) => ({ ...each, pointer: '' }))
    return { scales, prediction: undefined }
  }
  const { scales } = scaled
  const prediction = await watched(context, 'Nothing was written.', async (signal, show) => {
    show('predicting')
    const beforeWindow = () => yieldToEventLoop(signal)
    return await predictSeries({ ...of, rules, truth, scales, seed, beforeWindow })
  })
  const series = { count: of.rules.series.length, used: rules.series.length }
  return { scales: [], prediction: prediction && { ...prediction, series } }
}

const WITHOUT_VERDICT =
  'A backtest has no verdict, so no chance of being eligible is given. To see one, plan a prospective window as long as this one.'
const WITHOUT_OUTCOMES = 'Give --outcomes to see how often a candidate is found eligible.'

const FILES = {
  chart: 'power.svg',
  table: 'power.csv',
  figures: 'power.json',
} as const

type PowerRequest = ReturnType<typeof toRequest>

function toRequest({ plan, protocol, outcomes, history, seed = 1 }: Arguments) {
  if (!outcomes) throw usage('--outcomes is missing', 'Give a vintage of closes.')
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw usage('--seed: the value must be a whole number, 0 or greater')
  }
  return { plan, protocol, outcomes, history, seed }
}

function write(out: string, figures: PowerFigures): void {
  const chart = powerFigure(figures)
  writeNewFolder(out, {
    [FILES.chart]: figureSvg(chart),
    [FILES.table]: chart.csv,
    [FILES.figures]: `${canonicalize(figures)}\n`,
  })
}

interface PowerRun {
  readonly findings: readonly Finding[]
  readonly source: (file: string) => string | undefined
  /** Absent if the plan or its protocol has errors. */
  readonly figures?: PowerFigures
}

/** Collects the inputs of the power computation, and runs it. */
async function runPower(request: PowerRequest, context: Context): Promise<PowerRun> {
  const { document: protocol, findings: faults } = verifyProtocol(loadFile(request.protocol))
  const plan = await loadDocument(request.plan, context.stdin)
  const source = textLookup([protocol, plan])
  if (!plan.ok || !protocol.ok || !hasNoErrors(faults)) {
    return { findings: [...faults, ...(plan.ok ? [] : plan.findings)], source }
  }
  const { findings, registration } = readPlan(plan, protocol, context.now())
  if (registration === undefined) return { findings, source }
  const digest = sha256Hex(canonicalize(plan.value))
  const figures = await reckon(request, registration, protocol.value as Protocol, digest, context)
  return { findings, source, figures }
}

async function reckon(
  request: PowerRequest,
  registration: Registration,
  protocol: Protocol,
  planDigest: string,
  context: Context,
): Promise<PowerFigures> {
  const { seed } = request
  const vintage = readVintage(request.outcomes)
  const closes = cutPastCloses(vintage, instantOrNaN(registration.window.from))
  const planned = planPower(registration, protocol)
  const comparators = computePastComparators(closes, planned, poolIn(registration.rules))
  const estimated = await estimate(request.history, registration, comparators, closes)
  return await watched(context, 'Nothing was written.', async (signal, show) => {
    show('predicting')
    const made = createCandidates(comparators, estimated.found, seed)
    const predicted = await predictions(planned.design, made, seed, () => yieldToEventLoop(signal))
    return computePowerFigures({
      code: readCodeVersion(),
      plan: { name: registration.name, sha256: planDigest },
      protocol: { version: protocol.protocol_version, sha256: protocol.protocol_sha256 },
      seed,
      planned,
      closes,
      resemblances: made.resemblances,
      missed: estimated.missed,
      vintage: vintage.manifest,
      window: { from: registration.window.from, to: registration.window.to },
      comparators: comparators.all,
      reference: comparators.reference,
      predicted,
    })
  })
}

/** How the candidates' errors correlated with the comparator's before the window, from a history. */
async function estimate(
  history: string | undefined,
  registration: Registration,
  { reference }: PastComparators,
  closes: PastCloses,
): Promise<Pick<Resemblances, 'found' | 'missed'>> {
  if (history === undefined) return { found: [], missed: [] }
  const candidates = registration.candidates.map(({ name }) => name)
  const resemblances = new Resemblances(reference, closes, candidates)
  const window = { from: closes.first, to: instantOrNaN(registration.window.from) }
  for await (const rows of readRows(history, window)) {
    for (const row of rows) resemblances.add(row)
  }
  return resemblances
}

/** What a plan can find, as text for a terminal. */
function powerSummary(figures: PowerFigures): string {
  const tables = [neededTable(figures), foundTable(figures)]
  const shown = tables.map(({ caption, head, rows }) => [
    `${caption}:`,
    ...alignColumns([head, ...rows]),
  ])
  return [powerNotes(figures), ...shown].map((lines) => lines.join('\n')).join('\n\n')
}
