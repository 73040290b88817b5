/// <reference lib="webworker" />
// What verify.html does beside its thread: it audits a folder that a person gave it.
import { ForeproofError } from '../contract/error.js'
import { sha256Hex } from '../document/digest.js'
import { type AuditResult, auditFolder } from '../evaluation/evidence/audit.js'
import { FILES, pairsIn } from '../evaluation/evidence/folder.js'
import type { Phase } from '../evaluation/pair.js'
import type { CodeVersion } from '../evaluation/result/types.js'
import { gzipWriter } from '../files/gzip.js'
import { RENDERERS } from '../report/renderers.js'
import { type PageAnswer, toPageAnswer, toPageText } from './answer.js'
import { resealResult, type TamperedForecast, tamperForecast } from './change.js'
import { findInputs } from './inputs.js'
import { type Given, mount, readFileSync } from './stand-ins/fs.js'
import { join } from './stand-ins/path.js'

/** Put here when the page is made. */
declare const RELEASE: {
  readonly code: CodeVersion
  readonly styles: Readonly<Record<string, string>>
}

export type Task = 'check' | 'change'

/** What the page asks for. */
export interface Order {
  readonly given: Given
  /** The evidence among what was given. */
  readonly folder: string
  /** To check, or to change a number first, in memory. */
  readonly task: Task
}

/** What it is answered: progress, then the end. */
export type Saying =
  | {
      readonly kind: 'progress'
      readonly phase: Phase
      readonly completed: number
      readonly total: number
    }
  | { readonly kind: 'failed'; readonly message: string; readonly help: string | undefined }
  /** It may not read files itself, as in WebKit where a page is a file: it has to be given what is in them. */
  | { readonly kind: 'blind' }
  | { readonly kind: 'done'; readonly answer: PageAnswer; readonly seconds: number }
  | {
      readonly kind: 'changed'
      readonly what: Omit<TamperedForecast, 'text'> & { readonly model: string }
      /** The number alone; then with the digests of result.json made to fit. */
      readonly answers: readonly PageAnswer[]
    }

const say = (said: Saying) => postMessage(said)

async function audit(folder: string, given: Given) {
  mount(given, RELEASE.styles)
  const { paths, without } = findInputs(folder, given)
  const found: AuditResult = await auditFolder({
    ...{ folder, paths, without, code: RELEASE.code, render: RENDERERS },
    onProgress: (phase, completed, total) => say({ kind: 'progress', phase, completed, total }),
  })
  return { found, answer: toPageAnswer(found) }
}

/** So much of the pairs is looked at for a number to change. */
const BEGINNING = 4_194_304

/** Audits with one number changed, alone and with the digests that name it. */
async function auditChanged({ given, folder }: Order): Promise<void> {
  mount(given, RELEASE.styles)
  const [pairs, result] = [join(folder, FILES.pairs), join(folder, FILES.result)]
  const stored = JSON.parse(readFileSync(result))
  const model: string = stored.dispositions[0].candidate
  const whole = Buffer.concat([...pairsIn(folder)])
  // Bytes as characters, of the name too: a letter of several bytes may end beyond the piece.
  const name = Buffer.from(model).toString('latin1')
  const made = tamperForecast(whole.toString('latin1', 0, BEGINNING), name)
  if (made === undefined) throw new ForeproofError('not-found', `no scored forecast of ${model}`)
  const { text, ...what } = made
  const changed = Buffer.concat([Buffer.from(text, 'latin1'), whole.subarray(BEGINNING)])
  const packed: Uint8Array[] = []
  const pack = gzipWriter((bytes) => packed.push(bytes))
  pack(changed)
  pack()
  const other = new Map(given).set(pairs, Buffer.concat(packed).buffer as ArrayBuffer)
  const first = await audit(folder, other)
  const forged = Buffer.from(resealResult(stored, sha256Hex(changed)))
  const second = await audit(folder, other.set(result, forged.buffer as ArrayBuffer))
  const answers = [first.answer, second.answer]
  say({ kind: 'changed', what: { ...what, model: toPageText(model) }, answers })
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
      return say({ kind: 'blind' })
    }
    if (data.task === 'change') return await auditChanged(data)
    const { answer } = await audit(data.folder, data.given)
    say({ kind: 'done', answer, seconds: (performance.now() - began) / 1000 })
  } catch (error) {
    const help = error instanceof ForeproofError ? error.help : undefined
    const message = toPageText(error instanceof Error ? error.message : String(error))
    say({ kind: 'failed', message, help: help && toPageText(help) })
  }
}
