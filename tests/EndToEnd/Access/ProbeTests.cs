using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Keys;
using NzbDav.Catalog.Users;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Each route, requested with each kind of credentials. A route without a row fails.</summary>
public sealed class ProbeTests
{
    private const string FullKey = "the-full-key-of-it";
    private const string AddKey = "the-add-key-of-it";
    private const string ReadKey = "the-read-key-of-it";
    private const string ClientKey = "the-client-key-of-it";
    private const string Password = "correct horse battery";
    private const string Empty = "{}";
    private const string LanName = "films.lan";

    /// <summary>Nothing is restored into a database server.</summary>
    private static readonly string Restored = TestEngine.IsServer ? "409" : "422";

    private static readonly string[] Columns =
    [
        "nothing", "a wrong key", "the read key", "the add key", "the client key", "the full key", "a session", "a session and its token",
        "a viewer's session", "an operator's session",
        "behind a bare proxy", "behind a bare proxy by HTTP/1.0",
    ];

    // Expected answers, by column. The SABnzbd interface always answers 200; here "asked" means that it asks for a key, "refused" that it
    // refuses the one it got. "A session" is an administrator's. A viewer gets what the read key may have, an operator also what is marked
    // ForOperators; both get 403 for the rest. "Behind a bare proxy": without credentials, through a proxy in a trusted network that adds
    // no header. It gets what nobody gets.
    private static readonly ProbeRow[] Table =
    [
        //                                                                           nothing    wrong      read       add        client
        // full       session    session+token
        new("GET", null, "/",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("HEAD", null, "/",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("GET", "/health", "/health",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("HEAD", "/health", "/health",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("GET", "/health/ready", "/health/ready",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("HEAD", "/health/ready", "/health/ready",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("GET", "/metrics", "/metrics",
            ["401",     "401",     "200",     "401",     "401",     "200",     "401",     "401"]),
        new("HEAD", "/metrics", "/metrics",
            ["401",     "401",     "200",     "401",     "401",     "200",     "401",     "401"]),
        new("GET", "/setup", "/setup",
            ["200",     "401",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("POST", "/setup", "/setup",
            ["409",     "401",     "409",     "409",     "409",     "409",     "409",     "409"]) { Form = "token=x" },
        new("GET", "/signin/oidc", "/signin/oidc",
            ["404",     "404",     "404",     "404",     "404",     "404",     "404",     "404"]),
        new("GET", "/api", "/api?mode=queue",
            ["asked",   "refused", "200",     "refused", "200",     "200",     "asked",   "asked"]),
        new("POST", "/api", "/api?mode=addurl",
            ["asked",   "refused", "refused", "200",     "200",     "200",     "asked",   "asked"]),
        new("POST", "/api", "/api?mode=resume",
            ["asked",   "refused", "refused", "refused", "200",     "200",     "asked",   "asked"]),
        new("GET", "/api", "/api?mode=version",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("GET", "/sabnzbd/api", "/sabnzbd/api?mode=queue",
            ["asked",   "refused", "200",     "refused", "200",     "200",     "asked",   "asked"]),
        new("POST", "/sabnzbd/api", "/sabnzbd/api?mode=resume",
            ["asked",   "refused", "refused", "refused", "200",     "200",     "asked",   "asked"]),
        new("GET", "/api/v2/{**call}", "/api/v2/torrents/info",
            ["403",     "403",     "200",     "403",     "200",     "200",     "403",     "403"]),
        new("HEAD", "/api/v2/{**call}", "/api/v2/torrents/info",
            ["403",     "403",     "200",     "403",     "200",     "200",     "403",     "403"]),
        new("POST", "/api/v2/{**call}", "/api/v2/torrents/add",
            ["403",     "403",     "403",     "200",     "200",     "200",     "403",     "403"]),
        new("POST", "/api/v2/{**call}", "/api/v2/torrents/delete",
            ["403",     "403",     "403",     "403",     "400",     "400",     "403",     "403"]),
        new("GET", "/api/v1/session", "/api/v1/session",
            ["200",     "401",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("POST", "/api/v1/session", "/api/v1/session",                           ["200",     "401",     "200",     "200",     "200",     "200",     "200",     "200"]) { Json = $$"""{"username":"anna","password":"{{Password}}"}""", EndsSession = true },
        new("DELETE", "/api/v1/session", "/api/v1/session",
            ["204",     "401",     "204",     "204",     "204",     "204",     "403",     "204"]) { EndsSession = true },
        new("PUT", "/api/v1/session/password", "/api/v1/session/password",          ["401",     "401",     "409",     "403",     "403",     "409",     "403",     "403"]) { Json = """{"old":"x","new":"y"}""" },
        new("POST", "/api/v1/session/confirmation", "/api/v1/session/confirmation",
            ["401",     "401",     "403",     "403",     "403",     "200",     "403",     "403"]) { Json = "{}" },
        new("GET", "/api/v1/sessions", "/api/v1/sessions",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/sessions", "/api/v1/sessions?all=true",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("DELETE", "/api/v1/sessions/{id}", "/api/v1/sessions/none",
            ["401",     "401",     "404",     "403",     "403",     "404",     "403",     "404"]),
        new("DELETE", "/api/v1/sessions", "/api/v1/sessions",
            ["401",     "401",     "204",     "403",     "403",     "204",     "403",     "204"]),
        new("POST", "/api/v1/keys/show", "/api/v1/keys/show",
            ["401",     "401",     "403",     "403",     "403",     "400",     "403",     "400"]) { Json = "{}" },
        new("POST", "/api/v1/setup", "/api/v1/setup",                               ["409",     "401",     "409",     "409",     "409",     "409",     "409",     "409"]) { Json = """{"token":"x"}""" },
        new("GET", "/api/v1/users", "/api/v1/users",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("POST", "/api/v1/users", "/api/v1/users",
            ["401",     "401",     "403",     "403",     "403",     "400",     "403",     "403"]) { Json = "{}" },
        new("PATCH", "/api/v1/users/{name}", "/api/v1/users/nobody",                ["401",     "401",     "403",     "403",     "403",     "404",     "403",     "403"]) { Json = """{"role":"viewer"}""" },
        new("DELETE", "/api/v1/users/{name}", "/api/v1/users/nobody",
            ["401",     "401",     "403",     "403",     "403",     "404",     "403",     "404"]),
        new("PUT", "/api/v1/users/{name}/password", "/api/v1/users/nobody/password", ["401",     "401",     "403",     "403",     "403",     "404",     "403",     "403"]) { Json = """{"password":"long enough too"}""" },
        new("GET", "/api/v1/settings", "/api/v1/settings",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("PATCH", "/api/v1/settings", "/api/v1/settings",
            ["401",     "401",     "403",     "403",     "403",     "400",     "403",     "400"]) { Json = "[]" },
        new("GET", "/api/v1/settings/export", "/api/v1/settings/export",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("POST", "/api/v1/settings/export", "/api/v1/settings/export",
            ["401",     "401",     "403",     "403",     "403",     "200",     "403",     "200"]) { Json = "{}" },
        new("PUT", "/api/v1/settings/import", "/api/v1/settings/import",
            ["401",     "401",     "403",     "403",     "403",     "422",     "403",     "422"]) { Json = "{}" },
        new("GET", "/api/v1/arrs", "/api/v1/arrs",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("POST", "/api/v1/arrs/{number:int}/test", "/api/v1/arrs/7/test",
            ["401",     "401",     "403",     "403",     "403",     "404",     "403",     "404"]),
        new("POST", "/api/v1/arrs/{number:int}/register", "/api/v1/arrs/7/register",
            ["401",     "401",     "403",     "403",     "403",     "404",     "403",     "404"]) { Json = "{}" },
        new("GET", "/api/v1/links", "/api/v1/links",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/links", "/api/v1/links?all=true",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("DELETE", "/api/v1/links/{id}", "/api/v1/links/17",
            ["401",     "401",     "404",     "403",     "403",     "404",     "403",     "404"]),
        new("POST", "/api/v1/links", "/api/v1/links",
            ["401",     "401",     "403",     "403",     "403",     "422",     "403",     "422"]) { Json = "{}" },
        new("DELETE", "/api/v1/links", "/api/v1/links",
            ["401",     "401",     "403",     "403",     "403",     "204",     "403",     "204"]),
        new("GET", "/api/v1/library", "/api/v1/library",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("POST", "/api/v1/library/sweep", "/api/v1/library/sweep",
            ["401",     "401",     "403",     "403",     "403",     "200",     "403",     "200"]) { Json = "{}" },
        new("POST", "/api/v1/library/keep", "/api/v1/library/keep",
            ["401",     "401",     "403",     "403",     "403",     "422",     "403",     "422"]) { Json = "{}" },
        new("POST", "/api/v1/library/delete", "/api/v1/library/delete",
            ["401",     "401",     "403",     "403",     "403",     "422",     "403",     "422"]) { Json = "{}" },
        new("POST", "/api/v1/repairs", "/api/v1/repairs",
            ["401",     "401",     "403",     "403",     "403",     "422",     "403",     "422"]) { Json = "{}" },
        new("GET", "/api/v1/backups", "/api/v1/backups",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("POST", "/api/v1/backups", "/api/v1/backups",
            ["401",     "401",     "403",     "403",     "403",     "201",     "403",     "201"]),
        new("GET", "/api/v1/backups/{name}", "/api/v1/backups/none.zip",
            ["401",     "401",     "403",     "403",     "403",     "404",     "403",     "403"]),
        new("DELETE", "/api/v1/backups/{name}", "/api/v1/backups/none.zip",
            ["401",     "401",     "403",     "403",     "403",     "404",     "403",     "404"]),
        new("POST", "/api/v1/backups/{name}/restore", "/api/v1/backups/none.zip/restore",
            ["401", "401",  "403",     "403",     "403",     "404",     "403",     "403"]),
        new("POST", "/api/v1/restore", "/api/v1/restore",
            ["401",     "401",     "403",     "403",     "403",     Restored,  "403",     "403"]),
        new("GET", "/api/v1/restore", "/api/v1/restore",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("DELETE", "/api/v1/restore", "/api/v1/restore",
            ["401",     "401",     "403",     "403",     "403",     "204",     "403",     "204"]),
        new("GET", "/api/v1/about", "/api/v1/about",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/about/notices", "/api/v1/about/notices",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/play", "/api/v1/play",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/setup/progress", "/api/v1/setup/progress",
            ["401",     "401",     "200",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/log/lines", "/api/v1/log/lines",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/log", "/api/v1/log",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("PUT", "/api/v1/log", "/api/v1/log",
            ["401",     "401",     "403",     "403",     "403",     "400",     "403",     "400"]) { Json = "[]" },
        new("GET", "/api/v1/support", "/api/v1/support",
            ["401",     "401",     "403",     "403",     "403",     "200",     "200",     "200"]),
        new("GET", "/api/v1/files", "/api/v1/files",
            ["401", "401", "200", "403", "403", "200", "200", "200"]),
        new("GET", "/api/v1/files/search", "/api/v1/files/search?query=x",
            ["401", "401", "200", "403", "403", "200", "200", "200"]),
        new("GET", "/api/v1/files/{id}", "/api/v1/files/17",
            ["401", "401", "404", "403", "403", "404", "404", "404"]),
        new("POST", "/api/v1/files/{id}/check", "/api/v1/files/17/check",
            ["401", "401", "403", "403", "403", "404", "403", "404"]) { ForOperators = true },
        new("GET", "/api/v1/files/{id}/media", "/api/v1/files/17/media",
            ["401", "401", "404", "403", "403", "404", "404", "404"]),
        new("GET", "/api/v1/files/{id}/zip", "/api/v1/files/17/zip",
            ["401", "401", "404", "403", "403", "404", "404", "404"]),
        new("GET", "/api/v1/files/{id}/vtt", "/api/v1/files/17/vtt",
            ["401", "401", "404", "403", "403", "404", "404", "404"]),
        new("GET", "/api/v1/files/{id}/playlist", "/api/v1/files/17/playlist",
            ["401", "401", "404", "403", "403", "404", "404", "404"]),
        new("HEAD", "/api/v1/files/{id}/zip", "/api/v1/files/17/zip",
            ["401", "401", "404", "403", "403", "404", "404", "404"]),
        new("POST", "/api/v1/files/{id}/link", "/api/v1/files/17/link",
            ["401", "401", "404", "403", "403", "404", "403", "404"]) { Json = "{}" },
        new("POST", "/api/v1/files/actions", "/api/v1/files/actions",
            ["401", "401", "403", "403", "403", "422", "403", "422"]) { Json = "{}", ForOperators = true },
        new("GET", "/api/v1/streams", "/api/v1/streams",
            ["401", "401", "200", "403", "403", "200", "200", "200"]),
        new("DELETE", "/api/v1/streams/{id}", "/api/v1/streams/17",
            ["401", "401", "403", "403", "403", "404", "403", "404"]) { ForOperators = true },

        // Grouped by the right that each route requires. A caller with that right gets past the check, whatever the call then answers to an
        // empty body or an unknown id.
        ProbeRow.Of("GET", "/api/v1/openapi.json", "/api/v1/openapi.json", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/jobs", "/api/v1/jobs", ApiRights.Read),
        ProbeRow.Of("POST", "/api/v1/jobs", "/api/v1/jobs", ApiRights.Add),
        ProbeRow.Of("GET", "/api/v1/jobs/{id}", "/api/v1/jobs/1", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/jobs/{id}/source", "/api/v1/jobs/1/source", ApiRights.Change),
        ProbeRow.Of("POST", "/api/v1/jobs/links", "/api/v1/jobs/links", ApiRights.Add, Empty),
        ProbeRow.Of("POST", "/api/v1/play", "/api/v1/play", ApiRights.Add | ApiRights.Read, Empty),
        ProbeRow.Of("GET", "/api/v1/search", "/api/v1/search", ApiRights.Add | ApiRights.Read),
        .. AddonRows("/stremio/{addonKey}", "/stremio/wrong"), .. AddonRows("/stremio/{addonKey}/direct", "/stremio/wrong/direct"),
        ProbeRow.Of("GET", "/api/v1/stremio", "/api/v1/stremio", ApiRights.Manage),
        ProbeRow.Of("POST", "/api/v1/stremio", "/api/v1/stremio", ApiRights.Manage, Empty),
        ProbeRow.Of("DELETE", "/api/v1/stremio/{id}", "/api/v1/stremio/1", ApiRights.Manage),
        ProbeRow.Of("POST", "/api/v1/inspect", "/api/v1/inspect", ApiRights.Add | ApiRights.Read, Empty),
        ProbeRow.Of("POST", "/api/v1/jobs/actions", "/api/v1/jobs/actions", ApiRights.Change, Empty),
        ProbeRow.Of("GET", "/api/v1/queue", "/api/v1/queue", ApiRights.Read),
        ProbeRow.Of("PUT", "/api/v1/queue", "/api/v1/queue", ApiRights.Change, Empty),
        ProbeRow.Of("GET", "/api/v1/files", "/api/v1/files", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/files/search", "/api/v1/files/search?query=film", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/files/{id}", "/api/v1/files/1", ApiRights.Read),
        ProbeRow.Of("POST", "/api/v1/files/{id}/check", "/api/v1/files/1/check", ApiRights.Change),
        ProbeRow.Of("GET", "/api/v1/files/{id}/media", "/api/v1/files/1/media", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/files/{id}/zip", "/api/v1/files/1/zip", ApiRights.Read),
        ProbeRow.Of("HEAD", "/api/v1/files/{id}/zip", "/api/v1/files/1/zip", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/files/{id}/vtt", "/api/v1/files/1/vtt", ApiRights.Read),
        ProbeRow.Of("POST", "/api/v1/files/{id}/link", "/api/v1/files/1/link", ApiRights.Read, Empty),
        ProbeRow.Of("GET", "/api/v1/files/{id}/playlist", "/api/v1/files/1/playlist", ApiRights.Read),
        ProbeRow.Of("POST", "/api/v1/files/actions", "/api/v1/files/actions", ApiRights.Change, Empty),
        ProbeRow.Of("GET", "/api/v1/streams", "/api/v1/streams", ApiRights.Read),
        ProbeRow.Of("DELETE", "/api/v1/streams/{id}", "/api/v1/streams/none", ApiRights.Change),
        ProbeRow.Of("GET", "/api/v1/streams/recording", "/api/v1/streams/recording", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/streams/{id}/recording", "/api/v1/streams/none/recording", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/streams/{id}/timeline", "/api/v1/streams/none/timeline", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/health", "/api/v1/health", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/health/posts", "/api/v1/health/posts", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/health/posts/{id}", "/api/v1/health/posts/17", ApiRights.Read),
        ProbeRow.Of("POST", "/api/v1/health/posts/{id}/check", "/api/v1/health/posts/17/check", ApiRights.Change),
        ProbeRow.Of("POST", "/api/v1/health/posts/{id}/undo", "/api/v1/health/posts/17/undo", ApiRights.Change),
        ProbeRow.Of("POST", "/api/v1/health/posts/{id}/keep", "/api/v1/health/posts/17/keep", ApiRights.Change, Empty),
        ProbeRow.Of("POST", "/api/v1/health/pause", "/api/v1/health/pause", ApiRights.Manage, Empty),
        ProbeRow.Of("POST", "/api/v1/health/release", "/api/v1/health/release", ApiRights.Manage),
        ProbeRow.Of("GET", "/api/v1/providers", "/api/v1/providers", ApiRights.Read),
        ProbeRow.Of("POST", "/api/v1/providers/test", "/api/v1/providers/test", ApiRights.Manage, Empty),
        ProbeRow.Of("GET", "/api/v1/torrents", "/api/v1/torrents", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/torrents/{hash}", "/api/v1/torrents/none", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/torrents/network", "/api/v1/torrents/network", ApiRights.Read),
        ProbeRow.Of("POST", "/api/v1/torrents/actions", "/api/v1/torrents/actions", ApiRights.Change, Empty),
        ProbeRow.Of("PUT", "/api/v1/torrents/{hash}/files", "/api/v1/torrents/none/files", ApiRights.Change, Empty),
        ProbeRow.Of("PUT", "/api/v1/torrents/{hash}/policy", "/api/v1/torrents/none/policy", ApiRights.Change, Empty),
        ProbeRow.Of("PUT", "/api/v1/torrents/{hash}/limits", "/api/v1/torrents/none/limits", ApiRights.Change, Empty),
        ProbeRow.Of("GET", "/api/v1/events", "/api/v1/events?topics=none", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/status", "/api/v1/status", ApiRights.Read),
        ProbeRow.Of("GET", "/api/v1/series", "/api/v1/series", ApiRights.Read),

        // Not routes: WebDAV has its own password, links carry their own right, and the rest does not exist.
        new("PROPFIND", null, "/dav/",
            ["401",     "401",     "401",     "401",     "401",     "401",     "401",     "401"]),
        new("GET", null, "/dav/content/",
            ["401",     "401",     "401",     "401",     "401",     "401",     "401",     "401"]),
        new("PUT", null, "/dav/nzbs/movies/x.nzb",
            ["401",     "401",     "401",     "401",     "401",     "401",     "401",     "401"]),
        new("DELETE", null, "/dav/content/movies/x",
            ["401",     "401",     "401",     "401",     "401",     "401",     "401",     "401"]),
        new("OPTIONS", null, "/dav/",
            ["200",     "200",     "200",     "200",     "200",     "200",     "200",     "200"]),
        new("GET", null, "/view/none/x.mkv",
            ["404",     "404",     "404",     "404",     "404",     "404",     "404",     "404"]),
        new("GET", null, "/view/.ids/8/f/3/e/3/none?downloadKey=x",
            ["404",     "404",     "404",     "404",     "404",     "404",     "404",     "404"]),
        new("GET", null, "/api/files/stream?path=x&download_key=x",
            ["404",     "404",     "404",     "404",     "404",     "404",     "404",     "404"]),
        new("GET", null, "/signin/oidc/callback?code=1&state=2",
            ["404",     "404",     "404",     "404",     "404",     "404",     "404",     "404"]),
        new("GET", null, "/api/v1/nowhere",
            ["404",     "404",     "404",     "404",     "404",     "404",     "404",     "404"]),
        new("GET", null, "/nowhere",
            ["404",     "404",     "404",     "404",     "404",     "404",     "404",     "404"]),
    ];

    /// <summary>What has its key in the address is open to nobody else, whatever else a caller sends.</summary>
    private static IEnumerable<ProbeRow> AddonRows(string pattern, string path) =>
        new (string Method, string Pattern, string Path)[]
        {
            ("GET", "/manifest.json", "/manifest.json"), ("GET", "/catalog/{type}/{id}.json", "/catalog/movie/nzbdav-movies.json"),
            ("GET", "/catalog/{type}/{id}/{extra}.json", "/catalog/movie/nzbdav-movies/skip=100.json"),
            ("GET", "/meta/{type}/{id}.json", "/meta/movie/tt1.json"), ("GET", "/stream/{type}/{id}.json", "/stream/movie/tt1.json"),
            ("GET", "/play/{release}/{name}", "/play/1/film.mkv"), ("HEAD", "/play/{release}/{name}", "/play/1/film.mkv"),
            ("GET", "/file/{id}/{name}", "/file/1/film.mkv"), ("HEAD", "/file/{id}/{name}", "/file/1/film.mkv"),
        }
        .Select(row => new ProbeRow(
            row.Method, pattern + row.Pattern, path + row.Path, ["401", "401", "401", "401", "401", "401", "401", "401"]));

    [Fact]
    public async Task Each_route_admits_the_credentials_in_the_table()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        await Deadline.UntilAsync(
            async () => (await gateway.Client.AskAsync("GET", "/health/ready")).Status == HttpStatusCode.OK, "the provider is ready");
        using var client = new DavClient(gateway.Root);
        var sessions = new Dictionary<string, (string Cookies, string Token)>(StringComparer.Ordinal);
        var faults = new List<string>();
        foreach (var row in Table)
        {
            for (var column = 0; column < Columns.Length; column++)
            {
                var user = column switch { 8 => "vera", 9 => "otto", _ => "anna" };
                if (!sessions.TryGetValue(user, out var session))
                    sessions[user] = session = await SignInAsync(client, user);
                var got = await ProbeAsync(client, row, column, session.Cookies, session.Token);
                if (!ProbeRow.IsAs(row.By(column), got))
                    faults.Add($"{row.Method} {row.Path} with {Columns[column]}: {got} instead of {row.By(column)}");
                if (row.EndsSession)
                    sessions.Remove(user);
            }
        }

        Assert.Empty(faults);
    }

    [Fact]
    public async Task Each_route_has_a_row_and_declares_who_may_call_it()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        var routes = gateway.Services.GetServices<EndpointDataSource>().SelectMany(source => source.Endpoints).OfType<RouteEndpoint>()
            .ToArray();
        var served = routes
            .SelectMany(route => (route.Metadata.GetMetadata<HttpMethodMetadata>()?.HttpMethods ?? ["any"])
                .Select(method => $"{method} {Plain(route.RoutePattern.RawText!)}"))
            .Order(StringComparer.Ordinal).Distinct().ToArray();
        var rows = Table.Where(row => row.Pattern is not null).Select(row => $"{row.Method} {row.Pattern}").Order(StringComparer.Ordinal)
            .Distinct().ToArray();
        Assert.Equal(served, rows);
        Assert.All(
            routes.Where(route => route.RoutePattern.RawText!.StartsWith("/api/v1", StringComparison.OrdinalIgnoreCase)),
            route => Assert.Contains(route.Metadata, item => item.GetType().Name == "AccessRule"));
    }

    /// <summary>The root route of a group ends in a slash.</summary>
    private static string Plain(string pattern) => pattern.Length > 1 ? pattern.TrimEnd('/') : pattern;

    private static async Task<string> ProbeAsync(DavClient client, ProbeRow row, int column, string cookies, string token)
    {
        var key = column switch { 1 => "a-wrong-key-for-it", 2 => ReadKey, 3 => AddKey, 4 => ClientKey, 5 => FullKey, _ => null };
        var path = key is null ? row.Path : $"{row.Path}{(row.Path.Contains('?', StringComparison.Ordinal) ? '&' : '?')}apikey={key}";
        HttpContent? body = row.Json is not null ? new StringContent(row.Json, new MediaTypeHeaderValue("application/json"))
            : row.Form is not null ? new StringContent(row.Form, new MediaTypeHeaderValue("application/x-www-form-urlencoded")) : null;
        using var response = await client.SendAsync(row.Method, path, body, headers =>
        {
            // The networks of the bare proxies' rows are trusted: the others come through a proxy that says so.
            if (column < 10)
                headers.Add("X-Forwarded-For", "203.0.113.9");
            if (column == 11)
                headers.Host = LanName;
            if (key is not null)
            {
                headers.Add("X-Api-Key", key);
                headers.Authorization = new AuthenticationHeaderValue("Bearer", key);
            }

            if (column is >= 6 and < 10)
                headers.Add("Cookie", cookies);
            if (column is >= 7 and < 10)
                headers.Add("X-CSRF-Token", token);
        }, version: column == 11 ? HttpVersion.Version10 : null);
        var text = await response.Content.ReadAsStringAsync();
        Assert.False(
            row.Path.StartsWith("/dav", StringComparison.Ordinal) && response.Headers.Contains("Set-Cookie"), "DAV-18: a cookie on WebDAV");
        if (row.Path.Contains("api?mode", StringComparison.Ordinal)
            && JsonDocument.Parse(text).RootElement.TryGetProperty("error", out var error))
        {
            return error.GetString() switch
            {
                "API Key Required" => "asked",
                "API Key Incorrect" => "refused",
                _ => $"{(int)response.StatusCode}",
            };
        }

        return $"{(int)response.StatusCode}";
    }

    private static async Task<(string Cookies, string Token)> SignInAsync(DavClient client, string user)
    {
        using var response = await client.SendAsync("POST", "/api/v1/session", new StringContent($$"""{"username":"{{user}}","password":"{{Password}}"}""", new MediaTypeHeaderValue("application/json")));
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        var cookies = string.Join("; ", response.Headers.GetValues("Set-Cookie").Select(cookie => cookie.Split(';')[0]));
        return (cookies, JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.GetProperty("csrfToken").GetString()!);
    }

    private static async Task<Gateway> StartAsync(NewsServers news)
    {
        var gateway = await Gateway.StartAsync(news, change: settings => settings with
        {
            Api = new ApiSettings { Key = FullKey, ClientKey = ClientKey, AddKey = AddKey, ReadKey = ReadKey },
            Access = settings.Access
                with
            { LanNetworks = [IPNetwork.Parse("127.0.0.0/8")], LanRights = ApiRights.Full, LanHosts = [LanName] },
            Qbit = settings.Qbit with { Networks = [IPNetwork.Parse("127.0.0.0/8")], TrustsThisMachine = true },
        });
        Assert.Equal(AccountOutcome.Done,
            (await gateway.Services.GetRequiredService<UserAccounts>().CreateFirstAsync("anna", Password, Deadline.Token)).Outcome);
        foreach (var (name, role) in new[] { ("vera", UserRole.Viewer), ("otto", UserRole.Operator) })
            Assert.Equal(AccountOutcome.Done,
                (await gateway.Services.GetRequiredService<UserAccounts>().CreateAsync(name, Password, role, Deadline.Token)).Outcome);
        return gateway;
    }
}
