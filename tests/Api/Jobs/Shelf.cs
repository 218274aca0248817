using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;
using NzbDav.Torrents;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Settings;

namespace NzbDav.Api.Tests.Jobs;

/// <summary>A torrent engine that is in no swarm, for the fixtures, and torrents that no import touches.</summary>
internal static class Shelf
{
    public const string Hash = "0123456789abcdef0123456789abcdef01234567";

    /// <summary>Registers the user's torrents.</summary>
    public static void Add(IServiceCollection services, string folder)
    {
        services.TryAddSingleton<TorrentStore>();
        services.TryAddSingleton<TorrentPlaces>();
        services.AddSingleton(new Live<SeedingOptions>(new SeedingOptions())).AddSingleton<TorrentShelf>();
        services.AddSingleton(_ => new TorrentSessions(
            new TorrentEngine(
                new TorrentOptions { Memory = 16 << 20, Workers = 1, CacheFolder = Path.Combine(folder, "cache"), CacheBytes = 1 << 20 },
                TimeProvider.System),
            TimeProvider.System,
            TimeSpan.FromMinutes(30)));
    }

    /// <summary>Adds the job of a magnet link.</summary>
    public static async Task<CatalogJob> QueueAsync(SabFixture sab, string category = "tv")
    {
        using var magnet = new MemoryStream("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567"u8.ToArray());
        var job = new NewJob { Name = "Film", Category = category, Source = JobSource.Api, Kind = JobKind.Magnet, ContentHash = Hash };
        return await sab.Jobs.EnqueueAsync(job, magnet, CancellationToken.None);
    }

    public static async Task<TorrentView?> FindAsync(SabFixture sab) =>
        await sab.Get<TorrentShelf>().FindAsync(Hash, CancellationToken.None);
}
