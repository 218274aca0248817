namespace NzbDav.Content;

/// <summary>Why bytes are read. Decides the priority of the requests and how far a reader may run ahead.</summary>
public enum ReadIntent
{
    /// <summary>A player or a person waits: first in line; read-ahead widens while reading stays sequential.</summary>
    Playback,

    /// <summary>A few KiB are looked at (headers, media information): first in line, no read-ahead.</summary>
    Probe,

    /// <summary>A whole file is copied: read-ahead, nobody waits for the first byte.</summary>
    Download,

    /// <summary>A program reads faster than anybody watches, or looks here and there: behind everybody who plays something, and no more ahead than keeps a connection busy.</summary>
    Scan,

    /// <summary>A job is being imported: gives way to every reader.</summary>
    Import,

    /// <summary>Background verification and repair: gives way to everything.</summary>
    Health,
}
