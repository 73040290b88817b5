/**
 * Writes docs/findings.md from the catalogue: every code with its severity, what it says of an
 * example, and what it advises. Needs the build.
 *
 * node .ci/findings.mjs            writes the page
 * node .ci/findings.mjs --check    exits with 1 when the page is not the one it would write
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { SECTIONS } from '../dist/contract/findings/catalogue.js'
import { explanationOf } from '../dist/contract/findings/explanation.js'

const PAGE = new URL('../docs/findings.md', import.meta.url)

const cell = (text) =>
  text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').replaceAll('*', '\\*')

const line = ({ code, severities, example, help }) =>
  `| \`${code}\` | ${severities.join(' or ')} | ${cell(example)} | ${cell(help ?? '')} |`

const sections = SECTIONS.map(({ title, rows }) => {
  const lines = Object.keys(rows).map((code) => line(explanationOf(code)))
  const head = ['| code | severity | says, for example | advises |', '|---|---|---|---|']
  return [`## ${title}`, '', ...head, ...lines].join('\n')
})

const page = `# Findings

Every finding has a code that does not change its meaning. In JSON it comes as
\`{code, severity, file, pointer, line, column, message, fingerprint}\`; the fingerprint stays the same
while the same fault stays, whatever lines are added around it. Errors make a command exit with 1;
warnings and notes do not (\`compare\` counts every difference). Where two severities are given, the
first is the usual one. \`foreproof explain CODE\` prints the row of a code.

This page is written by \`node .ci/findings.mjs\` from the catalogue in \`src/contract/findings/\`.

${sections.join('\n\n')}
`

if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error('docs/findings.md is not up to date: npm run build && node .ci/findings.mjs')
  process.exitCode = 1
}
