namespace NzbDav.Torrents.Pieces;

/// <summary>State of a block of an unfinished piece.</summary>
internal enum BlockState : byte
{
    /// <summary>Not requested.</summary>
    Free,

    /// <summary>Requested from at least one peer.</summary>
    Asked,

    /// <summary>Received.</summary>
    Received,
}
