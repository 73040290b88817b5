import { type Finding, finding } from '../../contract/findings/finding.js'
import { isRegular, type TreeEntry } from '../git/tree.js'
import { type GateInputs, isDocument } from '../inputs.js'
import { type Content, contentOf } from './content.js'
import type { DocumentState } from './states.js'

interface Known {
  readonly path: string
  readonly content: Content
  readonly where: string
}

/**
 * Versions that have two contents anywhere between the base and the working tree, also when
 * one of the two has since gone. A frozen document that was changed at its own path is reported by
 * pointer elsewhere and not again.
 * @param untouched - paths whose file is what was frozen: reading it is quicker than asking git.
 */
export function versionsFrozenTwice(
  inputs: GateInputs,
  states: readonly DocumentState[],
  untouched: ReadonlySet<string>,
): Finding[] {
  if (states.length === 0) return []
  const known = frozenVersions(
    inputs,
    new Set(states.map((state) => state.content.version)),
    untouched,
  )
  const findings: Finding[] = []
  for (const { path, content, place } of states) {
    const version = content.version as string
    const others = known.get(version) ?? []
    const other = others.find((each) => each.content.digest !== content.digest)
    const isNew = others.every((each) => each.content.digest !== content.digest)
    if (isNew) known.set(version, [...others, { path, content, where: place.name }])
    if (other === undefined || !isNew || inputs.frozen.has(path)) continue
    findings.push(
      finding(
        'version-frozen-twice',
        {
          version,
          where: place.name,
          digest: content.digest ?? '',
          other: other.content.digest ?? '',
          otherWhere: `${inputs.nameOf(other.path)} in ${other.where}`,
        },
        { file: inputs.nameOf(path), pointer: '/protocol_version' },
      ),
    )
  }
  return findings
}

/** The frozen documents that carry one of the wanted versions. */
function frozenVersions(
  inputs: GateInputs,
  wanted: ReadonlySet<string | undefined>,
  untouched: ReadonlySet<string>,
): Map<string, readonly Known[]> {
  const found = new Map<string, readonly Known[]>()
  const needles = [...wanted].map((version) => JSON.stringify(version))
  for (const [path, content] of documents(inputs, needles, untouched)) {
    if (!content.sound || content.version === undefined || !wanted.has(content.version)) continue
    const others = found.get(content.version) ?? []
    found.set(content.version, [...others, { path, content, where: inputs.base.revision }])
  }
  return found
}

/** Frozen documents in which one of the texts occurs; only these are worth reading as JSON. */
function* documents(
  inputs: GateInputs,
  needles: readonly string[],
  untouched: ReadonlySet<string>,
): Generator<[string, Content]> {
  const worthReading = (path: string, bytes: Uint8Array): Content | undefined => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const occurs = needles.some((needle) => buffer.includes(needle)) || buffer.includes('\\u')
    return occurs ? contentOf(Buffer.from(buffer), path) : undefined
  }
  const rivals = [...inputs.rivals].flatMap(([path, each]) =>
    each.map((entry) => [path, entry] as const),
  )
  const asked = [...blobsOf(inputs.ahead ?? []), ...blobsOf(rivals)]
  for (const [path, oid] of blobsOf(inputs.frozen)) {
    if (!untouched.has(path) || inputs.work.get(path)?.kind !== 'file') asked.push([path, oid])
    else {
      const content = worthReading(path, inputs.read(path))
      if (content !== undefined) yield [path, content]
    }
  }
  const paths = asked.map(([path]) => path).values()
  for (const [, bytes] of inputs.blobs.each(asked.map(([, oid]) => oid))) {
    const path = paths.next().value as string
    const content = worthReading(path, bytes)
    if (content !== undefined) yield [path, content]
  }
}

function blobsOf(entries: Iterable<readonly [string, TreeEntry]>): [string, string][] {
  return [...entries]
    .filter(([path, entry]) => isDocument(path) && isRegular(entry))
    .map(([path, { oid }]) => [path, oid])
}
