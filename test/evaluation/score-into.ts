import { join } from 'node:path'
import { expect } from 'vitest'
import { codeVersion } from '../../src/evaluation/code-version.js'
import { scoreEvaluation } from '../../src/evaluation/score.js'
import { RENDERERS } from '../../src/report/renderers.js'
import { NOW, type World } from './world.js'

/** Scores a world, which has to go well, into a folder of this name in it. */
export async function scoreInto({ paths, folder }: World, name: string): Promise<void> {
  const how = { now: () => NOW, code: codeVersion(), render: RENDERERS }
  const scored = await scoreEvaluation({ ...paths, ...how, out: join(folder, name) })
  expect(scored.ok).toBe(true)
}
