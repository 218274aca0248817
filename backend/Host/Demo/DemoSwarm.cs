using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Serving;
using NzbDav.Import.Intake;
using NzbDav.Import.Queue;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Host.Demo;

/// <summary>
/// The demo's video as a torrent: two mock seeders and a tracker on loopback, and a .torrent that is imported like any other.
/// </summary>
internal sealed class DemoSwarm : IAsyncDisposable
{
    private const string JobName = "NzbDav Demo Torrent";

    /// <summary>Small pieces, so that a short video has many, and a seek lands in another one.</summary>
    private const int PieceLength = 64 << 10;

    private readonly Swarm _swarm;
    private readonly byte[] _torrent;
    private TorrentLease? _lease;

    private DemoSwarm(Swarm swarm)
    {
        _swarm = swarm;
        _torrent = swarm.Torrent.TorrentFile(swarm.Tracker.Url);
    }

    /// <param name="file">The file to share.</param>
    public static DemoSwarm Start(string file)
    {
        var bytes = File.ReadAllBytes(file);
        var name = Path.GetFileName(file);
        var content = SwarmContent.Of(PieceLength, [new SwarmFile(name, bytes.Length)], bytes);
        return new DemoSwarm(new Swarm(new MockTorrent(name, content), new SeederOptions(), new SeederOptions()));
    }

    /// <summary>Imports the torrent.</summary>
    /// <returns>The path of its file; null, after printing the reason, if it could not be imported.</returns>
    public async Task<string[]?> ImportAsync(NzbDavServer server, string category, TextWriter output, CancellationToken cancellationToken)
    {
        var tree = server.Services.GetRequiredService<TreeStore>();
        string[] path = [JobStore.ContentCollection, category, JobName];
        if (await tree.ResolveAsync(path, cancellationToken) is null)
        {
            var request = new IntakeRequest
            { FileName = JobName + TorrentIntake.TorrentEnding, Category = category, Source = JobSource.Demo };
            var taken = await server.Services.GetRequiredService<TorrentIntake>()
                .AddAsync(request, new MemoryStream(_torrent), cancellationToken);
            var job = taken.Job is null
                ? null : await server.Services.GetRequiredService<JobOutcome>().WaitAsync(taken.Job.Id, cancellationToken);
            if (job?.State != JobState.Completed)
            {
                await output.WriteLineAsync($"The demo's torrent could not be imported: {job?.FailureMessage ?? taken.Error}");
                return null;
            }
        }

        // A folder from an earlier demo has that demo's tracker: pass the current .torrent.
        _lease = await server.Services.GetRequiredService<TorrentSessions>().UseAsync(Metainfo.Read(_torrent).Value!, cancellationToken);
        _lease.Torrent.AddPeers(_swarm.Endpoints);
        return [.. path, _swarm.Torrent.Name];
    }

    public async ValueTask DisposeAsync()
    {
        _lease?.Dispose();
        await _swarm.DisposeAsync();
    }
}
