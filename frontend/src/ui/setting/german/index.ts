import { access } from './access'
import { imports } from './imports'
import { operation } from './operation'
import { players } from './players'
import { providers } from './providers'
import { torrents } from './torrents'
import type { SettingCatalogue } from './words'

/** The server's settings in German. Loaded only where the page is in German. */
export const german: SettingCatalogue = {
  groups: {
    providers: 'Usenet-Anbieter', playback: 'Speicher und Wiedergabe', imports: 'Importe', torrents: 'Torrents', arrs: 'Sonarr, Radarr & Co', players: 'WebDAV und Player',
    library: 'Bibliothek', health: 'Prüfung der Posts', access: 'Zugang und Anmeldung', backups: 'Sicherungen', logs: 'Protokoll und Metriken',
  },
  units: {
    MiB: 'MiB', GB: 'GB', GiB: 'GiB', 'KiB/s': 'KiB/s', 'Mbit/s': 'Mbit/s', '%': '%',
    minutes: 'Minuten', hours: 'Stunden', days: 'Tage', connections: 'Verbindungen', peers: 'Peers', jobs: 'Aufträge', logins: 'Anmeldungen', torrents: 'Torrents', backups: 'Sicherungen', articles: 'Artikel', posts: 'Posts', results: 'Ergebnisse',
  },
  settings: { ...providers, ...imports, ...torrents, ...players, ...access, ...operation },
}
