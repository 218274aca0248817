namespace NzbDav.Host.Settings.Texts;

public static partial class SettingTexts
{
    private static readonly SettingText[] OfImports =
    [
        new("Import:Categories", Imports, "Categories",
            "Categories whose folders exist from the start. Others appear when you put something into them.") { Form = Names },
        new("Import:WatchFolder", Imports, "Watched folder",
            "A folder on the server's disk. NzbDav imports .nzb files in it into the category other, and those in a subfolder into the " +
            "category of that name. It deletes files that it took, and renames files that it refused to .failed, with the reason beside " +
            "them.")
            { Form = "absolute path" },
        new("Import:Passwords:#", Imports, "Password of archives",
            "A password to try on encrypted archives, after the one given with the job, the one in its name and those in the .nzb. " +
            "Number them 0, 1, 2 and so on."),
        new("Import:Workers", Imports, "Jobs at a time",
            "How many jobs are imported at once. Readers come first; imports get 3 % of the articles at least. Large posts wait for each " +
            "other, whatever you set here.") { Unit = "jobs", IsAdvanced = true },
        new("Import:MaxNzbMiB", Imports, "Largest .nzb",
            "Refuses a larger .nzb, packed or unpacked. An import takes about as much memory as the .nzb has bytes.")
            { Unit = "MiB", DefaultNote = "a quarter of the memory, 32 to 512 MiB", IsAdvanced = true },
        new("Import:VideoCategories", Imports, "Categories of videos",
            "Categories that refuse a post without a video. Leave it empty for no check.") { Form = Names, IsAdvanced = true },
        new("Import:MostMissingPercent", Imports, "Articles that may be gone",
            "Refuses a post when a larger share of its articles is gone from every provider. NzbDav looks at 48 articles spread over the " +
            "post. Raise it to accept damaged posts.")
            { Unit = "%", IsAdvanced = true },
        new("Import:RepairReads", Imports, "Repair while reading",
            "Repairs a post from its PAR2 files when a reader needs an article that no provider has. The repair fetches once everything " +
            "that the PAR2 files protect. A reader waits for it if it takes less than 20 seconds.")
            { IsAdvanced = true },
        new("Import:PatienceHours", Imports, "Patience",
            "How long a job waits for temporary problems, such as a provider that does not answer or a full disk, before it fails. You " +
            "can then retry it.") { Unit = "hours", IsAdvanced = true },
        new("Import:RefusedAccountMinutes", Imports, "Patience with refused logins",
            "How long a job waits for an account whose login is refused, such as an expired one, "
            + "when all other accounts have answered that its articles are gone. "
            + "Then it fails, and the *arr looks for another release. 0 does not wait; 43200 waits as long as the patience above.")
            { Unit = "minutes", IsAdvanced = true },
        new("Import:CheckedArchiveGiB", Imports, "Archives read for their order",
            "Some posts do not tell the order of an archive's volumes, and only its checksums do. "
            + "Such an archive is read once as a whole, behind all readers, if it is at most this large. A larger one is refused.")
            { Unit = "GiB", IsAdvanced = true },
        new("Import:Blocklist", Imports, "Files left out",
            "Leaves out files whose names match, but never the biggest video of a job, or its biggest file.")
            {
                Form = Patterns,
                IsAdvanced = true,
            },
        new("Import:Samples", Imports, "Samples", "Leaves out videos whose names match when there is one at least ten times as big.")
            { Form = Patterns, IsAdvanced = true },
    ];

