import type { en } from './text.en'

export const de: typeof en = {
  title: 'Benutzer', who: 'Wer sich anmelden darf', nobody: 'Noch hat niemand ein Konto.', own: 'Eigenes Konto',
  add: 'Benutzer hinzufügen', username: 'Name', role: 'Rolle', created: 'Hinzugefügt', seen: 'Zuletzt gesehen', never: 'nie', you: 'dieses Konto',
  roles: { viewer: 'Zuschauer', operator: 'Bediener', administrator: 'Administrator' },
  roleHints: { viewer: 'Sieht alles und spielt ab.', operator: 'Fügt außerdem hinzu, wiederholt und löscht.', administrator: 'Ändert außerdem Einstellungen und Benutzer.' },
  roleOf: (name) => `Rolle von ${name}`,
  roleChanged: (name, role) => `${name} ist jetzt: ${role}.`,
  password: 'Passwort', newPassword: 'Neues Passwort', passwordHint: 'Mindestens 10 Zeichen.', setPassword: 'Passwort setzen', setPasswordOf: (name) => `Passwort für ${name} setzen`,
  passwordSet: (name) => `${name} hat ein neues Passwort. Alle Sitzungen von ${name} sind beendet.`,
  remove: 'Entfernen', removeOf: (name) => `${name} entfernen`, removeTitle: (name) => `${name} entfernen?`, removeHint: 'Alle Sitzungen dieses Benutzers enden sofort.', removed: (name) => `${name} ist entfernt.`,
  added: (name) => `${name} kann sich jetzt anmelden.`, actions: (name) => `Mehr zu ${name}`,
  change: 'Passwort ändern', oldPassword: 'Bisheriges Passwort', changed: 'Das Passwort ist geändert. Die anderen eigenen Sitzungen sind beendet.', changeDo: 'Ändern',
  sessions: 'Sitzungen', sessionsHint: 'Browser, die angemeldet sind.', everyone: 'Von allen Benutzern', user: 'Benutzer', program: 'Programm', address: 'Adresse', begun: 'Angemeldet', current: 'diese', unknown: 'unbekannt',
  via: { password: 'Passwort', oidc: 'Single Sign-on' },
  end: 'Beenden', endOf: (program) => `Sitzung von ${program} beenden`, endOthers: 'Alle anderen beenden', ended: 'Die Sitzung ist beendet.', othersEnded: 'Alle anderen eigenen Sitzungen sind beendet.', noSessions: 'Es gibt keine.',
  keys: 'API-Schlüssel', keysHint: 'Was Programme anstelle eines Passworts verwenden. Gezeigt werden sie nach Eingabe des Passworts, gesetzt in den Einstellungen.',
  keyNames: { full: 'Voller Schlüssel', client: 'Download-Client', add: 'Nur hinzufügen', read: 'Nur lesen' },
  keyHints: { full: 'Öffnet alles.', client: 'Für Sonarr, Radarr und andere, die NzbDav als Download-Client nutzen.', add: 'Darf nur Aufträge hinzufügen.', read: 'Darf nur lesen.' },
  show: 'Zeigen', showOf: (name) => `Zeigen: ${name}`, hide: 'Verbergen', noKey: 'Diesen Schlüssel gibt es nicht. Er lässt sich in den Einstellungen setzen.', showTitle: (name) => `Schlüssel zeigen: ${name}`, copyOf: (name) => `Kopieren: ${name}`,
  save: 'Speichern', cancel: 'Abbrechen',
}
