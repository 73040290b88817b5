import { readdirSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import type { Finding } from '../../contract/findings/finding.js'
import { writeNewFolder } from '../../files/new-folder.js'
import { type Broken, catchBroken } from '../links.js'
import type { CodeVersion, Result } from '../result/result.js'
import { FILES, type ReportRenderers } from './folder.js'
import { openEvidence } from './open.js'

export interface DrawOptions {
  /** The evidence folder; only its result.json is read. */
  readonly folder: string
  /** The folder for the reports; it must not exist, or be empty. If absent, no reports are written. */
  readonly out?: string | undefined
  /** A folder of the same kind for drawings and tables by name. */
  readonly figures?: {
    readonly out: string
    readonly render: (result: Result) => Readonly<Record<string, string>>
  }
  readonly code: CodeVersion
  readonly render: ReportRenderers
}

export type DrawResult =
  | Broken
  | {
      readonly ok: true
      readonly result: Result
      /** Paths of what was written. */
      readonly files: readonly string[]
      /** A note if other code scored the result. */
      readonly findings: readonly Finding[]
    }

/**
 * Draws the reports of a result again, and its figures, into folders that are written atomically. With the code that
 * scored, the reports have the bytes that `score` wrote. The result is verified by its digest; `auditFolder` checks
 * whether it follows from its inputs.
 * @throws {ForeproofError} `not-found` if the folder is not evidence; `refused` if the name of an output folder is
 * taken; `usage` if that lies in the evidence; `io` if it cannot be written.
 */
export async function drawReport(request: DrawOptions): Promise<DrawResult> {
  const { folder, out, figures, code, render } = request
  const outs = [out, figures?.out].filter((path) => path !== undefined)
  checkOuts(outs, folder)
  return await catchBroken(async () => {
    const { result, findings } = await openEvidence(folder, code)
    const files: string[] = []
    if (out !== undefined) {
      const reports = {
        [FILES.html]: render.html(result),
        [FILES.markdown]: render.markdown(result),
      }
      files.push(...writeFolder(out, reports))
    }
    if (figures !== undefined) files.push(...writeFolder(figures.out, figures.render(result)))
    return { ok: true, result, files, findings }
  })
}

/**
 * Refuses folders that must not be written to; changes nothing.
 * @param outs - the output folders, each outside of the others.
 * @throws {ForeproofError} `refused` if the name of one is taken; `usage` if one lies in the evidence or in another.
 */
function checkOuts(outs: readonly string[], evidence: string): void {
  for (const out of outs) {
    assertOutsideEvidence(evidence, out)
    if (outs.some((other) => other !== out && isWithin(other, out))) throw together(out)
    assertFree(out)
  }
  if (new Set(outs.map((out) => resolve(out))).size < outs.length) throw together(outs[0] ?? '')
}

/** Writes a folder atomically; returns the paths of its files. */
function writeFolder(out: string, files: Readonly<Record<string, string>>): string[] {
  writeNewFolder(out, files)
  return Object.keys(files).map((name) => join(out, name))
}

function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(resolve(folder), resolve(path))
  return !(relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath))
}

/**
 * Protects an evidence folder from later files.
 * @throws {ForeproofError} `usage` if `out` lies in it.
 */
export function assertOutsideEvidence(folder: string, out: string): void {
  if (!isWithin(folder, out)) return
  throw new ForeproofError('usage', `${out} is inside the evidence folder`, {
    help: 'Choose a place outside it: the evidence must not change.',
  })
}

const together = (out: string) =>
  new ForeproofError('usage', `${out} is inside the other folder that is to be written`, {
    help: 'Give the reports and the figures folders of their own.',
  })

function assertFree(out: string): void {
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
