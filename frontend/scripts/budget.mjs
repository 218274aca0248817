// npm run budget: what the built page's first load weighs, compressed with Brotli, against what it may weigh; and each other page on top of it.
// First load: index.html, what it names, and the overview with all that it imports at once.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const Limits = { js: 180, css: 15 }
const First = 'src/features/overview/OverviewPage.tsx'

const dist = new URL('../dist/', import.meta.url).pathname
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const size = (file) => statSync(join(dist, existsSync(join(dist, `${file}.br`)) ? `${file}.br` : file)).size

/** The files that a chunk needs before it runs. */
function closure(key, found = new Set(), seen = new Set()) {
  if (seen.has(key)) return found
  seen.add(key)
  const chunk = manifest[key]
  if (chunk === undefined) throw new Error(`${key} is not in the manifest.`)
  for (const other of chunk.imports ?? []) closure(other, found, seen)
  found.add(chunk.file)
  for (const css of chunk.css ?? []) found.add(css)
  return found
}

const sum = (files, ending) => [...files].filter((file) => file.endsWith(ending)).reduce((all, file) => all + size(file), 0) / 1000
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
const first = closure(First, closure(entry))
for (const file of ['scheme.js', 'favicon.svg', 'index.html']) first.add(file)
const [js, css] = [sum(first, '.js'), sum(first, '.css')]
const all = [...first].reduce((total, file) => total + size(file), 0) / 1000
for (const key of Object.keys(manifest).filter((one) => manifest[one].isDynamicEntry && one !== First).sort()) {
  const more = new Set([...closure(key)].filter((file) => !first.has(file)))
  console.log(`   ${key}: + ${(sum(more, '.js') + sum(more, '.css')).toFixed(1)} kB`)
}
const faults = [
  ...(js > Limits.js ? [`scripts: ${js.toFixed(1)} kB, more than ${Limits.js}`] : []),
  ...(css > Limits.css ? [`styles: ${css.toFixed(1)} kB, more than ${Limits.css}`] : []),
]
for (const fault of faults) console.log(`FAIL budget of the first load: ${fault}`)
if (faults.length === 0) console.log(`ok budget of the first load: ${all.toFixed(1)} kB in ${first.size} files (scripts ${js.toFixed(1)} of ${Limits.js}, styles ${css.toFixed(1)} of ${Limits.css})`)
process.exitCode = faults.length === 0 ? 0 : 1
