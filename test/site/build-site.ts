import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Finding } from '../../src/contract/findings/finding.js'
import type { Instant } from '../../src/contract/instant.js'
import type { Attempt, ForecastResource } from '../../src/contract/types.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { pullHistory } from '../../src/mirror/pull.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import { checkSite } from '../../src/site/check.js'
import { type PublishOptions, type PublishResult, publishSite } from '../../src/site/publish.js'
import type { HistoryReader } from '../../src/store/history-reader.js'
import { openHistory } from '../../src/store/open.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { allOf, EPOCH, HOUR, opened } from '../history/support.js'
import { LOG, type Stamper, seal } from '../log/sealed.js'
import { temporaryFolder } from '../support/folder.js'

export type BuildOptions = Partial<
  Pick<PublishOptions, 'inPlace' | 'full' | 'baseUrl' | 'onProgress'>
>

/** So many hours after the first of the made rows. */
export const at = (hour: number): Instant => (EPOCH + hour * HOUR) * 1000

export async function reading<T>(
  history: string,
  read: (reader: HistoryReader) => Promise<T>,
): Promise<T> {
  const reader = openHistory(history)
  try {
    return await read(reader)
  } finally {
    await reader.close()
  }
}

export function publish(
  history: string,
  out: string,
  now: Instant,
  over: BuildOptions = {},
): Promise<PublishResult> {
  const settings = { baseUrl: undefined, inPlace: false, staleAfterSeconds: 10_800, ...over }
  return reading(history, (reader) => publishSite({ reader, out, now, ...settings }))
}

/** What is wrong with a site. */
export const faultsOf = (history: string, out: string): Promise<readonly Finding[]> =>
  reading(history, async (reader) => (await checkSite(out, reader)).findings)

/** Publishes a history, and looks at the site, which has to be sound. */
export async function buildSite(
  history: string,
  site: string,
  now: Instant,
  over: BuildOptions = {},
): Promise<PublishResult> {
  const result = await publish(history, site, now, over)
  expect(await faultsOf(history, site)).toEqual([])
  return result
}

export type Value = ForecastResource | Attempt

const isAttempt = (value: Value): value is Attempt => 'status' in value
const modelOf = (value: Value) => (isAttempt(value) ? value.model_name : value.model.name)

/** What a finding calls a row. */
export const nameOf = (value: Value) =>
  `${isAttempt(value) ? 'the attempt of ' : ''}${value.origin_at}, ${modelOf(value)}, ${value.horizon_hours} h`

/** A history, the site that is made of it, and a mirror of that, in a folder of their own. */
export class Witness {
  readonly folder = temporaryFolder()
  readonly history = join(this.folder, 'history.sqlite')
  site = join(this.folder, 'site')
  mirror = join(this.folder, 'mirror.sqlite')

  /** A file of the published log. */
  log(path: string): string {
    return join(this.site, 'service/api/v1/log', path)
  }

  /** Puts values into the history; their entries are in this order. */
  async put(values: readonly Value[]): Promise<void> {
    const result = await importResources(this.history, values, { now: at(0) })
    expect(result.written).toBe(values.length)
  }

  seal(stampers: readonly Stamper[] = [], name?: string): Promise<number> {
    return seal(this.history, stampers, name)
  }

  async publish(over: BuildOptions = {}, hour = 200): Promise<void> {
    await publish(this.history, this.site, at(hour), { inPlace: true, ...over })
  }

  /** Puts values, seals and publishes. */
  async show(
    values: readonly Value[],
    stampers?: readonly Stamper[],
    name?: string,
  ): Promise<void> {
    await this.put(values)
    await this.seal(stampers, name)
    await this.publish()
  }

  pull(full = false, hour = 200) {
    const deployment = folderDeployment(this.site)
    return pullHistory({ deployment, path: this.mirror, now: at(hour), full })
  }

