namespace NzbDav.Import.Progress;

/// <summary>Passes progress on to the listeners in this process. Thread-safe.</summary>
public sealed class ImportEvents : IImportEvents
{
    /// <summary>Raised on a worker's thread; handlers must return quickly.</summary>
    public event Action<ImportProgress>? Progressed;

    /// <inheritdoc/>
    public void Report(ImportProgress progress) => Progressed?.Invoke(progress);
}
