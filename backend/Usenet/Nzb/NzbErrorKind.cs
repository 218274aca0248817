namespace NzbDav.Usenet.Nzb;

/// <summary>Why an NZB cannot be used.</summary>
public enum NzbErrorKind
{
    /// <summary>No XML element anywhere: an archive, a torrent, plain text, nothing.</summary>
    NotXml,

    /// <summary>XML or HTML, but without an <c>nzb</c> element: for instance an indexer's error page.</summary>
    NoRoot,

    /// <summary>The <c>nzb</c> element is never closed: part of the file is missing.</summary>
    Truncated,

    /// <summary>There is no <c>file</c> element.</summary>
    NoFiles,

    /// <summary>There are files, but none has a segment that could be fetched.</summary>
    NoSegments,

    /// <summary>A bound of <see cref="NzbReaderOptions"/> or of the parser was passed.</summary>
    LimitExceeded,
}
