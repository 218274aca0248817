namespace NzbDav.Content;

/// <summary>Why bytes are read. Decides the priority of the requests and how far a reader may run ahead.</summary>
public enum ReadIntent
{
    /// <summary>A player or a person waits: first in line; read-ahead widens while reading stays sequential.</summary>
    Playback,

    /// <summary>A few KiB are read (headers, media information): first in line, no read-ahead.</summary>
    Probe,

    /// <summary>A whole file is copied: read-ahead, nobody waits for the first byte.</summary>
    Download,

    /// <summary>A program reads faster than anybody watches, or reads here and there: behind all playback, with only enough read-ahead to keep one connection busy.</summary>
    Scan,

    /// <summary>Import work. Lower priority than any reader.</summary>
    Import,

    /// <summary>Background verification and repair. Lowest priority.</summary>
    Health,
}
