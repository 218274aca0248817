import type { FileItem, Job, Provider, Setting, Torrent } from '~/api/types'

/** One thing that the palette offers: a place, or something that it does. */
export type Found = {
  id: string; group: 'actions' | 'pages' | 'files' | 'jobs' | 'torrents' | 'providers' | 'settings'; label: string; hint: string | null
  to: string; search: Record<string, string | undefined>; run?: () => void
}

/** Most of each kind that fit some words. */
const Most = 6

type Sources = {
  actions?: readonly { id: string; label: string; run: () => void }[]
  pages: readonly { to: string; label: string }[]
  settings: readonly Setting[]
  files: readonly FileItem[]
  jobs?: readonly Job[]
  torrents?: readonly Torrent[]
  providers?: readonly Provider[]
}

/** How well a text fits the words: 0 begins with them, 1 has each at the beginning of a word, 2 has each somewhere; null: it lacks one. */
function rank(words: readonly string[], text: string): number | null {
  const low = text.toLowerCase()
  if (!words.every((word) => low.includes(word))) return null
  if (low.startsWith(words.join(' '))) return 0
  const parts = low.split(/[^\p{L}\p{N}]+/u)
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 1 : 2
}

/** What is found only by what stands beside its name comes after all that is found by its name. */
const Beside = 3

/**
 * What fits the words, the kind with the best fit first, each kind by how well it fits. Files and jobs come from the server, which has looked for the words
 * already. Without words: the pages and the actions.
 */
export function found(query: string, { actions = [], pages, settings, files, jobs = [], torrents = [], providers = [] }: Sources): Found[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter((word) => word !== '')
  // `beside`: what else may fit; null: it does, the server says so.
  const ranked = (all: Found[], beside: ((one: Found, at: number) => string) | null = () => '') => all
    .map((one, at) => ({ one, rank: rank(words, one.label) ?? (beside === null || rank(words, `${one.label} ${beside(one, at)}`) !== null ? Beside : null) }))
    .filter((each): each is { one: Found; rank: number } => each.rank !== null)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, words.length === 0 ? undefined : Most)
  const kinds = [
    ranked(pages.map((page) => ({ id: page.to, group: 'pages', label: page.label, hint: null, to: page.to, search: {} }))),
    ranked(actions.map(({ id, label, run }) => ({ id, group: 'actions', label, hint: null, to: '.', search: {}, run }))),
    ...(words.length === 0 ? [] : [
      ranked(files.map((file) => ({
        id: file.id, group: 'files', label: file.name, hint: file.path, to: '/files',
        search: file.kind === 'collection' ? { path: file.path } : { path: file.path.slice(0, file.path.lastIndexOf('/')), selected: file.id },
      })), null),
      ranked(jobs.map((job) => ({ id: job.id, group: 'jobs', label: job.name, hint: job.category, to: '/jobs', search: { job: job.id } })), null),
      ranked(torrents.map((torrent) => ({
        id: torrent.infoHash, group: 'torrents', label: torrent.name === '' ? torrent.infoHash : torrent.name, hint: torrent.infoHash, to: '/torrents', search: { selected: torrent.infoHash },
      })), (torrent) => torrent.hint ?? ''),
      ranked(providers.map((provider) => ({ id: String(provider.number), group: 'providers', label: provider.name, hint: provider.host, to: '/providers', search: {} })), (provider) => provider.hint ?? ''),
      ranked(
        settings.map((setting) => ({ id: setting.path, group: 'settings', label: setting.title, hint: setting.path, to: '/settings', search: { q: setting.path } })),
        (_, at) => `${settings[at]?.path ?? ''} ${settings[at]?.description ?? ''}`,
      ),
    ]),
  ]
  return (words.length === 0 ? kinds : kinds.sort((one, other) => (one[0]?.rank ?? Infinity) - (other[0]?.rank ?? Infinity))).flat().map(({ one }) => one)
}
