using System.Security.Cryptography;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Probing;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Steps;

/// <summary>An article that the .nzb does not list is a hole in its file, like one that no server has.</summary>
public sealed class UnlistedArticleTests
{
    private const int Article = 7_000;

    private static readonly byte[] Film = ServedShapes.Film;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(21)]
    public async Task A_film_is_served_except_for_an_unlisted_article(int unlisted)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var shape = new PostShape
        { Posted = [("Film.mkv", Film)], Nzb = new NzbOptions { Include = segment => segment.Index != unlisted } };
        await AssertHasHoleAsync(fixture, await shape.RunAsync(fixture), unlisted);
    }

    [Fact]
    public async Task A_film_listed_part_by_part_is_served_except_for_an_unlisted_part()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var shape = new PostShape
        { Posted = [("Film.mkv", Film)], Nzb = new NzbOptions { FilePerSegment = true, Include = segment => segment.Index != 4 } };
        await AssertHasHoleAsync(fixture, await shape.RunAsync(fixture), 4);
    }

    [Fact]
    public async Task A_film_in_volumes_is_served_except_for_an_unlisted_article()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var volumes = new Fakes.Archives.Rar5Writer { VolumeSize = 60_000 }.Write(new Fakes.Archives.PackedFile("Film.mkv", Film));
        var shape = new PostShape
        {
            Posted = [.. PostShape.Named(volumes, count => Fakes.Archives.VolumeNaming.Part("volume", count))],
            Nzb = new NzbOptions { Include = segment => segment.File.Number != 2 || segment.Index != 4 },
        };
        var job = await shape.RunAsync(fixture);
        Assert.Null(job.FailureMessage);
        var content = await OpenAsync(fixture, job);
        var start = volumes[1].AsSpan().IndexOf(Film.AsSpan(70_000, 64)) - 70_000;
        await AssertHasHoleAsync(content, (4 * Article) - start, (5 * Article) - start);
    }

    private static async Task AssertHasHoleAsync(ImportFixture fixture, CatalogJob job, int hole)
    {
        Assert.Null(job.FailureMessage);
        var content = await OpenAsync(fixture, job);
        await AssertHasHoleAsync(content, hole * Article, Math.Min(Film.Length, (hole + 1) * Article));
    }

    private static async Task AssertHasHoleAsync(IContent content, int start, int end)
    {
        Assert.Equal(Film.Length, content.Length);
        Assert.Equal(SHA256.HashData(Film[..start]), SHA256.HashData(await ReadAsync(content, 0, start)));
        Assert.Equal(SHA256.HashData(Film[end..]), SHA256.HashData(await ReadAsync(content, end, Film.Length)));
        await AssertMissingAsync(content, start);
        await AssertMissingAsync(content, end - 1);
    }

    private static async Task AssertMissingAsync(IContent content, int at) =>
        Assert.Equal(ContentFault.Missing, (await Assert.ThrowsAsync<ContentException>(() => ReadAsync(content, at, at + 1))).Fault);

    private static Task<byte[]> ReadAsync(IContent content, int start, int end) =>
        ContentBytes.ReadAsync(content, start, end - start, ReadIntent.Download, CancellationToken.None);

    private static async Task<IContent> OpenAsync(ImportFixture fixture, CatalogJob job)
    {
        var folder = (await fixture.Tree.GetAsync(job.ItemId!.Value, CancellationToken.None))!;
        CatalogItem? file = null;
        await foreach (var item in fixture.Tree.ListAsync(folder.Id, after: null, CancellationToken.None))
            file = item;
        return await fixture.Opener.OpenAsync(file!, CancellationToken.None);
    }
}
