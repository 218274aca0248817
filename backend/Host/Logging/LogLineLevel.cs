namespace NzbDav.Host.Logging;

/// <summary>How grave a line of the log is.</summary>
internal enum LogLineLevel
{
    /// <summary>Each step.</summary>
    Trace,

    /// <summary>For whoever looks for a fault.</summary>
    Debug,

    /// <summary>What happens.</summary>
    Information,

    /// <summary>What should not happen, and was dealt with.</summary>
    Warning,

    /// <summary>What failed.</summary>
    Error,

    /// <summary>What ends the program.</summary>
    Critical,
}
