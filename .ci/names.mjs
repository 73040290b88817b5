// Two exported things never share a name: whoever searches for one finds one. Fails with the names
// that more than one file of src/ declares; what is only exported on from elsewhere does not count.
import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'

const DECLARED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm

const files = new Map()
for (const file of globSync('src/**/*.ts').sort()) {
  const names = readFileSync(file, 'utf8').matchAll(DECLARED)
  for (const name of new Set([...names].map((match) => match[1]))) {
    files.set(name, [...(files.get(name) ?? []), file])
  }
}
const shared = [...files].filter(([, declaring]) => declaring.length > 1)
for (const [name, declaring] of shared) console.error(`${name}: ${declaring.join(', ')}`)
if (shared.length > 0) process.exitCode = 1
