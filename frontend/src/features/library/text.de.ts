import type { en } from './text.en'

export const de: typeof en = {
  title: 'Bibliothek',
  intro: 'Worauf die Bibliotheken verweisen und worauf keine mehr verweist.',
  held: (count) => `${count} Dateien sind verlinkt`, read: (when) => `Gelesen ${when}`, neverRead: 'Noch nicht gelesen',
  trial: (when) => `Probezeit bis ${when}: Vorher wird nichts verborgen oder gelöscht.`,
  libraries: 'Gelesen aus', noLibraries: 'Es ist keine Bibliothek eingerichtet', noLibrariesHint: 'Die Ordner der Bibliotheken oder die *arrs gehören in die Einstellungen. Ohne sie wird nie etwas verborgen oder gelöscht.', toSettings: 'Zu den Einstellungen',
  sweep: 'Jetzt lesen', sweeping: 'Wird gelesen', swept: 'Die Bibliotheken sind gelesen.', accept: 'Das stimmt, weiter', acceptTitle: 'Stimmt es, dass so viel fehlt?',
  acceptHint: 'Auf einmal fehlte viel oder wäre verborgen oder gelöscht worden, darum bleibt es. Weiter nur, wenn alle Bibliotheken eingehängt und vollständig sind. Gefragt wird nur einmal.',
  problems: 'Es wird nichts verborgen oder gelöscht, denn:',
  lost: 'In keiner Bibliothek mehr', none: 'Jede verlinkte Datei ist noch in einer Bibliothek', noneHint: 'Was Bibliotheken loslassen, steht hier, bevor damit etwas geschieht.',
  filter: 'Namen durchsuchen', all: 'Alle', count: (count) => `${count} Dateien`,
  states: { lost: 'Verwaist', hidden: 'Verborgen', kept: 'Behalten', seeding: 'Wird verteilt' },
  name: 'Datei', state: 'Zustand', since: 'Losgelassen', next: 'Was geschieht', lastLink: (link) => `Letzter Verweis: ${link}`,
  hides: (when) => `verborgen ${when}`, deletes: (when) => `gelöscht ${when}`, stays: 'bleibt', staysSeeding: 'bleibt, solange sein Torrent verteilt wird', soon: 'demnächst', deleting: 'wird gelöscht',
  keep: 'Behalten', keepOf: (name) => `${name} behalten`, kept: (name) => `${name} bleibt.`,
  remove: 'Löschen', removeOf: (name) => `${name} löschen`, removed: (name) => `${name} ist gelöscht.`, undo: 'Rückgängig', undone: (name) => `${name} bleibt, wie es ist.`, close: 'Schließen',
  cancel: 'Abbrechen',
}
