namespace NzbDav.WebDav.Streams;

/// <summary>How a stream reads, as far as that tells a program that scans files from somebody who watches.</summary>
public enum ScanSign
{
    /// <summary>As a player may.</summary>
    None,

    /// <summary>On and on, faster than anybody watches, and further ahead than the pace of the film needs: intro detection, key frames for trickplay, a copy.</summary>
    Fast,

    /// <summary>A little here and a little there, in steps through the file: thumbnails and chapter images.</summary>
    Steps,
}
