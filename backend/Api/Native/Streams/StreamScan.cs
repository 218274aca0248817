namespace NzbDav.Api.Native.Streams;


/// <summary>How a program reads that scans files instead of playing them.</summary>
internal enum StreamScan
{
    /// <summary>Continuously, faster than anybody watches: intro detection, trickplay, a copy.</summary>
    Fast,

    /// <summary>In short steps through the file: thumbnails, chapter images.</summary>
    Steps,
}
