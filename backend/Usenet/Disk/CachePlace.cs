namespace NzbDav.Usenet.Disk;

/// <summary>Where a record is. Offsets and lengths are in blocks of <see cref="CacheRecord.Block"/> bytes.</summary>
/// <param name="Segment">Number of its file, from 1.</param>
/// <param name="Block">Its first block.</param>
/// <param name="Blocks">Its length.</param>
internal readonly record struct CachePlace(uint Segment, ushort Block, ushort Blocks)
{
    /// <summary>Never 0 for a real place.</summary>
    public ulong Packed => ((ulong)Segment << 32) | ((ulong)Block << 16) | Blocks;

    public static CachePlace Unpack(ulong packed) => new((uint)(packed >> 32), (ushort)(packed >> 16), (ushort)packed);
}
