import { type Finding, finding } from '../../contract/findings/finding.js'
import { isRegular, type TreeEntry } from '../git/tree.js'
import { type GateInputs, isDocument } from '../inputs.js'
import { type Content, parseContent } from './content.js'
import type { DocumentState } from './states.js'

interface Known {
  readonly path: string
  readonly content: Content
  readonly where: string
}

/**
 * Reports versions with two contents anywhere between the base and the working tree, even if one has been removed
 * since. A frozen document changed at its own path is reported elsewhere.
 * @param untouched - paths whose file is as frozen; reading it is faster than asking git.
 */
export function checkVersions(
  inputs: GateInputs,
  states: readonly DocumentState[],
  untouched: ReadonlySet<string>,
): Finding[] {
  if (states.length === 0) return []
  const versions = new Set(states.map((state) => state.content.version))
  const byVersion = frozenVersions(inputs, versions, untouched)
  const findings: Finding[] = []
  for (const { path, content, location } of states) {
    const version = content.version as string
    const others = byVersion.get(version) ?? []
    const other = others.find((each) => each.content.digest !== content.digest)
    const isNew = others.every((each) => each.content.digest !== content.digest)
    if (isNew) byVersion.set(version, [...others, { path, content, where: location.name }])
    if (other === undefined || !isNew || inputs.frozen.has(path)) continue
    const digests = { digest: content.digest ?? '', other: other.content.digest ?? '' }
    const otherWhere = `${inputs.toName(other.path)} in ${other.where}`
    const at = { file: inputs.toName(path), pointer: '/protocol_version' }
    const args = { version, where: location.name, ...digests, otherWhere }
    findings.push(finding('version-frozen-twice', args, at))
  }
  return findings
}

/** The frozen documents that carry one of the wanted versions; only those with its text are read as JSON. */
function frozenVersions(
  inputs: GateInputs,
  wanted: ReadonlySet<string | undefined>,
  untouched: ReadonlySet<string>,
): Map<string, readonly Known[]> {
  const versions = new Map<string, readonly Known[]>()
  const needles = [...wanted].map((version) => JSON.stringify(version))
  const rivals = [...inputs.rivals].flatMap(([path, each]) =>
    each.map((entry) => [path, entry] as const),
  )
  const asked = [...(inputs.ahead ?? []), ...rivals, ...inputs.frozen].filter(
    ([path, entry]) => isDocument(path) && isRegular(entry),
  )
  const isHere = (path: string, { oid }: TreeEntry) =>
    untouched.has(path) && inputs.frozen.get(path)?.oid === oid && inputs.work.get(path) === 'file'
  const readVersion = (path: string, bytes: Buffer) => {
    if (!needles.some((needle) => bytes.includes(needle)) && !bytes.includes('\\u')) return
    const content = parseContent(bytes, path)
    if (!content.sound || content.version === undefined || !wanted.has(content.version)) return
    const others = versions.get(content.version) ?? []
    versions.set(content.version, [...others, { path, content, where: inputs.base.revision }])
  }
  const away = asked.filter(([path, entry]) => !isHere(path, entry))
  for (const [path, entry] of asked) {
    if (isHere(path, entry)) readVersion(path, Buffer.from(inputs.read(path)))
  }
  const paths = away.map(([path]) => path).values()
  for (const [, bytes] of inputs.blobs.each(away.map(([, { oid }]) => oid))) {
    readVersion(paths.next().value as string, bytes)
  }
  return versions
}
