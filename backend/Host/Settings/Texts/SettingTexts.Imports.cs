namespace NzbDav.Host.Settings.Texts;

public static partial class SettingTexts
{
    private static readonly SettingText[] OfImports =
    [
        new("Import:Categories", Imports, "Categories", "Folders that exist from the start for imports and what comes of them. Others come to be when something is put into them.") { Form = Names },
        new("Import:WatchFolder", Imports, "Watched folder", "A folder on the server's disk: .nzb files put into it are imported to the category other, those in a folder below it to the category of that name. What was taken is removed; what is refused is renamed to .failed, with the reason beside it.")
            { Form = "absolute path" },
        new("Import:Passwords:#", Imports, "Password of archives", "Tried on encrypted archives, after the password given with the job, the one in its name and those in the .nzb. Number them 0, 1, 2 and so on."),
        new("Import:Workers", Imports, "Jobs at a time", "How many jobs are imported at once. Their requests give way to readers; large posts wait for each other whatever is set here.") { Unit = "jobs", IsAdvanced = true },
        new("Import:MaxNzbMiB", Imports, "Largest .nzb", "A larger .nzb is refused, packed or unpacked. An import takes about as much memory as its .nzb is long.") { Unit = "MiB", IsAdvanced = true },
        new("Import:VideoCategories", Imports, "Categories of videos", "Categories that refuse a post without a video; none for no such check.") { Form = Names, IsAdvanced = true },
        new("Import:MostMissingPercent", Imports, "Articles that may be gone", "A post is refused when a larger share of its articles is gone from every provider, judged by 48 articles spread over it. Raise it to take what is damaged.")
            { Unit = "%", IsAdvanced = true },
        new("Import:RepairReads", Imports, "Repair while reading", "When a reader meets an article that no provider has, its post is repaired from its recovery data, as at import. All of what the recovery data protect is fetched once for that; a reader waits for it where that takes less than 20 seconds.")
            { IsAdvanced = true },
        new("Import:PatienceHours", Imports, "Patience", "How long a job waits for what passes, such as a provider that does not answer or a full disk, before it fails. It can be tried again then.") { Unit = "hours", IsAdvanced = true },
        new("Import:Blocklist", Imports, "Files left out", "Files whose names match are left out. The biggest video of a job, or its biggest file, is never left out.") { Form = Patterns, IsAdvanced = true },
        new("Import:Samples", Imports, "Samples", "Videos whose names match are left out when one at least ten times as big is there.") { Form = Patterns, IsAdvanced = true },
    ];

