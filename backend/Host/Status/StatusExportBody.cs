using NzbDav.Host.Twins;

namespace NzbDav.Host.Status;

/// <summary>A folder that is kept in step with a category.</summary>
/// <param name="Category">The category.</param>
/// <param name="Folder">The folder on the server's disk.</param>
/// <param name="Kind">What it contains for each file.</param>
/// <param name="Details">True if videos have .nfo files beside them.</param>
/// <param name="State">Its state.</param>
/// <param name="Files">Number of this server's files and links that were correct after the last update; null: not updated since the start.</param>
/// <param name="Reason">What prevents updates, as text; null: nothing.</param>
internal sealed record StatusExportBody(string Category, string Folder, TwinKind Kind, bool Details, TwinState State, int? Files, string? Reason)
{
    public static StatusExportBody Of(TwinStatus status) => new(
        status.Options.Category ?? "", status.Options.Folder, status.Options.Links ? TwinKind.Symlinks : TwinKind.Strm, status.Options.Details, status.State, status.Files, status.Problem);
}
