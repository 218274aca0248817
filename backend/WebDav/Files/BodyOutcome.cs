namespace NzbDav.WebDav.Files;

/// <summary>How the sending of a range ended.</summary>
internal enum BodyOutcome
{
    /// <summary>Every byte was handed over.</summary>
    Sent,

    /// <summary>The client hung up.</summary>
    ClientGone,

    /// <summary>The reader ended before the range did.</summary>
    Short,
}
