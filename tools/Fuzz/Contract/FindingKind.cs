namespace NzbDav.Fuzz.Contract;

/// <summary>Kind of a parser's fault.</summary>
internal enum FindingKind
{
    /// <summary>It threw an undocumented exception, or broke its contract.</summary>
    Throws,

    /// <summary>It allocated more than its bound.</summary>
    Memory,

    /// <summary>Its result depends on how the input was cut.</summary>
    Differs,

    /// <summary>It did not return.</summary>
    Hangs,

    /// <summary>It ended the process.</summary>
    Crashes,
}
