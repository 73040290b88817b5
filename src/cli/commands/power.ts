import { join } from 'node:path'
import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import { instantOrNaN } from '../../contract/instant.js'
import type { Protocol, Registration, SeriesPlan, SeriesProtocol } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import { sha256Hex } from '../../document/digest.js'
import { codeVersion } from '../../evaluation/code-version.js'
import { readRows } from '../../evaluation/history.js'
import { proveNamedProtocol } from '../../evaluation/load.js'
import { refuseExistingFolder, writeNewFolder } from '../../files/new-folder.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { cosineTables } from '../../inference/cosines.js'
import { type PastCloses, pastCloses } from '../../lint/power/comparator.js'
import { type PowerFigures, powerFigures } from '../../lint/power/figures.js'
import { mergeShards } from '../../lint/power/merge.js'
import { plannedPower, readPlan } from '../../lint/power/planned-design.js'
import { predictions } from '../../lint/power/predict.js'
import { Resemblances } from '../../lint/power/resemblance.js'
import {
  madeCandidates,
  type PastComparators,
  pastComparators,
  simulate,
} from '../../lint/power/run.js'
import { shardOf } from '../../lint/power/shard.js'
import { lintSeriesWindow, seriesLengths } from '../../lint/series.js'
import { readVintage } from '../../outcomes/vintage.js'
import type { Report } from '../../output/print.js'
import { loadDocument, loadFile } from '../../protocol/load.js'
import { isSeriesProtocol, locateFindings } from '../../protocol/rules/check.js'
import { frozenPeriods } from '../../protocol/verify.js'
import { seriesPlanFindings, windowOrigins } from '../../registration/series-plan-rules.js'
import { figureSvg } from '../../report/html/charts/figure.js'
import { powerFigure } from '../../report/power/chart.js'
import { powerPage } from '../../report/power/page.js'
import { foundTable, neededTable, simulatedTables } from '../../report/power/tables.js'
import { powerNotes } from '../../report/power/words.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { aNumber, count, FORMAT, listOf, refuseOptions, text, usage } from '../options.js'
import { lengthsText } from '../series-lengths.js'
import { columns, textsOf } from '../wording.js'
import { watched } from '../work.js'

const options = {
  format: FORMAT,
  plan: text('The plan that is to be registered, or - for standard input'),
  protocol: text('The frozen protocol'),
  outcomes: text('A vintage; of it the closes before the window are used'),
  history: text(
    'A history with past forecasts of the candidates, to estimate how far their errors go with those of the comparator',
  ),
  simulate: count('Check by so many simulated evaluations: power, and what equal forecasters find'),
  shard: text('Simulate a part: 3/8; auto/8 or auto where a batch system numbers the run'),
  merge: listOf('Put the files of all shards together'),
  seed: aNumber('Seed of every random draw; a whole number, 1 by default'),
  out: text('Folder to write with page, chart, table and figures; it must not exist'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  examples: {
    'foreproof power --plan plan.json --protocol protocols/1.json --outcomes vintages/coinbase --out power':
      'Writes power/power.html with the chart, .svg, .csv and .json',
    'parallel foreproof power --plan plan.json --protocol protocols/1.json --outcomes vintages/coinbase --simulate 1000 --shard {}/8 --out shards/{} ::: $(seq 8)':
      'A simulation in eight parts',
    'foreproof power --merge shards/*/power.json --out power': 'The same bits as one run',
  },
  options,
  run: async (args, context) => {
    const { out } = args
    if (out !== undefined) refuseExistingFolder(out)
    const ofSeries = await seriesPower(args, context)
    if (ofSeries !== undefined) return await context.report(ofSeries)
    const { findings, source, figures } = await figuresOf(args, context)
    if (figures !== undefined && out !== undefined) write(out, figures)
    const body = figures && [
      powerSummary(figures),
      ...(out ? [`Page: ${join(out, FILES.page)}`] : []),
    ]
    return await context.report({
      findings,
      figures: { ...(figures ?? { power_version: 1 }), folder: figures && out ? out : null },
      headline: figures ? figures.plan.name : 'not reckoned; nothing was written',
      source,
      ...(body && { body: body.join('\n\n') }),
    })
  },
})

/** Under a protocol of version 2 the lengths alone; undefined under any other. */
async function seriesPower(args: Arguments, context: Context): Promise<Report | undefined> {
  const { plan: path, protocol: named } = args
  if (path === undefined || named === undefined) return undefined
  const { document, findings: faults } = proveNamedProtocol(loadFile(named))
  if (!document.ok || !isSeriesProtocol(document.value)) return undefined
  refuseOptions(
    args,
    ['simulate', 'shard', 'merge', 'seed', 'history', 'outcomes', 'out'],
    'is for protocols of version 1',
    'Under a protocol of version 2, power says what windows of several lengths can find.',
  )
  const plan = await loadDocument(path, context.stdin)
  const source = textsOf([document, plan])
  const unread = [...faults, ...(plan.ok ? [] : plan.findings)]
  const list = await frozenPeriods(document)
  if (!plan.ok || !list.ok || !hasNoErrors(unread)) {
    return { findings: [...unread, ...(list.ok ? [] : list.findings)], source }
  }
  const protocol = document.value as SeriesProtocol
  const { periods } = list
  const found = seriesPlanFindings(plan.value, protocol, periods, context.now())
  const findings = locateFindings(found, plan)
  if (!hasNoErrors(found)) return { findings, source }
  const planned = plan.value as SeriesPlan
  const origins = windowOrigins(periods, planned.window).length
  const registered = { ...planned, window: { ...planned.window, origins } }
  const short = locateFindings(lintSeriesWindow(registered, protocol), plan)
  const lengths = seriesLengths(protocol, periods, registered)
  return {
    findings: [...findings, ...short],
    figures: { power_version: 2, lengths },
    headline: planned.name,
    body: lengthsText(lengths, context.now()),
    source,
  }
}

