import type { Finding } from '../../contract/findings/finding.js'
import type { Broken } from '../links.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import { checkOuts, writeFolders } from './drawn-folder.js'
import { FILES, type Renderers } from './folder.js'
import { openEvidence } from './open.js'

export interface DrawOptions {
  /** The evidence folder; of it result.json is read, and nothing else. */
  readonly folder: string
  /** The folder for the reports; it must not exist, or be empty. Without it none are written. */
  readonly out?: string | undefined
  /** A folder of the same kind for drawings and tables by name. */
  readonly figures?: {
    readonly out: string
    readonly render: (result: EvaluationResult) => Readonly<Record<string, string>>
  }
  readonly code: CodeVersion
  readonly render: Renderers
}

export type DrawResult =
  | Broken
  | {
      readonly ok: true
      readonly result: EvaluationResult
      /** Paths of what was written. */
      readonly files: readonly string[]
      /** A note where other code scored the result. */
      readonly findings: readonly Finding[]
    }

/**
 * Draws the reports of a result anew, and its figures, into folders that are there whole or not at all.
 * With the code that scored, the reports have the bytes that `score` wrote. The result is proved to be
 * whole; whether it follows from its inputs is for `auditFolder` to say.
 * @throws {ForeproofError} `not-found` when the folder is no evidence; `refused` when something has the
 * name of a folder to be written; `usage` when that lies in the evidence; `io` when it cannot be written.
 */
export async function drawReport(request: DrawOptions): Promise<DrawResult> {
  const { folder, out, figures, render } = request
  const outs = [out, figures?.out].filter((path) => path !== undefined)
  checkOuts(outs, [folder])
  const read = await openEvidence(folder, request.code)
  if (!read.ok) return read
  const { result, findings } = read
  const files = writeFolders([
    ...(out === undefined
      ? []
      : [
          {
            out,
            files: { [FILES.html]: render.html(result), [FILES.markdown]: render.markdown(result) },
          },
        ]),
    ...(figures === undefined ? [] : [{ out: figures.out, files: figures.render(result) }]),
  ])
  return { ok: true, result, files, findings }
}
