// Makes bundle/foreproof-gate.mjs, the one file of a release that runs `gate` and `verify` with Node
// alone: no node_modules, nothing native. Another folder to write it to may be named.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = join(resolve(process.argv[2] ?? join(root, 'bundle')), 'foreproof-gate.mjs')

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['dist/cli/gate-main.js'],
  outfile,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  banner: {
    // Some dependencies are CommonJS and ask for Node's modules with require.
    js: `#!/usr/bin/env node
import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url)`,
  },
})

/** The licence of a package, as it lies in its folder. */
function licence(folder) {
  const file = readdirSync(join(root, folder)).find((name) => /^licen[sc]e/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no licence file`)
  const text = readFileSync(join(root, folder, file), 'utf8').trim()
  return `${folder === '.' ? 'foreproof' : folder.replace('node_modules/', '')}\n\n${text}`
}

const folders = new Set(
  Object.keys(metafile.inputs).map(
    (file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '.',
  ),
)
const licences = [...folders].sort().map(licence).join('\n\n---\n\n')
writeFileSync(outfile, `${readFileSync(outfile, 'utf8')}/*\n${licences}\n*/\n`)