    private static readonly SettingText[] OfTorrents =
    [
        new("Torrents:Enabled", Torrents, "Use torrents",
            "When off, NzbDav opens no port and joins no swarm. It refuses torrents, and files of earlier torrents cannot be read."),
        new("Torrents:Port", Torrents, "Port",
            "The port for peers, TCP and UDP. 0 takes a free port once and keeps it. A change takes effect at once: new connections, " +
            "trackers and the DHT use it, and no peer is lost. Programs of a VPN may set it, see the documentation of torrents."),
        new("Torrents:CacheMiB", Torrents, "Cache on disk",
            "Limits the disk space for verified pieces, over all torrents. The least recently read leave first, starts and ends of files " +
            "last. 0 keeps nothing on disk.") { Unit = "MiB" },
        new("Torrents:WatchedReserveGiB", Torrents, "Free space for what is watched",
            "Lets a file that somebody watches exceed the cache on disk, as long as this much of the disk stays free. "
            + "It leaves five minutes after the last read. "
            + "Peers may ban a client that fetches a whole film and soon has only a part of it. 0 keeps to the cache's limit.")
            { Unit = "GiB", IsAdvanced = true },
        new("Torrents:DownloadLimit", Torrents, "Download limit", "The download limit over all torrents; 0 for no limit. It also holds " +
            "for playback; torrents that somebody reads come first.") { ZeroIsNoLimit = true, Unit = "KiB/s" },
        new("Torrents:UploadLimit", Torrents, "Upload limit",
            "The upload limit over all torrents; 0 for no limit. Set it when uploads slow your line down.")
            { ZeroIsNoLimit = true, Unit = "KiB/s" },
        new("Torrents:AlternativeTimes", Torrents, "Times of the alternative limits",
            "When the alternative limits below replace those above, in the server's local time (TZ). Hours may go past midnight. Without " +
            "days they hold every day.")
            { Form = "times such as `mon-fri 08:00-18:00`, separated by commas", IsAdvanced = true },
        new("Torrents:AlternativeLimits", Torrents, "Use the alternative limits",
            "Whether the times above count. Programs that use the qBittorrent interface change this when they switch to alternative " +
            "limits.")
            { Choices = [("times", "At those times"), ("always", "Always"), ("never", "Never")], IsAdvanced = true },
        new("Torrents:AlternativeDownloadLimit", Torrents, "Alternative download limit",
            "The download limit while the alternative limits hold; 0 for no limit.")
            { ZeroIsNoLimit = true, Unit = "KiB/s", IsAdvanced = true },
        new("Torrents:AlternativeUploadLimit", Torrents, "Alternative upload limit",
            "The upload limit while the alternative limits hold; 0 for no limit.")
            { ZeroIsNoLimit = true, Unit = "KiB/s", IsAdvanced = true },
        new("Torrents:Bind", Torrents, "Network for torrents",
            "An interface such as wg0, or an address of this machine. Torrents use only this one, for peers, trackers and DHT. While it " +
            "is away, nothing is sent. The system looks up the names of trackers by its usual way, but not while the interface is away. " +
            "With a SOCKS 5 proxy, only the proxy looks them up.") { Form = "interface or IP address", IsAdvanced = true },
        new("Torrents:Proxy", Torrents, "Proxy",
            "Sends all torrent traffic through this proxy: socks5://user:password@host:1080, or http://host:8080. Peers can then not " +
            "connect to this server. UDP trackers and DHT need SOCKS 5.") { IsAdvanced = true },
        new("Torrents:PortMapping", Torrents, "Ask the router to forward the port",
            "Asks the router to forward the port to this server, by PCP, NAT-PMP or UPnP, in this order, and to let peers in by IPv6 " +
            "(PCP or UPnP). The log shows the result. Not used with a proxy.") { IsAdvanced = true },
        new("Torrents:Blocklist", Torrents, "Blocklist",
            "A file with addresses to avoid: .p2p, .dat or CIDR, also packed with gzip. NzbDav reads it again when it changes.")
            { Form = "path of a file", IsAdvanced = true },
        new("Torrents:BannedAddresses", Torrents, "Banned addresses",
            "Peers to avoid, besides those in the blocklist. Programs that use the qBittorrent interface add to this list.")
            { Form = "IP addresses", IsAdvanced = true },
        new("Torrents:Encryption", Torrents, "Encryption",
            "Disguises connections to peers from networks that slow torrents down. It keeps nothing secret. After a change, connections " +
            "that are no longer allowed are closed within a second.")
            {
                Choices = [("prefer", "Preferred: also without, where a peer has none"),
                ("require", "Required: peers without it are refused"), ("off", "Off")],
                IsAdvanced = true,
            },
        new("Torrents:KeepCategories", Torrents, "Categories to keep",
            "Torrents of these categories are fetched whole and seeded; * for all. Others are only streamed, except private ones and " +
            "those that a program adds with a limit for seeding.") { Form = "categories" },
        new("Torrents:KeepPrivate", Torrents, "Keep private torrents",
            "Fetches private torrents whole and seeds them, to the limits below or without end. One that is only streamed leaves its " +
            "swarm when nobody reads it, and most private trackers count that as hit and run. A category with the policy \"stream\" is " +
            "exempt."),
        new("Torrents:Ratio", Torrents, "Seed to a ratio",
            "Seeding ends when a torrent has sent this many times what it fetched, such as 1.5; 0 for no such limit.") { Form = "number" },
        new("Torrents:SeedMinutes", Torrents, "Seed for a time",
            "Seeding ends after this time; 0 for no such limit. Without any limit, seeding never ends.")
            { ZeroIsNoLimit = true, Unit = "minutes" },
        new("Torrents:AtLimit", Torrents, "After seeding",
            "What happens to a torrent when its seeding ends. Files that a library has links to stay readable in any case.")
            {
                Choices = [("stop", "It stops"), ("remove", "It leaves the list, its files stay"),
                ("removeData", "It leaves the list with its files")],
            },
        new("Torrents:CategoryPolicies", Torrents, "Policies of categories",
            "Exceptions for the torrents of a category: keep or stream (never keep, not even private ones or those with limits of their " +
            "own, which then count as reached); ratio:2, minutes:10080, idle:60 (0 for no such limit) or forever; either or both; stop, " +
            "remove or removeData.")
            { Form = "policies such as `tv=keep ratio:2 minutes:10080 both remove`, separated by commas", IsAdvanced = true },
        new("Torrents:KeepFolder", Torrents, "Folder for kept torrents", "The folder for torrents that are fetched whole, each in a " +
            "folder of its own. Torrents that are there already do not move.")
            {
                Form = "absolute path",
                DefaultNote = "`torrents` in the configuration folder",
                IsAdvanced = true,
            },
        new("Torrents:KeepFreeMiB", Torrents, "Leave free",
            "A torrent is fetched whole only when this much of the disk stays free. Until there is room it is only streamed, stays in " +
            "its swarm, and the page says what is missing.") { Unit = "MiB", IsAdvanced = true },
        new("Torrents:SeedUntil", Torrents, "Ratio and time",
            "When there is a ratio and a time: whether one is enough, or both must be reached.")
            {
                Choices = [
            ("either", "Either is enough"), ("both", "Both")],
                IsAdvanced = true,
            },
        new("Torrents:SeedIdleMinutes", Torrents, "Seed while wanted",
            "Seeding ends when no peer took anything for this time; 0 for no such limit.")
            { ZeroIsNoLimit = true, Unit = "minutes", IsAdvanced = true },
        new("Torrents:MaxActiveDownloads", Torrents, "Active downloads",
            "How many torrents are fetched whole at once; others wait. 0 for no limit. Reading a file never waits.")
            {
                ZeroIsNoLimit = true,
                Unit = "torrents",
                IsAdvanced = true,
            },
        new("Torrents:MaxActiveSeeds", Torrents, "Active seeds", "How many torrents are seeded at once; others wait. 0 for no limit.")
            { ZeroIsNoLimit = true, Unit = "torrents", IsAdvanced = true },
        new("Torrents:WaitForCopy", Torrents, "Wait for a whole copy",
            "Reports a torrent as complete to the *arrs only when the start and end of its main file are verified and its peers together " +
            "have a whole copy. When off, it is reported at once.") { IsAdvanced = true },
        new("Torrents:CopyMinutes", Torrents, "Wait for a copy at most",
            "A torrent fails when its peers have no whole copy for this time. NzbDav then asks the *arr for another release. 0 waits for " +
            "ever.") { Unit = "minutes", IsAdvanced = true },
        new("Torrents:ListenAddress", Torrents, "Listen address",
            "The address of this machine at which peers connect. Change it to use one network only, such as a VPN's.")
            { Form = "IP address", IsAdvanced = true },
        new("Torrents:BudgetMiB", Torrents, "Memory for pieces",
            "Limits the memory for pieces, in addition to the memory for reading. It is used only while somebody reads a torrent.")
            { Unit = "MiB", IsAdvanced = true },
        new("Torrents:MaxPeers", Torrents, "Peers per torrent",
            "The most connections of one torrent. When you lower it, the least useful ones are closed within a second.")
            { Unit = "connections", IsAdvanced = true },
        new("Torrents:MaxConnections", Torrents, "Peers together",
            "The most connections of all torrents together. When all are in use, the slowest ones of unread torrents make room for a " +
            "torrent that somebody reads.") { Unit = "connections", IsAdvanced = true },
        new("Torrents:UploadSlots", Torrents, "Upload slots",
            "How many peers of one torrent get data at once. They are chosen again every ten seconds.")
            {
                Unit = "peers",
                IsAdvanced = true,
            },
        new("Torrents:IdleMinutes", Torrents, "Idle time",
            "A torrent that nobody reads leaves its swarm after this time. The next read joins again.")
            {
                Unit = "minutes",
                IsAdvanced = true,
            },
        new("Torrents:MetadataMinutes", Torrents, "Wait for metadata",
            "How long a magnet link waits for a peer that knows its contents, before the job fails.")
            {
                Unit = "minutes",
                IsAdvanced = true,
            },
        new("Torrents:Dht", Torrents, "DHT",
            "Finds peers of public torrents through the distributed hash table. Magnet links without trackers need it. It starts with " +
            "the first such torrent.") { IsAdvanced = true },
        new("Torrents:DhtBootstrap", Torrents, "DHT entry nodes",
            "The first nodes to ask, instead of those of the big clients. Nodes that were known before the last stop are asked too.")
            { Form = "addresses such as `router.example.com:6881`, separated by commas", IsAdvanced = true },
        new("Torrents:PeerExchange", Torrents, "Peer exchange",
            "Lets the peers of a public torrent tell each other about more peers (ut_pex). Peers of a private torrent come from its " +
            "tracker only, whatever you set here.") { IsAdvanced = true },
        new(
            "Torrents:Utp",
            Torrents,
            "uTP",
            "What uTP (BEP 29) is used for, at the UDP port with the number of the TCP port. It is slower than TCP, as it gives way to all "
            + "other traffic. Behind a proxy it is off.")
        {
            Choices = [("dial", "Dial peers that TCP does not reach"), ("on", "Also let peers connect by it"), ("off", "Off")],
            IsAdvanced = true,
        },
        new("Torrents:LocalDiscovery", Torrents, "Local discovery",
            "Finds peers in the local network by multicast (UDP port 6771). Only public torrents are announced there.")
            { IsAdvanced = true },
        new("Torrents:PrivateHosts", Torrents, "Private trackers and peers",
            "Trackers, web seeds and peers in private networks that may be connected to, such as tracker.lan or 192.168.1.0/24. " +
            "Otherwise only public addresses are, also after a redirect, and peers that the local search found.")
            {
                Form = Hosts,
                IsAdvanced = true,
            },
    ];

