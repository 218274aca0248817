namespace NzbDav.Import;

/// <summary>Why a job cannot be imported.</summary>
/// <param name="Code">For programs; stable.</param>
/// <param name="Message">For people: what is wrong, and where.</param>
/// <param name="Passing">True when trying again later may work: the job stays in the queue.</param>
public sealed record ImportFailure(string Code, string Message, bool Passing = false)
{
    /// <summary>The .nzb cannot be read.</summary>
    public const string Malformed = "malformed-nzb";

    /// <summary>Articles are gone from every provider.</summary>
    public const string Missing = "missing-articles";

    /// <summary>Articles are damaged on every provider.</summary>
    public const string Corrupt = "corrupt-articles";

    /// <summary>The .nzb does not hold all parts of a file.</summary>
    public const string Incomplete = "incomplete-nzb";

    /// <summary>No provider answers.</summary>
    public const string Unavailable = "providers-unavailable";

    /// <summary>The catalog cannot take it: disk full, not writable.</summary>
    public const string Storage = "storage";

    /// <summary>A fault of the program.</summary>
    public const string Internal = "internal-error";
}
