using System.Security.Cryptography;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Probing;
using NzbDav.Import.Tests.Corpus;
using NzbDav.Library.Opening;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Mending;

/// <summary>Regular-looking sets of volumes, and helpers for their import.</summary>
internal static class InferredSet
{
    public const int VolumeSize = 30_000;
    public static readonly PostOptions Articles = new() { ArticleSize = 7_000 };

    /// <summary>Twenty volumes.</summary>
    public static readonly byte[] Film = PostShape.Film(77, 590_000);

    /// <summary>How often a layout was found out anew.</summary>
    public static int Mended(ImportFixture fixture) =>
        fixture.MenderLog.Entries.Count(entry => entry.Message.Contains("The layout of the archive of", StringComparison.Ordinal));

    public static IEnumerable<(string Name, byte[] Bytes)> Volumes(string kind, byte[] film, int size, string password = "")
    {
        var secret = password.Length > 0 ? password : null;
        PackedFile packed = new("Film.mkv", film);
        return kind switch
        {
            "RAR5" => PostShape.Named(
                new Rar5Writer { VolumeSize = size, Password = secret }.Write(packed), count => VolumeNaming.Part("set", count)),
            "RAR4" => PostShape.Named(
                new Rar4Writer { VolumeSize = size, Password = secret }.Write(packed), count => VolumeNaming.Letter("set", count)),
            "7z" => PostShape.Named(
                new SevenZipWriter { VolumeSize = size, Password = secret }.Write(packed), count => VolumeNaming.Numeric("set.7z", count)),
            _ => VolumeNaming.Numeric("Film.mkv", (film.Length + size - 1) / size).Zip(film.Chunk(size)),
        };
    }

    public static List<byte[]> Cut(byte[] bytes, int[] sizes)
    {
        var parts = new List<byte[]>();
        var at = 0;
        foreach (var size in sizes)
        {
            parts.Add(bytes[at..(at + size)]);
            at += size;
        }

        parts.Add(bytes[at..]);
        Assert.InRange(parts[^1].Length, 1, VolumeSize * 2);
        return [.. parts.SkipLast(1), .. parts[^1].Chunk(VolumeSize)];
    }

    public static IReadOnlyList<PostedFile> Post(
        ImportFixture fixture, IEnumerable<(string Name, byte[] Bytes)> files, PostOptions? options = null) =>
        fixture.Store.AddPost([.. files.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))], options ?? Articles);

    public static Task<CatalogItem> ImportAsync(ImportFixture fixture, IEnumerable<(string Name, byte[] Bytes)> files,
        string password = "") => ImportAsync(fixture, Post(fixture, files), password);

    /// <summary>Imports a post and returns its film.</summary>
    public static async Task<CatalogItem> ImportAsync(ImportFixture fixture, IReadOnlyList<PostedFile> posted, string password = "")
    {
        var job = await RunAsync(fixture, posted, password);
        Assert.Null(job.FailureMessage);
        CatalogItem? biggest = null;
        await foreach (var item in fixture.Tree.ListAsync(job.ItemId!.Value, after: null, CancellationToken.None))
            biggest = item.Size > (biggest?.Size ?? -1) ? item : biggest;
        return biggest!;
    }

    public static async Task<CatalogJob> RunAsync(ImportFixture fixture, IReadOnlyList<PostedFile> posted, string password = "")
    {
        await fixture.EnqueueAsync(NzbWriter.ToBytes(posted), password: password.Length > 0 ? password : null);
        return await fixture.RunAsync();
    }

    public static async Task<StoredExtentMap> StoredAsync(ImportFixture fixture, CatalogItem item) =>
        await fixture.Maps.ReadAsync(
            (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!.ExtentMap!.Value, CancellationToken.None);

    /// <summary>Waits until the item has another map than when it was published.</summary>
    public static Task UntilStoredAsync(ImportFixture fixture, CatalogItem item) =>
        Until.TrueAsync(async () => (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!.ExtentMap != item.ExtentMap);

    public static Task AssertWholeAsync(ContentOpener opener, CatalogItem item, byte[] source) =>
        AssertRangeAsync(opener, item, source, 0, source.Length);

    public static async Task AssertRangeAsync(ContentOpener opener, CatalogItem item, byte[] source, int start, int end)
    {
        Assert.Equal(source.Length, item.Size);
        var content = await opener.OpenAsync(item, CancellationToken.None);
        var read = await ContentBytes.ReadAsync(content, start, end - start, ReadIntent.Playback, CancellationToken.None);
        Assert.Equal(Convert.ToHexString(SHA256.HashData(source.AsSpan(start, end - start))), Convert.ToHexString(SHA256.HashData(read)));
    }
}
