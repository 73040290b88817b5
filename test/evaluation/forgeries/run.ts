import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ForeproofError } from '../../../src/contract/error.js'
import { Forger } from '../forger.js'
import { audited, scoredCopies } from '../score-into.js'
import { makeStampedWorld, witnesses } from '../stamped-world.js'
import { makeWorld, type World } from '../world.js'
import type { Case } from './case.js'
import { ACCESS, PAIRS, REPORTS } from './files.js'
import { FOLDERS } from './folders.js'
import { INPUTS } from './inputs.js'
import { CODE, FIGURES, SPELLING } from './results.js'
import { TIMES } from './times.js'

/** Evidence that was tampered with, by what of it was. */
export const FORGERIES: Readonly<Record<string, readonly Case[]>> = {
  figures: FIGURES,
  code: CODE,
  spelling: SPELLING,
  reports: REPORTS,
  pairs: PAIRS,
  access: ACCESS,
  inputs: INPUTS,
  folders: FOLDERS,
}
/** What changes nothing that is vouched for: it is reported, and the audit goes on. */
const WARNINGS = ['evidence-foreign-files', 'inputs-file-differs']

/** Evidence with stamps and a log that was tampered with. */
export const STAMPED_FORGERIES: Readonly<Record<string, readonly Case[]>> = { times: TIMES }

type Wanted = 'all' | 'one of each kind'

/** Audits forgeries; of one kind are those of which the same is said. */
export function testForgeries(wanted: Wanted): void {
  testGroups(FORGERIES, () => makeWorld({ replicates: 100 }), wanted)
}

/** The same where stamps and a log bear the times out. */
export function testStampedForgeries(wanted: Wanted): void {
  const make = async () => makeStampedWorld({ by: await witnesses('alpha', 'beta'), atLeast: 2 })
  testGroups(STAMPED_FORGERIES, make, wanted)
}

function testGroups(
  groups: Readonly<Record<string, readonly Case[]>>,
  make: () => Promise<World>,
  wanted: Wanted,
): void {
  const kinds = new Set<string>()
  const folder = scoredCopies(make, 'first', 'second')

  for (const [group, cases] of Object.entries(groups)) {
    const chosen = cases.filter(([, , expected]) => {
      const isKnown = kinds.has(expected)
      kinds.add(expected)
      return wanted === 'all' || !isKnown
    })
    it.each(chosen)(`forged ${group}: %s`, async (_, spoil, expected) => {
      let meanwhile = await spoil(new Forger(folder()))
      const onProgress = () => {
        if (typeof meanwhile === 'function') meanwhile()
        meanwhile = undefined
      }
      const found = await audited(join(folder(), 'first'), { onProgress }).catch((error) => {
        if (!(error instanceof ForeproofError)) throw error
        return { ok: false, links: [], findings: [{ code: error.code, args: {} }] }
      })
      const broken = found.links.flatMap(({ link, state }) => (state === 'broken' ? [link] : []))
      const [{ code = '', args = {} } = {}] = found.findings
      const said = [...broken, code].join(' ')
      expect([said, `${said} ${'fault' in args ? args.fault : ''}`]).toContain(expected)
      expect(found.ok).toBe(WARNINGS.includes(expected))
    })
  }
}
