import type { Draft } from './draft'
import { isLocked, type SettingInfo } from './setting'

/** One of several things that are configured alike and numbered: a provider, an *arr. */
export type Instance = {
  number: number
  /** Its settings have this path and a colon before their names. */
  path: string
  settings: SettingInfo[]
  /** Not saved yet. */
  isNew: boolean
  /** Gone with the next save. */
  isRemoved: boolean
  /** The environment sets some of it: it cannot be removed here. */
  isLocked: boolean
}

function numberOf(path: string, prefix: string): number | null {
  if (!path.startsWith(`${prefix}:`)) return null
  const rest = path.slice(prefix.length + 1).split(':')[0] ?? ''
  return /^\d+$/.test(rest) ? Number(rest) : null
}

/** The settings of one more, made from the template, in which `#` stands for its number. */
export function fromTemplate(template: readonly SettingInfo[], number: number): SettingInfo[] {
  return template.map((setting) => ({ ...setting, path: setting.path.replace('#', String(number)), environment: setting.environment.replace('#', String(number)) }))
}

/** All that there are below a prefix such as `Arrs`, with those that the draft adds, by number. */
export function instancesOf(prefix: string, settings: readonly SettingInfo[], template: readonly SettingInfo[], draft: Draft): Instance[] {
  const byNumber = new Map<number, SettingInfo[]>()
  for (const setting of settings) {
    const number = numberOf(setting.path, prefix)
    if (number !== null) byNumber.set(number, [...byNumber.get(number) ?? [], setting])
  }
  const added = new Set<number>()
  for (const [path, value] of Object.entries(draft)) {
    const number = numberOf(path, prefix)
    if (number !== null && value !== null && !byNumber.has(number)) added.add(number)
  }
  const all = [...byNumber].map(([number, own]) => {
    const set = own.filter((setting) => setting.isSet)
    return {
      number, path: `${prefix}:${number}`, settings: own, isNew: false, isLocked: own.some(isLocked),
      isRemoved: set.length > 0 && set.every((setting) => draft[setting.path] === null) && own.every((setting) => (draft[setting.path] ?? null) === null),
    }
  })
  for (const number of added) all.push({ number, path: `${prefix}:${number}`, settings: fromTemplate(template, number), isNew: true, isLocked: false, isRemoved: false })
  return all.sort((one, other) => one.number - other.number)
}

/** The first number that is free. */
export function freeNumber(instances: readonly Instance[]): number {
  const taken = new Set(instances.map((instance) => instance.number))
  for (let number = 0; ; number++) if (!taken.has(number)) return number
}

/** The draft in which an instance goes with the next save; one that is new leaves the draft. */
export function removed(draft: Draft, instance: Instance): Draft {
  const rest = restored(draft, instance)
  if (instance.isNew) return rest
  return { ...rest, ...Object.fromEntries(instance.settings.filter((setting) => setting.isSet && !isLocked(setting)).map((setting) => [setting.path, null])) }
}

/** The draft without any change of an instance. */
export function restored(draft: Draft, instance: Instance): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([path]) => !path.startsWith(`${instance.path}:`)))
}
