import { fileError } from '../../contract/error.js'
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

/** What hubs of all kinds have in common. */
export class HubFolder {
  readonly #models = new Map<string, HubModel>()
  readonly #taken = new Set<string>()

  constructor(
    private readonly folder: StagedFolder,
    readonly format: HubFormat,
  ) {}

  get models(): HubModel[] {
    return [...this.#models.values()]
  }

  modelOf(name: string): HubModel {
    const known = this.#models.get(name)
    if (known !== undefined) return known
    // Some file systems do not distinguish capitals from small letters.
    const model = hubModelOf(name, (id) => this.#taken.has(id.toLowerCase()))
    this.#taken.add(model.id.toLowerCase())
    this.#models.set(name, model)
    return model
  }

  /** The model output of a model in a round. */
  async putOutput(model: string, round: string, columns: readonly Column[], rows: readonly Row[]) {
    const { id } = this.modelOf(model)
    await this.put(`${HUB.output}/${id}/${round}-${id}.${this.format}`, columns, rows, this.format)
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

  /** The files that say what the others are, and those of the models. */
  putConfig(config: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(config)) this.folder.put(file, text)
    for (const [name, model] of this.#models) {
      this.folder.put(`${HUB.metadata}/${model.id}.yml`, modelMetadata(model, name))
    }
  }
}
