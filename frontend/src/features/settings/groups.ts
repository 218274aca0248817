import type { Setting, SettingsAnswer } from '~/api/types'
import type { Draft } from '~/ui/setting/draft'

/** Settings under one heading. */
export type Group = { id: string; title: string; settings: Setting[] }

/** True for a setting of something numbered, such as a provider: it stands in a form of its own. */
export function isNumbered(path: string): boolean {
  return path.split(':').some((part) => /^\d+$/.test(part))
}

/** A name for what the server gives no title: "Usenet:LineMegabits" is "Line megabits". */
export function titleOf(path: string): string {
  const words = (path.split(':').at(-1) ?? path).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The settings by group, in the server's order; what has no group comes last under `other`. */
export function groupsOf(answer: SettingsAnswer, other: string): Group[] {
  const groups = answer.groups.map((group) => ({ ...group, settings: [] as Setting[] }))
  const rest: Group = { id: 'other', title: other, settings: [] }
  for (const setting of answer.settings) {
    if (isNumbered(setting.path)) continue
    const group = groups.find((each) => each.id === setting.group) ?? rest
    group.settings.push(setting.title === '' ? { ...setting, title: titleOf(setting.path) } : setting)
  }
  return rest.settings.length > 0 ? [...groups, rest] : groups
}

/** The id of what is shown first. */
export const Basics = 'basics'

/** Settings that most people look for: the memory, what to sign in with, where things lie, what is used at all. */
const basics: ReadonlySet<string> = new Set(['Memory:BudgetMiB', 'Import:Categories', 'Torrents:Enabled', 'Torrents:CacheMiB', 'WebDav:Username', 'WebDav:Password', 'WebDav:MountPath', 'Mount:Path', 'Library:Folders', 'Access:LanNetworks'])

/** The few settings that most people look for, by group; providers always, as they have a page of their own. */
export function basicsOf(groups: readonly Group[]): Group[] {
  return groups.map((group) => ({ ...group, settings: group.settings.filter((setting) => basics.has(setting.path)) })).filter((group) => group.settings.length > 0 || group.id === 'providers')
}

/** The settings that have all words of a query in their title, meaning, path or variable. Groups without any are left out. */
export function searched(groups: readonly Group[], query: string): Group[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '')
  const fits = (group: Group, setting: Setting) => {
    const all = `${group.title} ${setting.title} ${setting.description} ${setting.path} ${setting.environment}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return groups.map((group) => ({ ...group, settings: group.settings.filter((setting) => fits(group, setting)) })).filter((group) => group.settings.length > 0)
}

const homes: readonly (readonly [string, string])[] = [['Usenet:Providers:', 'providers'], ['Arrs:', 'arrs'], ['Search:Indexers:', 'arrs'], ['Import:Passwords:', 'imports']]

/** How many changes each group has. */
export function changesByGroup(draft: Draft, groups: readonly Group[]): Map<string, number> {
  const home = new Map(groups.flatMap((group) => group.settings.map((setting) => [setting.path, group.id] as const)))
  const counts = new Map<string, number>()
  for (const path of Object.keys(draft)) {
    const id = home.get(path) ?? homes.find(([start]) => path.startsWith(start))?.[1] ?? 'other'
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}
