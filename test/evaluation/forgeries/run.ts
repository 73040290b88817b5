import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../../src/contract/error.js'
import { BY_VERDICT } from '../../registration/made.js'
import { Forger } from '../forger.js'
import { audited, scoredCopies } from '../score-into.js'
import { makeStampedWorld, witnesses } from '../stamped-world.js'
import { makeWorld } from '../world.js'
import type { Case } from './case.js'
import { ACCESS, CODE, FIGURES, FOLDERS, PAIRS, REPORTS, SPELLING, WAITING } from './evidence.js'
import { INPUTS } from './inputs.js'
import { TIMES } from './times.js'

/** Evidence that was tampered with: how it is made, and the forgeries by what of it they change. */
export const FORGERIES = {
  plain: {
    make: () => makeWorld({ replicates: 100, hours: 100 }),
    groups: {
      figures: FIGURES,
      code: CODE,
      spelling: SPELLING,
      reports: REPORTS,
      pairs: PAIRS,
      access: ACCESS,
      inputs: INPUTS,
      folders: FOLDERS,
    },
  },
  /** Where stamps and a log bear the times out. */
  stamped: {
    make: async () => makeStampedWorld({ by: await witnesses('alpha', 'beta'), atLeast: 2 }),
    groups: { times: TIMES },
  },
  /** Under a protocol with verdict hypotheses. */
  judged: {
    make: () => makeWorld({ method: BY_VERDICT, hours: 120 }),
    groups: { waiting: WAITING },
  },
}
export type Kind = keyof typeof FORGERIES

export const forgeriesOf = (kind: Kind): readonly Case[] =>
  Object.values(FORGERIES[kind].groups).flat()

/** What changes nothing that is vouched for: it is reported, and the audit goes on. */
const WARNINGS = ['evidence-foreign-files', 'inputs-file-differs']

/** Audits forgeries; of one kind are those of which the same is said. */
export function testForgeries(wanted: 'all' | 'one of each kind'): void {
  describe.each(['plain', 'stamped', 'judged'] as const)('%s evidence', (kind) =>
    testKind(kind, wanted),
  )
}

function testKind(kind: Kind, wanted: 'all' | 'one of each kind'): void {
  const kinds = new Set<string>()
  const folder = scoredCopies(FORGERIES[kind].make, 'first', 'second')

  for (const [group, cases] of Object.entries(FORGERIES[kind].groups)) {
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
