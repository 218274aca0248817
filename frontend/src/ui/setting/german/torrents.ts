import type { SettingWords } from './words'

export const torrents: Record<string, SettingWords> = {
  'Torrents:Enabled': { title: 'Torrents nutzen', description: 'Ausgeschaltet bleibt der Port geschlossen und kein Schwarm wird betreten: Torrents werden abgelehnt, und Dateien früherer Torrents sind nicht lesbar.' },
  'Torrents:Port': { title: 'Port', description: 'Port für Peers, TCP und UDP. Bei 0 wird einmal ein freier Port gewählt und behalten. Eine Änderung gilt sofort: für neue Verbindungen, Tracker und die DHT, und kein Peer geht verloren. Programme eines VPN dürfen ihn setzen.' },
  'Torrents:CacheMiB': {
    title: 'Cache auf dem Datenträger', description: 'Begrenzt die geprüften Stücke auf dem Datenträger, über alle Torrents hinweg. Zuletzt Gelesenes bleibt; Anfang und Ende von Dateien weichen zuletzt. Bei 0 wird nichts abgelegt.',
  },
  'Torrents:WatchedReserveGiB': {
    title: 'Freier Platz für Angesehenes', description: 'Eine Datei, die jemand ansieht, darf den Cache auf dem Datenträger überschreiten, solange so viel frei bleibt. Fünf Minuten nach dem letzten Lesen weicht sie. Peers sperren mitunter einen Client, der einen ganzen Film holt und bald nur noch einen Teil davon hat. 0: Die Grenze des Caches gilt immer.',
  },
  'Torrents:DownloadLimit': {
    title: 'Download-Grenze', description: 'Höchstens so viel kommt von Peers, über alle Torrents hinweg; 0: ohne Grenze. Sie gilt auch beim Abspielen; Torrents, die jemand liest, haben Vorrang.',
  },
  'Torrents:AlternativeTimes': {
    title: 'Zeiten für andere Grenzen', description: 'Wann statt der Grenzen oben die anderen unten gelten, in der Ortszeit des Servers (TZ). Zeiten dürfen über Mitternacht reichen; ohne Tage gelten sie täglich.',
  },
  'Torrents:AlternativeLimits': {
    title: 'Andere Grenzen nutzen', description: 'Ob die Zeiten oben zählen. Programme, die diesen Server wie qBittorrent steuern, ändern es, wenn sie die Grenzen umschalten.',
    choices: { times: 'Zu diesen Zeiten', always: 'Immer', never: 'Nie' },
  },
  'Torrents:AlternativeDownloadLimit': { title: 'Andere Download-Grenze', description: 'Höchstens so viel kommt von Peers, solange die anderen Grenzen gelten; 0: ohne Grenze.' },
  'Torrents:AlternativeUploadLimit': { title: 'Andere Upload-Grenze', description: 'Höchstens so viel geht an Peers, solange die anderen Grenzen gelten; 0: ohne Grenze.' },
  'Torrents:UploadLimit': { title: 'Upload-Grenze', description: 'Höchstens so viel geht an Peers, über alle Torrents hinweg; 0: ohne Grenze. Sinnvoll, wenn das Senden die Leitung bremst.' },
  'Torrents:Bind': {
    title: 'Netz für Torrents', description: 'Eine Schnittstelle wie wg0 oder eine Adresse dieses Rechners. Torrents nutzen nur sie, für Peers, Tracker und DHT; fehlt sie, wird nichts gesendet. Namen von Trackern löst das System auf, auf dem Weg, den es hat, aber nicht, solange die Schnittstelle fehlt; hinter einem SOCKS-5-Proxy nur der Proxy.',
  },
  'Torrents:Proxy': { title: 'Proxy', description: 'Alles von Torrents läuft darüber: socks5://user:password@host:1080 oder http://host:8080. Niemand kann sich dann mit diesem Server verbinden. UDP-Tracker und DHT brauchen SOCKS 5.' },
  'Torrents:PortMapping': { title: 'Port im Router öffnen', description: 'Bittet den Router per PCP, NAT-PMP oder UPnP (in dieser Reihenfolge), den Port zu diesem Server durchzulassen, und per PCP oder UPnP, Peers über IPv6 hereinzulassen. Das Protokoll sagt, was daraus wurde. Nicht hinter einem Proxy.' },
  'Torrents:Blocklist': { title: 'Sperrliste', description: 'Eine Datei mit Adressen, an die nichts geht und von denen nichts angenommen wird: .p2p, .dat oder CIDR, auch mit gzip gepackt. Sie wird bei Änderungen neu gelesen.' },
  'Torrents:Encryption': {
    title: 'Verschlüsselung',
    description: 'Verbirgt Verbindungen zu Peers vor Netzen, die Torrents ausbremsen. Geheim hält sie nichts. Verbindungen, die ein neuer Wert nicht zulässt, enden innerhalb einer Sekunde.',
    choices: { prefer: 'Bevorzugt: auch ohne, wo ein Peer keine hat', require: 'Erforderlich: Peers ohne sie werden abgewiesen', off: 'Aus' },
  },
  'Torrents:KeepCategories': { title: 'Behaltene Kategorien', description: 'Torrents dieser Kategorien werden ganz geladen und verteilt, außerhalb des Caches; * steht für alle. Andere werden nur gestreamt, außer privaten und solchen, denen ein Programm eine Grenze fürs Verteilen mitgibt.' },
  'Torrents:KeepPrivate': {
    title: 'Private Torrents behalten',
    description: 'Lädt private Torrents ganz und verteilt sie, bis zu den Grenzen unten oder ohne Ende. Ein nur gestreamter verlässt seinen Schwarm, wenn ihn niemand liest, und die meisten privaten Tracker werten das als Vergehen (hit and run). Kategorien mit der Regel „stream“ sind ausgenommen.',
  },
  'Torrents:Ratio': { title: 'Verteilen bis zum Verhältnis', description: 'Ein behaltener Torrent ist genug verteilt, wenn er so viel Mal gesendet hat, was er geladen hat, etwa 1.5; 0: keine solche Grenze.' },
  'Torrents:SeedMinutes': { title: 'Verteilzeit', description: 'Ein behaltener Torrent ist nach dieser Zeit genug verteilt; 0: keine solche Grenze. Ohne jede Grenze wird er für immer verteilt.' },
  'Torrents:AtLimit': {
    title: 'Nach dem Verteilen', description: 'Was mit einem Torrent geschieht, der genug verteilt ist. Dateien, auf die eine Bibliothek verweist, bleiben in jedem Fall lesbar.',
    choices: { stop: 'Er hält an', remove: 'Er verlässt die Liste, seine Dateien bleiben', removeData: 'Er verlässt die Liste mit seinen Dateien' },
  },
  'Torrents:CategoryPolicies': {
    title: 'Regeln je Kategorie', description: 'Was für Torrents einer Kategorie anders ist: keep (behalten) oder stream (nie behalten, auch keine privaten und keine mit eigenen Grenzen, die dann als erreicht gelten); ratio:2, minutes:10080, idle:60 (0: keine solche Grenze) oder forever; either oder both; stop, remove oder removeData.',
  },
  'Torrents:BannedAddresses': { title: 'Gesperrte Adressen', description: 'Peers, an die nichts geht und von denen nichts angenommen wird, zusätzlich zur Sperrliste. Programme, die diesen Server als qBittorrent steuern, ergänzen sie.' },
  'Torrents:KeepFolder': { title: 'Ordner für behaltene Torrents', description: 'Hier liegen behaltene Torrents, jeder in einem eigenen Ordner. Schon behaltene bleiben, wo sie sind.', defaultNote: 'torrents im Konfigurationsordner' },
  'Torrents:KeepFreeMiB': {
    title: 'Frei lassen', description: 'Ein Torrent wird nur ganz geladen, wenn danach so viel Platz frei bleibt. Bis dahin wird er nur gestreamt, bleibt in seinem Schwarm, und die Seite sagt, was fehlt.',
  },
  'Torrents:SeedUntil': { title: 'Verhältnis und Zeit', description: 'Sind beide gesetzt: ob eines genügt oder beide erreicht sein müssen.', choices: { either: 'Eines genügt', both: 'Beide' } },
  'Torrents:SeedIdleMinutes': { title: 'Verteilen, solange gefragt', description: 'Ein Torrent, von dem so lange kein Peer etwas geholt hat, ist genug verteilt; 0: keine solche Grenze.' },
  'Torrents:MaxActiveDownloads': { title: 'Gleichzeitige Downloads', description: 'So viele behaltene Torrents werden gleichzeitig geladen; andere warten. 0: ohne Grenze. Das Lesen einer Datei wartet nie.' },
  'Torrents:MaxActiveSeeds': { title: 'Gleichzeitig verteilt', description: 'So viele Torrents werden gleichzeitig verteilt; andere warten. 0: ohne Grenze.' },
  'Torrents:WaitForCopy': {
    title: 'Auf eine ganze Kopie warten', description: 'Ein Torrent gilt für die *arrs als fertig, wenn Anfang und Ende seiner Hauptdatei geprüft sind und bei seinen Peers eine ganze Kopie gesehen wurde. Ausgeschaltet gilt er es sofort.',
  },
  'Torrents:CopyMinutes': { title: 'Höchste Wartezeit', description: 'Ein Torrent, von dem in dieser Zeit keine ganze Kopie gefunden wird, scheitert, und sein *arr soll einen anderen suchen; bei 0 wird ohne Ende gewartet.' },
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
  'Torrents:Utp': {
    title: 'uTP',
    description: 'Wofür uTP (BEP 29) dient, am UDP-Port mit der Nummer des TCP-Ports. Es ist langsamer als TCP, weil es allem anderen Verkehr den Vortritt lässt. Hinter einem Proxy ist es aus.',
    choices: { dial: 'Peers anwählen, die TCP nicht erreicht', on: 'Auch Verbindungen von Peers annehmen', off: 'Aus' },
  },
  'Torrents:LocalDiscovery': { title: 'Suche im lokalen Netz', description: 'Findet Peers im lokalen Netz über Multicast (UDP-Port 6771). Nur öffentliche Torrents werden dort bekannt gegeben.' },
  'Torrents:PrivateHosts': {
    title: 'Private Tracker und Peers', description: 'Tracker, Web-Seeds und Peers in privaten Netzen, zu denen verbunden werden darf, zum Beispiel tracker.lan oder 192.168.1.0/24. Sonst sind nur öffentliche Adressen zulässig, auch bei Weiterleitungen, und Peers, die die Suche im lokalen Netz gefunden hat.',
  },
}
