import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import { instantOrNaN } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import { canonicalize } from '../document/canonical.js'
import { sha256Hex } from '../document/digest.js'
import { codeVersion } from '../evaluation/code-version.js'
import { readRows } from '../evaluation/history.js'
import { proveNamedProtocol } from '../evaluation/load.js'
import { breathe } from '../files/breathe.js'
import { cosineTables } from '../inference/cosines.js'
import { type PastCloses, pastCloses } from '../lint/power/comparator.js'
import { type PowerFigures, powerFigures } from '../lint/power/figures.js'
import { readPlan } from '../lint/power/plan.js'
import { plannedPower } from '../lint/power/planned-design.js'
import { predictions } from '../lint/power/predict.js'
import { Resemblances } from '../lint/power/resemblance.js'
import {
  madeCandidates,
  type PastComparators,
  pastComparators,
  simulate,
} from '../lint/power/run.js'
import type { Shard } from '../lint/power/shard.js'
import { readVintage } from '../outcomes/vintage.js'
import { loadDocument, loadFile } from '../protocol/load.js'
import type { Context } from './command.js'
import { textsOf } from './wording.js'
import { watched } from './work.js'

export interface PowerRequest {
  readonly plan: string
  readonly protocol: string
  readonly outcomes: string
  readonly history: string | undefined
  readonly seed: number
  readonly simulate: number | undefined
  readonly shard: Shard | undefined
}

export interface PowerRun {
  readonly findings: readonly Finding[]
  readonly source: (file: string) => string | undefined
  /** Absent where the plan or its protocol is not sound. */
  readonly figures?: PowerFigures
}

/** Gathers what power is reckoned from, and reckons. */
export async function runPower(request: PowerRequest, context: Context): Promise<PowerRun> {
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
    const made = madeCandidates(comparators.reference, estimated.found, seed)
    const basis = { ...made, design: planned.design, closes, seed, tables: cosineTables() }
    const onEvaluation = async (done: number, of: number) => {
      show(`simulated ${done} of ${of}`)
      await breathe(signal)
    }
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
      predicted: predictions(planned.design, made.surrogates, made.laws, seed),
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
