using NzbDav.Import;

namespace NzbDav.Api.Native.Jobs;

/// <summary>What a form brought. Owns the files.</summary>
internal sealed class JobForm : IAsyncDisposable
{
    /// <summary>In the order in which they came.</summary>
    public List<(string Name, IntakeFile File)> Files { get; } = [];

    /// <summary>The other fields, by name.</summary>
    public Dictionary<string, string> Values { get; } = new(StringComparer.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var (_, file) in Files)
            await file.DisposeAsync();
    }
}
