// @vitest-environment node
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { licencesOf } from './licences'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nzbdav-licences.'))
})
afterEach(() => rmSync(root, { recursive: true }))

function put(folder: string, about: object, files: Record<string, string> = {}): string {
  const path = join(root, 'node_modules', folder)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify(about))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

describe('the licences of what is built in', () => {
  it('name each package once, by name, and nothing of the page itself', () => {
    const b = put('b', { name: 'b', version: '2.0.0', license: 'MIT' }, { LICENSE: 'text of b' })
    const a = put('@scope/a', { name: '@scope/a', version: '1.0.0', license: 'MIT', homepage: 'https://example.com/a' }, { 'license.md': 'text of a\n' })
    expect(licencesOf([join(b, 'esm/one.mjs'), '/page/src/main.tsx', `\0${join(b, 'two.js')}?commonjs`, join(a, 'styles.css?inline'), '\0vite/preload-helper.js'])).toEqual([
      { name: '@scope/a', version: '1.0.0', licence: 'MIT', url: 'https://example.com/a', text: 'text of a' },
      { name: 'b', version: '2.0.0', licence: 'MIT', url: null, text: 'text of b' },
    ])
  })

  it('belong to the innermost package, in each of its versions', () => {
    put('a', { name: 'a', version: '1.0.0', license: 'MIT' }, { LICENSE: 'a' })
    put('b', { name: 'b', version: '1.0.0', license: 'MIT' }, { LICENSE: 'b' })
    const inner = put('a/node_modules/b', { name: 'b', version: '0.9.0', license: 'MIT' }, { LICENSE: 'b' })
    expect(licencesOf([join(inner, 'index.js'), join(root, 'node_modules/b/index.js')]).map(({ name, version }) => `${name} ${version}`)).toEqual(['b 0.9.0', 'b 1.0.0'])
  })

  it('carry the notices along', () => {
    const a = put('a', { name: 'a', version: '1.0.0', license: 'Apache-2.0' }, { 'LICENSE.txt': 'the licence', NOTICE: 'the notice', 'README.md': 'not this' })
    expect(licencesOf([join(a, 'index.js')])[0]?.text).toBe('the licence\n\nthe notice')
  })

  it('have the text of MIT where a package only names it', () => {
    const a = put('a', { name: 'a', version: '1.0.0', license: 'MIT', author: 'Anna Example <anna@example.com>' })
    expect(licencesOf([join(a, 'index.js')])[0]?.text).toMatch(/^MIT License\n\nCopyright \(c\) Anna Example\n\nPermission is hereby granted/)
  })

  it.each([[{ license: 'Apache-2.0', author: 'Anna' }], [{ license: 'MIT' }], [{ author: 'Anna' }]])('are asked for: without a text the build fails (%o)', (part) => {
    const a = put('a', { name: 'a', version: '1.0.0', ...part })
    expect(() => licencesOf([join(a, 'index.js')])).toThrow('a 1.0.0 has no licence text')
  })

  it.each([
    ['git+https://github.com/someone/a.git', 'https://github.com/someone/a'], ['git://github.com/someone/a.git', 'https://github.com/someone/a'], ['git+ssh://git@github.com/someone/a.git', 'https://github.com/someone/a'],
    ['someone/a', 'https://github.com/someone/a'], ['github:someone/a', 'https://github.com/someone/a'], ['javascript:alert(1)', null],
  ])('lead to where it is from: %s', (repository, url) => {
    const a = put('a', { name: 'a', version: '1.0.0', license: 'MIT', repository: { url: repository } }, { LICENSE: 'x' })
    expect(licencesOf([join(a, 'index.js')])[0]?.url).toBe(url)
  })
})
