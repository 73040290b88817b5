import { ForeproofError, fileError } from '../../contract/error.js'
import { assertNewFolder, StagedFolder } from '../../files/new-folder.js'
import { type Column, type TableRow, toTable } from '../../table/table.js'
import { tableBytes } from '../../table/write.js'
import { HUB, type HubFormat, outputColumns } from './columns.js'
import { modelMetadata } from './config.js'
import { type HubModel, toHubModel } from './names.js'

/** Options for writing a hub. */
interface HubFolderOptions {
  /** The folder to write; it must not exist. */
  readonly out: string
  /** Format of the model output. */
  readonly format: HubFormat
  /** The first columns of model output, which identify what is forecast. */
  readonly task: readonly Column[]
}

/**
 * Writes a hub, completely or not at all.
 * @throws {ForeproofError} `refused` if the name is in use; `io`; errors of `write`.
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
  /** Number of model output files. */
  readonly files: number
}

/** A forecast as rows of model output. */
interface HubForecast {
  readonly model: string
  /** The cells that identify what is forecast. */
  readonly task: TableRow
  /** Undefined if the quantile of level 0.5 gives it. */
  readonly point: number | undefined
  /** By level. */
  readonly quantiles: readonly (readonly [level: string | number, value: number])[]
}

/** A hub that is written round by round; each round has a file of model output per model. */
export class HubFolder {
  /** Rows of the current round, by model. */
  readonly #open = new Map<string, TableRow[]>()
  readonly #models = new Map<string, HubModel>()
  readonly #names = new Set<string>()
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

  /** Starts a round for the forecasts added next. All forecasts of a round must be added together. */
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
      const { id } = this.#toModel(name)
      const file = `${HUB.output}/${id}/${this.#rounds.at(-1)}-${id}.${this.format}`
      await this.put(file, outputColumns(this.task, this.format), rows, this.format)
    }
    this.#open.clear()
  }

  #toModel(name: string): HubModel {
    const stored = this.#models.get(name)
    if (stored !== undefined) return stored
    // Some file systems do not distinguish capitals from small letters.
    const model = toHubModel(name, (id) => this.#names.has(id.toLowerCase()))
    this.#names.add(model.id.toLowerCase())
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

  /** Adds the configuration files and the metadata of the models. @throws {ForeproofError} if there is no forecast. */
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
