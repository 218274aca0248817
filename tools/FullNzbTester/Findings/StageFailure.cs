namespace NzbDav.FullNzbTester.Findings;

/// <summary>A failure of a stage.</summary>
/// <param name="Stage">The stage, such as <c>sequential (WebDAV)</c>.</param>
/// <param name="Message">What, where, and what was expected.</param>
internal sealed record StageFailure(string Stage, string Message)
{
    public override string ToString() => $"{Stage}: {Message}";
}
