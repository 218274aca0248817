using System.Diagnostics;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet;
using Xunit.Abstractions;

namespace NzbDav.EndToEnd.Tests;

/// <summary>What the server's process needs. Printed, and bounded loosely: 500 MB are wanted.</summary>
public sealed class MeasurementTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Memory_of_importing_500_GB_in_700_000_segments()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(10) });
        using var folder = new Folder();
        var file = news.Store.AddPost([("Everything.mkv", (IArticleSource)new FilmSource(new SeededSource(1, "everything", 500_000_000_000)))]).Single();
        var nzb = NzbWriter.ToBytes([file]);
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        var idle = server.PeakMemory;
        var watch = Stopwatch.StartNew();
        await client.PutAsync("/dav/nzbs/movies/everything.nzb", nzb);
        var taken = watch.Elapsed;
        await Deadline.UntilAsync(async () => (await client.ListAsync("/dav/content/movies/")).Length > 0, "it is published");
        var visible = watch.Elapsed;
        var peak = server.PeakMemory;
        output.WriteLine($"{file.Segments.Count} segments, .nzb of {nzb.Length / 1e6:F0} MB: visible after {visible.TotalSeconds:F2} s, of these the PUT {taken.TotalSeconds:F2} s; peak {peak / 1e6:F0} MB, {idle / 1e6:F0} MB before");
        await client.AssertRangesAsync("/dav/content/movies/everything/Everything.mkv", file, count: 4, seed: 3);
        Assert.InRange(peak, 1, 650_000_000);
    }

    /// <summary>Begins as Matroska does.</summary>
    private sealed class FilmSource(SeededSource bytes) : IArticleSource
    {
        public long Length => bytes.Length;

        public void Fill(long offset, Span<byte> destination)
        {
            bytes.Fill(offset, destination);
            ReadOnlySpan<byte> head = [0x1A, 0x45, 0xDF, 0xA3];
            if (offset < head.Length && destination.Length > 0)
                head[(int)offset..Math.Min(head.Length, (int)offset + destination.Length)].CopyTo(destination);
        }
    }
}
