using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Adding;

/// <summary>The result of fetching an address.</summary>
/// <param name="Body">The file; the receiver disposes it. Null on failure.</param>
/// <param name="FileName">The name given by the server, otherwise from the address.</param>
/// <param name="Error">Why it failed, as text; null on success.</param>
/// <param name="MayPass">True if trying again later may succeed.</param>
internal sealed record FetchedUrl(IntakeFile? Body, string? FileName, string? Error, bool MayPass)
{
    /// <summary>The magnet link to which the address redirects; <see cref="Error"/> is set too, for callers that need a file. Null: none.</summary>
    public string? Magnet { get; init; }
}
