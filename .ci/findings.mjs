/**
 * Writes docs/findings.md from the message tables: every code of every room, what it says, and what
 * it advises. Needs `npm run build`. A test holds the codes of the page against those of the tables.
 *
 * node .ci/findings.mjs
 */
import { writeFileSync } from 'node:fs'
import { MESSAGE_TABLES } from '../dist/contract/findings/messages.js'

const TITLES = {
  'unknown-key': 'Form: what a document or payload may hold',
  'document-empty': 'Text: bytes, JSON, and what RFC 7493 forbids',
  'significance-unreachable': 'Lint: designs that cannot answer their question',
  'import-unknown-value': 'Forecast history',
  'evidence-unreadable': 'Evidence and audit',
  'difference-changed': 'Comparison and the gate',
  'outcome-encoding': 'Outcomes',
  'pairing-model-unknown': 'Pairing',
  'digest-mismatch': 'Protocols and their ledger',
  'invalid-input': 'Inputs that cannot be judged, and requests that are refused',
  'plan-placeholder': 'Registration',
  'site-record-unreadable': 'The static site',
}

/** Stands for an argument: its own name, however the sentence uses it. */
const args = new Proxy({}, { get: (_, name) => `‹${String(name)}›` })

function cell(text) {
  return text
    .replaceAll(/\bNaN\b/g, '‹number›')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('<', '&lt;')
}

function row(code, make) {
  try {
    const { text, help } = make(args)
    return `| \`${code}\` | ${cell(text)} | ${cell(help ?? '')} |`
  } catch {
    return `| \`${code}\` | ${code.replaceAll('-', ' ')} | |`
  }
}

const sections = MESSAGE_TABLES.filter((table) => Object.keys(table).length > 0).map((table) => {
  const codes = Object.keys(table)
  const title = codes.map((code) => TITLES[code]).find(Boolean) ?? `About ${codes[0].split('-')[0]}`
  const rows = Object.entries(table).map(([code, make]) => row(code, make))
  return [`## ${title}`, '', '| code | says | advises |', '|---|---|---|', ...rows].join('\n')
})

const page = `# Findings

Every finding has a code that does not change its meaning. In JSON it comes as
\`{code, severity, file, pointer, line, column, message, fingerprint}\`; the fingerprint stays the same
while the same fault stays, whatever lines are added around it. Errors make a command exit with 1;
warnings and notes do not (\`compare\` counts every difference). ‹Words› stand for what a finding is about.

This page is written by \`node .ci/findings.mjs\` from the tables that make the sentences.

${sections.join('\n\n')}
`

writeFileSync(new URL('../docs/findings.md', import.meta.url), page)
