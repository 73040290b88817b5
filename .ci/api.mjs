// Writes docs/reference/api.md, the report of everything that the entries of package.json export, from the
// declarations in dist/ (so build first). `--check` writes nothing and fails when the committed
// report is another. Fails, too, when a function has no doc comment, when something is exported
// twice or under another name, or when declarations need the types of another package.
import { readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const report = join(root, 'docs/reference/api.md')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const faults = []

/** Top-level statements of a declaration file, each with the doc comment above it. */
function statements(text) {
  const found = []
  let doc = []
  let code = []
  for (const line of text.split('\n')) {
    if (
      code.length === 0 &&
      (doc.length > 0 ? !doc.at(-1).endsWith('*/') : line.startsWith('/**'))
    ) {
      doc.push(line)
    } else if (line !== '' || code.length > 0) {
      code.push(line)
      // A statement ends at the margin.
      if (/^(?:}.*|[^\s/}].*;)$/.test(line) || (/^\S/.test(line) && /[;}]$/.test(line))) {
        found.push({ doc: doc.join('\n'), code: code.join('\n') })
        doc = []
        code = []
      }
    }
  }
  return found
}

const modules = new Map()

/** What a declaration file declares, imports and exports. */
function moduleAt(file) {
  const known = modules.get(file)
  if (known) return known
  const module = { file, declared: new Map(), imported: new Map(), exported: new Map(), all: [] }
  modules.set(file, module)
  const from = (specifier) => {
    if (specifier.startsWith('.')) return join(file, '..', specifier.replace(/\.js$/, '.d.ts'))
    if (!specifier.startsWith('node:') && !builtinModules.includes(specifier)) {
      faults.push(`${relative(root, file)} needs the types of ${specifier}`)
    }
    return undefined
  }
  for (const { doc, code } of statements(readFileSync(file, 'utf8'))) {
    const [, kind, names, specifier] =
      /^(import|export) (?:type )?(\*|\{[^}]*\})(?: from '([^']+)')?;$/s.exec(
        code.replaceAll('"', "'"),
      ) ?? []
    if (kind !== undefined) {
      const source = specifier === undefined ? file : from(specifier)
      if (source !== undefined && specifier !== undefined) moduleAt(source)
      if (names === '*') module.all.push(source)
      else {
        for (const part of names.slice(1, -1).split(',')) {
          const [name, as = name] = part
            .trim()
            .replace(/^type /, '')
            .split(' as ')
          if (name === '' || source === undefined) continue
          const known = kind === 'import' ? module.imported : module.exported
          known.set(as, { source, name })
        }
      }
      continue
    }
    const [, name] =
      /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function|class|interface|type|const|let|enum) (\w+)/.exec(
        code,
      ) ?? []
    if (name === undefined) continue
    // Overloads stand together.
    const before = module.declared.get(name)
    const text = [doc, code].filter(Boolean).join('\n')
    module.declared.set(name, {
      name,
      module,
      text: before ? `${before.text}\n${text}` : text,
      code,
      documented: before?.documented || doc !== '',
    })
    if (code.startsWith('export ')) module.exported.set(name, { source: file, name })
  }
  return module
}

/** The declaration that a name refers to in a module, followed to where it is made. */
function declarationOf(file, name) {
  const module = moduleAt(file)
  const target = module.exported.get(name)
  if (target !== undefined && (target.source !== file || target.name !== name)) {
    return declarationOf(target.source, target.name)
  }
  if (module.declared.has(name)) return module.declared.get(name)
  const imported = module.imported.get(name)
  if (imported !== undefined) return declarationOf(imported.source, imported.name)
  for (const source of module.all) {
    const found = declarationOf(source, name)
    if (found !== undefined) return found
  }
  return undefined
}

function namesOf(file) {
  const module = moduleAt(file)
  return [...module.exported.keys(), ...module.all.flatMap(namesOf)]
}

const GENERATED = /contract\/generated\/types\.d\.ts$/
const entries = Object.entries(exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path, { types }]) => {
    const file = join(root, types)
    const names = [...new Set(namesOf(file))].sort((a, b) => (a < b ? -1 : 1))
    const declarations = names.map((name) => {
      const found = declarationOf(file, name)
      if (found === undefined) throw new Error(`${types}: no declaration of ${name}`)
      return { ...found, as: name }
    })
    return { name: join('foreproof', path), declarations }
  })

const ours = new Map()
for (const { name, declarations } of entries) {
  for (const { as, module, name: declared, documented, code } of declarations) {
    const key = `${module.file} ${declared}`
    if (ours.has(key)) faults.push(`${as} is exported by ${ours.get(key)} and by ${name}`)
    ours.set(key, name)
    if (as !== declared) faults.push(`${name}: ${declared} is exported under another name, ${as}`)
    if (!documented && / (?:function|class) /.test(code))
      faults.push(`${name}: ${as} has no doc comment`)
  }
}

/** Names of types in a declaration, without what comments and texts say. */
function words(code) {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/'[^']*'/g, '')
  return new Set(bare.match(/\b[A-Z]\w*\b/g))
}
/** Types that the declarations name and no entry exports, and those that these name. */
const named = new Map()
function name(module, code) {
  if (GENERATED.test(module.file)) return
  for (const word of words(code)) {
    if (!module.declared.has(word) && !module.imported.has(word)) continue
    const found = declarationOf(module.file, word)
    const key = found && `${found.module.file} ${found.name}`
    if (found === undefined || ours.has(key) || named.has(key)) continue
    if (!/(?:interface|type|class) \w+/.test(found.code)) continue
    named.set(key, found)
    name(found.module, found.code)
  }
}
for (const { module, code } of entries.flatMap(({ declarations }) => declarations))
  name(module, code)

const isFunction = ({ code }) => / function /.test(code)
const count = entries.flatMap(({ declarations }) => declarations).filter(isFunction).length
const shown = (list) =>
  [
    '```ts',
    list
      .map(({ text }) =>
        text
          .replace(/^(?:export )?declare /gm, 'export ')
          .replace(/^(?!export )(interface|type) /gm, 'export $1 '),
      )
      .join('\n\n'),
    '```',
  ].join('\n')
const sections = entries.map(({ name, declarations }) => {
  const made = declarations.filter(({ module }) => GENERATED.test(module.file))
  const own = declarations.filter(({ module }) => !GENERATED.test(module.file))
  const list = [...own.filter(isFunction), ...own.filter((each) => !isFunction(each))]
  const parts = [`## \`${name}\``]
  if (made.length > 0) {
    parts.push(
      `Types of the contract, made from its schemas: ${made.map(({ as }) => `\`${as}\``).join(', ')}.`,
    )
  }
  parts.push(
    [
      '```ts',
      list.map(({ text }) => text.replaceAll('export declare ', 'export ')).join('\n\n'),
      '```',
    ].join('\n'),
  )
  return parts.join('\n\n')
})
const others = [...named.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
sections.push(`## Types that these name\n\n${shown(others)}`)
const text = `# The library

Made by \`npm run api\` from the declarations; \`npm run check\` compares. [library.md](../library.md) has an example of
each entry. There are ${count} functions.

${sections.join('\n\n')}
`

if (faults.length > 0) {
  console.error([...new Set(faults)].join('\n'))
  process.exitCode = 1
}
if (!process.argv.includes('--check')) writeFileSync(report, text)
else if (readFileSync(report, 'utf8') !== text) {
  console.error('docs/reference/api.md is not what is exported: run npm run api')
  process.exitCode = 1
}
