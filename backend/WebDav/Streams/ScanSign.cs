namespace NzbDav.WebDav.Streams;

/// <summary>The reading pattern of a stream, which distinguishes scanning programs from viewers.</summary>
public enum ScanSign
{
    /// <summary>Consistent with a player.</summary>
    None,

    /// <summary>On and on, faster than anybody watches, and further ahead than the pace of the film needs: intro detection, key frames for trickplay, a copy.</summary>
    Fast,

    /// <summary>A little here and a little there, in steps through the file: thumbnails and chapter images.</summary>
    Steps,
}