const FILES = {
  page: 'power.html',
  chart: 'power.svg',
  table: 'power.csv',
  figures: 'power.json',
} as const

async function figuresOf(args: Arguments, context: Context): Promise<PowerRun> {
  if (args.merge === undefined) return await runPower(requestOf(args, context), context)
  const others = ['plan', 'protocol', 'outcomes', 'history', 'simulate', 'shard', 'seed']
  const help = 'Merging takes all else from the files of the shards.'
  refuseOptions(args, others, 'cannot be used with --merge', help)
  if (args.merge.length === 0) throw usage('--merge names no file', help)
  return merged(args.merge)
}

type PowerRequest = ReturnType<typeof requestOf>

function requestOf(args: Arguments, { env }: Context) {
  const { plan, protocol, outcomes, history, simulate, shard, seed = 1 } = args
  const missing = Object.entries({ plan, protocol, outcomes }).find(([, given]) => !given)
  if (missing !== undefined || !plan || !protocol || !outcomes) {
    throw usage(
      `--${missing?.[0]} is missing`,
      'Give --plan, --protocol and --outcomes, or --merge with the files of shards.',
    )
  }
  if (shard !== undefined && simulate === undefined) {
    throw usage(
      '--shard needs --simulate',
      'A shard is a part of a simulation: say of how many evaluations in all.',
    )
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw usage('--seed: the value must be a whole number, 0 or greater')
  }
  return {
    plan,
    protocol,
    outcomes,
    history,
    seed,
    simulate,
    shard: shard === undefined ? undefined : shardOf(shard, env),
  }
}

function merged(files: readonly string[]): PowerRun {
  const documents = files.map((path) => loadFile(path))
  const source = textsOf(documents)
  const unreadable = documents.flatMap((each) => (each.ok ? [] : each.findings))
  if (unreadable.length > 0) return { findings: unreadable, source }
  return { ...mergeShards(documents.filter((each) => each.ok)), source }
}

function write(out: string, figures: PowerFigures): void {
  const chart = powerFigure(figures)
  writeNewFolder(out, {
    [FILES.page]: powerPage(figures),
    [FILES.chart]: figureSvg(chart),
    [FILES.table]: chart.csv,
    [FILES.figures]: `${canonicalize(figures)}\n`,
  })
}

interface PowerRun {
  readonly findings: readonly Finding[]
  readonly source: (file: string) => string | undefined
  /** Absent where the plan or its protocol is not sound. */
  readonly figures?: PowerFigures
}

/** Gathers what power is computed from, and computes it. */
async function runPower(request: PowerRequest, context: Context): Promise<PowerRun> {
  const { document: protocol, findings: faults } = proveNamedProtocol(loadFile(request.protocol))
  const plan = await loadDocument(request.plan, context.stdin)
  const source = textsOf([protocol, plan])
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
  const { seed, shard, simulate: evaluations } = request
  const vintage = readVintage(request.outcomes)
  const closes = pastCloses(vintage, instantOrNaN(registration.window.from))
  const planned = plannedPower(registration, protocol)
  const comparators = pastComparators(closes, planned, registration.baseline_pool)
  const estimated = await estimate(request.history, registration, comparators, closes)
  return await watched(context, 'Nothing was written.', async (signal, show) => {
    show('predicting')
    const made = madeCandidates(comparators, estimated.found, seed)
    const basis = { ...made, design: planned.design, closes, seed, tables: cosineTables() }
    const onEvaluation = async (done: number, of: number) => {
      show(`simulated ${done} of ${of}`)
      await yieldToEventLoop(signal)
    }
    const predicted = await predictions(planned.design, made, seed, () => yieldToEventLoop(signal))
    const counts =
      evaluations === undefined
        ? undefined
        : await simulate(basis, { evaluations, shard, onEvaluation })
    return powerFigures({
      code: codeVersion(),
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
      simulation: counts && evaluations ? { evaluations, shard: shard ?? null, counts } : null,
    })
  })
}

/** How the candidates' errors went with the comparator's before the window, by a history. */
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

/** What a plan can find, for a person at a terminal. */
function powerSummary(figures: PowerFigures): string {
  const tables = [neededTable(figures), foundTable(figures), ...simulatedTables(figures)]
  const shown = tables.map(({ caption, head, rows }) => [
    `${caption}:`,
    ...columns([head, ...rows]),
  ])
  return [powerNotes(figures), ...shown].map((lines) => lines.join('\n')).join('\n\n')
}
