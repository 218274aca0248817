import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** A package that is part of the built page. `text` is all that has to travel with it: its licence and its notices. */
export type Licence = { name: string; version: string; licence: string; url: string | null; text: string }

/**
 * Writes licences.json: the packages whose code or styles are in the built page, by name. A package without a licence text fails the build: it may not be handed on.
 * @param file Its name in the folder of the build.
 */
export function licences(file = 'licences.json'): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle(_, bundle) {
      const code = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
      const styles = [...this.getModuleIds()].filter((id) => /\.css(\?|$)/.test(id))
      this.emitFile({ type: 'asset', fileName: file, source: JSON.stringify(licencesOf([...code, ...styles])) })
    },
  }
}

/** The packages that modules belong to, each once. What is not from a package is left out. */
export function licencesOf(modules: readonly string[]): Licence[] {
  const folders = new Set(modules.flatMap((id) => folderOf(id.replace(/^\0/, '').replace(/\?.*$/, '')) ?? []))
  const found = new Map([...folders].map((folder) => licenceOf(folder)).map((licence) => [`${licence.name} ${licence.version}`, licence]))
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en') || one.version.localeCompare(other.version, 'en'))
}

/** The folder of the package that a file belongs to: the innermost one of node_modules. */
function folderOf(file: string): string | null {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? null
}

type Description = { name: string; version: string; license?: string; homepage?: string; repository?: string | { url?: string }; author?: string | { name?: string } }

function licenceOf(folder: string): Licence {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Description
  const texts = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice|copyrightnotice|third-?party-?notices?)(\.|-|$)/i.test(entry.name)).map((entry) => entry.name).sort()
  const parts = texts.map((name) => readFileSync(join(folder, name), 'utf8').trim())
  const whole = texts.some((name) => /^(licen[cs]e|copying)/i.test(name))
  const author = (typeof about.author === 'string' ? about.author : about.author?.name)?.replace(/ *[<(].*$/, '') ?? ''
  // Some packages name the licence alone: its text is the same for all but for who holds the rights.
  if (!whole && about.license === 'MIT' && author !== '') parts.unshift(`MIT License\n\nCopyright (c) ${author}\n\n${Mit}`)
  else if (!whole || about.license === undefined) throw new Error(`${about.name} ${about.version} has no licence text: it may not be part of the page.`)
  return { name: about.name, version: about.version, licence: about.license, url: urlOf(about), text: parts.join('\n\n') }
}

const Mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without
restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

function urlOf({ homepage, repository }: Description): string | null {
  const address = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? null
  if (address === null) return null
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(address)?.[1]
  const url = short === undefined ? address.replace(/^git\+/, '').replace(/^(git|ssh):\/\/(git@)?/, 'https://').replace(/\.git$/, '') : `https://github.com/${short}`
  return url.startsWith('https://') || url.startsWith('http://') ? url : null
}
