import { createHash } from 'node:crypto'
import { MICROS_PER_HOUR } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { PairingRow } from '../forecast/row.js'
import type { Vintage } from '../outcomes/types.js'
import { ndjsonWriter } from '../pairing/lines.js'
import { Clock, compareWithinOrigin } from '../pairing/row-order.js'
import type { CommitmentLookup, Stratum } from '../pairing/types.js'
import { hourlyCloses } from '../scoring/baselines/closes.js'
import { computeBaselines } from '../scoring/baselines/compute.js'
import { baselineRows } from '../scoring/baselines/rows.js'
import { Panel, type PanelShape } from '../scoring/panel.js'
import { type PairingOptions, type PairingResult, runPairing } from './pair.js'
import { modelsOf, pairingPlan, panelShape } from './plan.js'

/** What an evaluation rests on, read and verified. */
export interface Basis {
  readonly registration: Registration
  readonly protocol: Protocol
  readonly vintage: Vintage
  /** The registered strata, each able to place an origin. */
  readonly strata: readonly Stratum[]
  /** What the log shows of the forecasts; there where they have to be committed. */
  readonly commitments?: CommitmentLookup | undefined
}

/** A registered evaluation with every attempt paired, and the scored ones kept. */
export interface Paired extends PairingResult {
  readonly shape: PanelShape
  readonly panel: Panel
  /** For every origin 1 where it and the target at this horizon have a close, or 0. */
  readonly outcomes: (horizon: number) => Uint8Array
  /** Digest and number of the lines of pairs.ndjson. */
  readonly pairs: { readonly sha256: string; readonly rows: number }
}

/**
 * Pairs a registered evaluation: the rows of its window together with those of its built-in models.
 * Rows of a history model that bears the name of a registered built-in are no forecasts of that
 * built-in: they are counted beside the grid.
 *
 * @param onLines gets the lines of pairs.ndjson in order, in pieces of some tens of kilobytes.
 */
export async function pairRegistered(
  basis: Basis,
  history: AsyncIterable<readonly PairingRow[]>,
  onLines: (text: string) => void,
  { onProgress, signal }: Pick<PairingOptions, 'onProgress' | 'signal'> = {},
): Promise<Paired> {
  const { registration, protocol, vintage, strata, commitments } = basis
  const shape = panelShape(registration)
  const panel = new Panel(shape)
  const lastClose = vintage.last
  const plan = pairingPlan({
    registration,
    protocol,
    lastClose,
    strata,
    commitments,
    builtInsComputed: true,
  })
  const hash = createHash('sha256')
  let namesakes = 0
  const own = async function* () {
    for await (const rows of history) {
      const kept = rows.filter(({ model }) => !plan.builtIn?.has(model))
      namesakes += rows.length - kept.length
      yield kept
    }
  }
  const paired = await runPairing(plan, vintage, mergeRows(own(), builtInRows(basis, shape)), {
    onAttempt: (attempt) => panel.add(attempt),
    writer: ndjsonWriter(),
    onLines: (text) => {
      hash.update(text)
      onLines(text)
    },
    onProgress: (completed, total) => onProgress?.(Math.min(completed, total), total),
    signal,
  })
  const { accounting } = paired
  accounting.addOutside('model_not_in_plan', namesakes)
  onProgress?.(accounting.expected, accounting.expected)
  const pairs = { sha256: hash.digest('hex'), rows: accounting.seen }
  const outcomes = (horizon: number) => outcomesOf(vintage, shape, horizon)
  return { ...paired, shape, panel, outcomes, pairs }
}

function outcomesOf(vintage: Vintage, { first, origins }: PanelShape, horizon: number): Uint8Array {
  const there = (hour: number) => vintage.closeAt(first + hour * MICROS_PER_HOUR) !== undefined
  return Uint8Array.from({ length: origins }, (_, hour) =>
    there(hour) && there(hour + horizon) ? 1 : 0,
  )
}

/** The forecasts of the built-in models, as rows of the window. */
function builtInRows({ registration, vintage }: Basis, shape: PanelShape): Iterable<PairingRow> {
  const names = modelsOf(registration, 'built_in')
  if (names.length === 0) return []
  const closes = hourlyCloses(vintage)
  const baselines = computeBaselines(closes, {
    names,
    horizons: registration.horizons_hours,
    pool: registration.baseline_pool,
  })
  return baselineRows(baselines, closes, shape.first, shape.origins)
}

/**
 * Two streams, each in origin, horizon, model order, as one in the same order: for each batch of the
 * one its rows and what of the other comes between, then what is left. Each is to be read to its end.
 */
async function* mergeRows(
  history: AsyncIterable<Iterable<PairingRow>>,
  builtIn: Iterable<PairingRow>,
): AsyncGenerator<Iterable<PairingRow>> {
  const ours = builtIn[Symbol.iterator]()
  const clock = new Clock()
  let next = ours.next()
  function* merged(rows: Iterable<PairingRow>): Generator<PairingRow> {
    for (const row of rows) {
      // What is no timestamp belongs nowhere in time: it goes first, as histories give it.
      const read = clock.read(row.originAt)
      const origin = Number.isNaN(read) ? Number.NEGATIVE_INFINITY : read
      for (; !next.done; next = ours.next()) {
        const step =
          clock.read(next.value.originAt) - origin || compareWithinOrigin(next.value, row)
        if (step > 0) break
        yield next.value
      }
      yield row
    }
  }
  function* rest(): Generator<PairingRow> {
    for (; !next.done; next = ours.next()) yield next.value
  }
  for await (const rows of history) yield merged(rows)
  yield rest()
}
