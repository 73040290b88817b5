import { ForeproofError, fileError } from '../../contract/error.js'
import { refuseExistingFolder, StagedFolder } from '../../files/new-folder.js'
import { type Column, type Row, tableOf } from '../../table/types.js'
import { tableBytes } from '../../table/write.js'
import { HUB, type HubFormat } from './columns.js'
import { modelMetadata } from './config.js'
import { type HubModel, hubModelOf } from './names.js'

/**
 * Writes a hub: whole or not at all.
 * @param out - the folder; it must not exist.
 * @throws {ForeproofError} `refused` when something has its name; `io`; what `write` throws.
 */
export async function stagedHub<T>(
  out: string,
  format: HubFormat,
  write: (hub: HubFolder) => Promise<T>,
): Promise<T> {
  refuseExistingFolder(out)
  const staged = new StagedFolder(out, { durable: false })
  try {
    const written = await write(new HubFolder(staged, format))
    refuseExistingFolder(out)
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
}

/** What hubs of all kinds have in common. */
export class HubFolder {
  /** Rows of the round that is being written, by model. */
  readonly #open = new Map<string, Row[]>()
  readonly #models = new Map<string, HubModel>()
  readonly #taken = new Set<string>()

  constructor(
    private readonly folder: StagedFolder,
    readonly format: HubFormat,
  ) {}

  modelOf(name: string): HubModel {
    const known = this.#models.get(name)
    if (known !== undefined) return known
    // Some file systems do not distinguish capitals from small letters.
    const model = hubModelOf(name, (id) => this.#taken.has(id.toLowerCase()))
    this.#taken.add(model.id.toLowerCase())
    this.#models.set(name, model)
    return model
  }

  addOutput(model: string, rows: readonly Row[]): void {
    const open = this.#open.get(model) ?? []
    this.#open.set(model, open)
    open.push(...rows)
  }

  /** Writes the model output that was added as that of a round; says how many files that were. */
  async putRound(round: string, columns: readonly Column[]): Promise<number> {
    for (const [model, rows] of this.#open) {
      const { id } = this.modelOf(model)
      const file = `${HUB.output}/${id}/${round}-${id}.${this.format}`
      await this.put(file, columns, rows, this.format)
    }
    const files = this.#open.size
    this.#open.clear()
    return files
  }

  async put(
    file: string,
    columns: readonly Column[],
    rows: readonly Row[],
    format: HubFormat = 'csv',
  ): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of tableBytes(tableOf(columns, rows), format)) pieces.push(piece)
    this.folder.put(file, Buffer.concat(pieces))
  }

  /** Adds the files that say what the others are, and those of the models. @throws {ForeproofError} where there is no forecast. */
  finish(
    forecasts: number,
    rounds: number,
    config: () => Readonly<Record<string, string>>,
  ): HubWritten {
    if (forecasts === 0) {
      throw new ForeproofError('invalid-input', 'there is no forecast to write', {
        help: 'Nothing was written.',
      })
    }
    for (const [file, text] of Object.entries(config())) this.folder.put(file, text)
    for (const [name, model] of this.#models) {
      this.folder.put(`${HUB.metadata}/${model.id}.yml`, modelMetadata(model, name))
    }
    return { forecasts, models: [...this.#models.values()], rounds }
  }
}
