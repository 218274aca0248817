/** What people are told of one setting. What is left out stays in the server's language. */
export type SettingWords = {
  title: string
  description: string
  /** What holds when nobody sets it, where the server says it in words. */
  defaultNote?: string
  /** What its values are called. */
  choices?: Readonly<Record<string, string>>
}

/** The settings of one language, by path, with `#` for a number. */
export type SettingCatalogue = {
  groups: Readonly<Record<string, string>>
  units: Readonly<Record<string, string>>
  settings: Readonly<Record<string, SettingWords>>
}
