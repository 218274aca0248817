namespace NzbDav.Content.Recording;

/// <summary>A file of a recording.</summary>
/// <param name="Number">Its number, from 1.</param>
/// <param name="Size">Its size in bytes.</param>
/// <param name="Volumes">How it was posted; empty: not on Usenet.</param>
public sealed record RecordedFile(int Number, long Size, IReadOnlyList<RecordedVolume> Volumes);
