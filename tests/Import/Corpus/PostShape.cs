using NzbDav.Archives.Tests;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>A post in one of the shapes that people use: what is posted, and what must come out of it.</summary>
internal sealed record PostShape
{
    /// <summary>What is posted.</summary>
    public required IReadOnlyList<(string Name, byte[] Bytes)> Posted { get; init; }

    /// <summary>Posts whose .nzb files are posted beside <see cref="Posted"/>, under these names.</summary>
    public IReadOnlyList<(string Name, IReadOnlyList<(string Name, byte[] Bytes)> Files)> Inner { get; init; } = [];

    /// <summary>
    /// The exact set of files that must be published, by path below the job's folder. Empty for a post that must be refused.
    /// </summary>
    public IReadOnlyDictionary<string, byte[]> Expected { get; init; } = new Dictionary<string, byte[]>(StringComparer.Ordinal);

    /// <summary>For a post that must be refused: the code of the reason.</summary>
    public string? Code { get; init; }

    /// <summary>For a post that must be refused: what the reason must say.</summary>
    public string Says { get; init; } = "";

    public string Job { get; init; } = "The Job (2024)";

    /// <summary>Given with the job.</summary>
    public string? Password { get; init; }

    public PostOptions Options { get; init; } = new() { ArticleSize = 7_000 };

    public NzbOptions Nzb { get; init; } = new();

    /// <summary>Articles that no provider has any more.</summary>
    public Func<PostedSegment, bool> Gone { get; init; } = static _ => false;

    /// <summary>
    /// Posted besides: its articles are listed in the .nzb under the same numbers as those of <see cref="Posted"/> at the same place.
    /// </summary>
    public IReadOnlyList<(string Name, byte[] Bytes)> Again { get; init; } = [];

    /// <summary>The articles of <see cref="Posted"/> that are listed with the ones in <see cref="Again"/>.</summary>
    public Func<PostedSegment, bool> Listed { get; init; } = static _ => true;

    /// <summary>The articles of <see cref="Again"/> that no provider has.</summary>
    public Func<PostedSegment, bool> AgainGone { get; init; } = static _ => false;

    public ImportOptions Rules { get; init; } = ImportFixture.Options with { MaxNzbBytes = 8 << 20 };

    public string Category { get; init; } = "movies";

    /// <summary>Posts and imports it.</summary>
    public async Task<CatalogJob> RunAsync(ImportFixture fixture)
    {
        var inner = Inner.Select(post => (post.Name, NzbWriter.ToBytes(Post(fixture, post.Files)))).ToArray();
        var posted = Post(fixture, [.. Posted, .. inner]);
        var again = Post(fixture, Again);
        foreach (var mock in fixture.Mocks)
            mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => again.Contains(segment.File) ? AgainGone(segment) : Gone(segment)));
        var listed = again.Count == 0 ? Nzb : Nzb with
        {
            Copies = segment => Listed(segment)
            ? again.Where(file => file.Number == segment.File.Number).Select(file => file.Segments[segment.Index]) : []
        };
        using var nzb = new MemoryStream(NzbWriter.ToBytes(posted, listed));
        var request = new IntakeRequest { FileName = Job + ".nzb", Category = Category, Source = JobSource.Api, Password = Password };
        var taken = await fixture.Intake.AddAsync(request, nzb, CancellationToken.None);
        Assert.Null(taken.Error);
        return await fixture.RunAsync();
    }

    private IReadOnlyList<PostedFile> Post(ImportFixture fixture, IReadOnlyList<(string Name, byte[] Bytes)> files) =>
        fixture.Store.AddPost([.. files.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))], Options);

    /// <summary>A film: Matroska by its first bytes, noise behind them.</summary>
    public static byte[] Film(int seed, int length)
    {
        var bytes = SeededBytes.Make(seed, length);
        ((ReadOnlySpan<byte>)[0x1A, 0x45, 0xDF, 0xA3]).CopyTo(bytes);
        return bytes;
    }

    /// <summary>
    /// A post of files that a real program wrote. It is small, and so are the articles, so that reads cross borders of both.
    /// </summary>
    public static PostShape OfFixture(string name) =>
        new() { Posted = Fixtures.Of(name), Options = new PostOptions { ArticleSize = 700 }, Expected = Sources.All };

    /// <summary>Volumes under the names that a scheme gives them.</summary>
    public static IEnumerable<(string Name, byte[] Bytes)> Named(IReadOnlyList<byte[]> volumes, Func<int, string[]> naming) =>
        naming(volumes.Count).Zip(volumes);
}
