using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Catalog.Settings;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.Seeding;

namespace NzbDav.EndToEnd.Tests.Qbit;

/// <summary>A server that shows posts and torrents over the qBittorrent interface.</summary>
internal static class QbitServer
{
    public const string Key = "0123456789abcdef";
    public const string ClientKey = "fedcba9876543210";
    public const string MountPath = "/mnt/nzbdav";

    public static async Task<Gateway> StartAsync(NewsServers news, Folder? folder = null, IReadOnlyList<string>? privateHosts = null)
    {
        var gateway = await Gateway.StartAsync(news, folder, settings => settings with
        {
            Api = new ApiSettings { Key = Key, ClientKey = ClientKey, PrivateHosts = privateHosts ?? ["127.0.0.1"] },
            Qbit = new QbitOptions { ShowsNzbJobs = true },
        });

        // With two seeders on loopback a torrent is readable as soon as it is published.
        var seeding = gateway.Services.GetRequiredService<Live<SeedingOptions>>();
        seeding.Value = seeding.Value with { WaitForCopy = false };
        return gateway;
    }

    public static FormUrlEncodedContent Form(params (string Name, string Value)[] fields) =>
        new(fields.Select(field => KeyValuePair.Create(field.Name, field.Value)));

    /// <summary>The WebDAV path of a path in the mount.</summary>
    public static string Dav(string path)
    {
        Assert.StartsWith(MountPath + "/", path, StringComparison.Ordinal);
        return DavClient.Path(path[(MountPath.Length + 1)..].Split('/'));
    }
}
