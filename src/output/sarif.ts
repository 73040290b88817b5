import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Severity } from '../contract/findings/finding.js'
import { printableJson } from '../contract/printable.js'
import { type DetailedFinding, slashed } from './reported.js'

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/**
 * A SARIF 2.1.0 log with one run; columns are counted in UTF-16 code units, ends exclusive. Every result has a
 * location, because GitHub refuses uploads with a result without one.
 * @param subject the file, folder or address for findings without a file.
 */
export function formatSarif(
  findings: readonly DetailedFinding[],
  tool: { readonly version: string; readonly command: string },
  ok: boolean,
  subject: string,
): string {
  const rules = [...new Set(findings.map((finding) => finding.code))].sort()
  const severities = new Map(findings.map((finding) => [finding.code, finding.severity]))
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'foreproof',
            semanticVersion: tool.version,
            version: tool.version,
            rules: rules.map((id) => ({
              id,
              name: pascal(id),
              shortDescription: { text: `${capital(id.replaceAll('-', ' '))}.` },
              defaultConfiguration: { level: severities.get(id) as Severity },
            })),
          },
        },
        automationDetails: { id: `foreproof/${tool.command}/` },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true, exitCode: ok ? 0 : 1 }],
        results: findings.map((finding) => result(finding, rules, subject)),
      },
    ],
  }
  return `${printableJson(log, 2)}\n`
}

function result(finding: DetailedFinding, rules: readonly string[], subject: string) {
  const text = finding.help === null ? finding.message : `${finding.message}. ${finding.help}`
  return {
    ruleId: finding.code,
    ruleIndex: rules.indexOf(finding.code),
    level: finding.severity,
    message: { text },
    locations: [location(finding, finding.file ?? subject)],
    partialFingerprints: { 'foreproof/v1': finding.fingerprint },
  }
}

function location(finding: DetailedFinding, file: string) {
  const { line, column, endLine, endColumn, pointer } = finding
  const end = endLine === null ? {} : { endLine, endColumn }
  // GitHub requires a line; for a whole file it is the first.
  const region = line === null ? { startLine: 1 } : { startLine: line, startColumn: column, ...end }
  return {
    physicalLocation: { artifactLocation: { uri: toUri(file) }, region },
    ...(pointer ? { logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }] } : {}),
  }
}

/** A relative file stays relative, so that the log is valid on other machines; an address stays as it is. */
function toUri(file: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file) && URL.canParse(file)) return new URL(file).href
  if (isAbsolute(file)) return pathToFileURL(file).href
  return slashed(file).split('/').map(encodeURIComponent).join('/')
}

function pascal(id: string): string {
  return id.split('-').map(capital).join('')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
