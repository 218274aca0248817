using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests;

/// <summary>A configuration folder without a database.</summary>
internal sealed class ConfigFolder : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public ConfigFolder() => Options = TestEngine.Options(_folder.Path, isNew: true);

    public CatalogOptions Options { get; }

    public BlobStore Blobs() => new(Options, CatalogFixture.NewClock());

    public List<string> Files() => [.. Directory.EnumerateFiles(_folder.Path, "*", SearchOption.AllDirectories)];

    public void Dispose()
    {
        TestEngine.Drop(Options);
        _folder.Dispose();
    }
}
