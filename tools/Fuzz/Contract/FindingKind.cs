namespace NzbDav.Fuzz.Contract;

/// <summary>What is wrong with a parser.</summary>
internal enum FindingKind
{
    /// <summary>It threw what it does not promise to throw, or broke a promise.</summary>
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
