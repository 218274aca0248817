import { createContext, use, useMemo, useState, type ReactNode } from 'react'

/** The languages of the page. */
export type Language = 'en' | 'de'

const Kept = 'nzbdav.language'

type LanguageState = { language: Language; locale: string; choose: (language: Language) => void }

const Context = createContext<LanguageState>({ language: 'en', locale: 'en', choose: () => undefined })

/** The language that was chosen here before, else the first of the browser's that we have. */
export function preferred(kept: string | null, wanted: readonly string[]): Language {
  if (kept === 'en' || kept === 'de') return kept
  for (const tag of wanted) {
    if (tag.startsWith('de')) return 'de'
    if (tag.startsWith('en')) return 'en'
  }
  return 'en'
}

function read(): string | null {
  try {
    return localStorage.getItem(Kept)
  } catch {
    return null
  }
}

/** Gives all below it the language. Numbers and dates follow the browser's region where it is of that language (en-GB, de-AT). */
export function LanguageProvider({ children, initial }: { children: ReactNode; initial?: Language }) {
  const [language, setLanguage] = useState<Language>(() => initial ?? preferred(read(), navigator.languages))
  const state = useMemo<LanguageState>(() => ({
    language,
    locale: navigator.languages.find((tag) => tag.startsWith(language)) ?? language,
    choose: (chosen) => {
      document.documentElement.lang = chosen
      try {
        localStorage.setItem(Kept, chosen)
      } catch {
        // Storage is off: it holds until the page is left.
      }
      setLanguage(chosen)
    },
  }), [language])
  return <Context value={state}>{children}</Context>
}

/** The language, the locale for numbers and dates, and how to choose another. */
export function useLanguage(): LanguageState {
  return use(Context)
}
