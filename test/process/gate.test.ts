import { expect, it } from 'vitest'
import { Repositories } from '../gate/repositories.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'

it('a gate with nothing to compare exits with 3 in CI alone, and says how to give a base', async () => {
  const all = new Repositories()
  const env = { ...process.env, CI: '', GITLAB_CI: '', GITHUB_ACTIONS: '' }
  const local = await foreproof(['gate'], { cwd: all.root, env })
  expect(local).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was compared') })
  const ci = await foreproof(['gate'], { cwd: all.root, env: { ...env, GITLAB_CI: 'true' } })
  expect(ci).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/nothing was compared[\s\S]*--base/),
  })
})

it('a gate outside of a repository cannot be held', async () => {
  expect((await foreproof('gate', { cwd: temporaryFolder() })).code).toBe(3)
})
