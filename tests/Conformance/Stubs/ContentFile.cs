using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>A file with any content that a test provides.</summary>
internal sealed class ContentFile(string name, IContent content) : IStoreFile
{
    public string Name { get; } = name;

    public DateTimeOffset CreatedAt { get; } = new(2024, 2, 29, 12, 30, 15, 250, TimeSpan.Zero);

    public DateTimeOffset ModifiedAt { get; } = new(2024, 3, 1, 8, 9, 10, 678, TimeSpan.Zero);

    public string ETag => "\"content-1\"";

    public long Length => content.Length;

    public StoreKeeping Keeping => default;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) => ValueTask.FromResult(StoreOpenResult.Of(content));
}
