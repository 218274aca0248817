namespace NzbDav.Library.Export;

/// <summary>A file or link that has to be written.</summary>
/// <param name="Folder">Its folder.</param>
/// <param name="Entry">What it is.</param>
/// <param name="Old">What of ours is in its place; null: nothing is there.</param>
internal sealed record PlannedWrite(ExportFolder Folder, ExportEntry Entry, ManifestEntry? Old)
{
    /// <summary>Its text; known late, as it is made by the worker that writes it.</summary>
    public byte[] Text { get; set; } = [];

    /// <summary>Where it was written, until it is given its place; null: it goes there with its folder.</summary>
    public string? Staged { get; set; }
}
