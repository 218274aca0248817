namespace NzbDav.WebDav.Requests;

/// <summary>How far down a request goes.</summary>
internal enum Depth
{
    /// <summary>The item alone.</summary>
    Zero,

    /// <summary>The item and its direct children.</summary>
    One,

    /// <summary>All below the item.</summary>
    Infinity,
}