  /** The checkpoint of the log that the mirror saw last, and the rows that it has. */
  async known() {
    const noted = (await opened(this.mirror).notes()).get('pulled logs')
    const checkpoint: string | undefined = JSON.parse(noted ?? '{}')[LOG]?.checkpoint
    return { checkpoint, lines: await allOf(exportLines(this.mirror)) }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What is done to one of the rows before the first checkpoint. */
export const EDITS = ['altered', 'dropped', 'inserted', 'back-dated', 'reordered'] as const
export type Edit = (typeof EDITS)[number]

export interface Rewriting {
  readonly values: readonly Value[]
  /** Sizes of the two checkpoints. */
  readonly first: number
  readonly second: number
  readonly index: number
  readonly edit: Edit
  /** Whether only rows are changed, rather than the log made anew. An order and what is slipped in are in the log alone. */
  readonly logLeft: boolean
}

/** The writer of the history changes one row before the first checkpoint: the mirror says so and keeps what it knew. */
export async function expectNamed(one: Rewriting): Promise<void> {
  const { values, first, second, index, edit, logLeft } = one
  const witness = new Witness()
  await witness.show(values.slice(0, first))
  expect(await witness.pull()).toMatchObject({ complete: true, findings: [] })
  const before = await witness.known()
  expect(before.checkpoint).toContain(`\n${first}\n`)

  const value = values[index] as Value
  if (logLeft) {
    await witness.put(values.slice(first, second))
    await witness.seal()
    editRow(witness.history, value, edit)
  } else {
    rmSync(witness.history)
    await witness.put(edited(values.slice(0, second), index, edit))
    await witness.seal()
  }
  await witness.publish()
  // Where the log is as it was, a pull sees what is wrong with the rows that it reads.
  const { findings } = await witness.pull(logLeft)
  const named = { code: 'log-rewritten', args: { entry: index, row: nameOf(value) } }
  const parted = { code: 'log-shrunk', args: { fault: 'parted', before: String(first) } }
  const said = findings.filter(({ code }) => ['log-rewritten', 'log-shrunk'].includes(code))
  expect(said).toMatchObject([logLeft ? named : parted])
  const after = await witness.known()
  if (!logLeft) expect(after.checkpoint).toBe(before.checkpoint)
  expect(after.lines).toEqual(expect.arrayContaining(before.lines))
  witness.remove()
}

/** The same values with one of them changed, in the order of a log that is made anew. */
function edited(values: readonly Value[], index: number, edit: Edit): Value[] {
  const list = [...values]
  const value = list[index] as Value
  if (edit === 'dropped') list.splice(index, 1)
  if (edit === 'inserted') list.splice(index, 0, sample({ hour: 19, model: 'slipped in' }))
  if (edit === 'reordered') list.splice(index, 2, list[index + 1] as Value, value)
  if (edit === 'back-dated') list[index] = backDated(value)
  if (edit === 'altered') list[index] = altered(value)
  return list
}

function altered(value: Value): Value {
  if (isAttempt(value)) return { ...value, reason: 'another' }
  return { ...value, estimate: { price_usd: 51_000, change_pct: 2 } }
}

function backDated(value: Value): Value {
  const options = { hour: 1, model: modelOf(value), horizon: value.horizon_hours }
  return isAttempt(value) ? sampleAttempt(options) : sample(options)
}

/** Changes a row in the tables of the history, and leaves the log alone. */
function editRow(history: string, value: Value, edit: Edit): void {
  const db = openSqlite(history)
  const table = isAttempt(value) ? 'foreproof_attempts' : 'forecast_predictions'
  const where = 'WHERE origin_at = ? AND model_name = ? AND horizon_hours = ?'
  const change = isAttempt(value)
    ? "reason = 'another'"
    : 'predicted_price_usd = 51000, predicted_change_pct = 2'
  const sql = edit === 'altered' ? `UPDATE ${table} SET ${change}` : `DELETE FROM ${table}`
  db.prepare(`${sql} ${where}`).run(value.origin_at, modelOf(value), value.horizon_hours)
  if (edit === 'back-dated' && !isAttempt(value)) {
    const again = `INSERT INTO ${table} SELECT ?, model_name, horizon_hours, ?, 50500, 1, NULL, NULL, NULL, NULL
      FROM (SELECT ? AS model_name, ? AS horizon_hours)`
    const { origin_at, target_at, model, horizon_hours } = backDated(value) as ForecastResource
    db.prepare(
      `INSERT INTO forecast_origins SELECT ?, generated_at, source_name, pair, source_price_usd, regime,
       market_features_json, first_seen_at, last_seen_at, experiment_run_id, configuration_id,
       experiment_manifest_json FROM forecast_origins WHERE origin_at = ?`,
    ).run(origin_at, value.origin_at)
    db.prepare(again).run(origin_at, target_at, model.name, horizon_hours)
  }
  db.close()
}
