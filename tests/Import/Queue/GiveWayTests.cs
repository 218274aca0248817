using System.Collections.Concurrent;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Queue;

/// <summary>Imports get only the capacity that readers leave.</summary>
public sealed class GiveWayTests
{
    [Fact]
    public async Task A_reader_gets_its_articles_before_an_earlier_import()
    {
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 1 });
        var film = fixture.Post("film.mkv")[0];
        await fixture.EnqueueAsync([film]);
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        fixture.Usenet.Cache.Reclaim(long.MaxValue);

        // The only connection falls silent with the import's first article, and all others of the import wait.
        var mock = fixture.Mocks[0];
        var asked = new ConcurrentQueue<PostedSegment>();
        mock.Holds = segment =>
        {
            asked.Enqueue(segment);
            return true;
        };
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.All, timesInAll: 1);
        var pack = fixture.Post([.. Enumerable.Range(1, 40).Select(i => $"Show.S01E{i:00}.mkv")]);
        await fixture.EnqueueAsync(NzbWriter.ToBytes(pack), "Pack");
        var import = fixture.Worker.RunAsync(await fixture.ClaimAsync(), CancellationToken.None);
        await Until.TrueAsync(() => stall.Struck == 1 && fixture.Usenet.QueuedRequests + fixture.Usenet.RequestsOnWire >= pack.Count);

        // Now a player starts. When the line is back, its articles come first.
        var content = await fixture.Opener.OpenAsync((await fixture.FindAsync("content/movies/Job/film.mkv"))!, CancellationToken.None);
        await using (var reader = content.OpenReader(0, content.Length, ReadIntent.Playback))
        {
            asked.Clear();
            mock.DropConnections();
            var bytes = new MemoryStream();
            while (bytes.Length < content.Length)
            {
                using var lease = await reader.NextAsync(CancellationToken.None);
                bytes.Write(lease.Memory.Span);
            }

            var source = new byte[film.Length];
            film.Source.Fill(0, source);
            Assert.Equal(source, bytes.ToArray());
        }

        // In any order among themselves: requests of a dropped connection go behind the others.
        Assert.Equal(film.Segments, asked.Take(film.Segments.Count).OrderBy(segment => segment.Index));
        await import;
        Assert.Equal(40, (await fixture.FindAsync("content/movies/Pack") is { } folder ? await CountAsync(fixture, folder) : 0));
    }

    private static async Task<int> CountAsync(ImportFixture fixture, CatalogItem folder)
    {
        var count = 0;
        await foreach (var _ in fixture.Tree.ListAsync(folder.Id, after: null, CancellationToken.None))
            count++;
        return count;
    }
}
