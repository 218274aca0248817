using System.Security.Cryptography;
using System.Web;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Torrents;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Import.Progress;
using NzbDav.Torrents.Sessions;
using NzbDav.WebDav.View;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>Two gateways on one database: each torrent is in its swarm from one of them, and both serve its files.</summary>
[Collection(PostgresFactAttribute.Collection)]
public sealed class SharedTorrentTests : IDisposable
{
    private const string Film = "/dav/content/movies/film/film.mkv";

    private readonly Folder _first = new();
    private readonly Folder _second = new();
    private readonly string _database = PostgresServer.WhyNot is null ? PostgresServer.Shared.NewDatabase() : "";

    public void Dispose()
    {
        _second.Dispose();
        _first.Dispose();
        if (_database.Length > 0)
            PostgresServer.Shared.Drop(_database);
    }

    [PostgresFact]
    public async Task Both_serve_a_file_while_one_is_in_the_swarm_and_the_other_takes_over_when_that_one_stops()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(20_000_000));
        Gateway? other = null;
        var owner = await Gateway.StartAsync(news, _first, database: _database);
        try
        {
            await using (owner)
            {
                await owner.Client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
                Assert.Equal(JobState.Completed, (await owner.WaitAsync("film"))?.State);
                other = await Gateway.StartAsync(news, _second, database: _database);

                // The first read of each: nothing has been fetched before, so the owner waits for its peers.
                await swarm.AssertRangeAsync(other.Client, Film, 19_000_000, 19_100_000);
                await swarm.AssertFileAsync(other.Client, Film);
                await swarm.AssertFileAsync(owner.Client, Film);
                await swarm.AssertRangesAsync(other.Client, Film, readers: 4, count: 6);
                Assert.Single(Owned(owner));
                Assert.Empty(Owned(other));
                Assert.Empty(other.Services.GetRequiredService<TorrentSessions>().List());
                Assert.Single(Clients(swarm));
            }

            var sent = swarm.Sent;
            await swarm.AssertFileAsync(other.Client, Film);
            Assert.Single(Owned(other));
            Assert.Equal(2, Clients(swarm).Count);
            Assert.True(swarm.Sent >= sent + 20_000_000, "it has its own data");
        }
        finally
        {
            if (other is not null)
                await other.DisposeAsync();
        }
    }

    [PostgresFact]
    public async Task When_the_owner_is_killed_no_stream_ends_as_if_complete_and_the_other_takes_over_after_the_lease()
    {
        const int Size = 60_000_000;
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(Size));
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Catalog__Connection"] = _database;
        await using var owner = ServerProcess.Start(environment, "--config", _first.Path, "--urls", "http://127.0.0.1:0");
        using var client = await owner.ClientAsync();
        await client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
        await client.UntilAsync(Film);
        await using var other = await Gateway.StartAsync(news, _second, database: _database);
        using (var response = await other.Client.SendAsync("GET", Film))
        {
            Assert.Equal(Size, response.Content.Headers.ContentLength);
            await using var body = await response.Content.ReadAsStreamAsync();
            var read = 0L;
            read += await CheckAsync(body, swarm, read);
            Assert.Empty(Owned(other));
            Assert.Single(Clients(swarm));
            await owner.KillAsync();
            try
            {
                for (int count; (count = await CheckAsync(body, swarm, read)) > 0;)
                    read += count;
                Assert.Equal(Size, read);
            }
            catch (Exception error) when (error is HttpRequestException or IOException)
            {
                Assert.True(read < Size);
            }
        }

        await Deadline.UntilAsync(
            async () =>
            {
                using var response = await other.Client.SendAsync("GET", Film, body: null, static headers => headers.Range = new(0, 99));
                return response.IsSuccessStatusCode;
            },
            "the other gateway has taken the torrent over");
        await swarm.AssertFileAsync(other.Client, Film);
        Assert.Single(Owned(other));
        Assert.Equal(2, Clients(swarm).Count);
    }

    [PostgresFact]
    public async Task While_the_database_is_away_a_torrent_leaves_its_swarm_before_another_gateway_could_have_it()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(3_000_000));
        await using var gateway = await Gateway.StartAsync(news, _first, database: _database, time: new FasterClock(5));
        await gateway.Client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
        Assert.Equal(JobState.Completed, (await gateway.WaitAsync("film"))?.State);
        await swarm.AssertFileAsync(gateway.Client, Film);
        var engine = gateway.Services.GetRequiredService<TorrentSessions>().Engine;
        Assert.Single(engine.Torrents);
        PostgresServer.Shared.Stop("fast");
        try
        {
            await Deadline.UntilAsync(() => !engine.Torrents.Any(), "the torrent is closed");
            Assert.Contains(swarm.Swarm.Tracker.Announces, static query => query.Contains("event=stopped", StringComparison.Ordinal));
            Assert.Empty(Owned(gateway));
        }
        finally
        {
            PostgresServer.Shared.Start();
        }

        await swarm.AssertFileAsync(gateway.Client, Film);
        Assert.Single(Owned(gateway));
    }

    [PostgresFact]
    public async Task A_job_waits_while_another_gateway_has_its_torrent()
    {
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000));
        await using var gateway = await Gateway.StartAsync(news, _first, database: _database);
        var owners = new TorrentOwners(gateway.Services.GetRequiredService<CatalogDatabase>());
        var hash = Convert.ToHexStringLower(swarm.Torrent.Hash.Span);
        await owners.ClaimAsync(hash, new TorrentOwner("other", "http://other"), TimeSpan.FromHours(1), Deadline.Token);
        await gateway.Client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
        await Deadline.UntilAsync(
            async () => (await gateway.FindJobAsync("film"))?.FailureCode == ImportFailure.TorrentElsewhere, "the job waits");
        var job = (await gateway.FindJobAsync("film"))!;
        Assert.Equal(JobState.Queued, job.State);
        Assert.Contains("http://other", job.FailureMessage, StringComparison.Ordinal);
        Assert.Empty(gateway.Services.GetRequiredService<TorrentSessions>().Engine.Torrents);
        Assert.Empty(swarm.Swarm.Tracker.Announces);
    }

    private static IReadOnlyCollection<string> Owned(Gateway gateway) => gateway.Services.GetRequiredService<TorrentOwnership>().Owned;

    /// <summary>The peer ids that the tracker has seen: one for each engine that was in the swarm.</summary>
    private static IReadOnlyCollection<string?> Clients(TorrentSwarm swarm) =>
        [.. swarm.Swarm.Tracker.Announces.Select(
            static query => HttpUtility.ParseQueryString(query, System.Text.Encoding.Latin1)["peer_id"]).Distinct(StringComparer.Ordinal)];

    /// <summary>Reads some bytes, and compares them with those at that offset.</summary>
    private static async Task<int> CheckAsync(Stream body, TorrentSwarm swarm, long offset)
    {
        var read = new byte[64 << 10];
        var count = await body.ReadAsync(read);
        var expected = new byte[count];
        swarm.Torrent.Content.Fill(offset, expected);
        Assert.Equal(expected, read[..count]);
        return count;
    }
}
