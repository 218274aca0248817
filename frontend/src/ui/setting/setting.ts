/** What the fields of a setting need to know of it; the server's settings have this shape. */
export type SettingInfo = {
  path: string; kind: 'text' | 'secret' | 'number' | 'flag' | 'list' | 'choice'; title: string; description: string; group: string; unit: string | null; zeroIsNoLimit: boolean
  choices: { value: string; title: string }[] | null; advanced: boolean
  default: string | null; defaultNote?: string | null; least: number | null; most: number | null; value: string | null; isSet: boolean
  source: 'default' | 'stored' | 'environment'; environment: string
  needsRestart: boolean; isPending: boolean
}

/** What is wrong with one setting, or with the group of settings that `path` names. */
export type SettingFault = { path: string; message: string }

/** True when the environment decides: the value cannot be changed here. */
export function isLocked(setting: SettingInfo): boolean {
  return setting.source === 'environment'
}

/** True for what has to be set: the server, or its translation, says so in place of a default. */
export function isRequired(setting: SettingInfo): boolean {
  return setting.defaultNote === 'required' || setting.defaultNote === 'erforderlich'
}

/** The texts of a list. The server writes an empty one as "none". */
export function listOf(value: string | null): string[] {
  if (value === null || value === '' || value.toLowerCase() === 'none') return []
  return value.split(',').map((item) => item.trim()).filter((item) => item !== '')
}

/** The value of a list, the way the server reads it. */
export function listValue(items: readonly string[]): string {
  return items.length === 0 ? 'none' : items.join(',')
}

/** True if both values mean the same for a setting of this kind. */
export function isSameValue(kind: SettingInfo['kind'], one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other
  switch (kind) {
    case 'list': return listValue(listOf(one)) === listValue(listOf(other))
    case 'flag': case 'choice': return one.toLowerCase() === other.toLowerCase()
    case 'number': return Number(one) === Number(other)
    default: return one === other
  }
}
