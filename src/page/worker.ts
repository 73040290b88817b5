/// <reference lib="webworker" />
// The worker of verify.html: it audits a folder that the user selected.
import { ForeproofError } from '../contract/error.js'
import { sha256Hex } from '../document/digest.js'
import { type AuditResult, auditFolder } from '../evaluation/evidence/audit.js'
import { FILES, pairsIn } from '../evaluation/evidence/folder.js'
import type { Phase } from '../evaluation/pair.js'
import type { CodeVersion } from '../evaluation/result/result.js'
import { gzipWriter } from '../files/gzip.js'
import { checkRecord } from '../record/check.js'
import { RECORD_JSON } from '../record/files.js'
import { RENDERERS } from '../report/renderers.js'
import { type PageAnswer, toPageAnswer, toPageText, toRecordAnswer } from './answer.js'
import { resealResult, type TamperedForecast, tamperForecast } from './change.js'
import { findInputs } from './inputs.js'
import { type Given, mount, readFileSync } from './stand-ins/fs.js'
import { join } from './stand-ins/path.js'

/** Inserted when the page is built. */
declare const RELEASE: {
  readonly code: CodeVersion
  readonly styles: Readonly<Record<string, string>>
}

export type Task = 'check' | 'change'

/** A request of the page. */
export interface Order {
  readonly given: Given
  /** The evidence folder among the given files. */
  readonly folder: string
  /** To check, or to first change a number in memory. */
  readonly task: Task
}

/** The worker's messages: progress, then the result. */
export type Saying =
  | {
      readonly kind: 'progress'
      readonly phase: Phase
      readonly completed: number
      readonly total: number
    }
  | { readonly kind: 'failed'; readonly message: string; readonly help: string | undefined }
  /** The worker may not read files, as in WebKit on a page opened from a file; the page must send it their content. */
  | { readonly kind: 'blind' }
  | { readonly kind: 'done'; readonly answer: PageAnswer; readonly seconds: number }
  | {
      readonly kind: 'changed'
      readonly what: Omit<TamperedForecast, 'text'> & { readonly model: string }
      /** First with only the number changed, then also with matching digests in result.json. */
      readonly answers: readonly PageAnswer[]
    }

const post = (saying: Saying) => postMessage(saying)

async function audit(folder: string, given: Given) {
  mount(given, RELEASE.styles)
  const { paths, without } = findInputs(folder, given)
  const result: AuditResult = await auditFolder({
    ...{ folder, paths, without, code: RELEASE.code, render: RENDERERS },
    onProgress: (phase, completed, total) => post({ kind: 'progress', phase, completed, total }),
  })
  return { found: result, answer: toPageAnswer(result) }
}

/** Number of bytes of the pairs that are searched for a number to change. */
const BEGINNING = 4_194_304

/** Audits with one number changed, first alone, then with the digests that cover it. */
async function auditChanged({ given, folder }: Order): Promise<void> {
  mount(given, RELEASE.styles)
  const [pairs, result] = [join(folder, FILES.pairs), join(folder, FILES.result)]
  const stored = JSON.parse(readFileSync(result))
  const model: string = stored.settings.candidates[0].name
  const bytes = Buffer.concat([...pairsIn(folder)])
  // Compare bytes as latin1, the name too: a character of several bytes may be cut at the end of the piece.
  const name = Buffer.from(model).toString('latin1')
  const made = tamperForecast(bytes.toString('latin1', 0, BEGINNING), name)
  if (made === undefined) throw new ForeproofError('not-found', `no scored forecast of ${model}`)
  const { text, ...what } = made
  const changed = Buffer.concat([Buffer.from(text, 'latin1'), bytes.subarray(BEGINNING)])
  const packed: Uint8Array[] = []
  const pack = gzipWriter((bytes) => packed.push(bytes))
  pack(changed)
  pack()
  const other = new Map(given).set(pairs, Buffer.concat(packed).buffer as ArrayBuffer)
  const first = await audit(folder, other)
  const forged = Buffer.from(resealResult(stored, sha256Hex(changed)))
  const second = await audit(folder, other.set(result, forged.buffer as ArrayBuffer))
  const answers = [first.answer, second.answer]
  post({ kind: 'changed', what: { ...what, model: toPageText(model) }, answers })
}

function mayRead(): boolean {
  try {
    return new FileReaderSync().readAsText(new Blob(['x'])) === 'x'
  } catch {
    return false
  }
}

self.onmessage = async ({ data }: MessageEvent<Order>) => {
  const began = performance.now()
  try {
    if ([...data.given.values()].some((file) => file instanceof Blob) && !mayRead()) {
      return post({ kind: 'blind' })
    }
    if (data.given.has(join(data.folder, RECORD_JSON))) {
      mount(data.given, RELEASE.styles)
      const now = Date.now() * 1000
      const checked = await checkRecord({ folder: data.folder, now, code: RELEASE.code })
      const seconds = (performance.now() - began) / 1000
      return post({ kind: 'done', answer: toRecordAnswer(checked), seconds })
    }
    if (data.task === 'change') return await auditChanged(data)
    const { answer } = await audit(data.folder, data.given)
    post({ kind: 'done', answer, seconds: (performance.now() - began) / 1000 })
  } catch (error) {
    const help = error instanceof ForeproofError ? error.help : undefined
    const message = toPageText(error instanceof Error ? error.message : String(error))
    post({ kind: 'failed', message, help: help && toPageText(help) })
  }
}
