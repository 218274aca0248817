namespace NzbDav.Torrents.Pieces;

/// <summary>Where a block of an unfinished piece stands.</summary>
internal enum BlockState : byte
{
    /// <summary>Nobody was asked.</summary>
    Free,

    /// <summary>At least one peer was asked.</summary>
    Asked,

    /// <summary>It is here.</summary>
    Received,
}
