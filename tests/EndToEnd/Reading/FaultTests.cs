using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Database;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>What a client sees of faults on Usenet: the right bytes, or an error that cannot be mistaken for the end of the file.</summary>
public sealed class FaultTests
{
    private static readonly MockProviderOptions[] Two = [new() { Name = "news-a" }, new() { Name = "news-b" }];

    [Fact]
    public async Task RNG_23_An_article_missing_before_the_first_byte_is_404_and_is_named()
    {
        await using var news = new NewsServers(Two);
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("hole.mkv", 10_000_000);
        var path = await gateway.ImportAsync("hole", file) + "/hole.mkv";
        gateway.ForgetArticles();
        news.Fault(Fault.Missing, FaultTarget.Indexes(file, 4));

        var inHole = file.Segments[4].Offset + 17;
        using var response = await gateway.Client.SendAsync(
            "GET", path, body: null, headers => headers.Range = new RangeHeaderValue(inHole, null));
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        var said = await response.Content.ReadAsStringAsync();
        Assert.Contains(file.Segments[4].MessageId, said, StringComparison.Ordinal);
        Assert.Contains("news-a, news-b", said, StringComparison.Ordinal);

        // Everything outside the hole can be read.
        await gateway.Client.AssertRangeAsync(path, file, 0, file.Segments[4].Offset);
        await gateway.Client.AssertRangeAsync(path, file, file.Segments[5].Offset, file.Length);
        await gateway.AssertNothingLeaksAsync();
    }

    [Fact]
    public async Task A_damaged_row_of_the_catalog_is_one_missing_item_and_the_answer_says_why()
    {
        await using var news = new NewsServers(Two);
        await using var gateway = await Gateway.StartAsync(news);
        var path = await gateway.ImportAsync("Two", news.Post("one.mkv", 300_000), news.Post("two.mkv", 300_000));
        await gateway.Services.GetRequiredService<CatalogDatabase>().WriteAsync(
            transaction => transaction.Execute("UPDATE items SET extent_map = 'nonsense' WHERE name = 'one.mkv'"),
            WriteKind.Exclusive, Deadline.Token);

        // The tree is not cached under a new name.
        var to = DavClient.Path("content", "movies", "Three");
        using var moved = await gateway.Client.SendAsync("MOVE", path, headers: headers => headers.Add("Destination", to));
        Assert.Equal(HttpStatusCode.Created, moved.StatusCode);
        path = to;
        Assert.Equal(["two.mkv"], await gateway.Client.ListAsync(path));
        foreach (var method in (string[])["GET", "HEAD", "PROPFIND", "DELETE"])
        {
            using var response = await gateway.Client.SendAsync(method, path + "/one.mkv");
            Assert.True(response.StatusCode == HttpStatusCode.NotFound, $"{method}: {response.StatusCode}");
            if (method != "HEAD")
                Assert.Contains("Restore a backup", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("missing")]
    [InlineData("damaged")]
    public async Task RNG_23_A_fault_in_the_middle_breaks_the_connection(string kind)
    {
        await using var news = new NewsServers(Two);
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("hole.mkv", 10_000_000);
        var path = await gateway.ImportAsync("hole", file) + "/hole.mkv";
        gateway.ForgetArticles();
        news.Fault(kind == "missing" ? Fault.Missing : Fault.Corrupt, FaultTarget.Indexes(file, 9));

        using var response = await gateway.Client.SendAsync("GET", path);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(file.Length, response.Content.Headers.ContentLength);
        var (count, digest, error) = await DrainAsync(response);
        Assert.IsAssignableFrom<IOException>(error);
        Assert.InRange(count, 0, file.Segments[9].Offset + (kind == "missing" ? 0 : file.Segments[9].Size - 1));

        // Damage is only known at the end of an article: its bytes sent so far are not to be trusted, everything before it is.
        if (count <= file.Segments[9].Offset)
            Assert.Equal(DavClient.Digest(file, 0, count), digest);
        await gateway.AssertNothingLeaksAsync();
    }

    [Fact]
    public async Task Articles_damaged_at_one_provider_come_from_the_other()
    {
        await using var news = new NewsServers(Two);
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("damaged.mkv", 10_000_000);
        news.First.Faults.Add(Fault.Corrupt, FaultTarget.Where(segment => segment.Index % 3 == 1));
        var path = await gateway.ImportAsync("damaged", file) + "/damaged.mkv";

        // The bytes of an article that a reader waits for are sent before its checksum is known. If they turn out wrong the connection
        // breaks, and the next attempt finds the good copy: at most one break for each damaged article.
        var breaks = 0;
        for (var whole = false; !whole;)
        {
            using var response = await gateway.Client.SendAsync("GET", path);
            var (count, digest, error) = await DrainAsync(response);
            whole = error is null;
            if (!whole)
            {
                Assert.InRange(++breaks, 1, file.Segments.Count(segment => segment.Index % 3 == 1));
                continue;
            }

            Assert.Equal(file.Length, count);
            Assert.Equal(DavClient.Digest(file, 0, file.Length), digest);
        }

        await gateway.Client.AssertRangesAsync(path, file, count: 20, seed: 3);
        Assert.True(news.Providers[1].Stats.ArticlesServed > 0);
        await gateway.AssertNothingLeaksAsync();
    }

    [Fact]
    public async Task Articles_missing_on_one_provider_come_from_the_other()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a", Holds = segment => segment.Index % 4 != 0 },
            new MockProviderOptions { Name = "news-b" });
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("parted.mkv", 12_000_000);
        var path = await gateway.ImportAsync("parted", file) + "/parted.mkv";
        await gateway.Client.AssertFileAsync(path, file);
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(5_000_000, true)]
    [InlineData(20_000_000, false)]
    [InlineData(39_000_000, true)]
    public async Task Losing_all_connections_in_mid_stream_does_not_disturb_the_reader(long after, bool reset)
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("dropped.mkv", 40_000_000);
        var path = await gateway.ImportAsync("dropped", file) + "/dropped.mkv";
        gateway.ForgetArticles();

