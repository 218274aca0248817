import type { SettingWords } from './words'

export const torrents: Record<string, SettingWords> = {
  'Torrents:Enabled': { title: 'Torrents nutzen', description: 'Ausgeschaltet bleibt der Port geschlossen und kein Schwarm wird betreten: Torrents werden abgelehnt, und Dateien früherer Torrents sind nicht lesbar.' },
  'Torrents:Port': { title: 'Port', description: 'TCP-Port für Peers. Ein fester Wert ist für die Weiterleitung im Router nötig; bei 0 wird bei jedem Start ein freier Port gewählt.' },
  'Torrents:CacheMiB': {
    title: 'Cache auf dem Datenträger', description: 'Begrenzt die geprüften Stücke auf dem Datenträger, über alle Torrents hinweg. Zuletzt Gelesenes bleibt; Anfang und Ende von Dateien weichen zuletzt. Bei 0 wird nichts abgelegt.',
  },
  'Torrents:DownloadLimit': {
    title: 'Download-Grenze', description: 'Höchstens so viel kommt von Peers, über alle Torrents hinweg; 0: ohne Grenze. Sie gilt auch beim Abspielen; Torrents, die jemand liest, haben Vorrang.',
  },
  'Torrents:AlternativeTimes': {
    title: 'Zeiten für andere Grenzen', description: 'Wann statt der Grenzen oben die beiden folgenden gelten, in der Ortszeit des Servers (TZ). Zeiten dürfen über Mitternacht reichen; ohne Tage gelten sie täglich.',
  },
  'Torrents:AlternativeDownloadLimit': { title: 'Download-Grenze zu diesen Zeiten', description: 'Höchstens so viel kommt zu diesen Zeiten von Peers; 0: ohne Grenze.' },
  'Torrents:AlternativeUploadLimit': { title: 'Upload-Grenze zu diesen Zeiten', description: 'Höchstens so viel geht zu diesen Zeiten an Peers; 0: ohne Grenze.' },
  'Torrents:UploadLimit': { title: 'Upload-Grenze', description: 'Höchstens so viel geht an Peers, über alle Torrents hinweg; 0: ohne Grenze. Sinnvoll, wenn das Senden die Leitung bremst.' },
  'Torrents:Encryption': {
    title: 'Verschlüsselung',
    description: 'Verbirgt Verbindungen zu Peers vor Netzen, die Torrents ausbremsen. Geheim hält sie nichts. Verbindungen, die ein neuer Wert nicht zulässt, enden innerhalb einer Sekunde.',
    choices: { prefer: 'Bevorzugt: auch ohne, wo ein Peer keine hat', require: 'Erforderlich: Peers ohne sie werden abgewiesen', off: 'Aus' },
  },
  'Torrents:ListenAddress': { title: 'Eigene Adresse', description: 'Die Adresse dieses Rechners, unter der Peers ihn erreichen. Nur zu ändern, um ein einzelnes Netz zu verwenden, etwa das eines VPN.' },
  'Torrents:BudgetMiB': { title: 'Arbeitsspeicher für Stücke', description: 'Begrenzt die Stücke im Arbeitsspeicher, zusätzlich zum Arbeitsspeicher zum Lesen. Wird nur belegt, während Torrents gelesen werden.' },
  'Torrents:MaxPeers': { title: 'Peers je Torrent', description: 'So viele Verbindungen hat ein Torrent höchstens. Bei einem kleineren Wert enden die schwächsten innerhalb einer Sekunde.' },
  'Torrents:MaxConnections': {
    title: 'Peers insgesamt', description: 'So viele Verbindungen haben alle Torrents zusammen höchstens. Sind alle belegt, weichen die langsamsten von Torrents, die niemand liest, zugunsten eines gelesenen.',
  },
  'Torrents:UploadSlots': { title: 'Upload-Plätze', description: 'So viele Peers eines Torrents werden gleichzeitig bedient; die Plätze werden alle zehn Sekunden neu vergeben.' },
  'Torrents:IdleMinutes': { title: 'Leerlauf', description: 'Nach dieser Zeit verlässt ein Torrent, den niemand liest, seinen Schwarm; beim nächsten Lesen tritt er wieder bei.' },
  'Torrents:MetadataMinutes': { title: 'Wartezeit auf Metadaten', description: 'So lange wartet ein Magnet-Link auf einen Peer, der seinen Inhalt kennt, bevor der Auftrag scheitert.' },
  'Torrents:Dht': {
    title: 'DHT', description: 'Findet Peers öffentlicher Torrents über die verteilte Hashtabelle, die Magnet-Links ohne Tracker brauchen. Sie startet mit dem ersten solchen Torrent.',
  },
  'Torrents:DhtBootstrap': {
    title: 'DHT-Einstiegsknoten', description: 'Knoten, über die der Einstieg in die Hashtabelle gelingt, anstelle derer der großen Programme. Auch vor dem letzten Stopp bekannte Knoten werden gefragt.',
  },
  'Torrents:PeerExchange': {
    title: 'Austausch von Peers', description: 'Peers eines öffentlichen Torrents nennen einander weitere Peers (ut_pex). Die Peers privater Torrents kommen unabhängig davon nur vom Tracker.',
  },
  'Torrents:LocalDiscovery': { title: 'Suche im lokalen Netz', description: 'Findet Peers im lokalen Netz über Multicast (UDP-Port 6771). Nur öffentliche Torrents werden dort bekannt gegeben.' },
  'Torrents:PrivateHosts': {
    title: 'Private Tracker', description: 'Hosts in privaten Netzen, auf denen Tracker laufen dürfen, zum Beispiel tracker.lan. Sonst sind nur öffentliche Adressen zulässig, auch bei Weiterleitungen.',
  },
}
