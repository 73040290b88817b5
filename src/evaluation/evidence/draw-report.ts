import { readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import { StagedFolder } from '../../files/staged-folder.js'
import { type Broken, broken } from '../links.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import { codeFindings } from './audit-links.js'
import { FILES, makeParent, type Renderers } from './folder.js'
import { readResult, requireEvidence } from './read-folder.js'

export interface DrawOptions {
  /** The evidence folder; of it result.json is read, and nothing else. */
  readonly folder: string
  /** The folder to write; it must not exist, or be empty. */
  readonly out: string
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
 * Draws the reports of a result anew, into a folder that is there whole or not at all. With the code
 * that scored, they have the bytes that `score` wrote. The result is proved to be whole; whether it
 * follows from its inputs is for `auditFolder` to say.
 * @throws {ForeproofError} `not-found` when the folder is no evidence; `refused` when something has the
 * name of `out`; `usage` when that lies in the evidence; `io` when it cannot be written.
 */
export async function drawReport(request: DrawOptions): Promise<DrawResult> {
  const { folder, out, code, render } = request
  requireEvidence(folder)
  refuseInside(folder, out)
  refuseTaken(out)
  const read = await readResult(folder)
  if (!read.ok) return read
  const { result } = read
  const findings = codeFindings(result, code, result.code.sha256, folder)
  if (!hasNoErrors(findings)) return broken('code', findings)
  const path = resolve(out)
  makeParent(dirname(path))
  const staged = stage(path, out)
  try {
    staged.append(FILES.html, render.html(result))
    staged.append(FILES.markdown, render.markdown(result))
    staged.commit()
  } catch (cause) {
    throw fileError(cause, out)
  } finally {
    staged.discard()
  }
  return {
    ok: true,
    result,
    files: [FILES.html, FILES.markdown].map((name) => join(out, name)),
    findings,
  }
}

function stage(path: string, asNamed: string): StagedFolder {
  try {
    return new StagedFolder(path)
  } catch (cause) {
    throw fileError(cause, asNamed)
  }
}

/**
 * An evidence folder stays as it was written.
 * @throws {ForeproofError} `usage` when `out` lies in it.
 */
export function refuseInside(folder: string, out: string): void {
  const within = relative(resolve(folder), resolve(out))
  if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)) return
  throw new ForeproofError('usage', `--out ${out} is inside the evidence folder`, {
    help: 'Choose a place outside it: the evidence must not change.',
  })
}

function refuseTaken(out: string): void {
  let names: readonly string[]
  try {
    names = readdirSync(out)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return
    names = [basename(out)]
  }
  if (names.length === 0) return
  throw new ForeproofError('refused', `${out}: already exists`, {
    file: out,
    help: 'Nothing was overwritten. Name a folder that does not exist, or an empty one.',
  })
}
