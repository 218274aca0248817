import { isLocked, isSameValue, type SettingFault, type SettingInfo } from './setting'

/** Changes that are not saved yet, by path; null takes a setting back to its default. */
export type Draft = Readonly<Record<string, string | null>>

/** One line of what a save would change. Of secrets both values are null. */
export type Change = { path: string; title: string; kind: SettingInfo['kind']; before: string | null; after: string | null }

/** What is stored; null: nothing, the default counts. Never known of secrets. */
export function stored(setting: SettingInfo): string | null {
  return setting.source === 'default' ? null : setting.value
}

/** The value that a field shows: the change, else what is set, else the default. */
export function valueOf(setting: SettingInfo, draft: Draft): string | null {
  const change = draft[setting.path]
  if (change !== undefined) return change ?? setting.default
  return stored(setting) ?? setting.default
}

/** True if a setting is as nobody has set it, changes included. */
export function isDefault(setting: SettingInfo, draft: Draft): boolean {
  const change = draft[setting.path]
  return change === undefined ? !setting.isSet : change === null
}

/** True if a value is no change of what is stored. */
function isNoChange(setting: SettingInfo, value: string | null): boolean {
  if (setting.kind === 'secret') return value === null && !setting.isSet
  const before = stored(setting)
  return isSameValue(setting.kind, before, value) || (before === null && value !== null && isSameValue(setting.kind, setting.default, value))
}

/** Takes one change; what is empty counts as not set, and what changes nothing leaves the draft. Locked settings stay as they are. */
export function changed(draft: Draft, setting: SettingInfo, value: string | null): Draft {
  const next = value === '' ? null : value
  return isNoChange(setting, next) ? forgotten(draft, setting.path) : stated(draft, setting, next)
}

/** Takes one value, also the one that is stored: another may be about to be saved. */
export function stated(draft: Draft, setting: SettingInfo, value: string | null): Draft {
  const rest = forgotten(draft, setting.path)
  return isLocked(setting) ? rest : { ...rest, [setting.path]: value === '' ? null : value }
}

/** Gives up the change of one setting. */
export function forgotten(draft: Draft, path: string): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([other]) => other !== path))
}

/** Takes a change back while it may be on its way: what was stored before is the wish now. A secret that was stored is not known, so its change stays. */
export function recalled(draft: Draft, path: string, settings: readonly SettingInfo[]): Draft {
  if (draft[path] === undefined) return draft
  const setting = settings.find((other) => other.path === path)
  if (setting === undefined) return { ...draft, [path]: null }
  return setting.kind === 'secret' && setting.isSet ? draft : stated(draft, setting, stored(setting))
}

/** Gives up the changes that were saved. What was typed since they were sent stays, but for values that were stored before and not sent. */
export function settled(draft: Draft, sent: Draft, settings: readonly SettingInfo[]): Draft {
  const changes = pruned(draft, settings)
  return Object.fromEntries(Object.entries(draft).filter(([path, value]) => value !== sent[path] && (sent[path] !== undefined || changes[path] !== undefined)))
}

/** The draft without what has become true, or locked, meanwhile. */
export function pruned(draft: Draft, settings: readonly SettingInfo[]): Draft {
  const known = new Map(settings.map((setting) => [setting.path, setting]))
  return Object.entries(draft).reduce<Draft>((kept, [path, value]) => {
    const setting = known.get(path)
    // A path that is not known belongs to something new; taking it back leaves nothing to save.
    if (setting === undefined) return value === null ? kept : { ...kept, [path]: value }
    return changed(kept, setting, value)
  }, {})
}

/** What a save would change, in the order of the settings; what is new comes last. */
export function changesOf(draft: Draft, settings: readonly SettingInfo[]): Change[] {
  const order = new Map(settings.map((setting, at) => [setting.path, at]))
  const known = new Map(settings.map((setting) => [setting.path, setting]))
  return Object.entries(draft)
    .sort(([one], [other]) => (order.get(one) ?? Infinity) - (order.get(other) ?? Infinity) || one.localeCompare(other))
    .map(([path, after]) => {
      const setting = known.get(path)
      const kind = setting?.kind ?? 'text'
      const secret = kind === 'secret' || /(password|apikey|secret)$/i.test(path)
      return { path, title: setting?.title ?? path, kind: secret ? 'secret' : kind, before: secret || setting === undefined ? null : stored(setting) ?? setting.default, after: secret ? null : after ?? setting?.default ?? null }
    })
}

/** What is wrong with a setting; null: nothing. */
export function faultOf(faults: readonly SettingFault[], path: string): string | null {
  const own = faults.filter((fault) => fault.path.toLowerCase() === path.toLowerCase())
  return own.length === 0 ? null : own.map((fault) => fault.message).join(' ')
}

/** Faults that stand beside none of these settings: they are of groups, or of what is not shown. */
export function strayFaults(faults: readonly SettingFault[], settings: readonly SettingInfo[]): SettingFault[] {
  const shown = new Set(settings.map((setting) => setting.path.toLowerCase()))
  return faults.filter((fault) => !shown.has(fault.path.toLowerCase()))
}
