namespace NzbDav.Usenet.Disk;

/// <summary>What the last block of a finished file says.</summary>
/// <param name="FirstBlock">Where the table begins.</param>
/// <param name="Records">How many records it names.</param>
/// <param name="Written">When.</param>
/// <param name="Checksum">CRC-32 of the table.</param>
internal readonly record struct CacheFooterEnd(int FirstBlock, int Records, DateTimeOffset Written, uint Checksum);
