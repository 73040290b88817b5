// Two exported things never share a name: whoever searches for one finds one. Fails with the names
// that more than one file of src/ declares; what is only exported on from elsewhere does not count.
import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'

const DECLARED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm

// The stores are two of one kind: what does the same job in both has one name, as the methods of their
// interface have. Nothing imports from both but what chooses between them.
const STORES = /^src\/history\/store\/(?:sqlite|postgres)\//

const files = new Map()
for (const file of globSync('src/**/*.ts').sort()) {
  const names = readFileSync(file, 'utf8').matchAll(DECLARED)
  for (const name of new Set([...names].map((match) => match[1]))) {
    files.set(name, [...(files.get(name) ?? []), file])
  }
}
const inTwins = (declaring) =>
  declaring.every((file) => STORES.test(file)) &&
  new Set(declaring.map((file) => STORES.exec(file)[0])).size === declaring.length
const shared = [...files].filter(([, declaring]) => declaring.length > 1 && !inTwins(declaring))
for (const [name, declaring] of shared) console.error(`${name}: ${declaring.join(', ')}`)
if (shared.length > 0) process.exitCode = 1
