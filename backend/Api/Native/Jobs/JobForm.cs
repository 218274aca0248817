using NzbDav.Import.Intake;

namespace NzbDav.Api.Native.Jobs;

/// <summary>The content of a form. Owns the files.</summary>
internal sealed class JobForm : IAsyncDisposable
{
    /// <summary>In the order in which they were sent.</summary>
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