    private static readonly SettingText[] OfTorrents =
    [
        new("Torrents:Enabled", Torrents, "Use torrents", "Turned off, no port is opened and no swarm is joined: torrents are refused, and files of earlier ones cannot be read."),
        new("Torrents:Port", Torrents, "Port", "TCP port for peers. Set one to forward it from a router; 0 takes a free one at each start."),
        new("Torrents:CacheMiB", Torrents, "Cache on disk", "Bounds the verified pieces on disk, over all torrents. What was read last stays; heads and tails of files leave last. 0 keeps nothing on disk.") { Unit = "MiB" },
        new("Torrents:DownloadLimit", Torrents, "Download limit", "The most that is fetched from peers, over all torrents; 0 for no limit. It holds for what is played too: torrents that somebody reads come first.") { Unit = "KiB/s" },
        new("Torrents:UploadLimit", Torrents, "Upload limit", "The most that is sent to peers, over all torrents; 0 for no limit. Set it when sending slows the line down.") { Unit = "KiB/s" },
        new("Torrents:AlternativeTimes", Torrents, "Times of other limits", "When the other limits below hold in place of those above, in the server's local time (TZ). Hours may go past midnight; without days they are those of every day.")
            { Form = "times such as `mon-fri 08:00-18:00`, separated by commas", IsAdvanced = true },
        new("Torrents:AlternativeLimits", Torrents, "Use the other limits", "Whether the times above count. Programs that drive this server as qBittorrent change it when they switch the limits over.")
            { Choices = [("times", "At those times"), ("always", "Always"), ("never", "Never")], IsAdvanced = true },
        new("Torrents:AlternativeDownloadLimit", Torrents, "Other download limit", "The most that is fetched from peers while the other limits hold; 0 for no limit.") { Unit = "KiB/s", IsAdvanced = true },
        new("Torrents:AlternativeUploadLimit", Torrents, "Other upload limit", "The most that is sent to peers while the other limits hold; 0 for no limit.") { Unit = "KiB/s", IsAdvanced = true },
        new("Torrents:Bind", Torrents, "Network for torrents", "An interface such as wg0, or an address of this machine. Torrents use it alone, for peers, trackers and DHT; while it is not there, nothing is sent. Names of trackers are looked up by the system, by whatever way it has, but not while the interface is away; behind a SOCKS 5 proxy by the proxy alone.") { Form = "interface or IP address", IsAdvanced = true },
        new("Torrents:Proxy", Torrents, "Proxy", "Everything of torrents goes through it: socks5://user:password@host:1080, or http://host:8080. Nobody can connect to this server then. UDP trackers and DHT need SOCKS 5.") { IsAdvanced = true },
        new("Torrents:PortMapping", Torrents, "Ask the router for the port", "Asks the router to let the port through to this server, by PCP, NAT-PMP or UPnP, in this order. The log says what came of it. Not behind a proxy.") { IsAdvanced = true },
        new("Torrents:Blocklist", Torrents, "Blocklist", "A file with addresses that nothing is sent to or taken from: .p2p, .dat or CIDR, also packed with gzip. It is read again when it changes.") { Form = "path of a file", IsAdvanced = true },
        new("Torrents:BannedAddresses", Torrents, "Banned addresses", "Peers that nothing is sent to or taken from, beside those of the blocklist. Programs that drive this server as qBittorrent add to it.") { Form = "IP addresses", IsAdvanced = true },
        new("Torrents:Encryption", Torrents, "Encryption", "Hides connections to peers from networks that slow torrents down. It keeps nothing secret. Connections that a new value does not allow are closed within a second.")
            { Choices = [("prefer", "Preferred: also without, where a peer has none"), ("require", "Required: peers without it are refused"), ("off", "Off")], IsAdvanced = true },
        new("Torrents:KeepCategories", Torrents, "Categories to keep", "Torrents of these categories are fetched whole and seeded, outside the cache; * for all. Those of other categories are only streamed.") { Form = "categories" },
        new("Torrents:Ratio", Torrents, "Seed to a ratio", "A torrent that is kept has been seeded enough when it sent so many times what it fetched, such as 1.5; 0 for no such limit.") { Form = "number" },
        new("Torrents:SeedMinutes", Torrents, "Seed for a time", "A torrent that is kept has been seeded enough after so long; 0 for no such limit. Without any limit it is seeded for ever.") { Unit = "minutes" },
        new("Torrents:AtLimit", Torrents, "After seeding", "What becomes of a torrent that has been seeded enough. Files that a library has links to stay readable in any case.")
            { Choices = [("stop", "It stops"), ("remove", "It leaves the list, its files stay"), ("removeData", "It leaves the list with its files")] },
        new("Torrents:CategoryPolicies", Torrents, "Policies of categories", "What differs for torrents of a category: keep or stream; ratio:2, minutes:10080, idle:60 (0 for no such limit) or forever; either or both; stop, remove or removeData.")
            { Form = "policies such as `tv=keep ratio:2 minutes:10080 both remove`, separated by commas", IsAdvanced = true },
        new("Torrents:KeepFolder", Torrents, "Folder for kept torrents", "Where torrents are kept whole, each in a folder of its own. Torrents that are kept already stay where they are.") { Form = "absolute path", DefaultNote = "`torrents` in the configuration folder", IsAdvanced = true },
        new("Torrents:SeedUntil", Torrents, "Ratio and time", "With a ratio and a time: whether either is enough or both have to be reached.") { Choices = [("either", "Either is enough"), ("both", "Both")], IsAdvanced = true },
        new("Torrents:SeedIdleMinutes", Torrents, "Seed while wanted", "A torrent of which no peer took anything for so long has been seeded enough; 0 for no such limit.") { Unit = "minutes", IsAdvanced = true },
        new("Torrents:MaxActiveDownloads", Torrents, "Active downloads", "How many torrents that are kept are fetched at once; others wait for their turn. 0 for no limit. Reading a file never waits.") { Unit = "torrents", IsAdvanced = true },
        new("Torrents:MaxActiveSeeds", Torrents, "Active seeds", "How many torrents are seeded at once; others wait for their turn. 0 for no limit.") { Unit = "torrents", IsAdvanced = true },
        new("Torrents:WaitForCopy", Torrents, "Wait for a whole copy", "A torrent counts as complete for the *arrs when head and tail of its main file are verified and a whole copy was seen among its peers. Turned off, it does at once.") { IsAdvanced = true },
        new("Torrents:CopyMinutes", Torrents, "Wait for a copy at most", "A torrent of which no whole copy was found in so long fails, and its *arr is asked to look for another; 0 waits for ever.") { Unit = "minutes", IsAdvanced = true },
        new("Torrents:ListenAddress", Torrents, "Listen address", "The address of this machine at which peers reach it. Change it to use one network alone, such as that of a VPN.") { Form = "IP address", IsAdvanced = true },
        new("Torrents:BudgetMiB", Torrents, "Memory for pieces", "Bounds the pieces in memory, beside the memory for reading. It is used only while torrents are read.") { Unit = "MiB", IsAdvanced = true },
        new("Torrents:MaxPeers", Torrents, "Peers per torrent", "The most connections of one torrent. When it is lowered, those that give least are closed within a second.") { Unit = "connections", IsAdvanced = true },
        new("Torrents:MaxConnections", Torrents, "Peers together", "The most connections of all torrents. When all are taken, the slowest ones of torrents that nobody reads make room for one that is read.") { Unit = "connections", IsAdvanced = true },
        new("Torrents:UploadSlots", Torrents, "Upload slots", "How many peers of one torrent are served at once; they are dealt anew every ten seconds.") { Unit = "peers", IsAdvanced = true },
        new("Torrents:IdleMinutes", Torrents, "Idle time", "A torrent that nobody reads leaves its swarm after so long; the next read joins again.") { Unit = "minutes", IsAdvanced = true },
        new("Torrents:MetadataMinutes", Torrents, "Wait for metadata", "How long a magnet link may wait for a peer that tells what it holds, before the job fails.") { Unit = "minutes", IsAdvanced = true },
        new("Torrents:Dht", Torrents, "DHT", "Finds peers of public torrents by the distributed hash table, which magnet links without trackers need. It starts with the first such torrent.") { IsAdvanced = true },
        new("Torrents:DhtBootstrap", Torrents, "DHT entry nodes", "Nodes by which the hash table is entered, in place of those of the big clients. Those that were known before the last stop are asked too.")
            { Form = "addresses such as `router.example.com:6881`, separated by commas", IsAdvanced = true },
        new("Torrents:PeerExchange", Torrents, "Peer exchange", "Peers of a public torrent tell each other of peers (ut_pex). A private torrent's peers come from its tracker alone, whatever is set here.") { IsAdvanced = true },
        new("Torrents:LocalDiscovery", Torrents, "Local discovery", "Finds peers in the local network by multicast (UDP port 6771). Only public torrents are announced there.") { IsAdvanced = true },
        new("Torrents:PrivateHosts", Torrents, "Private trackers", "Hosts in private networks at which trackers may be, such as tracker.lan. Else only public addresses are asked, redirects included.") { Form = Hosts, IsAdvanced = true },
    ];

