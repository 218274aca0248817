using NzbDav.Library.Export;

namespace NzbDav.Host.Twins;

/// <summary>State of a folder that is kept in step with a category. Immutable.</summary>
/// <param name="Options">What the folder contains.</param>
internal sealed record TwinStatus(ExportOptions Options)
{
    public TwinState State { get; init; }

    /// <summary>Number of this server's files and links that were correct after the last update; null: not updated since the start.</summary>
    public int? Files { get; init; }

    /// <summary>What prevents updates, as text; null: nothing.</summary>
    public string? Problem { get; init; }
}
