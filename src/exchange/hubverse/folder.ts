import { ForeproofError, fileError } from '../../contract/error.js'
import { assertNewFolder, StagedFolder } from '../../files/new-folder.js'
import { type Column, type TableRow, toTable } from '../../table/types.js'
import { tableBytes } from '../../table/write.js'
import { HUB, type HubFormat, outputColumns } from './columns.js'
import { modelMetadata } from './config.js'
import { type HubModel, toHubModel } from './names.js'

/** How a hub is written. */
interface HubFolderOptions {
  /** The folder to write; it must not exist. */
  readonly out: string
  /** Of the files of model output. */
  readonly format: HubFormat
  /** The first columns of model output: what a forecast is of. */
  readonly task: readonly Column[]
}

/**
 * Writes a hub: whole or not at all.
 * @throws {ForeproofError} `refused` when something has its name; `io`; what `write` throws.
 */
export async function stageHub<T>(
  { out, format, task }: HubFolderOptions,
  write: (hub: HubFolder) => Promise<T>,
): Promise<T> {
  assertNewFolder(out)
  const staged = new StagedFolder(out, { durable: false })
  try {
    const written = await write(new HubFolder(staged, format, task))
    assertNewFolder(out)
    staged.commit()
    return written
  } catch (cause) {
    throw fileError(cause, out)
  } finally {
    staged.discard()
  }
}

/** What was written. */
export interface HubWritten {
  readonly forecasts: number
  readonly models: readonly HubModel[]
  readonly rounds: number
  /** Of model output. */
  readonly files: number
}

/** A forecast as rows of model output. */
interface HubForecast {
  readonly model: string
  /** The cells of what it is of. */
  readonly task: TableRow
  /** Undefined where the quantile of level 0.5 says it. */
  readonly point: number | undefined
  /** By level. */
  readonly quantiles: readonly (readonly [level: string | number, value: number])[]
}

/** A hub that grows by rounds, of which each has a file of model output for each model. */
export class HubFolder {
  /** Rows of the round that is being written, by model. */
  readonly #open = new Map<string, TableRow[]>()
  readonly #models = new Map<string, HubModel>()
  readonly #taken = new Set<string>()
  readonly #rounds: string[] = []
  #forecasts = 0
  #files = 0

  constructor(
    private readonly folder: StagedFolder,
    readonly format: HubFormat,
    private readonly task: readonly Column[],
  ) {}

  /** In the order in which they were begun. */
  get rounds(): readonly string[] {
    return this.#rounds
  }

  /** Forecasts that are added from now on are of this round; those of one round have to follow one another. */
  async beginRound(round: string): Promise<void> {
    if (round === this.#rounds.at(-1)) return
    await this.#putRound()
    this.#rounds.push(round)
  }

  add({ model, task, point, quantiles }: HubForecast): void {
    const rows = this.#open.get(model) ?? []
    if (rows.length === 0) this.#files++
    this.#open.set(model, rows)
    this.#forecasts++
    const isCsv = this.format === 'csv'
    if (point !== undefined) rows.push([...task, 'median', isCsv ? 'NA' : null, point])
    for (const [level, value] of quantiles) {
      rows.push([...task, 'quantile', isCsv ? String(level) : Number(level), value])
    }
  }

  async #putRound(): Promise<void> {
    for (const [name, rows] of this.#open) {
      const { id } = this.#modelOf(name)
      const file = `${HUB.output}/${id}/${this.#rounds.at(-1)}-${id}.${this.format}`
      await this.put(file, outputColumns(this.task, this.format), rows, this.format)
    }
    this.#open.clear()
  }

  #modelOf(name: string): HubModel {
    const known = this.#models.get(name)
    if (known !== undefined) return known
    // Some file systems do not distinguish capitals from small letters.
    const model = toHubModel(name, (id) => this.#taken.has(id.toLowerCase()))
    this.#taken.add(model.id.toLowerCase())
    this.#models.set(name, model)
    return model
  }

  async put(
    file: string,
    columns: readonly Column[],
    rows: readonly TableRow[],
    format: HubFormat = 'csv',
  ): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of tableBytes(toTable(columns, rows), format)) pieces.push(piece)
    this.folder.put(file, Buffer.concat(pieces))
  }

  /** Adds the files that say what the others are, and those of the models. @throws {ForeproofError} where there is no forecast. */
  async finish(config: () => Readonly<Record<string, string>>): Promise<HubWritten> {
    if (this.#forecasts === 0) {
      throw new ForeproofError('invalid-input', 'there is no forecast to write', {
        help: 'Nothing was written.',
      })
    }
    await this.#putRound()
    for (const [file, text] of Object.entries(config())) this.folder.put(file, text)
    for (const [name, model] of this.#models) {
      this.folder.put(`${HUB.metadata}/${model.id}.yml`, modelMetadata(model, name))
    }
    const models = [...this.#models.values()]
    const counts = { forecasts: this.#forecasts, rounds: this.#rounds.length, files: this.#files }
    return { ...counts, models }
  }
}
