import type { Plugin } from 'vite'

/** What Vite's import analysis imports `__vitePreload` from. */
const Helper = '\0vite/preload-helper.js'

/** Has the imports of the built page go through a helper of our own. Fails a build that no longer asks for Vite's. */
export function chunks(helper: string): Plugin {
  let isUsed = false
  return {
    name: 'own-preload-helper',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== Helper) return undefined
      isUsed = true
      return `export { __vitePreload } from ${JSON.stringify(helper)}`
    },
    buildEnd(error) {
      if (error === undefined && !isUsed) throw new Error(`Vite no longer imports ${JSON.stringify(Helper)}: scripts/plugins/chunks.ts has to be adapted.`)
    },
  }
}
