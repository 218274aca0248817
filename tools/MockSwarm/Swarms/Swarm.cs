using System.Net;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Tracking;

namespace NzbDav.MockSwarm.Swarms;

/// <summary>The seeders of one torrent, and their tracker.</summary>
public sealed class Swarm : IAsyncDisposable
{
    /// <summary>Starts all of them.</summary>
    public Swarm(MockTorrent torrent, params IReadOnlyList<SeederOptions> seeders)
    {
        ArgumentNullException.ThrowIfNull(seeders);
        Torrent = torrent;
        Seeders = [.. seeders.Select(options => new MockSeeder(torrent, options))];
        Tracker = new MockTracker(torrent, Seeders.Select(static seeder => seeder.Endpoint));
    }

    public MockTorrent Torrent { get; }

    public IReadOnlyList<MockSeeder> Seeders { get; }

    public MockTracker Tracker { get; }

    /// <summary>The addresses of the seeders.</summary>
    public IEnumerable<IPEndPoint> Endpoints => Seeders.Select(static seeder => seeder.Endpoint);

    /// <summary>A magnet link that names the seeders.</summary>
    public string Magnet => Torrent.Magnet(Endpoints.Select(static endpoint => endpoint.ToString()), []);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var seeder in Seeders)
            await seeder.DisposeAsync();
        await Tracker.DisposeAsync();
    }
}
