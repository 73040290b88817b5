// Makes bundle/foreproof-gate.mjs, the one file of a release that runs `gate` and `verify` with Node
// alone: no node_modules, nothing native. Another folder to write it to may be named.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licencesOf } from './licences.mjs'

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

writeFileSync(outfile, `${readFileSync(outfile, 'utf8')}${licencesOf(metafile)}`)
