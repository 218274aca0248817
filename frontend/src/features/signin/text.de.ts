import type { en } from './text.en'

export const de: typeof en = {
  title: 'Anmelden',
  ended: 'Die Sitzung ist abgelaufen',
  endedHint: 'Nach der Anmeldung geht es dort weiter, wo du warst. Deine Eingaben sind noch da.',
  name: 'Name',
  password: 'Passwort',
  submit: 'Anmelden',
  oidc: 'Mit Single Sign-on anmelden',
  or: 'oder',
  wrong: 'Name oder Passwort ist falsch.',
  slow: (wait) => `Zu viele Fehlversuche von dieser Adresse. Neuer Versuch in ${wait} möglich.`,
  forgotten: 'Vergessen? Unter „Benutzer“ kann die Verwaltung ein neues Passwort setzen.',
}
