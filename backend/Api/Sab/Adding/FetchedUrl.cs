using NzbDav.Import;

namespace NzbDav.Api.Sab;

/// <summary>What came from an address, or why nothing did.</summary>
/// <param name="Body">To be disposed by who gets it; null on failure.</param>
/// <param name="FileName">As the server calls it, else from the address.</param>
/// <param name="Error">In words; null on success.</param>
/// <param name="MayPass">Trying again later may work.</param>
internal sealed record FetchedUrl(IntakeFile? Body, string? FileName, string? Error, bool MayPass)
{
    /// <summary>The magnet link that the address leads to, with an <see cref="Error"/> for those who wanted a file; null: none.</summary>
    public string? Magnet { get; init; }
}
