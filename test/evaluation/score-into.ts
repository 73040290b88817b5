import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach } from 'vitest'
import { readCodeVersion } from '../../src/evaluation/code-version.js'
import { type AuditOptions, auditFolder } from '../../src/evaluation/evidence/audit.js'
import { type OpenOptions, openInputs } from '../../src/evaluation/open.js'
import { type ScoreOptions, scoreEvaluation } from '../../src/evaluation/score.js'
import { RENDERERS } from '../../src/report/renderers.js'
import { codeOf } from '../contract/args-of.js'
import { copyOf, NOW, type World } from './world.js'

const BY_THIS = () => ({ code: readCodeVersion(), render: RENDERERS })

export type Over = Partial<OpenOptions & ScoreOptions>

/** Scores a world into a folder of this name in it. */
export async function scoreWorld({ paths, folder }: World, name: string, over: Over = {}) {
  const own = { ...BY_THIS(), now: () => NOW, out: join(folder, name) }
  return await scoreEvaluation(openInputs({ ...paths, ...over }), { ...own, ...over })
}

/** The same, which has to go well. */
export async function scoreInto(world: World, name: string, over: Over = {}) {
  const scored = await scoreWorld(world, name, over)
  if (!scored.ok) throw new Error(JSON.stringify(scored.findings))
  return scored
}

/** What is said of a world that is scored: the codes of findings, each with its fault. */
export async function scoreCodes(world: World, name: string, over: Over = {}) {
  return (await scoreWorld(world, name, over)).findings.map(codeOf)
}

/** Audits an evidence folder with the code at hand. */
export function audited(folder: string, over: Partial<AuditOptions> = {}) {
  return auditFolder({ folder, paths: {}, ...BY_THIS(), ...over })
}

/** The same, with the links that were not checked and the broken ones. */
export async function auditedLinks(folder: string, over: Partial<AuditOptions>) {
  const found = await audited(folder, over)
  const of = (state: string) =>
    found.links.filter((each) => each.state === state).map(({ link }) => link)
  return { ...found, open: of('not_checked'), broken: of('broken') }
}

/**
 * A world that is made and scored once, and copied for every test.
 * @returns the folder of the copy.
 */
export function scoredCopies(make: () => Promise<World>, ...outs: string[]): () => string {
  let origin: World
  let folder = ''
  beforeAll(async () => {
    origin = await make()
    for (const out of outs) await scoreInto(origin, out)
  })
  beforeEach(() => {
    folder = copyOf(origin).folder
    return () => rmSync(folder, { recursive: true, force: true })
  })
  return () => folder
}
