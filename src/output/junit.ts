import type { Severity } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import { printable, printableLines } from '../contract/printable.js'
import { countFindings, type DetailedFinding, formatPosition } from './reported.js'

/** Findings without a file are collected under this test case. */
const NO_FILE = '(run)'

/**
 * JUnit XML with one test case per checked file. It uses only what both common schemas allow: one failure per case,
 * which lists all errors of the file; warnings go to system-out.
 */
export function formatJunit(
  findings: readonly DetailedFinding[],
  run: {
    readonly command: string
    readonly checked: readonly string[]
    /** The severities that make a test case fail. */
    readonly failing: readonly Severity[]
    readonly now: Instant
    readonly version: string
  },
): string {
  const byFile = new Map<string, DetailedFinding[]>(run.checked.map((file) => [file, []]))
  for (const finding of findings) {
    const file = finding.file ?? NO_FILE
    const list = byFile.get(file)
    if (list) list.push(finding)
    else byFile.set(file, [finding])
  }
  if (byFile.size === 0) byFile.set(NO_FILE, [])
  const cases = [...byFile].map(([file, list]) => testCase(file, list, run))
  const failures = cases.filter((each) => each.failed).length
  const others = findings.filter((finding) => !run.failing.includes(finding.severity))
  const name = `foreproof ${run.command}`
  const attributes = [
    `name="${xml(name)}" package="foreproof" id="0"`,
    `tests="${cases.length}" failures="${failures}" errors="0" time="0"`,
    `timestamp="${formatUtc(run.now).slice(0, 19)}" hostname="localhost"`,
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${attributes.join(' ')}>`,
    // One of the two schemas rejects an absent list, the other an empty one; one property satisfies both.
    `    <properties><property name="foreproof" value="${xml(run.version)}"/></properties>`,
    ...cases.map((each) => each.xml),
    `    <system-out>${xml(others.map(describe).join('\n'))}</system-out>`,
    '    <system-err/>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(
  file: string,
  findings: readonly DetailedFinding[],
  { command, failing }: { readonly command: string; readonly failing: readonly Severity[] },
) {
  const errors = findings.filter((finding) => failing.includes(finding.severity))
  const opening = `    <testcase name="${xml(printable(file))}" classname="foreproof.${xml(
    command.replaceAll(' ', '.'),
  )}" time="0"`
  const [first] = errors
  if (first === undefined) return { failed: false, xml: `${opening}/>` }
  const count = errors.reduce((sum, each) => sum + countFindings(each), 0)
  const rest = count === 1 ? '' : ` (and ${count - 1} more)`
  const body = errors.map(describe).join('\n')
  const failure = `<failure type="${xml(first.code)}" message="${xml(printable(first.message + rest))}">`
  return {
    failed: true,
    xml: `${opening}>\n      ${failure}${xml(body)}</failure>\n    </testcase>`,
  }
}

function describe(finding: DetailedFinding): string {
  const pointer = finding.pointer ? ` at ${finding.pointer}` : ''
  const file = finding.file ?? NO_FILE
  const text = `${file}${formatPosition(finding)}: ${finding.severity} ${finding.code}${pointer}: ${finding.message}`
  // Each on one line, because a file name may contain a line end.
  return finding.help === null
    ? printable(text)
    : `${printable(text)}\n  ${printable(finding.help)}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Keeps our own line ends. XML 1.0 cannot represent most control characters, nor two others. */
function xml(text: string): string {
  return printableLines(text)
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] as string)
}