    private static readonly SettingText[] OfArrs =
    [
        new("Arrs:#:Application", Arrs, "Program", "Which program it is.")
            {
                Choices = [("Sonarr", "Sonarr"), ("Radarr", "Radarr"), ("Lidarr", "Lidarr"), ("Prowlarr", "Prowlarr")],
                DefaultNote = "required",
            },
        new("Arrs:#:Url", Arrs, "Address", "The program's address, with its URL base, such as http://sonarr:8989.")
            { Form = "address", DefaultNote = "required" },
        new("Arrs:#:ApiKey", Arrs, "API key", "The program's API key. You find it there under Settings, General.")
            { DefaultNote = "required" },
        new("Arrs:#:Name", Arrs, "Name", "The name in logs and answers. Set it when you have two of a kind.")
            { DefaultNote = "the program's name" },
        new("Arrs:#:Category", Arrs, "Category",
            "The category of its downloads here. NzbDav tells the program at once when one of them is complete or failed.")
            {
                Form = "name",
                DefaultNote = "tv, movies, music or other, by the program",
            },
        new("Arrs:#:TidyQueue", Arrs, "Tidy its queue",
            "Looks at the program's queue once a minute. An import that has been stuck for five minutes is removed, blocklisted or " +
            "searched for again, depending on the program's reason. What a person must decide is left alone."),
        new("Arrs:#:LibraryPath", Arrs, "Its library, as it sees it",
            "The library's folder as that program sees it. Set this and the next one when this server sees it under another path.")
            { Form = "path", IsAdvanced = true },
        new("Arrs:#:LibraryPathHere", Arrs, "Its library, as seen here",
            "The same folder as this server sees it. NzbDav needs it to find links in the library.") { Form = "path", IsAdvanced = true },
        new("Search:Indexers:#:Url", Arrs, "Address of an indexer",
            "An indexer that is searched for what to play, by its Newznab or Torznab API. A Prowlarr among the programs is searched by " +
            "itself.")
            { Form = "address", DefaultNote = "required" },
        new("Search:Indexers:#:ApiKey", Arrs, "API key", "The key of your account at the indexer."),
        new("Search:Indexers:#:Name", Arrs, "Name", "The indexer's name in results.") { DefaultNote = "its host" },
        new("Search:Checks", Arrs, "Checked results",
            "How many of the first results of a search are looked at before they are shown, so that dead posts say so. Indexers count " +
            "each as a download.") { Unit = "results" },
        new("Search:TitlesUrl", Arrs, "Titles of films and series",
            "A Stremio add-on that is asked for the title of an IMDb id, so that the library and indexers that know no ids can be " +
            "searched. off: none is asked.") { Form = "address", IsAdvanced = true },
        new("Search:AnimeTitlesUrl", Arrs, "Titles of anime",
            "A Stremio add-on that is asked for the title of a Kitsu id. Indexers know no Kitsu ids. off: none is asked.")
            { Form = "address", IsAdvanced = true },
        new("Qbit:Enabled", Arrs, "Serve as qBittorrent",
            "Lets Sonarr, Radarr, autobrr and others add this server as a qBittorrent client, under /api/v2."),
        new("Qbit:ShowNzb", Arrs, "NZB jobs as torrents",
            "Lists NZB jobs in the qBittorrent interface too, for dashboards that know only one list."),
        new("Qbit:Networks", Arrs, "Networks without login",
            "Programs at these addresses need not log in to the qBittorrent interface. They may add, change and delete downloads. It " +
            "takes Local names, No proxy or a trusted proxy, as for the page.") { Form = Networks, IsAdvanced = true },
        new("Qbit:TrustLocalhost", Arrs, "No login on this machine", "Programs on this machine need not log in to the qBittorrent " +
            "interface. It takes Local names or No proxy, as for the page.") { IsAdvanced = true },
        new("Qbit:MaxFailures", Arrs, "Wrong logins",
            "Bans an address after this many different wrong logins to the qBittorrent interface.") { Unit = "logins", IsAdvanced = true },
        new("Qbit:BanMinutes", Arrs, "Length of a ban", "How long the ban lasts.") { Unit = "minutes", IsAdvanced = true },
        new("Api:PrivateHosts", Arrs, "Private indexers",
            "Hosts in private networks from which .nzb files may be fetched, such as nzbhydra or 192.168.1.0/24. The programs above are " +
            "always allowed. Otherwise only public addresses are fetched.") { Form = Hosts, IsAdvanced = true },
        new("Api:UserAgent", Arrs, "Fetching .nzb files: name",
            "The User-Agent with which .nzb files are fetched. Some indexers admit known download clients only, such as SABnzbd/4.5.1.") { IsAdvanced = true },
        new(
            "Api:Proxy", Arrs, "Fetching .nzb files: proxy",
            "Fetches .nzb files from public addresses through this proxy: socks5://user:password@host:1080, or http://host:8080 with " +
            "CONNECT. Names are looked up here.") { IsAdvanced = true },
    ];
}
