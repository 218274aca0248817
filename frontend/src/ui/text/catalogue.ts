import { useLanguage, type Language } from './language'

/** The strings of one part of the page in all languages; what takes numbers or names is a function. */
export type Catalogue<T> = Record<Language, T>

/** Makes a catalogue; the compiler sees to it that each language has all strings. */
export function defineText<T>(en: T, de: NoInfer<T>): Catalogue<T> {
  return { en, de }
}

/** The strings in the language of the page. */
export function useText<T>(catalogue: Catalogue<T>): T {
  return catalogue[useLanguage().language]
}

const rules: Record<Language, Intl.PluralRules> = { en: new Intl.PluralRules('en'), de: new Intl.PluralRules('de') }

/** `plural('en', 3, 'file', 'files')` is "3 files". */
export function plural(language: Language, count: number, one: string, other: string): string {
  return `${count.toLocaleString(language)} ${rules[language].select(count) === 'one' ? one : other}`
}
