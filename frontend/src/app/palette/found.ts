import type { FileItem, Setting } from '~/api/types'

/** One thing that the palette offers. */
export type Found = { id: string; group: 'pages' | 'settings' | 'files'; label: string; hint: string | null; to: string; search: Record<string, string | undefined> }

/** Most of each kind. */
const Most = 6

type Sources = { pages: readonly { to: string; label: string }[]; settings: readonly Setting[]; files: readonly FileItem[] }

/** What fits the words, pages first. Files come from the server, which has looked for the words already. */
export function found(query: string, { pages, settings, files }: Sources): Found[] {
  const words = query.trim().toLowerCase().split(/\s+/)
  const fits = (...texts: string[]) => words.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
  return [
    ...pages.filter((page) => fits(page.label)).map((page): Found => ({ id: page.to, group: 'pages', label: page.label, hint: null, to: page.to, search: {} })),
    ...(query.trim() === '' ? [] : settings.filter((setting) => fits(setting.title, setting.path, setting.description)).slice(0, Most)
      .map((setting): Found => ({ id: setting.path, group: 'settings', label: setting.title, hint: setting.path, to: '/settings', search: { q: setting.path } }))),
    ...files.slice(0, Most).map((file): Found => ({
      id: file.id, group: 'files', label: file.name, hint: file.path, to: '/files',
      search: file.kind === 'collection' ? { path: file.path } : { path: file.path.slice(0, file.path.lastIndexOf('/')), selected: file.id },
    })),
  ]
}
