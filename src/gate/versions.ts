import { type Finding, finding } from '../contract/findings/finding.js'
import { type Content, contentOf } from './content.js'
import type { Tree } from './git/tree.js'
import { isDocument, type Scene } from './scene.js'
import type { State } from './states.js'

interface Known {
  readonly path: string
  readonly content: Content
  readonly where: string
}

/** Blobs looked at in one go; none of them is kept. */
const BATCH = 256

/**
 * Versions that stand for two contents anywhere between the base and the working tree, also when
 * one of the two has since gone. A frozen document that was changed at its own path is told by
 * pointer elsewhere and not again.
 * @param untouched - paths whose file is what was frozen: reading it is quicker than asking git.
 */
export function versionsFrozenTwice(
  scene: Scene,
  states: readonly State[],
  untouched: ReadonlySet<string>,
): Finding[] {
  if (states.length === 0) return []
  const known = frozenVersions(
    scene,
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
    if (other === undefined || !isNew || scene.frozen.has(path)) continue
    findings.push(
      finding(
        'version-frozen-twice',
        {
          version,
          where: place.name,
          digest: content.digest ?? '',
          other: other.content.digest ?? '',
          otherWhere: `${scene.nameOf(other.path)} in ${other.where}`,
        },
        { file: scene.nameOf(path), pointer: '/protocol_version' },
      ),
    )
  }
  return findings
}

/** The frozen documents that carry one of the wanted versions. */
function frozenVersions(
  scene: Scene,
  wanted: ReadonlySet<string | undefined>,
  untouched: ReadonlySet<string>,
): Map<string, readonly Known[]> {
  const found = new Map<string, readonly Known[]>()
  const needles = [...wanted].map((version) => JSON.stringify(version))
  for (const [path, content] of documents(scene, needles, untouched)) {
    if (!content.sound || content.version === undefined || !wanted.has(content.version)) continue
    const others = found.get(content.version) ?? []
    found.set(content.version, [...others, { path, content, where: scene.base.revision }])
  }
  return found
}

/** Frozen documents in which one of the texts occurs; only these are worth reading as JSON. */
function* documents(
  scene: Scene,
  needles: readonly string[],
  untouched: ReadonlySet<string>,
): Generator<[string, Content]> {
  const worthReading = (path: string, bytes: Uint8Array): Content | undefined => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const occurs = needles.some((needle) => buffer.includes(needle)) || buffer.includes('\\u')
    return occurs ? contentOf(Buffer.from(buffer), path) : undefined
  }
  const asked: [string, string][] = [...blobsOf(scene.ahead ?? new Map())]
  for (const [path, oid] of blobsOf(scene.frozen)) {
    if (!untouched.has(path) || scene.work.get(path)?.kind !== 'file') asked.push([path, oid])
    else {
      const content = worthReading(path, scene.read(path))
      if (content !== undefined) yield [path, content]
    }
  }
  for (let from = 0; from < asked.length; from += BATCH) {
    const batch = asked.slice(from, from + BATCH)
    const contents = scene.blobs.peek(batch.map(([, oid]) => oid))
    for (const [index, [path]] of batch.entries()) {
      const content = worthReading(path, contents[index] as Buffer)
      if (content !== undefined) yield [path, content]
    }
  }
}

function blobsOf(tree: Tree): [string, string][] {
  return [...tree]
    .filter(([path, entry]) => isDocument(path) && entry.mode.startsWith('100'))
    .map(([path, entry]) => [path, entry.oid])
}
