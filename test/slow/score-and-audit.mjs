// Run by node-versions.test.ts on each engine: audits what another one wrote of folders, scores them, and prints what
// it found. Arguments: a clone that is built, the name of the folder to write, the one to audit if any, and the folders.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const NOW = Date.UTC(2025, 5, 1) * 1000
const [, , clone, out, other, ...folders] = process.argv
const load = (module) => import(join(clone, 'dist', module))
const { openInputs } = await load('evaluation/open.js')
const { scoreEvaluation } = await load('evaluation/score.js')
const { auditFolder } = await load('evaluation/evidence/audit.js')
const { readCodeVersion } = await load('evaluation/code-version.js')
const { RENDERERS } = await load('report/renderers.js')

const by = { code: readCodeVersion(), render: RENDERERS }
const found = []
for (const folder of folders) {
  const inFolder = (name) => join(folder, name)
  if (other !== '') {
    found.push(...(await auditFolder({ ...by, folder: inFolder(other), paths: {} })).findings)
    // So that each is the first to read it, and enters its own result.
    rmSync(inFolder('protocols'), { recursive: true })
    cpSync(inFolder('before'), inFolder('protocols'), { recursive: true })
  } else {
    cpSync(inFolder('protocols'), inFolder('before'), { recursive: true })
  }
  const paths = {
    ...{ registration: inFolder('registration.json'), protocol: inFolder('protocols') },
    ...{ history: inFolder('history.sqlite'), outcomes: inFolder('vintage') },
  }
  const options = { ...by, now: () => NOW, out: inFolder(out) }
  const scored = await scoreEvaluation(openInputs(paths), options)
  if (!scored.ok) found.push(...scored.findings)
}
console.log(JSON.stringify(found))
