namespace NzbDav.Host.Logging;

/// <summary>Severity of a log line.</summary>
internal enum LogLineLevel
{
    /// <summary>Every step.</summary>
    Trace,

    /// <summary>Details for finding a fault.</summary>
    Debug,

    /// <summary>Normal operation.</summary>
    Information,

    /// <summary>Something unexpected that was handled.</summary>
    Warning,

    /// <summary>A failure.</summary>
    Error,

    /// <summary>A failure that ends the program.</summary>
    Critical,
}
