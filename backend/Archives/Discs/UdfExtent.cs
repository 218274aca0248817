namespace NzbDav.Archives.Discs;

/// <summary>A run of a file.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Length">Bytes.</param>
/// <param name="IsRecorded">False for a hole, which reads as zeros.</param>
internal readonly record struct UdfExtent(UdfAddress Address, long Length, bool IsRecorded);
