namespace NzbDav.FullNzbTester.Findings;

/// <summary>Something that must not be.</summary>
/// <param name="Stage">Where it showed, such as <c>sequential (WebDAV)</c>.</param>
/// <param name="Message">What, where, and what was expected.</param>
internal sealed record StageFailure(string Stage, string Message)
{
    public override string ToString() => $"{Stage}: {Message}";
}
