// Makes dist/verify.html, the page on which a sceptic recomputes a verdict, from the compiled code: the modules of the
// program as they are, with browser stand-ins in the place of Node's. The same sources give the same bytes. What only
// the page is made of is removed from dist/ then. Part of `npm run build`.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { gzipSync } from 'fflate'
import { licencesOf } from './licences.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(`${root}${path}`, 'utf8')
const STAND_INS = 'dist/page/stand-ins'

/** In the place of modules that a browser does not have, and of the store, which no page reads. */
const STANDS_IN = {
  'node:buffer': 'buffer',
  'node:crypto': 'crypto',
  'node:fs': 'fs',
  'node:os': 'machine',
  'node:path': 'path',
  'node:timers/promises': 'machine',
  'node:worker_threads': 'machine',
}
const standIns = {
  name: 'stand-ins',
  setup({ onResolve }) {
    const instead = (name) => ({ path: `${root}${STAND_INS}/${name}.js` })
    onResolve({ filter: /^node:/ }, ({ path }) => {
      if (path in STANDS_IN) return instead(STANDS_IN[path])
      throw new Error(`nothing is in the place of ${path}`)
    })
    onResolve({ filter: /\/store\/(?:open|shown)\.js$/ }, () => instead('store'))
    onResolve({ filter: /\/pairs-limit\.js$/ }, () => instead('pairs-limit'))
    // seedrandom asks for it where there is no randomness; the page asks for none.
    onResolve({ filter: /^crypto$/ }, () => instead('store'))
  },
}

const styles = Object.fromEntries(
  ['style.css', 'chart.css'].map((name) => [`/${name}`, read(`dist/report/html/${name}`)]),
)
// The digest of the code is that of the program without the page.
const parts = {}
for (const name of ['worker', 'main'])
  parts[name] = await bundled(name, { styles, code: undefined })
rmSync(`${root}dist/page`, { recursive: true })
const { readCodeVersion } = await import(`${root}dist/evaluation/code-version.js`)
const code = readCodeVersion()
const release = JSON.stringify({ code, styles })
const worker = `const RELEASE = ${release};\n${parts.worker}`

async function bundled(name) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`dist/page/${name}.js`],
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    // Where packages lie shows in the bundle.
    preserveSymlinks: true,
    target: ['chrome109', 'firefox115', 'safari16.4'],
    charset: 'utf8',
    minify: true,
    legalComments: 'inline',
    inject: name === 'worker' ? [`${STAND_INS}/machine.js`] : [],
    define: { 'import.meta.url': '"file:///dist/page.js"' },
    plugins: [standIns],
    logLevel: 'warning',
  })
  return outputFiles[0].text + licencesOf(metafile)
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const script = parts.main
if (script.includes('</script')) throw new Error('the script ends itself')
const style = read('dist/report/html/style.css') + read('src/page/page.css')
// A pinned deflate, for that of Node differs from version to version.
const engine = Buffer.from(gzipSync(new TextEncoder().encode(worker), { level: 9, mtime: 0 }))
const values = {
  policy: [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  release: `${code.name} ${code.version}`,
  code: code.sha256,
  style,
  engine: engine.toString('base64'),
  script,
}
const page = read('src/page/page.html').replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name])
writeFileSync(`${root}dist/verify.html`, page)
