using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests.Stubs;

internal sealed class StubFile(string name, StubContent content) : IStoreFile
{
    private int _opens;

    public string Name { get; } = name;

    public DateTimeOffset CreatedAt { get; init; } = new(2024, 2, 29, 12, 30, 15, 250, TimeSpan.Zero);

    public DateTimeOffset ModifiedAt { get; init; } = new(2024, 3, 1, 8, 9, 10, 678, TimeSpan.Zero);

    public string ETag { get; init; } = "\"stub-1\"";

    public long Length => Content.Length;

    public StubContent Content { get; } = content;

    public StoreKeeping Keeping { get; init; }

    /// <summary>If set, opening fails.</summary>
    public ContentFault? OpenFault { get; init; }

    public int Opens => Volatile.Read(ref _opens);

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _opens);
        return ValueTask.FromResult(OpenFault is { } fault ? StoreOpenResult.Failed(fault, "stubbed") : StoreOpenResult.Of(Content));
    }
}
