using System.Diagnostics;
using System.Text;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests.Properties;

/// <summary>Listings of folders with very many children. Runs alone, because it counts the allocations of the process.</summary>
[Collection(nameof(Alone))]
public class LongListingTests
{
    private const int Count = 100_000;

    [Fact]
    public async Task DAV_12_long_listings_stream_in_bounded_memory()
    {
        var content = new StubContent(42);
        var items = Enumerable.Range(0, Count)
            .Select(IStoreItem (i) => new StubFile($"Some.Show.S01E{i:D6}.1080p.WEB.H264-GROUP.mkv", content)).ToArray();
        var store = new StubStore();
        store.Root.Add(new StubCollection("many") { More = items });
        await using var server = await WebDavServer.StartAsync(store);
        await ListAsync(server, body: "");
        await MeasureAsync("");
        await MeasureAsync(
            "<propfind xmlns='DAV:'><prop><displayname/><getlastmodified/><getcontentlength/><resourcetype/></prop></propfind>");

        async Task MeasureAsync(string body)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            var (first, all, bytes) = await ListAsync(server, body);
            var allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
            Console.WriteLine(
                $"{bytes} bytes: first after {first.TotalMilliseconds:F1} ms, {Count / all.TotalSeconds:F0} entries/s, " +
                $"{allocated / (double)Count:F1} B allocated per entry");
            Assert.True(bytes > Count * 350L, $"{bytes} bytes");
            Assert.True(allocated < Count * 100L, $"{allocated} bytes allocated");
        }
    }

    [Fact]
    public async Task DAV_12_entries_are_sent_before_the_last_child_is_found()
    {
        var content = new StubContent(42);
        var store = new StubStore();
        var folder = store.Root.Add(new StubCollection("many")
        {
            More = Enumerable.Range(0, 1000).Select(IStoreItem (i) => new StubFile($"{i}.mkv", content)),
            HaltAfter = 500,
        });
        await using var server = await WebDavServer.StartAsync(store);
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendHeadAsync("PROPFIND", "/dav/many", [("Depth", "1"), ("Connection", "close")]);

        // The store has stopped for good, and most of the entries found so far have arrived.
        var early = await connection.ReadAtLeastAsync(150_000);
        Assert.Contains("/dav/many/300.mkv", Encoding.UTF8.GetString(early), StringComparison.Ordinal);
        Assert.InRange(folder.Yielded, 300, 501);
        folder.Halted.SetResult();
        byte[] all = [.. early, .. await connection.ReadToEndAsync()];
        Assert.Equal(1001, Listing.Parse(RawResponse.Parse(all, isHead: false)).Count);
    }

    private static async Task<(TimeSpan First, TimeSpan All, long Bytes)> ListAsync(WebDavServer server, string body)
    {
        await using var connection = await RawConnection.OpenAsync(server.Port);
        var buffer = new byte[256 << 10];
        var clock = Stopwatch.StartNew();
        await connection.SendHeadAsync(
            "PROPFIND", "/dav/many", [("Depth", "1"), ("Connection", "close"), ("Content-Length", $"{body.Length}")]);
        await connection.WriteAsync(Encoding.ASCII.GetBytes(body));
        long bytes = await connection.ReadAsync(buffer);
        var first = clock.Elapsed;
        while (await connection.ReadAsync(buffer) is var read and > 0)
            bytes += read;
        return (first, clock.Elapsed, bytes);
    }
}