        using var response = await gateway.Client.SendAsync("GET", path);
        var (count, digest, error) = await DrainAsync(response, count =>
        {
            if (count < after)
                return;
            after = long.MaxValue;
            news.First.DropConnections(reset);
        });
        Assert.Null(error);
        Assert.Equal(long.MaxValue, after);
        Assert.Equal(file.Length, count);
        Assert.Equal(DavClient.Digest(file, 0, count), digest);
        await gateway.AssertNothingLeaksAsync();
    }

    [Fact]
    public async Task A_post_with_parts_of_different_sizes_reads_correctly_also_after_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var random = new Random(9);
        var sizes = Enumerable.Range(0, 100).Select(_ => random.Next(100_000, 400_000)).ToArray();
        var file = news.Post("odd.mkv", 8_000_000, new PostOptions { PartSize = index => sizes[index] });
        for (var start = 0; start < 2; start++)
        {
            await using var gateway = await Gateway.StartAsync(news, folder);
            var path = start == 0 ? await gateway.ImportAsync("odd", file) + "/odd.mkv" : "/dav/content/movies/odd/odd.mkv";
            await gateway.Client.AssertRangesAsync(path, file, count: 40, seed: start);
            await gateway.Client.AssertFileAsync(path, file);
        }
    }

    private static async Task<(long Count, string Digest, Exception? Error)> DrainAsync(
        HttpResponseMessage response, Action<long>? progress = null)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        long count = 0;
        Exception? error = null;
        try
        {
            await using var body = await response.Content.ReadAsStreamAsync();
            var piece = new byte[64 << 10];
            int read;
            while ((read = await body.ReadAsync(piece)) > 0)
            {
                hash.AppendData(piece.AsSpan(0, read));
                count += read;
                progress?.Invoke(count);
            }
        }
        catch (IOException e)
        {
            error = e;
        }

        return (count, Convert.ToHexString(hash.GetHashAndReset()), error);
    }
}
