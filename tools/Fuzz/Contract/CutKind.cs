namespace NzbDav.Fuzz.Contract;

/// <summary>The rule by which an input is cut.</summary>
internal enum CutKind
{
    /// <summary>Not at all.</summary>
    Whole,

    /// <summary>After each byte.</summary>
    Bytes,

    /// <summary>Into pieces of 1 … 40 bytes, some of up to 4,000.</summary>
    Mixed,
}
