import type { SettingWords } from './words'

export const imports: Record<string, SettingWords> = {
  'Import:Categories': { title: 'Kategorien', description: 'Ordner für Importe und ihre Ergebnisse, die von Anfang an bestehen. Weitere entstehen, sobald etwas in ihnen abgelegt wird.' },
  'Import:WatchFolder': {
    title: 'Überwachter Ordner', description: 'Ein Ordner auf dem Datenträger des Servers: .nzb-Dateien darin werden in die Kategorie other importiert, solche in einem Unterordner in die Kategorie dieses Namens. Übernommene Dateien verschwinden; abgelehnte werden in .failed umbenannt, mit dem Grund daneben.',
  },
  'Import:Passwords:#': {
    title: 'Passwort für Archive', description: 'Wird bei verschlüsselten Archiven versucht, nach dem Passwort des Auftrags, dem in seinem Namen und denen in der .nzb. Nummeriert mit 0, 1, 2 und so weiter.',
  },
  'Import:Workers': {
    title: 'Gleichzeitige Aufträge', description: 'Wie viele Aufträge gleichzeitig importiert werden. Importe lassen Lesern den Vortritt; große Posts warten unabhängig davon aufeinander.',
  },
  'Import:MaxNzbMiB': { title: 'Größte .nzb', description: 'Eine größere .nzb wird abgelehnt, gepackt oder entpackt. Ein Import benötigt etwa so viel Arbeitsspeicher, wie seine .nzb groß ist.', defaultNote: 'ein Viertel des Arbeitsspeichers, 32 bis 512 MiB' },
  'Import:VideoCategories': { title: 'Kategorien für Videos', description: 'Kategorien, die einen Post ohne Video ablehnen. Leer: keine Prüfung.' },
  'Import:MostMissingPercent': {
    title: 'Zulässiger Anteil fehlender Artikel', description: 'Ein Post wird abgelehnt, wenn bei allen Anbietern ein größerer Anteil seiner Artikel fehlt, beurteilt nach 48 über den Post verteilten Artikeln. Ein höherer Wert lässt auch Beschädigtes zu.',
  },
  'Import:RepairReads': {
    title: 'Beim Lesen reparieren', description: 'Trifft ein Leser auf einen Artikel, den kein Anbieter hat, wird der Post wie beim Import aus seinen Wiederherstellungsdaten repariert. Dafür wird alles einmal abgerufen, was sie schützen; ein Leser wartet darauf, wenn es weniger als 20 Sekunden dauert.',
  },
  'Import:PatienceHours': {
    title: 'Geduld', description: 'Wie lange ein Auftrag auf das Ende einer vorübergehenden Störung wartet, etwa eines Anbieters ohne Antwort oder eines vollen Datenträgers, bevor er scheitert. Danach lässt er sich erneut starten.',
  },
  'Import:RefusedAccountMinutes': {
    title: 'Geduld bei verweigerter Anmeldung', description: 'Wie lange ein Auftrag auf ein Konto wartet, dessen Anmeldung verweigert wird, etwa weil es abgelaufen ist, wenn alle anderen Konten seine Artikel nicht haben. Danach scheitert er, und das *arr sucht einen anderen Release. 0 wartet nicht, 43200 so lange wie die Geduld oben.',
  },
  'Import:CheckedArchiveGiB': {
    title: 'Archive, die für ihre Reihenfolge gelesen werden', description: 'Manche Posts verraten die Reihenfolge der Teile eines Archivs nicht, nur dessen Prüfsummen tun es. Ein solches Archiv wird hinter allen Lesern einmal ganz gelesen, wenn es höchstens so groß ist. Ein größeres wird abgelehnt.',
  },
  'Import:Blocklist': { title: 'Ausgelassene Dateien', description: 'Dateien, deren Name passt, werden ausgelassen. Das größte Video eines Auftrags oder seine größte Datei bleibt immer.' },
  'Import:Samples': { title: 'Samples', description: 'Videos, deren Name passt, werden ausgelassen, wenn ein mindestens zehnmal so großes vorhanden ist.' },

  'Arrs:#:Application': { title: 'Programm', description: 'Um welches Programm es sich handelt.', defaultNote: 'erforderlich', choices: { Sonarr: 'Sonarr', Radarr: 'Radarr', Lidarr: 'Lidarr', Prowlarr: 'Prowlarr' } },
  'Arrs:#:Url': { title: 'Adresse', description: 'Adresse des Programms mit seiner Basis-URL, zum Beispiel http://sonarr:8989.', defaultNote: 'erforderlich' },
  'Arrs:#:ApiKey': { title: 'API-Schlüssel', description: 'Der Schlüssel des Programms. Er steht dort unter Settings → General.', defaultNote: 'erforderlich' },
  'Arrs:#:Name': { title: 'Name', description: 'Name in Protokoll und Antworten. Nötig, um zwei gleichartige Programme zu unterscheiden.', defaultNote: 'der Name des Programms' },
  'Arrs:#:Category': {
    title: 'Kategorie', description: 'Die hiesige Kategorie seiner Downloads: Das Programm erfährt sofort, wenn einer davon fertig oder gescheitert ist.', defaultNote: 'tv, movies, music oder other, je nach Programm',
  },
  'Arrs:#:TidyQueue': {
    title: 'Warteschlange aufräumen', description: 'Prüft die Warteschlange des Programms jede Minute: Ein Import, der seit fünf Minuten feststeckt, wird je nach dessen Meldung entfernt, gesperrt oder neu gesucht. Was eine Entscheidung verlangt, bleibt unberührt.',
  },
  'Search:Indexers:#:Url': { title: 'Adresse eines Indexers', description: 'Ein Indexer, in dem nach Abspielbarem gesucht wird, über seine Newznab- oder Torznab-API. Ein Prowlarr unter den Programmen wird von selbst durchsucht.', defaultNote: 'erforderlich' },
  'Search:Indexers:#:ApiKey': { title: 'API-Schlüssel', description: 'Der Schlüssel des Kontos beim Indexer.' },
  'Search:Checks': { title: 'Geprüfte Ergebnisse', description: 'Wie viele der ersten Ergebnisse einer Suche angesehen werden, bevor sie erscheinen, damit tote Posts sich zu erkennen geben. Indexer zählen jedes als Download.' },
  'Search:TitlesUrl': { title: 'Titel von Filmen und Serien', description: 'Ein Stremio-Add-on, das nach dem Titel zu einer IMDb-Kennung gefragt wird, damit die Bibliothek und Indexer ohne Kennungen durchsucht werden können. off: keines wird gefragt.' },
  'Search:AnimeTitlesUrl': { title: 'Titel von Anime', description: 'Ein Stremio-Add-on, das nach dem Titel zu einer Kitsu-Kennung gefragt wird. Indexer kennen keine Kitsu-Kennungen. off: keines wird gefragt.' },
  'Search:Indexers:#:Name': { title: 'Name', description: 'Name des Indexers in den Ergebnissen.', defaultNote: 'sein Host' },
  'Arrs:#:LibraryPath': {
    title: 'Bibliothek aus Sicht des Programms', description: 'Der Ordner der Bibliothek, wie das Programm ihn sieht. Zusammen mit dem nächsten Wert anzugeben, wenn dieser Server ihn unter einem anderen Pfad sieht.',
  },
  'Arrs:#:LibraryPathHere': {
    title: 'Bibliothek aus Sicht des Servers', description: 'Derselbe Ordner, wie dieser Server ihn sieht. Er dient dazu, den Link einer zu ersetzenden Datei zu finden und den Bestand der Bibliothek zu erkennen.',
  },
  'Qbit:Enabled': { title: 'Als qBittorrent dienen', description: 'Sonarr, Radarr, autobrr und andere können diesen Server als qBittorrent-Client eintragen, unter seiner eigenen Adresse mit /api/v2.' },
  'Qbit:ShowNzb': { title: 'NZB-Aufträge als Torrents', description: 'Die qBittorrent-Schnittstelle listet NZB-Aufträge neben den Torrents auf, für Dashboards, die nur eine Liste kennen.' },
  'Qbit:Networks': { title: 'Netze ohne Anmeldung', description: 'Programme in diesen Netzen müssen sich an der qBittorrent-Schnittstelle nicht anmelden. Sie dürfen Downloads hinzufügen, ändern und löschen. Dazu gehören Lokale Namen, Kein Proxy oder ein vertrauter Proxy, wie bei der Seite.' },
  'Qbit:TrustLocalhost': { title: 'Keine Anmeldung auf diesem Rechner', description: 'Programme auf demselben Rechner müssen sich an der qBittorrent-Schnittstelle nicht anmelden. Dazu gehören Lokale Namen oder Kein Proxy, wie bei der Seite.' },
  'Qbit:MaxFailures': { title: 'Falsche Anmeldungen', description: 'Nach so vielen verschiedenen falschen Anmeldungen an der qBittorrent-Schnittstelle wird eine Adresse gesperrt.' },
  'Qbit:BanMinutes': { title: 'Dauer der Sperre', description: 'Wie lange eine solche Adresse gesperrt bleibt.' },
  'Api:PrivateHosts': {
    title: 'Private Indexer', description: 'Hosts in privaten Netzen, von denen .nzb-Dateien abgerufen werden dürfen, zum Beispiel nzbhydra oder 192.168.1.0/24. Für die Hosts der Programme oben gilt das immer; sonst sind nur öffentliche Adressen zulässig.',
  },
  'Api:UserAgent': {
    title: '.nzb-Dateien abrufen: Name', description: 'Der User-Agent, mit dem .nzb-Dateien abgerufen werden. Manche Indexer lassen nur bekannte Download-Programme zu, zum Beispiel SABnzbd/4.5.1.',
  },
  'Api:Proxy': {
    title: '.nzb-Dateien abrufen: Proxy', description: 'Ruft .nzb-Dateien von öffentlichen Adressen über diesen Proxy ab: socks5://user:password@host:1080, oder http://host:8080 mit CONNECT. Namen löst dieser Server auf.',
  },
}
