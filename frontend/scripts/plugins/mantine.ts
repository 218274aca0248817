import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** Packages whose imports are told apart by file: from one file for all, components that only lazy pages use would get into the first load. */
const Barrels = ['@mantine/core', '@tabler/icons-react']

/** Stands for the styles that come before those of components; in development for all styles. */
const Styles = 'virtual:mantine.css.js'

/**
 * Takes Mantine in by component, in builds: each import comes from the file that holds it, and brings the component's own styles along, behind those of the components that it is made of.
 * In development all styles are there at once.
 * @param root Folder with node_modules.
 */
export function mantine(root: string): Plugin {
  const modules = join(root, 'node_modules')
  const files = new Map(Barrels.map((name) => [name, exportsOf(join(modules, name), name)]))
  let building = false
  return {
    name: 'mantine-by-component',
    enforce: 'post',
    configResolved(config) {
      building = config.command === 'build'
    },
    resolveId: (id) => (id === Styles ? `\0${Styles}` : undefined),
    load(id) {
      if (id !== `\0${Styles}`) return undefined
      const first = building ? ['baseline', 'default-css-variables', 'global'] : []
      return building
        ? first.map((name) => `import '@mantine/core/styles/${name}.css'`).join('\n')
        : ['core', 'notifications'].map((name) => `import '@mantine/${name}/styles.css'`).join('\n')
    },
    transform(code, id) {
      if (!building) return undefined
      const styles = stylesOf(id)
      if (styles !== null) return { code: `import ${JSON.stringify(styles)}\n${code}`, map: null, moduleSideEffects: true }
      if (!/\.(tsx?|mjs)$/.test(id) || !Barrels.some((name) => code.includes(name))) return undefined
      return { code: apart(code, files), map: null }
    },
  }
}

/** The styles that belong to a file with a component's class names; null for other files. */
function stylesOf(id: string): string | null {
  const match = /node_modules\/(@mantine\/[a-z]+)\/esm\/.*\.module\.mjs$/.exec(id)
  if (match === null) return null
  const whole = id.slice(0, id.indexOf('/esm/'))
  const one = join(whole, 'styles', `${basename(id, '.module.mjs')}.css`)
  return existsSync(one) ? one : join(whole, 'styles.css')
}

/** Where each export of a package stands: name → [file, name there]. */
function exportsOf(folder: string, name: string): Map<string, readonly [string, string]> {
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { module: string }
  const index = join(folder, description.module)
  const found = new Map<string, readonly [string, string]>()
  for (const [, names = '', from = ''] of readFileSync(index, 'utf8').matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*["'](\.[^"']*)["']/g)) {
    for (const one of names.split(',')) {
      const [there = '', here = there] = one.trim().split(/\s+as\s+/)
      if (here !== '') found.set(here, [join(dirname(index), from), there])
    }
  }
  if (found.size === 0) throw new Error(`the exports of ${name} cannot be read.`)
  return found
}

function apart(code: string, files: ReadonlyMap<string, ReadonlyMap<string, readonly [string, string]>>): string {
  return code.replace(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["'];?/g, (all, names: string, from: string) => {
    const known = files.get(from)
    if (known === undefined) return all
    return names.split(',').map((one) => one.trim()).filter((one) => one !== '').map((one) => {
      const [there = '', here = there] = one.split(/\s+as\s+/)
      const place = known.get(there)
      return place === undefined ? `import { ${one} } from ${JSON.stringify(from)};` : `import { ${place[1] === here ? here : `${place[1]} as ${here}`} } from ${JSON.stringify(place[0])};`
    }).join(' ')
  })
}
