import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalize } from '../../src/document/canonical.js'
import { digestWithout, sha256Hex } from '../../src/document/digest.js'
import { describe, digestedFiles } from '../../src/evaluation/evidence/description.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import type { Result } from '../../src/evaluation/result/result.js'
import { resultDigest } from '../../src/evaluation/result-digest.js'
import {
  type AccessEntry,
  type AccessFields,
  accessText,
  chained,
} from '../../src/protocol/readings.js'
import { RENDERERS } from '../../src/report/renderers.js'
import { readText, writeText } from '../support/text-file.js'

type Open<T> = T extends readonly (infer I)[]
  ? Open<I>[]
  : T extends object
    ? { -readonly [K in keyof T]: Open<T[K]> }
    : T
export type OpenResult = Open<Result>

/** Where a run and its inputs lie, for one who changes them. */
export class Forger {
  readonly world: string
  readonly run: string

  /** @param world the folder of a made world. @param run the evidence folder in it. */
  constructor(world: string, run = 'first') {
    this.world = world
    this.run = join(world, run)
  }

  readonly file = (name: string): string => join(this.run, name)
  readonly text = (name: string): string => readText(this.file(name))
  readonly put = (name: string, text: string | Uint8Array): void => writeText(this.file(name), text)

  /** The record of readings beside the ledger. */
  get live(): string {
    const { registration_sha256: sha256 } = JSON.parse(
      readFileSync(join(this.world, 'registration.json'), 'utf8'),
    )
    return join(this.world, 'protocols', 'access', `${sha256}.jsonl`)
  }

  /** Has statement and description name the folder as it is now. */
  async seal(): Promise<void> {
    const result: Result = JSON.parse(this.text(FILES.result))
    const entries = this.text(FILES.access).trimEnd().split('\n')
    const { at } = JSON.parse(entries.at(-1) ?? '')
    const files = await digestedFiles(this.run, result, undefined)
    for (const [name, text] of Object.entries(describe(result, files, at))) this.put(name, text)
  }

  /** Changes a result and makes all of its folder agree with the change. */
  result(change: (result: OpenResult) => void): void {
    const result: OpenResult = JSON.parse(this.text(FILES.result))
    change(result)
    result.result_sha256 = resultDigest(result)
    this.put(FILES.result, `${canonicalize(result)}\n`)
    this.put(FILES.html, RENDERERS.html(result))
    this.put(FILES.markdown, RENDERERS.markdown(result))
    this.access((fields) => ({
      ...fields,
      vintage_sha256: result.inputs.outcomes.sha256,
      history_sha256: result.inputs.history.sha256,
      code_sha256: result.code.sha256,
      result_sha256: fields.event === 'result_written' ? result.result_sha256 : null,
    }))
  }

  /** Changes the entries of the record, and chains them anew in both of its copies. */
  access(change: (fields: AccessFields, index: number) => AccessFields | undefined): void {
    const before = this.text(FILES.access).trimEnd().split('\n')
    const entries: AccessEntry[] = []
    before.forEach((line, index) => {
      const { seq: _seq, previous: _previous, entry_sha256: _digest, ...rest } = JSON.parse(line)
      const fields = change(rest, index)
      if (fields) entries.push(chained(fields, entries.at(-1)))
    })
    this.put(FILES.access, accessText(entries))
    writeFileSync(this.live, accessText(entries))
    const { entry_sha256, result_sha256 } = entries.at(-1) ?? {}
    if (result_sha256) this.entry({ result_sha256, readings: [entry_sha256] })
  }

  /** Changes the entry of the result, if it is the last of the ledger, and chains it anew. */
  entry(change: {
    readonly result_sha256?: string
    readonly readings?: readonly unknown[] | undefined
  }): void {
    const file = join(this.world, 'protocols', 'ledger.jsonl')
    const lines = readText(file).trimEnd().split('\n')
    const { entry_sha256: _, ...entry } = { ...JSON.parse(lines.at(-1) ?? '{}'), ...change }
    if (entry.result_at === undefined) return
    if (entry.readings === undefined) delete entry.readings
    const forged = { ...entry, entry_sha256: digestWithout(entry, 'entry_sha256') }
    writeText(file, `${[...lines.slice(0, -1), JSON.stringify(forged)].join('\n')}\n`)
  }

  /** Changes the pairs and has the result, and all that rests on it, name them. */
  pairs(change: (text: string) => string): void {
    const text = change(this.text(FILES.pairs))
    this.put(FILES.pairs, text)
    this.result((result) => {
      result.inputs.pairs.sha256 = sha256Hex(text)
    })
  }
}
