namespace NzbDav.Catalog.Tests;

/// <summary>A configuration folder without a database.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public TemporaryFolder() => Directory.CreateDirectory(Options.ConfigFolder);

    public CatalogOptions Options { get; } = new() { ConfigFolder = CatalogFixture.NewFolder() };

    public BlobStore Blobs(BlobCodec codec = BlobCodec.Zstandard) => new(Options, new SteppedClock(), codec);

    public List<string> Files() => [.. Directory.EnumerateFiles(Options.ConfigFolder, "*", SearchOption.AllDirectories)];

    public void Dispose() => Directory.Delete(Options.ConfigFolder, recursive: true);
}
