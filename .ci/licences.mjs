// The licences of what is in a bundle, as a comment that goes at its end.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The licence of a package, as it lies in its folder or ends its README. */
function licence(folder) {
  const files = readdirSync(join(root, folder))
  const read = (like) => {
    const file = files.find((name) => like.test(name))
    return file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8')
  }
  const text = read(/^licen[sc]e/i) || /^LICENSE \([\s\S]*/m.exec(read(/^readme/i))?.[0]
  if (text === undefined) throw new Error(`${folder} has no licence`)
  return `${folder === '.' ? 'foreproof' : folder.replace('node_modules/', '')}\n\n${text.trim()}`
}

/** @param metafile what esbuild says went into the bundle */
export function licencesOf(metafile) {
  const folders = new Set(
    Object.keys(metafile.inputs).map(
      (file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '.',
    ),
  )
  return `/*\n${[...folders].sort().map(licence).join('\n\n---\n\n')}\n*/\n`
}
