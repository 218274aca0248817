import type { SettingCatalogue } from './german/words'
import type { SettingInfo } from './setting'

type Answer = { groups: { id: string; title: string }[]; settings: SettingInfo[]; provider: SettingInfo[]; arr: SettingInfo[]; indexer: SettingInfo[]; password: SettingInfo[] }

/** The path with `#` for its numbers, as catalogues name it. */
function patternOf(path: string): string {
  return path.replace(/(?<=:|^)\d+(?=:|$)/g, '#')
}

function inWords<S extends SettingInfo>(setting: S, { settings, units }: SettingCatalogue): S {
  const words = settings[patternOf(setting.path)]
  const unit = setting.unit === null ? null : units[setting.unit] ?? setting.unit
  if (words === undefined) return { ...setting, unit }
  return {
    ...setting, unit, title: words.title, description: words.description,
    // A note of the server's without a translation still tells more than the bare value.
    defaultNote: setting.defaultNote == null ? setting.defaultNote : words.defaultNote ?? setting.defaultNote,
    choices: setting.choices?.map((choice) => ({ ...choice, title: words.choices?.[choice.value] ?? choice.title })) ?? null,
  }
}

/** All settings in the words of a catalogue; what it lacks keeps the server's. */
export function translated<A extends Answer>(answer: A, catalogue: SettingCatalogue): A {
  const all = <S extends SettingInfo>(settings: S[]) => settings.map((setting) => inWords(setting, catalogue))
  return {
    ...answer, groups: answer.groups.map((group) => ({ ...group, title: catalogue.groups[group.id] ?? group.title })),
    settings: all(answer.settings), provider: all(answer.provider), arr: all(answer.arr), indexer: all(answer.indexer), password: all(answer.password),
  }
}
