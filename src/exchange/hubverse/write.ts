import { ForeproofError, fileError } from '../../contract/error.js'
import { breathe } from '../../files/breathe.js'
import { refuseExistingFolder, stageFolder } from '../../files/new-folder.js'
import type { StagedFolder } from '../../files/staged-folder.js'
import { tableOf } from '../../table/rows.js'
import type { Column, Row } from '../../table/types.js'
import { tableBytes } from '../../table/write.js'
import { byOrigin, type ExchangedForecast } from '../forecasts.js'
import { HUB, type HubFormat, ORACLE_COLUMNS, OUTPUT_COLUMNS, SOURCE_COLUMNS } from './columns.js'
import { hubConfig, modelMetadata } from './config.js'
import { type HubModel, hubModelOf } from './model-id.js'
import { roundIdOf } from './round-id.js'
import { outputRows } from './rows.js'

export interface HubOptions {
  /** The folder to write; it must not exist. */
  readonly out: string
  /** Of the files of model output. */
  readonly format: HubFormat
  readonly signal?: AbortSignal | undefined
}

/** What was written. */
export interface HubWritten {
  readonly forecasts: number
  readonly models: readonly HubModel[]
  readonly rounds: number
}

/**
 * Writes forecasts as a modeling hub of hubverse: whole or not at all. The same forecasts give the same bytes.
 * @param forecasts in the order of origins.
 * @throws {ForeproofError} `refused` when something has the name of `out`; `invalid-input` when there is no
 * forecast; `io`; `interrupted`.
 */
export async function writeHub(
  forecasts: AsyncIterable<readonly ExchangedForecast[]>,
  { out, format, signal }: HubOptions,
): Promise<HubWritten> {
  refuseExistingFolder(out)
  const staged = stageFolder(out, { durable: false })
  try {
    const hub = new Hub(staged, format)
    for await (const group of byOrigin(forecasts)) {
      await breathe(signal)
      await hub.addOrigin(group)
    }
    const written = await hub.finish()
    refuseExistingFolder(out)
    staged.commit()
    return written
  } catch (cause) {
    throw fileError(cause, out)
  } finally {
    staged.discard()
  }
}

/** How many files of model output a hub of these forecasts has: one for each model and origin. */
export async function outputFileCount(
  forecasts: AsyncIterable<readonly ExchangedForecast[]>,
): Promise<number> {
  let files = 0
  for await (const group of byOrigin(forecasts)) {
    files += new Set(group.map(({ model }) => model)).size
  }
  return files
}

/** A hub that grows by origins. */
class Hub {
  readonly #models = new Map<string, HubModel>()
  readonly #taken = new Set<string>()
  readonly #rounds: string[] = []
  readonly #horizons = new Set<number>()
  readonly #outcomes: Row[] = []
  readonly #sources: Row[] = []
  #forecasts = 0

  constructor(
    private readonly folder: StagedFolder,
    private readonly format: HubFormat,
  ) {}

  /** @param forecasts all of one origin, at least one. */
  async addOrigin(forecasts: readonly ExchangedForecast[]): Promise<void> {
    const [first] = forecasts
    if (first === undefined) return
    const round = roundIdOf(first.origin)
    this.#rounds.push(round)
    this.#sources.push([round, first.sourcePrice])
    this.#forecasts += forecasts.length
    const outcomes = new Map<number, number>()
    const byModel = new Map<string, ExchangedForecast[]>()
    for (const forecast of forecasts) {
      const { horizonHours, model, targetClose } = forecast
      this.#horizons.add(horizonHours)
      if (targetClose !== undefined) outcomes.set(horizonHours, targetClose)
      byModel.set(model, [...(byModel.get(model) ?? []), forecast])
    }
    for (const [horizon, close] of ascending(outcomes)) this.#outcomes.push([round, horizon, close])
    for (const [name, own] of byModel) {
      const { id } = this.#modelOf(name)
      const rows = own.flatMap((forecast) => outputRows(forecast, round, this.format))
      const file = `${HUB.output}/${id}/${round}-${id}.${this.format}`
      await this.#put(file, OUTPUT_COLUMNS[this.format], rows, this.format)
    }
  }

  async finish(): Promise<HubWritten> {
    if (this.#forecasts === 0) {
      throw new ForeproofError('invalid-input', 'there is no forecast to write', {
        help: 'Nothing was written.',
      })
    }
    const horizons = [...this.#horizons].sort((a, b) => a - b)
    const config = hubConfig({ rounds: this.#rounds, horizons }, this.format)
    for (const [file, text] of Object.entries(config)) this.folder.put(file, text)
    for (const [name, model] of this.#models) {
      this.folder.put(`${HUB.metadata}/${model.id}.yml`, modelMetadata(model, name))
    }
    await this.#put(HUB.sources, SOURCE_COLUMNS, this.#sources, 'csv')
    if (this.#outcomes.length > 0)
      await this.#put(HUB.oracle, ORACLE_COLUMNS, this.#outcomes, 'csv')
    const models = [...this.#models.values()]
    return { forecasts: this.#forecasts, models, rounds: this.#rounds.length }
  }

  #modelOf(name: string): HubModel {
    const known = this.#models.get(name)
    if (known !== undefined) return known
    // Some file systems do not tell capitals from small letters.
    const model = hubModelOf(name, (id) => this.#taken.has(id.toLowerCase()))
    this.#taken.add(model.id.toLowerCase())
    this.#models.set(name, model)
    return model
  }

  async #put(
    file: string,
    columns: readonly Column[],
    rows: readonly Row[],
    format: HubFormat,
  ): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of tableBytes(tableOf(columns, rows), format)) pieces.push(piece)
    this.folder.put(file, Buffer.concat(pieces))
  }
}

const ascending = <T>(map: ReadonlyMap<number, T>) => [...map].sort(([a], [b]) => a - b)
