using NzbDav.Host.Twins;

namespace NzbDav.Host.Status;

/// <summary>A folder that is kept in step with a category.</summary>
/// <param name="Category">The category.</param>
/// <param name="Folder">The folder on the server's disk.</param>
/// <param name="Kind">What stands in it for each file.</param>
/// <param name="Details">Videos have .nfo files beside them.</param>
/// <param name="State">How it stands.</param>
/// <param name="Files">Files and links of ours that were right when it was last brought up to date; null: not since the start.</param>
/// <param name="Reason">What is in the way, in words; null: nothing.</param>
internal sealed record StatusExportBody(string Category, string Folder, TwinKind Kind, bool Details, TwinState State, int? Files, string? Reason)
{
    public static StatusExportBody Of(TwinStatus status) => new(
        status.Options.Category ?? "", status.Options.Folder, status.Options.Links ? TwinKind.Symlinks : TwinKind.Strm, status.Options.Details, status.State, status.Files, status.Problem);
}
