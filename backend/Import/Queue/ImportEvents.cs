namespace NzbDav.Import;

/// <summary>Passes progress on to whoever listens in this process. Thread-safe.</summary>
public sealed class ImportEvents : IImportEvents
{
    /// <summary>Raised on a worker's thread: return quickly.</summary>
    public event Action<ImportProgress>? Progressed;

    /// <inheritdoc/>
    public void Report(ImportProgress progress) => Progressed?.Invoke(progress);
}
