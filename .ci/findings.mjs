/**
 * Writes docs/reference/findings.md from the catalogue (every code with its severity, what it says of an
 * example, and what it advises) and docs/reference/schemas.md from the schemas. Needs the build.
 *
 * node .ci/findings.mjs            writes the pages
 * node .ci/findings.mjs --check    exits with 1 when a page is not the one it would write
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { SECTIONS } from '../dist/contract/findings/catalogue.js'
import { explainCode } from '../dist/contract/findings/finding.js'
import { SCHEMAS } from '../dist/contract/schemas/index.js'

const FOLDER = new URL('../docs/reference/', import.meta.url)

const cell = (text) =>
  text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').replaceAll('*', '\\*')

const line = ({ code, severities, example, help }) =>
  `| \`${code}\` | ${severities.join(' or ')} | ${cell(example)} | ${cell(help)} |`

const sections = SECTIONS.map(({ title, rows }) => {
  const lines = Object.keys(rows).map((code) => line(explainCode(code)))
  const head = ['| code | severity | says, for example | advises |', '|---|---|---|---|']
  return [`## ${title}`, '', ...head, ...lines].join('\n')
})

const findings = `# Findings

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

const members = ({ properties = {} }) =>
  Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(', ')

const schemas = `# Schemas

JSON Schemas (2020-12) of every document, line and answer. \`foreproof schema NAME\` prints one, in which each member has a title and a description; \`foreproof schema openapi\` prints the forecast API as OpenAPI 3.1.

| name | what it is of | members |
|---|---|---|
${Object.entries(SCHEMAS)
  .map(([name, schema]) => `| \`${name}\` | ${cell(schema.description)} | ${members(schema)} |`)
  .join('\n')}

This page is written by \`node .ci/findings.mjs\`.
`

for (const [name, page] of Object.entries({ 'findings.md': findings, 'schemas.md': schemas })) {
  const file = new URL(name, FOLDER)
  if (!process.argv.includes('--check')) writeFileSync(file, page)
  else if (readFileSync(file, 'utf8') !== page) {
    console.error(
      `docs/reference/${name} is not up to date: npm run build && node .ci/findings.mjs`,
    )
    process.exitCode = 1
  }
}