    private static readonly SettingText[] OfArrs =
    [
        new("Arrs:#:Application", Arrs, "Program", "Which program it is.")
            { Choices = [("Sonarr", "Sonarr"), ("Radarr", "Radarr"), ("Lidarr", "Lidarr"), ("Prowlarr", "Prowlarr")], DefaultNote = "required" },
        new("Arrs:#:Url", Arrs, "Address", "Where the program is, with its URL base, such as http://sonarr:8989.") { Form = "address", DefaultNote = "required" },
        new("Arrs:#:ApiKey", Arrs, "API key", "The program's own key: it stands under Settings, General.") { DefaultNote = "required" },
        new("Arrs:#:Name", Arrs, "Name", "What it is called in logs and answers. Give names when there are two of a kind.") { DefaultNote = "the program's name" },
        new("Arrs:#:Category", Arrs, "Category", "The category of its downloads here: it is told at once when one of them is completed or failed.") { Form = "name", DefaultNote = "tv, movies, music or other, by the program" },
        new("Arrs:#:TidyQueue", Arrs, "Tidy its queue", "Looks at its queue once a minute: an import that has been stuck for five minutes is removed, blocklisted or searched for anew, by what the program says of it. What people must decide is left alone."),
        new("Arrs:#:LibraryPath", Arrs, "Its library, as it sees it", "The folder of its library as that program sees it. Set it with the next one where this server sees it under another path.") { Form = "path", IsAdvanced = true },
        new("Arrs:#:LibraryPathHere", Arrs, "Its library, as seen here", "The same folder as this server sees it: to find the link of a file that is to be replaced, and to tell what the library has.") { Form = "path", IsAdvanced = true },
        new("Qbit:Enabled", Arrs, "Serve as qBittorrent", "Sonarr, Radarr, autobrr and others may add this server as a qBittorrent client, at its own address under /api/v2."),
        new("Qbit:ShowNzb", Arrs, "NZB jobs as torrents", "The qBittorrent interface lists NZB jobs beside the torrents, for dashboards that know one list."),
        new("Qbit:Networks", Arrs, "Networks without login", "From here programs need not log in to the qBittorrent interface. They may add, change and delete downloads.") { Form = Networks, IsAdvanced = true },
        new("Qbit:TrustLocalhost", Arrs, "No login on this machine", "Programs on this machine need not log in to the qBittorrent interface.") { IsAdvanced = true },
        new("Qbit:MaxFailures", Arrs, "Wrong logins", "After so many different wrong logins to the qBittorrent interface an address is banned.") { Unit = "logins", IsAdvanced = true },
        new("Qbit:BanMinutes", Arrs, "Length of a ban", "How long such an address is banned.") { Unit = "minutes", IsAdvanced = true },
        new("Api:PrivateHosts", Arrs, "Private indexers", "Hosts in private networks from which .nzb files may be fetched, such as nzbhydra. The hosts of the programs above always may; else only public addresses are fetched.") { Form = Hosts, IsAdvanced = true },
    ];
}
