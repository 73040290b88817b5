/**
 * Writes docs/reference/findings.md from the catalogue: every code with its severity, what it says of an
 * example, and what it advises. Needs the build.
 *
 * node .ci/findings.mjs            writes the page
 * node .ci/findings.mjs --check    exits with 1 when the page is not the one it would write
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { SECTIONS } from '../dist/contract/findings/catalogue.js'
import { explainCode } from '../dist/contract/findings/finding.js'

const PAGE = new URL('../docs/reference/findings.md', import.meta.url)

const cell = (text) =>
  text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').replaceAll('*', '\\*')

const line = ({ code, severities, example, help }) =>
  `| \`${code}\` | ${severities.join(' or ')} | ${cell(example)} | ${cell(help)} |`

const sections = SECTIONS.map(({ title, rows }) => {
  const lines = Object.keys(rows).map((code) => line(explainCode(code)))
  const head = ['| code | severity | says, for example | advises |', '|---|---|---|---|']
  return [`## ${title}`, '', ...head, ...lines].join('\n')
})

const page = `# Findings

Every finding has a code that does not change its meaning. In JSON it comes as
\`{code, severity, file, pointer, line, column, message, fingerprint}\`; the fingerprint stays the same
while the same fault stays, with any lines added around it. Errors make a command exit with 1;
warnings and notes do not (\`compare\` counts every difference). Where two severities are given, the
first is the usual one. \`foreproof explain CODE\` prints the row of a code.

Text shows at most 20 findings of a kind, which is a code with a severity; one line then says how many
more there are, and in which lines. The last line counts all of them. Formats for machines list what was
kept: commands that read a row at a time keep 10,000; a finding with the code
\`more-findings\` then represents the others of a kind. GitHub shows 10 annotations of a
severity for a step: the tenth counts the others, which a folded group of the log lists. The job summary has the
first 100. JSON, SARIF and JUnit have no limit of their own; GitHub's code scanning takes 25,000 results of a
SARIF file and shows the 5,000 most severe.

This page is written by \`node .ci/findings.mjs\` from the catalogue in \`src/contract/findings/\`.

${sections.join('\n\n')}
`

if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error(
    'docs/reference/findings.md is not up to date: npm run build && node .ci/findings.mjs',
  )
  process.exitCode = 1
}
