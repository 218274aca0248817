using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>Ranges of files inside sets of volumes, over WebDAV.</summary>
public sealed class ArchiveRangeTests
{
    private const int VolumeSize = 300_000;

    [Theory]
    [InlineData("RAR5", null)]
    [InlineData("RAR5", "sécret")]
    [InlineData("7z", null)]
    [InlineData("7z", "sécret")]
    [InlineData("split", null)]
    public async Task RNG_20_Parallel_ranges_across_volumes_have_the_right_bytes(string kind, string? password)
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(2) });
        await using var gateway = await Gateway.StartAsync(news);
        var film = SeededBytes.Make(20, 3_000_000);

        // Begins like Matroska: 7z has no password check, so a password counts as right if the content matches the type of its name.
        new byte[] { 0x1A, 0x45, 0xDF, 0xA3 }.CopyTo(film, 0);
        var source = news.Store.AddFile("film.mkv", new MemorySource(film), null);
        PostedFile[] volumes =
        [
            .. Volumes(kind, password, film).Select(
                volume => news.Store.AddFile(volume.Name, new MemorySource(volume.Bytes), new PostOptions { ArticleSize = 70_000 })),
        ];
        var name = password is null ? "Set" : $"Set{{{{{password}}}}}";
        await gateway.Client.PutAsync(DavClient.Path("nzbs", "movies", name + ".nzb"), NzbWriter.ToBytes(volumes));
        var done = await gateway.WaitAsync("Set");
        Assert.True(done?.State == JobState.Completed, done?.FailureMessage);
        var path = DavClient.Path("content", "movies", "Set", "film.mkv");
        await Task.WhenAll(Enumerable.Range(0, 8).Select(reader => gateway.Client.AssertRangesAsync(path, source, count: 4, seed: reader)));
        gateway.ForgetArticles();
        await gateway.Client.AssertFileAsync(path, source);
        await gateway.AssertNothingLeaksAsync();
    }

    private static IEnumerable<(string Name, byte[] Bytes)> Volumes(string kind, string? password, byte[] film)
    {
        var packed = new PackedFile("film.mkv", film);
        return kind switch
        {
            "RAR5" => new Rar5Writer { VolumeSize = VolumeSize, Password = password }.Write(packed)
                .Select((bytes, index) => ($"set.part{index + 1:00}.rar", bytes)),
            "7z" => new SevenZipWriter { VolumeSize = VolumeSize, Password = password }.Write(packed)
                .Select((bytes, index) => ($"set.7z.{index + 1:000}", bytes)),
            _ => film.Chunk(VolumeSize).Select((bytes, index) => ($"film.mkv.{index + 1:000}", bytes)),
        };
    }
}
